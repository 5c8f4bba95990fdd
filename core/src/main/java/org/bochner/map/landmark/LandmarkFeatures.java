package org.bochner.map.landmark;

import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.matrix.Matrix;

/**
 * A map whose features are made of the kernel values k(x, h) at landmarks h. Unless its penalty is plain, the penalty of
 * weights α is αᵀKα, where K holds the kernel values between the landmarks.
 */
abstract class LandmarkFeatures implements FeatureMap {
    private final Kernel kernel;
    private final RowBlock landmarks;

    LandmarkFeatures(Kernel kernel, RowBlock landmarks) {
        this.kernel = kernel;
        this.landmarks = landmarks;
    }

    /** Returns the factor of K. */
    abstract LandmarkFactor factor();

    /** Returns the landmarks, which must not be changed. */
    public final RowBlock landmarks() {
        return landmarks;
    }

    @Override
    public final int inputDimension() {
        return landmarks.columns();
    }

    @Override
    public final int outputDimension() {
        return landmarks.rows();
    }

    @Override
    public final Kernel kernel() {
        return kernel;
    }

    @Override
    public final int dataRows() {
        return landmarks.rows();
    }

    @Override
    public final boolean amplifiesRounding() {
        return !hasPlainPenalty();
    }

    @Override
    public final void whiten(double[] features, int at) {
        whiten(features, at, 1);
    }

    @Override
    public final void whiten(double[] features, int at, int rows) {
        if (!hasPlainPenalty()) {
            factor().whiten(Matrix.of(features, at, rows, outputDimension(), outputDimension()));
        }
    }

    @Override
    public final void unwhiten(double[] weights, int at, int stride) {
        if (!hasPlainPenalty()) {
            factor().unwhiten(weights, at, stride);
        }
    }
}
