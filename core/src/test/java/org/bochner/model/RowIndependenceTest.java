package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMaps;
import org.bochner.map.fourier.FourierMap;
import org.bochner.numeric.Precision;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.stats.MappedRows;
import org.bochner.stats.WeightMatrix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A row's features and scores hardly depend on the rows that are scored together with it, however large the weights. */
class RowIndependenceTest {
    private static final int ROWS = 1000;
    private static final int COLUMNS = 12;
    private static final int[] SIZES = {1, 2, 3, 7, 64};

    private static MemorySource rows(int outputs) {
        RandomStream stream = new Seed(3).stream();
        float[] values = new float[ROWS * COLUMNS];
        double[] targets = new double[ROWS * outputs];
        for (int i = 0; i < ROWS; i++) {
            for (int l = 0; l < COLUMNS; l++) {
                values[i * COLUMNS + l] = (float) stream.nextUniform();
            }
            for (int o = 0; o < outputs; o++) {
                targets[i * outputs + o] = 8 + Math.sin(3 * values[i * COLUMNS]) * values[i * COLUMNS + 1 + o];
            }
        }
        return MemorySource.of(COLUMNS, values)
                .withTargets(List.of("a", "b", "c", "d", "e").subList(0, outputs), targets);
    }

    /** What the model makes of the rows in blocks of a size. */
    private static final class Run {
        private final double[] features;
        private final double[] scores;

        Run(KernelModel model, MemorySource rows, int size) {
            int width = model.map().outputDimension();
            int outputs = model.linear().outputs();
            features = new double[ROWS * width];
            scores = new double[ROWS * outputs];
            MappedRows mapped = model.mapped();
            RowBlockBuilder builder = new RowBlockBuilder();
            double[] some = new double[size * outputs];
            double[] all = new double[size * width];
            try (RowCursor cursor = rows.open()) {
                while (cursor.next(builder, size)) {
                    RowBlock block = builder.build();
                    model.score(mapped.take(block), some);
                    int first = (int) block.firstRow();
                    System.arraycopy(some, 0, scores, first * outputs, block.rows() * outputs);
                    mapped.features().score(identity(width), all);
                    System.arraycopy(all, 0, features, first * width, block.rows() * width);
                }
            }
        }
    }

    /** Linear functions whose scores are the features. */
    private static WeightMatrix identity(int width) {
        double[] ones = new double[width * width];
        for (int j = 0; j < width; j++) {
            ones[j * (width + 1)] = 1;
        }
        return WeightMatrix.of(width, width, ones);
    }

    private static KernelModel model(String kernel, String map, int outputs) {
        // A small penalty, so that weights are far larger than the scores they add up to.
        KernelMachine machine = KernelMachine.of(kernel).withMap(FeatureMaps.parse(map));
        return (map.startsWith("sampled") ? machine : machine.withFeatures(302))
                .withScaling(Scalings.parse("none"))
                .withLearner(Learner.parse("ridge(lambda=0.001)"))
                .fit(rows(outputs))
                .model();
    }

