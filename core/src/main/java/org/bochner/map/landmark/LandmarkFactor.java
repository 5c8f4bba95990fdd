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

    private static final double LAST_SHIFT = 1e-6;

    /** Rows of K that are computed together. */
    private static final int STRIP = 256;

    private final CrossKernel cross;
    private final RowBlock landmarks;
    private volatile double @Nullable [] upper;

    LandmarkFactor(CrossKernel cross, RowBlock landmarks) {
        this.cross = cross;
        this.landmarks = landmarks;
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

    private double[] factor() {
        int size = cross.size();
        double[] values = LandmarkRows.kernelMatrix(cross, landmarks, STRIP);
        double mean = 0;
        for (int i = 0; i < size; i++) {
            mean += values[i * (size + 1)] / size;
        }
        double shift = 0;
        double[] factored = factored(values, 0);
        // Landmarks that were chosen to be independent may still be nearly dependent in rounding.
        while (factored == null && shift < LAST_SHIFT) {
            shift = Math.max(FIRST_SHIFT, 10 * shift);
            factored = factored(values, shift * mean);
        }
        if (factored != null) {
            return factored;
        }
        throw new BochnerException("landmarks: the kernel values between the " + size
                + " landmarks are not positive definite; give landmarks that differ from each other");
    }

    /** Returns the factor of K with a number added to its diagonal; null if that is not positive definite. */
    private double @Nullable [] factored(double[] values, double added) {
        int size = cross.size();
        double[] tried = values.clone();
        for (int i = 0; i < size; i++) {
            tried[i * (size + 1)] += added;
        }
        try {
            Cholesky.factor(tried, size, Workers.all());
            return tried;
        } catch (NotPositiveDefiniteException e) {
            return null;
        }
    }
}
