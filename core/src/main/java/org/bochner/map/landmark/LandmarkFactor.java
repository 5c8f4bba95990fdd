package org.bochner.map.landmark;

import org.bochner.base.BochnerException;
import org.bochner.data.RowBlock;
import org.bochner.kernel.gram.CrossKernel;
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

    /** All numbers added stay below this one. */
    private static final double SHIFT_END = 1e-5;

    /** Rows of K that are computed together. */
    private static final int STRIP = 256;

    private final CrossKernel cross;
    private final RowBlock landmarks;
    private final Workers workers;
    private volatile double @Nullable [] upper;

    LandmarkFactor(CrossKernel cross, RowBlock landmarks, Workers workers) {
        this.cross = cross;
        this.landmarks = landmarks;
        this.workers = workers;
    }

    /** Replaces each row z of a matrix by R⁻ᵀz. */
    void whiten(Matrix<double[]> rows) {
        int size = cross.size();
        Blas.get().solveUpperOnRight(Matrix.of(upper(), size, size), rows);
    }

    /** Replaces weights w, at the indices at, at + stride, …, by R⁻¹w. */
    void unwhiten(double[] weights, int at, int stride) {
        int size = cross.size();
        Blas.get().solveUpper(Matrix.of(upper(), size, size), Matrix.of(weights, at, size, 1, stride));
    }

    /** Replaces weights w, at the indices at, at + stride, …, by Rw. */
    void whitenWeights(double[] weights, int at, int stride) {
        int size = cross.size();
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
        for (double shift = FIRST_SHIFT; factor == null && shift < SHIFT_END; shift *= 10) {
            factor = factored(shift);
        }
        if (factor == null) {
            throw new BochnerException("landmarks: the kernel values between the " + cross.size()
                    + " landmarks are not positive definite; give landmarks that differ from each other");
        }
        return factor;
    }

    /**
     * Returns the factor of K with a number added to its diagonal; null if that is not positive definite.
     *
     * @param shift the number, as a multiple of the mean of the diagonal
     */
    private double @Nullable [] factored(double shift) {
        int size = cross.size();
        double[] values = LandmarkRows.kernelMatrix(cross, landmarks, STRIP, workers);
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
