package org.bochner.numeric.optimise;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Cholesky;

/**
 * Minimises {@code ½·xᵀAx − bᵀx} over {@code x ≥ 0} for a positive definite matrix A: least squares with non-negative
 * coefficients, given the products AᵀA and Aᵀb of the usual form.
 *
 * <p>An active-set method: a set of free coordinates is enlarged by the coordinate with the steepest descent, and the
 * problem restricted to it is solved by a Cholesky factor; coordinates that would become negative leave the set again. The
 * objective decreases with each set, so that none comes twice and the method ends. Coordinates outside the last set are
 * exactly 0.
 *
 * <p>Cost: about n factorisations of at most n×n numbers. Deterministic.
 *
 * <p>Reference: C. Lawson and R. Hanson, Solving Least Squares Problems, 1974, chapter 23.
 */
public final class NonNegativeLeastSquares {
    private static final String OWNER = "NonNegativeLeastSquares";

    /** A slope below this share of the largest entry of b is rounding. */
    private static final double LEAST_SLOPE = 1e-12;

    private NonNegativeLeastSquares() {}

    /**
     * Returns the minimum.
     *
     * @param a A, n×n, symmetric and positive definite; not changed
     * @param b b, n numbers; not changed
     */
    public static double[] solve(double[] a, double[] b) {
        int n = b.length;
        Require.sameSize(OWNER, "entries of the matrix", a.length, Math.multiplyExact(n, n));
        double[] x = new double[n];
        boolean[] free = new boolean[n];
        double least = LEAST_SLOPE * Arrays.stream(b).map(Math::abs).max().orElse(0);
        // Each coordinate enters and leaves a few times at most, except through rounding.
        for (int round = 0; round < 10 * n; round++) {
            int entering = steepest(a, b, x, free, least);
            if (entering < 0) {
                break;
            }
            free[entering] = true;
            double[] next = restricted(a, b, free);
            if (!(next[entering] > 0)) {
                // The slope was rounding.
                free[entering] = false;
                break;
            }
            while (!feasible(next, free)) {
                double step = 1;
                for (int i = 0; i < n; i++) {
                    if (free[i] && !(next[i] > 0)) {
                        step = Math.min(step, x[i] / (x[i] - next[i]));
                    }
                }
                for (int i = 0; i < n; i++) {
                    if (!free[i]) {
                        continue;
                    }
                    boolean stops = !(next[i] > 0) && x[i] / (x[i] - next[i]) <= step;
                    x[i] = stops ? 0 : x[i] + step * (next[i] - x[i]);
                    free[i] = !stops;
                }
                next = restricted(a, b, free);
            }
            x = next;
        }
        return x;
    }

    /** Returns the bound coordinate along which the objective falls most steeply; −1 if there is none. */
    private static int steepest(double[] a, double[] b, double[] x, boolean[] free, double least) {
        int found = -1;
        double largest = least;
        for (int i = 0; i < x.length; i++) {
            if (free[i]) {
                continue;
            }
            double slope = b[i];
            for (int j = 0; j < x.length; j++) {
                slope -= a[i * x.length + j] * x[j];
            }
            if (slope > largest) {
                largest = slope;
                found = i;
            }
        }
        return found;
    }

    /** Returns the minimum over the free coordinates without the constraint; 0 for the others. */
    private static double[] restricted(double[] a, double[] b, boolean[] free) {
        int n = b.length;
        int[] index = new int[n];
        int count = 0;
        for (int i = 0; i < n; i++) {
            if (free[i]) {
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
        for (int i = 0; i < count; i++) {
            x[index[i]] = right[i];
        }
        return x;
    }

    private static boolean feasible(double[] x, boolean[] free) {
        for (int i = 0; i < x.length; i++) {
            if (free[i] && !(x[i] > 0)) {
                return false;
            }
        }
        return true;
    }
}
