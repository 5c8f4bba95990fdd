package org.bochner.design;

import org.bochner.base.BochnerException;
import org.bochner.base.Spelling;
import org.bochner.design.Target.Axis;
import org.bochner.numeric.LinearAlgebra;
import org.bochner.numeric.optimise.Vectors;

/**
 * Checks that a signature is positive semidefinite: the matrix of its values at the differences of any points has no
 * negative eigenvalue. The points are evenly spaced in the range. If the matrix has an eigenvalue λ &lt; 0, the error
 * of every map is at least −λ divided by the number of points somewhere in the range.
 */
final class Definiteness {
    private static final int[] POINTS_PER_AXIS = {65, 9, 5};
    private static final int STEPS_TO_THE_CORNER = 64;

    /** Eigenvalues that are 0 may be this far below 0 after rounding, as a share of k(0). */
    private static final double ROUNDING = 1e-9;

    private Definiteness() {}

    /** Fails if the signature is not positive definite on the range, or not finite. */
    static void require(Target target) {
        double[][] points = points(target);
        int n = points.length;
        double[][] matrix = new double[n][n];
        double[] z = new double[target.columns()];
        double atZero = target.signature().applyAsDouble(z.clone());
        if (!(atZero > 0 && atZero < Double.POSITIVE_INFINITY)) {
            throw new BochnerException("design: a signature is positive at 0, got " + Spelling.print(atZero));
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                for (int l = 0; l < z.length; l++) {
                    z[l] = points[i][l] - points[j][l];
                }
                double value = target.signature().applyAsDouble(z.clone());
                matrix[i][j] = value;
                if (!Double.isFinite(value)) {
                    throw new BochnerException(
                            "design: the signature is " + value + " at the difference " + Grid.print(z));
                }
                if (j == 0) {
                    requirePeriods(target, z, value, atZero);
                }
                if (j < i && Math.abs(value - matrix[j][i]) > ROUNDING * atZero) {
                    throw new BochnerException("design: a signature is even, but at the difference " + Grid.print(z)
                            + " it is " + Spelling.print(value) + " and at its opposite "
                            + Spelling.print(matrix[j][i]));
                }
            }
        }
        requireWeights(target);
        if (!definite(matrix, ROUNDING * atZero)) {
            double smallest = LinearAlgebra.eigenvalues(matrix)[0];
            throw new BochnerException("design: the signature is not positive definite on the range: its matrix of " + n
                    + " points has the eigenvalue " + Grid.print(smallest) + ", so every map errs by at least "
                    + Grid.print(-smallest / n) + " somewhere; take a positive definite one, or a shorter range");
        }
    }

    /**
     * Fails if the error weight grows so far above its value at 0 that rounding errors dominate, as relative weights
     * can.
     */
    private static void requireWeights(Target target) {
        double[] z = new double[target.columns()];
        double atZero = target.weight().applyAsDouble(z.clone());
        for (int i = 1; i <= STEPS_TO_THE_CORNER; i++) {
            for (int l = 0; l < z.length; l++) {
                z[l] = target.axes().get(l).length() * i / STEPS_TO_THE_CORNER;
            }
            double value = target.signature().applyAsDouble(z.clone());
            double weight = target.weight().applyAsDouble(z.clone());
            if (atZero > 0 && weight > atZero / Design.LEAST_ERROR) {
                throw new BochnerException(
                        "design: at the difference " + Grid.print(z) + " the kernel is " + Grid.print(value)
                                + ", and an error weighs " + Grid.print(weight / atZero)
                                + " times as much as at 0, too much for float64; take a shorter range or absolute errors");
            }
        }
    }

    /** Fails if the signature does not repeat in a periodic column. */
    private static void requirePeriods(Target target, double[] z, double value, double atZero) {
        for (int l = 0; l < z.length; l++) {
            Axis axis = target.axes().get(l);
            double[] around = z.clone();
            around[l] += z[l] > 0 ? -2 * axis.length() : 2 * axis.length();
            if (axis.periodic()
                    && !(Math.abs(target.signature().applyAsDouble(around.clone()) - value) <= ROUNDING * atZero)) {
                throw new BochnerException("design: the signature does not repeat with the period "
                        + Spelling.print(2 * axis.length()) + ": at the difference " + Grid.print(z) + " it is "
                        + Spelling.print(value) + ", a period away at " + Grid.print(around) + " it is not");
            }
        }
    }

    /** Returns points whose differences all lie in the range; in a periodic column they cover the whole period. */
    private static double[][] points(Target target) {
        int columns = target.columns();
        int each = POINTS_PER_AXIS[columns - 1];
        int n = (int) Math.round(Math.pow(each, columns));
        double[][] points = new double[n][columns];
        for (int i = 0; i < n; i++) {
            int rest = i;
            for (int l = 0; l < columns; l++) {
                Axis axis = target.axes().get(l);
                double length = axis.periodic() ? 2 * axis.length() : axis.length();
                points[i][l] = length * (rest % each) / (axis.periodic() ? each : each - 1);
                rest /= each;
            }
        }
        return points;
    }

    /** Returns true if the matrix plus {@code shift} times the identity has a Cholesky factor. */
    private static boolean definite(double[][] matrix, double shift) {
        double[][] factor = new double[matrix.length][matrix.length];
        for (int i = 0; i < matrix.length; i++) {
            for (int j = 0; j < i; j++) {
                factor[i][j] = (matrix[i][j] - Vectors.dot(factor[i], factor[j])) / factor[j][j];
            }
            double square = matrix[i][i] + shift - Vectors.dot(factor[i], factor[i]);
            if (!(square > 0)) {
                return false;
            }
            factor[i][i] = Math.sqrt(square);
        }
        return true;
    }
}
