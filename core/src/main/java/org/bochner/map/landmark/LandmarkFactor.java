package org.bochner.map.landmark;

import java.util.function.Supplier;
import org.bochner.base.BochnerException;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.jspecify.annotations.Nullable;

/**
 * The Cholesky factor R of the kernel values between landmarks, K = RᵀR, computed when it is first needed.
 *
 * <p>Threads: safe.
 */
final class LandmarkFactor {
    /** The first number added to the diagonal, relative to its mean, if rounding has made K indefinite. */
    private static final double FIRST_SHIFT = 1e-14;

    /** The factor between numbers below {@link #ROUNDING}, which is all that rounding needs. */
    private static final double COARSE = 10;

    /** All numbers added stay below this one if only rounding can make K indefinite. */
    static final double ROUNDING = 1e-5;

    /** The factor between larger numbers. */
    private static final double FINE = 2;

    private final int size;
    private final Supplier<double[]> kernelValues;
    private final double shiftEnd;
    private final String remedy;
    private final Workers workers;
    private volatile double @Nullable [] upper;

    /**
     * Creates a factor.
     *
     * @param size the number of landmarks
     * @param kernelValues computes K, row-major, in a new array
     * @param shiftEnd the end of the numbers that may be added to the diagonal, relative to its mean
     * @param remedy what to do if K is not positive definite
     * @param workers the threads that factor K
     */
    LandmarkFactor(int size, Supplier<double[]> kernelValues, double shiftEnd, String remedy, Workers workers) {
        this.size = size;
        this.kernelValues = kernelValues;
        this.shiftEnd = shiftEnd;
        this.remedy = remedy;
        this.workers = workers;
    }

    /** Replaces each row z of a matrix by R⁻ᵀz. */
    void whiten(Matrix<double[]> rows) {
        Blas.get().solveUpperOnRight(Matrix.of(upper(), size, size), rows);
    }

    /** Replaces weights w, at the indices at, at + stride, …, by R⁻¹w. */
    void unwhiten(double[] weights, int at, int stride) {
        Blas.get().solveUpper(Matrix.of(upper(), size, size), Matrix.of(weights, at, size, 1, stride));
    }

    /** Replaces weights w, at the indices at, at + stride, …, by Rw. */
    void whitenWeights(double[] weights, int at, int stride) {
        double[] factor = upper();
        for (int i = 0; i < size; i++) {
            double sum = 0;
            for (int j = i; j < size; j++) {
                sum += factor[i * size + j] * weights[at + j * stride];
            }
            weights[at + i * stride] = sum;
        }
    }

    private double[] upper() {
        double[] known = upper;
        if (known == null) {
            synchronized (this) {
                known = upper;
                if (known == null) {
                    known = factor();
                    upper = known;
                }
            }
        }
        return known;
    }

    /** Factors K in its own memory; each retry computes K again. */
    private double[] factor() {
        double[] factor = factored(0);
        // Landmarks that were chosen to be independent may still be nearly dependent in rounding.
        for (double shift = FIRST_SHIFT;
                factor == null && shift < shiftEnd;
                shift *= shift < ROUNDING ? COARSE : FINE) {
            factor = factored(shift);
        }
        if (factor == null) {
            throw new BochnerException("landmarks: the kernel values between the " + size
                    + " landmarks are not positive definite; " + remedy);
        }
        return factor;
    }

    /**
     * Returns the factor of K with a number added to its diagonal; null if that is not positive definite.
     *
     * @param shift the number, as a multiple of the mean of the diagonal
     */
    private double @Nullable [] factored(double shift) {
        double[] values = kernelValues.get();
        double mean = 0;
        for (int i = 0; i < size; i++) {
            mean += values[i * (size + 1)] / size;
        }
        for (int i = 0; i < size; i++) {
            values[i * (size + 1)] += shift * mean;
        }
        try {
            Cholesky.factor(values, size, workers);
            return values;
        } catch (NotPositiveDefiniteException e) {
            return null;
        }
    }
}