    @ParameterizedTest
    @CsvSource({
        "gaussian(sigma=1), fourier, 1",
        "gaussian(sigma=1), fourier(phase), 5",
        "gaussian(sigma=1), orthogonal, 3",
        "gaussian(sigma=1)[0:4] + 0.5*gaussian(sigma=2)[4:12], fourier, 1",
        "laplacian(sigma=2), fourier, 1",
        "matern(nu=1.5), structured, 2",
        "chi2, sampled(order=2), 1",
        "exp-chi2(gamma=1), auto, 1",
        "'polynomial(degree=2, c=1)', tensor-sketch, 1"
    })
    void scoresDifferByTheRoundingOfTheFeaturesAlone(String kernel, String map, int outputs) {
        KernelModel model = model(kernel, map, outputs);
        MemorySource rows = rows(outputs);
        Run whole = new Run(model, rows, ROWS);
        int width = model.map().outputDimension();
        for (int size : SIZES) {
            Run parts = new Run(model, rows, size);
            for (int i = 0; i < ROWS; i++) {
                for (int o = 0; o < outputs; o++) {
                    double moved = 0;
                    double total = Math.abs(model.linear().intercept(o));
                    for (int j = 0; j < width; j++) {
                        double weight = Math.abs(model.linear().weight(j, o));
                        double feature = whole.features[i * width + j];
                        moved += weight * Math.abs(parts.features[i * width + j] - feature);
                        total += weight * Math.abs(feature);
                    }
                    // Either sum of D products has an error of D·2⁻⁵³ of the sum of magnitudes at most.
                    double bound = moved + 2 * (width + 1) * 0x1p-53 * total;
                    assertEquals(whole.scores[i * outputs + o], parts.scores[i * outputs + o], bound, "row " + i);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"matern(nu=1.5), structured", "chi2, sampled(order=2)", "'polynomial(degree=2, c=1)', tensor-sketch"})
    void featuresWithoutMatrixProductsHaveTheSameBits(String kernel, String map) {
        KernelModel model = model(kernel, map, 1);
        Run whole = new Run(model, rows(1), ROWS);
        for (int size : SIZES) {
            assertArrayEquals(whole.features, new Run(model, rows(1), size).features);
        }
    }

    @Test
    void featuresOfMatrixProductsDifferByTheirRounding() {
        KernelModel model = model("gaussian(sigma=1)", "fourier", 1);
        FourierMap map = (FourierMap) model.map();
        double[] sigma = ((ShiftInvariantKernel) map.kernel()).sigma().toArray(COLUMNS);
        double[] omega = map.unitFrequencies();
        MemorySource rows = rows(1);
        Run whole = new Run(model, rows, ROWS);
        int m = map.frequencyCount();
        int width = 2 * m;
        double[] x = new double[COLUMNS];
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = rows.open()) {
            cursor.next(builder, ROWS);
        }
        for (int size : SIZES) {
            Run parts = new Run(model, rows, size);
            for (int i = 0; i < ROWS; i++) {
                builder.build().copyRow(i, x);
                for (int j = 0; j < m; j++) {
                    double magnitude = 0;
                    for (int l = 0; l < COLUMNS; l++) {
                        magnitude += Math.abs(x[l] * omega[j * COLUMNS + l] / sigma[l]);
                    }
                    // Two sums of d products in any order differ by 2·d·u·Σ|xω|; the cosine of what differs by so much
                    // by no more, and 4 units of rounding for itself, at an amplitude of √(1/m).
                    double bound = (2 * COLUMNS * magnitude + 8) * 0x1p-24 / Math.sqrt(m);
                    for (int at : new int[] {i * width + j, i * width + m + j}) {
                        assertTrue(Math.abs(whole.features[at] - parts.features[at]) <= bound, "row " + i);
                    }
                }
            }
        }
    }

    @Test
    void singleRowsAreBlocksOfOne() {
        KernelModel model = model("gaussian(sigma=1)", "fourier", 2);
        MemorySource rows = rows(2);
        Run ones = new Run(model, rows, 1);
        double[] x = new double[COLUMNS];
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = rows.open()) {
            cursor.next(builder, 50);
        }
        for (int i = 0; i < 50; i++) {
            builder.build().copyRow(i, x);
            double[] scores = model.score(x);
            assertEquals(ones.scores[2 * i], scores[0]);
            assertEquals(ones.scores[2 * i + 1], scores[1]);
        }
    }

    @Test
    void float64ModelsAgreeToTwelveDigits() {
        MemorySource rows = rows(1);
        KernelModel model = KernelMachine.of("gaussian(sigma=1)")
                .withFeatures(300)
                .withPrecision(Precision.FLOAT64)
                .withLearner(Learner.parse("ridge(lambda=0.001)"))
                .fit(rows)
                .model();
        Run whole = new Run(model, rows, ROWS);
        for (int size : SIZES) {
            // Weights of about 10 times 300 features, each with an error of about 12·2⁻⁵³.
            assertArrayEquals(whole.scores, new Run(model, rows, size).scores, 1e-12 * 8);
        }
    }
}
