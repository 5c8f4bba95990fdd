package org.bochner.map.landmark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.SpellingException;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.ComposedKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LearnedLandmarksTest {
    private static final int COLUMNS = 5;
    private static final RowSample ROWS = sample(rows(150));

    /** Rows near a surface of two dimensions, with values of at least 0 and some zeros. */
    private static float[] rows(int count) {
        RandomStream stream = new Seed(5).stream();
        float[] values = new float[count * COLUMNS];
        for (int i = 0; i < count; i++) {
            double u = stream.nextUniform();
            double v = stream.nextUniform();
            double[] row = {u, v, u * v, Math.max(0, u - v), Math.max(0, 0.5 - u)};
            for (int l = 0; l < COLUMNS; l++) {
                values[i * COLUMNS + l] = (float) row[l];
            }
        }
        return values;
    }

    private static RowSample sample(float[] values) {
        int count = values.length / COLUMNS;
        return RowSample.of(DenseRows.of(count, COLUMNS, values), count, new Seed(1));
    }

    private static LandmarkMap map(String recipe, Kernel kernel, Workers workers) {
        FeatureMap map =
                FeatureMaps.parse(recipe).build(kernel, ROWS, OptionalInt.empty(), new Seed(7), new Notes(), workers);
        return (LandmarkMap) map;
    }

    private static LandmarkMap map(String recipe, String kernel) {
        return map(recipe, Kernels.parse(kernel), new Workers(1));
    }

    /** Returns the sum of k(x, x) less the squared length of the features. */
    private static double residual(LandmarkMap map) {
        LandmarkMap whitened = map.withForm(LandmarkForm.WHITENED);
        double[] features = new double[map.outputDimension()];
        double sum = 0;
        for (int i = 0; i < ROWS.rows(); i++) {
            double[] row = ROWS.row(i);
            whitened.apply(row, features);
            sum += map.kernel().value(row, row);
            for (double value : features) {
                sum -= value * value;
            }
        }
        return sum;
    }

    @Nested
    class Gradient {
        private final Kernel kernel = Kernels.gaussian(Math.sqrt(0.5 / 1.5));

        private double[] thousandths(String name) {
            return Arrays.stream(LandmarkMapTest.golden(name))
                    .map(value -> value / 1000)
                    .toArray();
        }

        @Test
        void ofGoldenValues() {
            double[] out = new double[6];
            double objective = new LandmarkResidual(kernel, 2, 0, new Workers(1))
                    .gradient(thousandths("points"), 6, thousandths("landmarks"), 3, out);
            // k(x, x) = 1 for the six points.
            assertEquals(LandmarkMapTest.golden("objective")[0], 6 + objective, 1e-13);
            assertArrayEquals(LandmarkMapTest.golden("gradient"), out, 1e-12);
        }

        /**
         * Differences over 2e-5 have a rounding error of 1e-11 times the condition number of K, at most 1e5, and a
         * truncation error of about 1e-10 times the third derivative.
         */
        @ParameterizedTest
        @ValueSource(
                strings = {"gaussian(sigma=0.5)", "chi2", "exp-jensen-shannon(gamma=2)", "arc-cosine(order=1)", "linear"
                })
        void isTheDifferenceOfResiduals(String spelling) {
            LandmarkResidual residual = new LandmarkResidual(Kernels.parse(spelling), COLUMNS, 0, new Workers(1));
            double[] x = doubles(rows(20));
            double[] h = doubles(rows(24));
            h = Arrays.copyOfRange(h, 20 * COLUMNS, h.length);
            for (int k = 0; k < h.length; k++) {
                h[k] += 0.1;
            }
            double[] out = new double[h.length];
            double[] unused = new double[h.length];
            residual.gradient(x, 20, h, 4, out);
            for (int at = 0; at < h.length; at++) {
                double[] moved = h.clone();
                moved[at] += 1e-5;
                double after = residual.gradient(x, 20, moved, 4, unused);
                moved[at] -= 2e-5;
                double slope = (after - residual.gradient(x, 20, moved, 4, unused)) / 2e-5;
                assertEquals(slope, out[at], 1e-6 * (1 + Math.abs(slope)), spelling);
            }
        }

        private double[] doubles(float[] values) {
            double[] doubles = new double[values.length];
            Arrays.setAll(doubles, k -> values[k]);
            return doubles;
        }

        @Test
        void kernelsOfUnknownTypesAreRefused() {
            Kernel unknown = new ComposedKernel() {
                @Override
                public double value(double[] x, double[] y) {
                    return 1;
                }

                @Override
                public List<Kernel> parts() {
                    return List.of();
                }
            };
            BochnerException refused =
                    assertThrows(BochnerException.class, () -> new LandmarkResidual(unknown, COLUMNS, new Workers(1)));
            assertTrue(String.valueOf(refused.getMessage()).contains("by=k-means"), refused.getMessage());
        }
    }

    /** The best landmarks are kept, and the start is among them. Learning helps all of these kernels by 3% at least. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "gaussian(sigma=0.5)",
                "laplacian(sigma=1)",
                "intersection",
                "exp-chi2(gamma=2)",
                "rational-quadratic-chi2(alpha=1, sigma=0.5)",
                "skewed-chi2(c=0.1, power=0.5)",
                "polynomial(degree=3, gamma=1)",
                "arc-cosine(order=1)",
                "gaussian(sigma=0.5)[0:2] + 0.5*chi2[2:5]",
                "gaussian(sigma=0.5)[0:3] * laplacian(sigma=1)[3:5]"
            })
    void theResidualFallsBelowThatOfTheStart(String kernel) {
        double start = residual(map("landmarks(8, by=k-means)", kernel));
        double learned = residual(map("landmarks(8, by=learned, steps=25)", kernel));
        assertTrue(learned < 0.97 * start, kernel + ": " + start + " becomes " + learned);
    }

    @Test
    void withoutStepsTheLandmarksAreThoseOfKMeans() {
        LandmarkMap learned = map("landmarks(8, by=learned, steps=0)", "gaussian(sigma=0.5)");
        assertEquals(map("landmarks(8, by=k-means)", "gaussian(sigma=0.5)").state(), learned.state());
    }

    @Test
    void threadsAndRepetitionsChangeNothing() {
        Kernel kernel = Kernels.parse("gaussian(sigma=0.5)");
        LandmarkMap one = map("landmarks(100, by=learned, steps=2)", kernel, new Workers(1));
        assertEquals(
                one.state(),
                map("landmarks(100, by=learned, steps=2)", kernel, new Workers(3))
                        .state());
    }

    @Test
    void landmarksOfHistogramsStayInTheRangeOfTheRows() {
        DenseRows landmarks = (DenseRows)
                map("landmarks(12, by=learned, steps=30)", "jensen-shannon").landmarks();
        for (float value : landmarks.values()) {
            assertTrue(value >= 0 && value <= 1, "value " + value);
        }
    }

    /** Sparse rows hold the same values, so their landmarks are those of dense rows. */
    @Test
    void sparseRowsGiveDenseLandmarks() {
        RowBlock dense = DenseRows.of(50, COLUMNS, rows(50));
        SparseRows sparse = RowSample.of(dense, 50, new Seed(1)).nonZeros();
        float[] again = new float[50 * COLUMNS];
        sparse.copyDense(0, 50, again);
        DenseRows start = DenseRows.of(5, COLUMNS, Arrays.copyOf(again, 5 * COLUMNS));
        Kernel kernel = Kernels.parse("exp-chi2(gamma=1)");
        RowBlock learned = LearnedLandmarks.learn(kernel, sparse, start, 5, new Seed(2), new Notes(), new Workers(1));
        RowBlock expected = LearnedLandmarks.learn(
                kernel, DenseRows.of(50, COLUMNS, again), start, 5, new Seed(2), new Notes(), new Workers(1));
        assertArrayEquals(((DenseRows) expected).values(), ((DenseRows) learned).values());
    }

    @Test
    void theNoteNamesTheResiduals() {
        Notes notes = new Notes();
        FeatureMap unused = FeatureMaps.parse("landmarks(8, by=learned, steps=20)")
                .build(Kernels.gaussian(0.5), ROWS, OptionalInt.empty(), new Seed(7), notes);
        assertTrue(notes.list().get(0).text().startsWith("8 landmarks were learned in 20 steps"));
    }

    /** Kernel values and derivatives of about 1e240 are finite, their squares are not. */
    @Test
    void theNoteSaysThatAllDerivativesOverflow() {
        float[] values = rows(20);
        for (int k = 0; k < values.length; k++) {
            values[k] *= 1e30f;
        }
        DenseRows rows = DenseRows.of(20, COLUMNS, values);
        DenseRows start = DenseRows.of(3, COLUMNS, Arrays.copyOf(values, 3 * COLUMNS));
        Notes notes = new Notes();
        RowBlock learned = LearnedLandmarks.learn(
                Kernels.parse("polynomial(degree=4, gamma=1)"), rows, start, 5, new Seed(2), notes, new Workers(1));
        String note = notes.list().get(0).text();
        assertTrue(note.startsWith("3 landmarks were not learned"), note);
        assertSame(start, learned);
    }

    /** A share below 1e-12 is the rounding error of the residual, so its fall is no progress. */
    @Test
    void theNoteClaimsNoProgressBelowTheRounding() {
        String one = LearnedLandmarks.reason(1, 20, 3e-16, 1e-17);
        assertTrue(one.startsWith("1 landmark was learned") && one.contains("rounding"), one);
        assertTrue(LearnedLandmarks.reason(2, 20, 0.5, 0.25).endsWith("fell from 0.500 to 0.250"));
    }

    @Test
    void rowsWithoutAnyKernelValueAreRefused() {
        BochnerException refused = assertThrows(
                BochnerException.class,
                () -> FeatureMaps.parse("landmarks(2, by=learned)")
                        .build(
                                Kernels.parse("chi2"),
                                sample(new float[4 * COLUMNS]),
                                OptionalInt.empty(),
                                new Seed(7),
                                new Notes()));
        assertTrue(String.valueOf(refused.getMessage()).contains("k(x, x) is 0"), refused.getMessage());
    }

    @Test
    void stepsAreForLearnedLandmarksOnly() {
        assertThrows(SpellingException.class, () -> FeatureMaps.parse("landmarks(8, by=k-means, steps=20)"));
        assertThrows(SpellingException.class, () -> FeatureMaps.parse("landmarks(8, by=learned, steps=-1)"));
        String spelled = "landmarks(features=8, by=learned, steps=20)";
        assertEquals(spelled, FeatureMaps.parse(spelled).toString());
    }

    /** The memory of D = 100 landmarks of d = 50 columns and b = 256 rows per step, as documented, without threads. */
    @Test
    void theMemoryIsStatedBeforehand() {
        double map = FeatureMaps.parse("landmarks(100, by=k-means)").bytesNeeded(50, 100);
        double learning = 36 * 100 * 50 + 8 * 256 * 50 + 16 * 256 * 100 + 24 * 100 * 100;
        assertTrue(FeatureMaps.parse("landmarks(100, by=learned)").bytesNeeded(50, 100) > map + learning);
    }
}
