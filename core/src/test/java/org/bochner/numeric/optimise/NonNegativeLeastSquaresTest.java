package org.bochner.numeric.optimise;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;

class NonNegativeLeastSquaresTest {
    /** Returns ½xᵀAx − bᵀx. */
    private static double objective(double[] a, double[] b, double[] x) {
        double sum = 0;
        for (int i = 0; i < b.length; i++) {
            for (int j = 0; j < b.length; j++) {
                sum += 0.5 * x[i] * a[i * b.length + j] * x[j];
            }
            sum -= b[i] * x[i];
        }
        return sum;
    }

    /** Returns the best feasible minimum over all subsets of free coordinates, which contains the minimum. */
    private static double[] ofAllSubsets(double[] a, double[] b) {
        int n = b.length;
        double[] best = new double[n];
        for (int set = 1; set < 1 << n; set++) {
            int[] index = new int[n];
            int count = 0;
            for (int i = 0; i < n; i++) {
                if ((set >> i & 1) == 1) {
                    index[count++] = i;
                }
            }
            double[] part = new double[count * count];
            double[] right = new double[count];
            for (int i = 0; i < count; i++) {
                right[i] = b[index[i]];
                for (int j = 0; j < count; j++) {
                    part[i * count + j] = a[index[i] * n + index[j]];
                }
            }
            Cholesky.factor(part, count, new Workers(1)).solve(right, 1);
            double[] x = new double[n];
            boolean feasible = true;
            for (int i = 0; i < count; i++) {
                x[index[i]] = right[i];
                feasible &= right[i] >= 0;
            }
            if (feasible && objective(a, b, x) < objective(a, b, best)) {
                best = x;
            }
        }
        return best;
    }

    /** Returns MMᵀ + floor·I for a random matrix M with fewer columns than rows if it is to be badly conditioned. */
    private static double[] gram(int n, int rank, double floor, RandomStream stream) {
        double[] m = new double[n * rank];
        for (int i = 0; i < m.length; i++) {
            m[i] = stream.nextGaussian();
        }
        double[] a = new double[n * n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                for (int k = 0; k < rank; k++) {
                    a[i * n + j] += m[i * rank + k] * m[j * rank + k];
                }
            }
            a[i * (n + 1)] += floor;
        }
        return a;
    }

    @Test
    void equalsTheBestOfAllSubsets() {
        RandomStream stream = new Seed(5).stream();
        int bound = 0;
        for (int trial = 0; trial < 200; trial++) {
            int n = 1 + trial % 7;
            double[] a = gram(n, Math.max(1, n - trial % 3), 0.01, stream);
            double[] b = new double[n];
            for (int i = 0; i < n; i++) {
                b[i] = stream.nextGaussian();
            }
            double[] expected = ofAllSubsets(a, b);
            double[] x = NonNegativeLeastSquares.solve(a, b);
            // The condition number is at most about 50/0.01; solutions are up to 100 times as large as b.
            assertArrayEquals(expected, x, 1e-8);
            for (int i = 0; i < n; i++) {
                // Bound coordinates are exactly 0.
                assertEquals(expected[i] == 0, x[i] == 0, "trial " + trial);
                bound += x[i] == 0 ? 1 : 0;
            }
        }
        assertTrue(bound > 200, "the constraints matter in this test: " + bound);
    }

    @Test
    void equalColumnsShareTheWeight() {
        double[] x = NonNegativeLeastSquares.solve(
                new double[] {2 + 1e-6, 2, 2, 2, 2 + 1e-6, 2, 2, 2, 2 + 1e-6}, new double[] {3, 3, 3});
        // (2·3x + 1e-6·x) = 3; rounding is magnified by the condition number, 6e6.
        assertArrayEquals(new double[] {0.5, 0.5, 0.5}, x, 1e-6);
    }

    @Test
    void slopesBelowZeroGiveZeros() {
        assertArrayEquals(
                new double[2], NonNegativeLeastSquares.solve(new double[] {1, 0, 0, 1}, new double[] {-1, 0}), 0);
    }
}
