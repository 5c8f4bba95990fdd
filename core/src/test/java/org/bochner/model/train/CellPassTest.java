package org.bochner.model.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.bochner.base.Notes;
import org.bochner.data.Holdout;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.ridge.Ridge;
import org.bochner.map.binning.BinningMap;
import org.bochner.map.binning.BinningRecipe;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeights;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CellPassTest {
    private static final Workers WORKERS = new Workers(2);

    private static MemorySource rows(int count) {
        RandomStream stream = new Seed(5).stream();
        float[] values = new float[2 * count];
        double[] targets = new double[count];
        double[] weights = new double[count];
        for (int i = 0; i < count; i++) {
            values[2 * i] = (float) stream.nextUniform();
            values[2 * i + 1] = (float) stream.nextUniform();
            targets[i] = 3 + Math.sin(7 * values[2 * i]) + 0.1 * stream.nextGaussian();
            weights[i] = 0.5 + stream.nextUniform();
        }
        return MemorySource.of(2, values).withTargets(List.of("y"), targets).withRowWeights(weights);
    }

    /** The errors of ridge regression from the matrix of the features, and of the means of the training rows. */
    @ParameterizedTest
    @ValueSource(ints = {400, 5400})
    void heldOutErrorsAreThoseOfRidgeRegression(int count) {
        MemorySource rows = rows(count);
        Scaler scaler = Scalings.none().fit(rows, WORKERS);
        CellPass pass = new CellPass(new BinningRecipe(8), rows, scaler, WORKERS);
        Kernel kernel = Kernels.laplacian(0.7);
        Seed seed = new Seed(9);
        double lambda = 2;
        BinningMap map = pass.map(kernel, seed.derive("map"), Progress.NONE, new Notes());
        // A quarter of many rows is held out, and each quarter of few rows.
        Seed holdout = seed.derive("holdout");
        List<Holdout> splits = CellPass.isFolded(count)
                ? Holdout.folds(rows, 4, holdout)
                : List.of(Holdout.split(rows, 0.25, holdout));
        double squares = 0;
        double constant = 0;
        for (Holdout split : splits) {
            LinearModel model = Ridge.of(0.75 * lambda)
                    .fit(
                            new GramPass(split.train(), new Transformer(scaler, map), WORKERS)
                                    .run(ClassWeights.none(), Precision.FLOAT64, Progress.NONE),
                            Precision.FLOAT64,
                            WORKERS)
                    .model();
            double mean = sum(split.train(), (x, y) -> y) / sum(split.train(), (x, y) -> 1);
            double[] z = new double[map.outputDimension()];
            squares += sum(split.test(), (x, y) -> {
                map.apply(x, z);
                double score = model.intercept(0);
                for (int j = 0; j < z.length; j++) {
                    score += z[j] * model.weight(j, 0);
                }
                return (score - y) * (score - y);
            });
            constant += sum(split.test(), (x, y) -> (mean - y) * (mean - y));
        }
        Learner learner = Learner.parse("ridge(lambda=" + lambda + ", tolerance=1e-12)");
        double found = pass.heldOutError(kernel, learner, ClassWeights.none(), seed);
        // Conjugate gradients stop at a tenth of the digits; features are rounded to float32 by 6e-8.
        assertEquals(squares / constant, found, 1e-6 * found);
    }

    /** Two of four folds have no rows. */
    @Test
    void rowsInFewGroupsAreComparedOnTheFoldsThatHaveRows() {
        MemorySource rows = rows(400);
        long[] groups = IntStream.range(0, 400).mapToLong(i -> i % 3).toArray();
        Seed seed = new Seed(9);
        MemorySource grouped = rows.withGroups(groups);
        assertTrue(Holdout.foldsWithRows(grouped, 4, seed.derive("holdout")).size() < 4);
        Scaler scaler = Scalings.none().fit(rows, WORKERS);
        Kernel kernel = Kernels.laplacian(0.7);
        double error = new CellPass(new BinningRecipe(8), grouped, scaler, WORKERS)
                .heldOutError(kernel, Learner.ridge(), ClassWeights.none(), seed);
        double single = new CellPass(new BinningRecipe(8), rows, scaler, WORKERS)
                .heldOutError(kernel, Learner.ridge(), ClassWeights.none(), seed);
        // The groups are random; errors of 400 rows with noise of a tenth differ by a few percent.
        assertEquals(single, error, 0.2 * single);
    }

    private interface OfRow {
        double of(double[] x, double y);
    }

    /** Returns the weighted sum of a function of the rows. */
    private static double sum(RowSource rows, OfRow function) {
        double sum = 0;
        RowBlockBuilder builder = new RowBlockBuilder();
        double[] x = new double[2];
        try (RowCursor cursor = rows.open()) {
            while (cursor.next(builder, 1024)) {
                RowBlock block = builder.build();
                for (int i = 0; i < block.rows(); i++) {
                    block.copyRow(i, x);
                    sum += block.rowWeight(i) * function.of(x, block.target(i, 0));
                }
            }
        }
        return sum;
    }
}
