package org.bochner.kernel.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TreeKernelTest {
    private static final Workers TWO = new Workers(2);

    /** Clusters, duplicates and outliers; the last of several columns is constant. */
    private static float[] values(int n, int columns, long seed) {
        RandomStream stream = new Seed(seed).stream();
        float[] values = new float[n * columns];
        for (int i = 0; i < n; i++) {
            if (i > 0 && stream.nextInt(5) == 0) {
                System.arraycopy(values, stream.nextInt(i) * columns, values, i * columns, columns);
                continue;
            }
            double centre = stream.nextInt(3);
            double spread = stream.nextInt(20) == 0 ? 30 : 0.5;
            for (int l = 0; l < columns; l++) {
                values[i * columns + l] =
                        l > 0 && l == columns - 1 ? 7 : (float) (centre + spread * stream.nextGaussian());
            }
        }
        return values;
    }

    private static RowBlock rows(int n, int columns, long seed) {
        return DenseRows.of(n, columns, values(n, columns, seed));
    }

    private static double[] vectors(int size, long seed) {
        RandomStream stream = new Seed(seed).stream();
        double[] vectors = new double[size];
        Arrays.setAll(vectors, i -> stream.nextGaussian());
        return vectors;
    }

    /** The exact kernel values between rows, row-major; those below a threshold are 0. */
    private static double[] matrix(Kernel kernel, RowBlock rows, RowBlock others, double threshold) {
        double[] matrix = new double[rows.rows() * others.rows()];
        double[] x = new double[rows.columns()];
        double[] y = new double[rows.columns()];
        for (int i = 0; i < rows.rows(); i++) {
            rows.copyRow(i, x);
            for (int j = 0; j < others.rows(); j++) {
                others.copyRow(j, y);
                double value = kernel.value(x, y);
                matrix[i * others.rows() + j] = value >= threshold ? value : 0;
            }
        }
        return matrix;
    }

    private static double[] product(double[] matrix, double[] vectors, int count) {
        int n = vectors.length / count;
        double[] out = new double[matrix.length / n * count];
        for (int i = 0; i < matrix.length / n; i++) {
            for (int j = 0; j < n; j++) {
                for (int o = 0; o < count; o++) {
                    out[i * count + o] += matrix[i * n + j] * vectors[j * count + o];
                }
            }
        }
        return out;
    }

    private static double sumOfSizes(double[] vectors) {
        return Arrays.stream(vectors).map(Math::abs).sum();
    }

    private static double[] predicted(KernelSums sums, RowBlock rows, int count) {
        double[] out = new double[rows.rows() * count];
        double[] row = new double[rows.columns()];
        for (int i = 0; i < rows.rows(); i++) {
            rows.copyRow(i, row);
            sums.at(row, out, i * count);
        }
        return out;
    }

    @Nested
    class Threshold {
        /** Sums of 200 products of values of at most 2.5 and numbers below 5 have a rounding error below 1e-12. */
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "gaussian(sigma=0.3) | 1",
                    "gaussian(sigma=0.3) | 2",
                    "2.5*gaussian(sigma=[0:2=0.5, 2:3=Infinity]) | 3",
                    "laplacian(sigma=0.5) | 3",
                    "cauchy(sigma=0.1) | 2",
                    "sech(sigma=0.2) | 2",
                    "matern(nu=1.5, sigma=0.5) | 9",
                    "matern(nu=0.5, sigma=0.5) | 2",
                    "rational-quadratic(alpha=2, sigma=0.3) | 2",
                    "stable(p=1.5, q=1, sigma=0.3) | 2",
                    "gaussian(sigma=1)[0:1] * laplacian(sigma=1)[1:2] | 2",
                    "gaussian(sigma=1)[0:1] + 0.5*laplacian(sigma=1) | 2"
                })
        void productsAndSumsHaveTheNearRowsOfBruteForce(String spelling, int columns) {
            Kernel kernel = Kernels.parse(spelling);
            RowBlock rows = rows(200, columns, 1);
            RowBlock others = rows(50, columns, 2);
            double[] zero = new double[columns];
            for (double level : new double[] {0, 1e-9, 0.0101, 0.5}) {
                TreeKernel tree = TreeKernel.of(kernel, new TreeForm(TreeForm.Kind.THRESHOLD, level), rows);
                double threshold = level * kernel.value(zero, zero);
                double[] vectors = vectors(400, 3);
                TreeKernel.Product product = tree.product(0, TWO);
                double[] matrix = matrix(kernel, rows, rows, threshold);
                double[] out = new double[400];
                product.product().multiply(vectors, 2, out, TWO);
                assertArrayEquals(product(matrix, vectors, 2), out, 1e-12);
                assertEquals(Arrays.stream(matrix).filter(k -> k > 0).count(), product.values());
                double[] cross = matrix(kernel, others, rows, threshold);
                assertArrayEquals(product(cross, vectors, 2), predicted(tree.sums(vectors, 2, TWO), others, 2), 1e-12);
                double[] row = new double[columns];
                double[] features = new double[200];
                others.copyRow(7, row);
                tree.values(row, features, 0);
                assertArrayEquals(Arrays.copyOfRange(cross, 7 * 200, 8 * 200), features, 1e-14);
            }
        }

        /** The norm of a symmetric matrix is at most its largest row sum. */
        @Test
        void boundsTheValuesLeftOut() {
            Kernel kernel = Kernels.parse("gaussian(sigma=0.5)");
            RowBlock rows = rows(300, 2, 5);
            double[] exact = matrix(kernel, rows, rows, 0);
            double[] near = matrix(kernel, rows, rows, 1e-3);
            double most = 0;
            for (int i = 0; i < 300; i++) {
                double sum = 0;
                for (int j = 0; j < 300; j++) {
                    sum += exact[i * 300 + j] - near[i * 300 + j];
                }
                most = Math.max(most, sum);
            }
            double bound = TreeKernel.of(kernel, new TreeForm(TreeForm.Kind.THRESHOLD, 1e-3), rows)
                    .product(0, TWO)
                    .error();
            assertTrue(most <= bound && bound < 0.3, most + " " + bound);
        }

        @Test
        void refusesMatricesAboveTheMemoryBeforeTheyAreStored() {
            TreeKernel tree = TreeKernel.of(
                    Kernels.parse("gaussian(sigma=1)"), new TreeForm(TreeForm.Kind.THRESHOLD, 1e-3), rows(100, 2, 1));
            BochnerException refused = assertThrows(BochnerException.class, () -> tree.product(1e15, TWO));
            assertTrue(String.valueOf(refused.getMessage()).contains("none(products=tree)"), refused.getMessage());
        }
    }

    @Nested
    class Products {
        /** Every value has the tolerance, so a sum has the tolerance times the sum of the sizes of its factors. */
        @ParameterizedTest
        @ValueSource(doubles = {1e-6, 0.01, 0.05, 0.2, 1, 3, 10, 100, 1e6})
        void errorsAreWithinTheToleranceForAllScales(double sigma) {
            for (int columns : new int[] {1, 2, 3}) {
                check(Kernels.parse("gaussian(sigma=" + sigma + ")"), rows(600, columns, 4), 1, 1e-3, 1e-8, 1e-12);
            }
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "3*gaussian(sigma=[0:1=0.3, 1:2=2, 2:4=5]) | 4",
                    "gaussian(sigma=2) | 4",
                    "laplacian(sigma=0.1) | 2",
                    "matern(nu=1.5, sigma=0.3) | 2"
                })
        void severalVectorsAndKernels(String spelling, int columns) {
            check(Kernels.parse(spelling), rows(600, columns, 6), 3, 1e-7);
        }

        private void check(Kernel kernel, RowBlock rows, int count, double... tolerances) {
            double[] vectors = vectors(rows.rows() * count, 8);
            double[] exact = product(matrix(kernel, rows, rows, 0), vectors, count);
            RowBlock others = rows(40, rows.columns(), 9);
            double[] ofOthers = product(matrix(kernel, others, rows, 0), vectors, count);
            double[] zero = new double[rows.columns()];
            for (double tolerance : tolerances) {
                double bound = (tolerance * kernel.value(zero, zero) + 1e-14) * sumOfSizes(vectors);
                check(kernel, rows, vectors, exact, others, ofOthers, tolerance, bound);
            }
        }

        private void check(
                Kernel kernel,
                RowBlock rows,
                double[] vectors,
                double[] exact,
                RowBlock others,
                double[] ofOthers,
                double tolerance,
                double bound) {
            int n = rows.rows();
            int count = vectors.length / n;
            TreeKernel tree = TreeKernel.of(kernel, new TreeForm(TreeForm.Kind.PRODUCTS, tolerance), rows);
            double[] out = new double[n * count];
            KernelProduct product = tree.product(0, TWO).product();
            product.multiply(vectors, count, out, TWO);
            assertArrayEquals(exact, out, bound);
            assertArrayEquals(ofOthers, predicted(tree.sums(vectors, count, TWO), others, count), bound);
            double[] alone = new double[n * count];
            product.multiply(vectors, count, alone, new Workers(1));
            assertArrayEquals(out, alone);
        }

        /** uᵀKv = vᵀKu up to rounding, although both are further from the exact number. */
        @ParameterizedTest
        @ValueSource(doubles = {0.05, 0.4, 2})
        void theApproximateMatrixIsSymmetric(double sigma) {
            RowBlock rows = rows(2000, 2, 10);
            KernelProduct product = TreeKernel.of(
                            Kernels.parse("gaussian(sigma=" + sigma + ")"),
                            new TreeForm(TreeForm.Kind.PRODUCTS, 1e-2),
                            rows)
                    .product(0, TWO)
                    .product();
            double[] u = vectors(2000, 11);
            double[] v = vectors(2000, 12);
            double[] ku = new double[2000];
            double[] kv = new double[2000];
            product.multiply(u, 1, ku, TWO);
            product.multiply(v, 1, kv, TWO);
            double left = 0;
            double right = 0;
            for (int i = 0; i < 2000; i++) {
                left += u[i] * kv[i];
                right += v[i] * ku[i];
            }
            assertEquals(left, right, 1e-9);
        }
    }

    @Nested
    class Input {
        @Test
        void oneRow() {
            for (TreeForm.Kind kind : TreeForm.Kind.values()) {
                TreeKernel tree =
                        TreeKernel.of(Kernels.parse("gaussian(sigma=1)"), new TreeForm(kind, 1e-6), rows(1, 3, 1));
                double[] out = new double[1];
                tree.product(0, TWO).product().multiply(new double[] {3}, 1, out, TWO);
                assertEquals(3, out[0], 0);
            }
        }

        @Test
        void equalRows() {
            for (TreeForm.Kind kind : TreeForm.Kind.values()) {
                TreeKernel tree = TreeKernel.of(
                        Kernels.parse("gaussian(sigma=1)"),
                        new TreeForm(kind, 1e-6),
                        DenseRows.of(1000, 1, new float[1000]));
                double[] out = new double[1000];
                double[] ones = new double[1000];
                Arrays.fill(ones, 1);
                tree.product(0, TWO).product().multiply(ones, 1, out, TWO);
                assertEquals(1000, out[0], 1e-9);
                assertEquals(1000, out[999], 1e-9);
            }
        }

        @Test
        void refusesValuesThatAreNotFinite() {
            for (double value : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
                assertThrows(IllegalArgumentException.class, () -> new PointTree(new double[] {1, value}, 1));
            }
            assertThrows(IllegalArgumentException.class, () -> new PointTree(new double[0], 1));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "chi2",
                    "linear",
                    "periodic(period=2, width=0.7)",
                    "polynomial(gamma=1, degree=2)",
                    "exp-chi2(gamma=1)"
                })
        void refusesKernelsThatDoNotDecrease(String spelling) {
            BochnerException refused = assertThrows(
                    BochnerException.class,
                    () -> TreeKernel.of(
                            Kernels.parse(spelling), new TreeForm(TreeForm.Kind.THRESHOLD, 0.1), rows(3, 2, 1)));
            assertTrue(
                    String.valueOf(refused.getMessage()).contains(spelling.replaceAll("\\(.*", "")),
                    refused.getMessage());
        }

        @ParameterizedTest
        @ValueSource(doubles = {Double.NaN, -1, 1, 2})
        void refusesLevels(double level) {
            for (TreeForm.Kind kind : TreeForm.Kind.values()) {
                assertThrows(IllegalArgumentException.class, () -> new TreeForm(kind, level));
            }
            assertThrows(IllegalArgumentException.class, () -> new TreeForm(TreeForm.Kind.PRODUCTS, 0));
        }
    }
}
