package org.bochner.numeric.matrix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.bochner.numeric.Workers;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CholeskyTest {
    /** Around the height of a strip, 192, and several strips with a remainder. */
    private static final int[] SIZES = {0, 1, 2, 13, 191, 192, 193, 385, 500};

    static Stream<Blas> implementations() {
        return Stream.of(Blas.get(), Blas.java());
    }

    /** The matrices of each size, which several tests factor. */
    private static final Map<Integer, double[]> MATRICES = new ConcurrentHashMap<>();

    private static double[] matrix(int n) {
        return MATRICES.computeIfAbsent(n, CholeskyTest::made).clone();
    }

    /** XᵀX/n + I with uniform X in [−1, 1]: eigenvalues between 1 and about 1 + 4/3, so condition below 3. */
    private static double[] made(int n) {
        SplittableRandom random = new SplittableRandom(n);
        double[] x = random.doubles((long) n * n, -1, 1).toArray();
        double[] a = new double[n * n];
        Arrays.fill(a, Double.NaN);
        Blas.java().gram(1.0 / Math.max(1, n), Matrix.of(x, n, n), 0.0, Matrix.of(a, n, n));
        for (int i = 0; i < n; i++) {
            a[i * n + i] += 1;
        }
        return a;
    }

    private static double entry(double[] a, int n, int i, int j) {
        return a[Math.min(i, j) * n + Math.max(i, j)];
    }

    @Test
    void aDiagonalMatrixHasTheSolutionsOfItsFactorisation() {
        double[] entries = {4, 0.25, 9};
        double[] full = {4, 0, 0, 0, 0.25, 0, 0, 0, 9};
        Workers one = new Workers(1);
        Cholesky factored = Cholesky.factor(full, 3, one);
        Cholesky diagonal = Cholesky.ofDiagonal(entries.clone());
        double[] sides = {1, 2, 3, 4, 5, 6};
        double[] expected = sides.clone();
        factored.solve(expected, 2);
        diagonal.solve(sides, 2);
        assertArrayEquals(expected, sides, 1e-15);
        assertArrayEquals(factored.inverseDiagonal(one), diagonal.inverseDiagonal(one), 1e-15);
        assertArrayEquals(factored.inverseFactor(one), diagonal.inverseFactor(one), 1e-15);
        assertEquals(
                1,
                assertThrows(NotPositiveDefiniteException.class, () -> Cholesky.ofDiagonal(1, 0, 2))
                        .pivot());
        assertThrows(NotPositiveDefiniteException.class, () -> Cholesky.ofDiagonal(Double.NaN));
    }

    @Nested
    class Factor {
        /** |UᵀU − A| ≤ (n + 1)·ε·|Uᵀ|·|U| (Higham, 10.3), and Σ|u|² over a column of U is a diagonal entry, below 3. */
        @ParameterizedTest
        @MethodSource("org.bochner.numeric.matrix.CholeskyTest#implementations")
        void multipliedBackIsTheMatrix(Blas blas) {
            for (int n : SIZES) {
                double[] a = matrix(n);
                double[] u = a.clone();
                Cholesky.factor(blas, u, n, new Workers(2));
                for (int i = 0; i < n; i++) {
                    for (int j = i; j < n; j += 1 + j % 7) {
                        double sum = 0;
                        for (int p = 0; p <= i; p++) {
                            sum += u[p * n + i] * u[p * n + j];
                        }
                        assertEquals(a[i * n + j], sum, 3.0 * (n + 1) * 0x1p-52, "n=" + n);
                    }
                }
            }
        }

        @Test
        void bitsDoNotDependOnTheNumberOfThreads() {
            int n = 700;
            double[] one = matrix(n);
            double[] three = one.clone();
            Cholesky single = Cholesky.factor(one, n, new Workers(1));
            Cholesky triple = Cholesky.factor(three, n, new Workers(3));
            assertArrayEquals(one, three);
            assertEquals(single.inverseTrace(new Workers(1)), triple.inverseTrace(new Workers(3)));
        }

        @ParameterizedTest
        @MethodSource("org.bochner.numeric.matrix.CholeskyTest#implementations")
        void saysWhichPivotIsNotPositive(Blas blas) {
            for (int bad : new int[] {0, 5, 191, 192, 300}) {
                double[] a = matrix(400);
                a[bad * 400 + bad] = -1;
                NotPositiveDefiniteException failure = assertThrows(
                        NotPositiveDefiniteException.class, () -> Cholesky.factor(blas, a, 400, new Workers(2)));
                assertEquals(bad, failure.pivot());
                assertTrue(String.valueOf(failure.getMessage()).contains("pivot " + bad));
            }
        }

        @ParameterizedTest
        @MethodSource("org.bochner.numeric.matrix.CholeskyTest#implementations")
        void rejectsNaNAndInfinity(Blas blas) {
            for (double poison : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
                double[] a = matrix(300);
                a[3 * 300 + 250] = poison;
                assertThrows(NotPositiveDefiniteException.class, () -> Cholesky.factor(blas, a, 300, new Workers(2)));
            }
        }

        @Test
        void rejectsAnArrayThatIsTooSmall() {
            assertThrows(IllegalArgumentException.class, () -> Cholesky.factor(new double[8], 3, new Workers(1)));
        }
    }

    @Nested
    class Solve {
        /** Residual of a backward stable solve: a few n·ε·‖A‖·‖x‖, with ‖A‖ < 3 and |x| ≤ 1 after A ≥ I. */
        @ParameterizedTest
        @MethodSource("org.bochner.numeric.matrix.CholeskyTest#implementations")
        void multipliedByTheMatrixIsTheRightHandSide(Blas blas) {
            for (int n : SIZES) {
                for (int columns : new int[] {0, 1, 3, 10}) {
                    double[] a = matrix(n);
                    double[] b = new SplittableRandom(3)
                            .doubles((long) n * columns, -1, 1)
                            .toArray();
                    double[] x = b.clone();
                    Cholesky.factor(blas, a.clone(), n, new Workers(2)).solve(x, columns);
                    for (int i = 0; i < n; i += 1 + i % 5) {
                        for (int c = 0; c < columns; c++) {
                            double sum = 0;
                            for (int j = 0; j < n; j++) {
                                sum += entry(a, n, i, j) * x[j * columns + c];
                            }
                            assertEquals(b[i * columns + c], sum, 30.0 * (n + 1) * 0x1p-52);
                        }
                    }
                }
            }
        }

        @ParameterizedTest
        @MethodSource("org.bochner.numeric.matrix.CholeskyTest#implementations")
        void ofManyRightHandSidesIsThatOfEachForEveryNumberOfThreads(Blas blas) {
            int n = 90;
            int columns = 1301;
            double[] b =
                    new SplittableRandom(4).doubles((long) n * columns, -1, 1).toArray();
            Cholesky cholesky = Cholesky.factor(blas, matrix(n), n, new Workers(2));
            double[] together = b.clone();
            cholesky.solve(together, columns);
            for (int threads : new int[] {2, 3}) {
                double[] apart = b.clone();
                cholesky.solve(apart, columns, new Workers(threads));
                assertArrayEquals(together, apart);
            }
            for (int c = 0; c < columns; c += 40) {
                double[] single = new double[n];
                for (int i = 0; i < n; i++) {
                    single[i] = b[i * columns + c];
                }
                cholesky.solve(single, 1);
                for (int i = 0; i < n; i++) {
                    // Two backward stable solutions differ by a few n·ε·‖A‖·‖A⁻¹‖·|x|, with ‖A‖ < 3 and A ≥ I.
                    assertEquals(single[i], together[i * columns + c], 30.0 * n * 0x1p-52);
                }
            }
        }

        @Test
        void rejectsTooFewRightHandSides() {
            Cholesky cholesky = Cholesky.factor(new double[] {1, 0, 0, 1}, 2, new Workers(1));
            assertThrows(IllegalArgumentException.class, () -> cholesky.solve(new double[3], 2));
        }
    }

    @Nested
    class InverseFactor {
        /** Rows of U⁻¹ multiply to A⁻¹, and A⁻¹·A is I within a few n·ε·cond(A), with cond(A) < 3. */
        @ParameterizedTest
        @MethodSource("org.bochner.numeric.matrix.CholeskyTest#implementations")
        void multipliesToTheInverse(Blas blas) {
            for (int n : SIZES) {
                double[] a = matrix(n);
                double[] inverse =
                        Cholesky.factor(blas, a.clone(), n, new Workers(2)).inverseFactor(new Workers(2));
                for (int i = 0; i < n; i += 1 + i % 53) {
                    double[] row = new double[n];
                    for (int j = 0; j < n; j++) {
                        for (int k = 0; k < n; k++) {
                            row[j] += inverse[i * n + k] * inverse[j * n + k];
                        }
                    }
                    for (int j = 0; j < n; j += 1 + j % 5) {
                        double sum = 0;
                        for (int k = 0; k < n; k++) {
                            sum += row[k] * entry(a, n, k, j);
                        }
                        assertEquals(i == j ? 1 : 0, sum, 30.0 * (n + 1) * 0x1p-52, "n=" + n);
                    }
                }
            }
        }

        @Test
        void isZeroBelowTheDiagonalAndTheSameForAnyNumberOfThreads() {
            int n = 500;
            Cholesky cholesky = Cholesky.factor(matrix(n), n, new Workers(2));
            double[] one = cholesky.inverseFactor(new Workers(1));
            assertArrayEquals(one, cholesky.inverseFactor(new Workers(3)));
            for (int i = 1; i < n; i++) {
                assertEquals(0, one[i * n + i - 1]);
            }
        }
    }

    @Nested
    class Summaries {
        @ParameterizedTest
        @MethodSource("org.bochner.numeric.matrix.CholeskyTest#implementations")
        void ofADiagonalMatrixAreKnown(Blas blas) {
            int n = 400;
            double[] a = new double[n * n];
            double inverses = 0;
            for (int i = 0; i < n; i++) {
                a[i * n + i] = 1 + i % 10;
                inverses += 1.0 / (1 + i % 10);
            }
            Cholesky cholesky = Cholesky.factor(blas, a, n, new Workers(2));
            assertEquals(n, cholesky.size());
            assertEquals(inverses, cholesky.inverseTrace(new Workers(2)), 1e-13 * inverses);
        }

        /** tr(A⁻¹) = Σ 1/λ; eigenvalues are good to n·ε·‖A‖, and all exceed 1. */
        @Test
        void agreeWithTheEigenvalues() {
            int n = 300;
            double[] a = matrix(n);
            double inverses = 0;
            for (double value : Blas.get().eigen(n, a.clone())) {
                inverses += 1 / value;
            }
            Cholesky cholesky = Cholesky.factor(a, n, new Workers(2));
            double bound = 3.0 * n * n * 0x1p-52;
            assertEquals(inverses, cholesky.inverseTrace(new Workers(2)), bound);
        }

        @Test
        void ofTheEmptyMatrixAreNeutral() {
            Cholesky empty = Cholesky.factor(new double[0], 0, new Workers(2));
            assertEquals(0, empty.inverseTrace(new Workers(2)));
        }
    }
}
