package org.bochner.model.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Function;
import org.bochner.base.Notes;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.train.TrainingContext;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelAccessTest {
    private static final int ROWS = 50;

    private static MemorySource rows() {
        Random random = new Random(1);
        double[][] rows = new double[ROWS][3];
        double[] targets = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            Arrays.setAll(rows[i], j -> random.nextGaussian());
            targets[i] = rows[i][0] * rows[i][1];
        }
        return MemorySource.of(rows).withTargets(targets);
    }

    private static void assertScores(KernelModel model) {
        double[] expected = new double[ROWS];
        model.score(
                rows(),
                new Workers(1),
                Progress.NONE,
                (block, scores) -> System.arraycopy(scores, 0, expected, (int) block.firstRow(), block.rows()));
        Function<RowBlock, double[]> scorer = ModelAccess.scorer(model);
        double[] actual = new double[ROWS];
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = rows().open()) {
            while (cursor.next(builder, ROWS)) {
                RowBlock block = builder.build();
                System.arraycopy(scorer.apply(block), 0, actual, (int) block.firstRow(), block.rows());
            }
        }
        assertArrayEquals(expected, actual);
    }

    @Test
    void scorerScoresBlocksAsTheModelDoes() {
        KernelMachine machine = KernelMachine.of("gaussian").withFeatures(20).withLearner("ridge(lambda=0.1)");
        assertScores(machine.fit(rows()).model());
        assertScores(machine.withAverage(2).fit(rows()).model());
    }

    @Test
    void modelOfAMapAloneIsLoaded(@TempDir Path folder) {
        KernelMachine machine = KernelMachine.of("gaussian(sigma=2)").withFeatures(20);
        TrainingContext context =
                TrainingContext.of(ModelAccess.settings(machine), rows(), new Workers(1), Progress.NONE, new Notes());
        TrainingContext.Prepared prepared = context.prepare();
        KernelModel map = ModelAccess.model(ModelParts.components(
                prepared.transformer(),
                rows(),
                Precision.FLOAT32,
                context.settings()
                        .record(
                                rows(),
                                ROWS,
                                prepared.recipe(),
                                null,
                                Double.NaN,
                                null,
                                null,
                                null,
                                java.util.List.of())));
        map.save(folder.resolve("map.bochner"));
        KernelModel same = KernelModel.load(folder.resolve("map.bochner"));
        assertFalse(same.predicts());
        assertEquals(map.map().state(), same.map().state());
        assertEquals("20 features from 3 columns: gaussian(sigma=2)", same.toString());
    }
}
