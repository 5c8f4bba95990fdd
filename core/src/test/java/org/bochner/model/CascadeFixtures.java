package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.model.file.CascadeParts;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/** Points, machines and helpers for tests of cascades. */
final class CascadeFixtures {
    static final int ROWS = 600;
    static final List<String> THREE = List.of("a", "b", "c");
    static final List<String> TWO = List.of("no", "yes");

    private CascadeFixtures() {}

    /**
     * Points of the unit square: the lower and the upper third of the classes a and b, where the border bends, and a
     * small disc of class c.
     */
    static MemorySource points(List<String> names, long seed) {
        RandomStream stream = new Seed(seed).stream();
        float[] values = new float[2 * ROWS];
        int[] classes = new int[ROWS];
        for (int i = 0; i < ROWS; i++) {
            float x = (float) stream.nextUniform();
            float y = (float) stream.nextUniform();
            values[2 * i] = x;
            values[2 * i + 1] = y;
            boolean upper = y > 0.5 + 0.15 * Math.sin(9 * x);
            boolean disc = (x - 0.7) * (x - 0.7) + (y - 0.8) * (y - 0.8) < 0.02;
            classes[i] = names.size() == 3 && disc ? 2 : upper ? 1 : 0;
        }
        return MemorySource.of(2, values).withClasses(names, classes);
    }

    /** Returns a cascade of three stages. */
    static KernelMachine recipe() {
        return KernelMachine.of("gaussian(sigma=0.15)")
                .withFeatures(120)
                .withStages(
                        List.of(
                                KernelMachine.of("linear").withScaling("standard"),
                                KernelMachine.of("gaussian(sigma=0.5)").withFeatures(20)),
                        0.005);
    }

    static void assertSays(String words, BochnerException e) {
        assertTrue(String.valueOf(e.getMessage()).contains(words), e.getMessage());
    }

    /** Returns the cascade with other thresholds of all stages but the last. */
    static KernelModel withThreshold(KernelModel model, double threshold) {
        CascadeParts cascade = parts(model);
        List<CascadeParts.Stage> stages = new ArrayList<>();
        for (CascadeParts.Stage stage : cascade.stages()) {
            boolean last = stages.size() == cascade.stages().size() - 1;
            stages.add(new CascadeParts.Stage(
                    stage.model(), last ? 0 : threshold, stage.decided(), stage.wrong(), stage.wrongAlone()));
        }
        return ModelAccess.model(ModelParts.of(new CascadeParts(stages, cascade.rows(), cascade.tolerance())));
    }

    static CascadeParts parts(KernelModel model) {
        CascadeParts cascade = ModelAccess.parts(model).cascade();
        if (cascade == null) {
            throw new AssertionError("no cascade");
        }
        return cascade;
    }

    static double[] scores(KernelModel model, RowSource rows, int threads) {
        List<double[]> blocks = new ArrayList<>();
        int outputs = model.linear().outputs();
        model.score(
                rows,
                new Workers(threads),
                Progress.NONE,
                (block, values) -> blocks.add(Arrays.copyOf(values, block.rows() * outputs)));
        return blocks.stream().flatMapToDouble(Arrays::stream).toArray();
    }

    /** Returns the logarithms of the probabilities of one stage by itself. */
    static double[] logarithms(CascadeParts.Stage stage, RowSource rows) {
        double[] scores = scores(ModelAccess.model(stage.model()), rows, 1);
        double[] logarithms = new double[scores.length];
        int outputs = stage.calibration().outputs();
        for (int i = 0; i < scores.length / outputs; i++) {
            stage.calibration().logarithms(scores, i, logarithms, i * outputs);
        }
        return logarithms;
    }
}
