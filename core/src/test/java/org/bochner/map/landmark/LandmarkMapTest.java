package org.bochner.map.landmark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import org.bochner.GoldenTable;
import org.bochner.base.BochnerException;
import org.bochner.base.State;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.additive.Linear;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LandmarkMapTest {
    /** exp(−1.5e-6·|x−y|²). */
    private static final Kernel KERNEL = Kernels.gaussian(Math.sqrt(0.5 / 1.5e-6));

    static double[] golden(String name) {
        Map<String, String> row = GoldenTable.read("nystrom.csv").stream()
                .filter(each -> GoldenTable.text(each, "name").equals(name))
                .findFirst()
                .orElseThrow();
        return GoldenTable.numbers(row, "values");
    }

    private static DenseRows points(String name) {
        double[] values = golden(name);
        float[] floats = new float[values.length];
        for (int k = 0; k < floats.length; k++) {
            floats[k] = (float) values[k];
        }
        return DenseRows.of(values.length / 2, 2, floats);
    }

    /** Returns the transpose of a matrix with the given number of columns. */
    private static double[] transposed(double[] matrix, int columns) {
        int rows = matrix.length / columns;
        double[] transposed = new double[matrix.length];
        Arrays.setAll(transposed, k -> matrix[k % rows * columns + k / rows]);
        return transposed;
    }

    @Nested
    class GoldenValues {
        private final DenseRows points = points("points");

        private double[] features(LandmarkForm form) {
            double[] features = new double[18];
            new LandmarkMap(KERNEL, points("landmarks"), form).apply(points, features, 0, 3);
            return features;
        }

        @Test
        void kernelValues() {
            double[] expected = transposed(golden("kernel_values"), 6);
            assertArrayEquals(expected, features(LandmarkForm.KERNEL), 1e-14);
            assertArrayEquals(expected, features(LandmarkForm.RAW), 1e-14);
        }

        @Test
        void whitenedFeatures() {
            assertArrayEquals(transposed(golden("map"), 6), features(LandmarkForm.WHITENED), 1e-13);
        }

        @Test
        void innerProductsOfWhitenedFeatures() {
            double[] z = features(LandmarkForm.WHITENED);
            double[] expected = golden("approximate_kernel");
            for (int i = 0; i < 6; i++) {
                for (int j = 0; j < 6; j++) {
                    double product = 0;
                    for (int f = 0; f < 3; f++) {
                        product += z[i * 3 + f] * z[j * 3 + f];
                    }
                    assertEquals(expected[i * 6 + j], product, 1e-13);
                }
            }
        }

        @Test
        void incompleteCholesky() {
            IncompleteCholesky factor = new IncompleteCholesky(KERNEL, points, 3);
            RowBlock chosen = LandmarkChoice.PIVOTS.choose(KERNEL, points, 3, new Seed(1), Workers.all());
            for (double pivot : golden("pivots")) {
                assertEquals(1, factor.add(new int[] {(int) pivot}, (row, residual) -> true, new Workers(1)));
            }
            assertArrayEquals(golden("factor"), factor.rows(), 1e-14);
            assertEquals(
                    golden("residual_trace")[0],
                    Arrays.stream(factor.residual()).sum(),
                    1e-14);
            double[] row = new double[2];
            for (int k = 0; k < 3; k++) {
                chosen.copyRow(k, row);
                assertArrayEquals(
                        Arrays.copyOfRange(
                                golden("points"), 2 * (int) golden("pivots")[k], 2 * (int) golden("pivots")[k] + 2),
                        row);
            }
        }
    }

    @Nested
    class Pivots {
        private final Kernel kernel = Kernels.parse("gaussian(sigma=1) + 0.5*laplacian(sigma=2)");
        private final DenseRows rows = random(200, 4, 9);

        /** Adding pivots one by one or many at a time, the factor is the whitened map of the pivots. */
        @Test
        void theFactorIsTheWhitenedMapOfThePivots() {
            IncompleteCholesky factor = new IncompleteCholesky(kernel, rows, 40);
            factor.add(new int[] {3, 50, 51, 52, 120}, (row, residual) -> true, new Workers(2));
            factor.add(new int[] {7}, (row, residual) -> true, new Workers(2));
            int[] many = new int[30];
            Arrays.setAll(many, k -> 60 + 2 * k);
            // Every third candidate is refused.
            int[] seen = {0};
            assertEquals(20, factor.add(many, (row, residual) -> seen[0]++ % 3 != 0, new Workers(2)));
            assertEquals(26, factor.rank());
            LandmarkMap map =
                    new LandmarkMap(kernel, LandmarkRows.select(rows, factor.pivots()), LandmarkForm.WHITENED);
            double[] features = new double[200 * 26];
            map.apply(rows, features, 0, 26);
            assertArrayEquals(features, factor.rows(), 1e-10);
        }

        /** k(x, x) = |z|² + residual, and both parts are not negative. */
        @Test
        void theResidualIsWhatTheFactorLeaves() {
            IncompleteCholesky factor = new IncompleteCholesky(kernel, rows, 10);
            factor.add(new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, (row, residual) -> true, new Workers(1));
            double[] g = factor.rows();
            for (int i = 0; i < 200; i++) {
                double square = 0;
                for (int p = 0; p < 10; p++) {
                    square += g[i * 10 + p] * g[i * 10 + p];
                }
                assertEquals(1.5 - square, factor.residual()[i], 1e-12);
            }
        }
    }

    @Nested
    class Choices {
        private final DenseRows rows = random(500, 3, 4);

        @ParameterizedTest
        @EnumSource(value = LandmarkChoice.class, mode = EnumSource.Mode.EXCLUDE, names = "GIVEN")
        void theNumberIsTheOneAskedFor(LandmarkChoice choice) {
            RowBlock chosen = choice.choose(Kernels.gaussian(0.5), rows, 40, new Seed(3), Workers.all());
            assertEquals(40, chosen.rows());
            assertEquals(3, chosen.columns());
        }

        /** With all rows as landmarks, each choice that returns rows reproduces the kernel between all of them. */
        @ParameterizedTest
        @EnumSource(
                value = LandmarkChoice.class,
                mode = EnumSource.Mode.EXCLUDE,
                names = {"K_MEANS", "LEARNED"})
        void allRowsGiveTheKernelItself(LandmarkChoice choice) {
            Kernel kernel = Kernels.parse("laplacian(sigma=1)");
            DenseRows few = random(30, 3, 8);
            RowBlock chosen = choice.choose(kernel, few, 30, new Seed(3), Workers.all());
            assertEquals(30, chosen.rows());
            double[] z = new double[900];
            new LandmarkMap(kernel, chosen, LandmarkForm.WHITENED).apply(few, z, 0, 30);
            double[] x = new double[3];
            double[] y = new double[3];
            for (int i = 0; i < 30; i++) {
                for (int j = 0; j < 30; j++) {
                    few.copyRow(i, x);
                    few.copyRow(j, y);
                    double product = 0;
                    for (int f = 0; f < 30; f++) {
                        product += z[i * 30 + f] * z[j * 30 + f];
                    }
                    assertEquals(kernel.value(x, y), product, 1e-10);
                }
            }
        }

        /** Four tight, distant clusters: k-means finds one centre in each. */
        /** The far row has a kernel value of e⁻⁵⁰⁰⁰ with the others, and no weight; the plain mean would lie at 1. */
        @Test
        void ofAKernelStayWhereRowsAre() {
            float[] values = new float[100];
            values[99] = 100;
            DenseRows centres = KMeans.cluster(
                            Kernels.parse("gaussian(sigma=1)"),
                            DenseRows.of(100, 1, values),
                            1,
                            new Seed(1),
                            Workers.all())
                    .centres();
            assertEquals(0, centres.values()[0], 1e-6);
        }

        @Test
        void kMeansFindsDistantClusters() {
            float[] values = new float[400];
            RandomStream stream = new Seed(5).stream();
            for (int i = 0; i < 200; i++) {
                values[2 * i] = (i % 2) * 100 + (float) stream.nextUniform();
                values[2 * i + 1] = (i / 2 % 2) * 100 + (float) stream.nextUniform();
            }
            DenseRows centres = KMeans.cluster(
                            new Linear(), DenseRows.of(200, 2, values), 4, new Seed(1), Workers.all())
                    .centres();
            int[] corners = new int[4];
            for (int c = 0; c < 4; c++) {
                float x = centres.values()[2 * c];
                float y = centres.values()[2 * c + 1];
                corners[Math.round(x / 100) * 2 + Math.round(y / 100)]++;
                // The mean of 50 uniform numbers has a standard deviation of 0.041.
                assertEquals(0.5, x % 100, 0.25);
                assertEquals(0.5, y % 100, 0.25);
            }
            assertArrayEquals(new int[] {1, 1, 1, 1}, corners);
        }

        /** Duplicates among the rows: random pivots never take a row twice, because its residual is 0. */
        @Test
        void duplicatesAreNotChosenAsPivots() {
            float[] values = new float[60];
            for (int i = 0; i < 60; i++) {
                values[i] = i % 5;
            }
            DenseRows duplicated = DenseRows.of(60, 1, values);
            for (LandmarkChoice choice : new LandmarkChoice[] {LandmarkChoice.PIVOTS, LandmarkChoice.RANDOM_PIVOTS}) {
                assertEquals(
                        5,
                        choice.choose(Kernels.gaussian(1), duplicated, 20, new Seed(1), Workers.all())
                                .rows());
            }
        }

        /** The residuals of copies are rounding errors, not 0: they must not be drawn for ever, nor be pivots. */
        @ParameterizedTest
        @ValueSource(longs = {1, 2, 3})
        @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
        void copiesOfRowsEndTheChoiceOfPivots(long seed) {
            RandomStream stream = new Seed(seed).stream();
            float[] values = new float[3 * 120];
            for (int k = 0; k < values.length; k++) {
                values[k] = k < 120 ? (float) stream.nextGaussian() : values[k - 120];
            }
            DenseRows copies = DenseRows.of(120, 3, values);
            for (LandmarkChoice choice : new LandmarkChoice[] {LandmarkChoice.PIVOTS, LandmarkChoice.RANDOM_PIVOTS}) {
                assertEquals(
                        40,
                        choice.choose(Kernels.gaussian(1), copies, 100, new Seed(seed), Workers.all())
                                .rows());
            }
        }
    }

    @Nested
    class SavedForm {
        @ParameterizedTest
        @EnumSource(LandmarkForm.class)
        void loadsWithTheSameBits(LandmarkForm form) {
            Kernel kernel = Kernels.parse("exp-chi2(gamma=0.5)");
            LandmarkMap map = new LandmarkMap(kernel, random(9, 3, 2), form);
            FeatureMap loaded = FeatureMaps.load(map.state());
            assertEquals(map.state(), loaded.state());
            assertArrayEquals(features(map), features(loaded));
        }

        @Test
        void namesTheEntryThatIsWrong() {
            State state = new LandmarkMap(Kernels.gaussian(1), random(2, 3, 2), LandmarkForm.RAW).state();
            String message = assertThrows(BochnerException.class, () -> FeatureMaps.load(state.with("form", "SQUARE")))
                    .problem();
            assertTrue(message.contains("unknown form 'SQUARE'"), message);
        }

        private double[] features(FeatureMap map) {
            double[] features = new double[20 * 9];
            map.apply(random(20, 3, 6), features, 0, 9);
            return features;
        }
    }

    private static DenseRows random(int count, int columns, long seed) {
        RandomStream stream = new Seed(seed).stream();
        float[] values = new float[count * columns];
        for (int k = 0; k < values.length; k++) {
            values[k] = (float) stream.nextUniform();
        }
        return DenseRows.of(count, columns, values);
    }
}
