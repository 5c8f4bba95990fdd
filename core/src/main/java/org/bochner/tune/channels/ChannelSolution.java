package org.bochner.tune.channels;

import java.util.Arrays;
import org.bochner.learn.linear.LinearModel;

/**
 * The solution of multiple kernel learning at one penalty. The arrays are shared and must not be changed.
 *
 * @param fit linear functions of the features of all channels
 * @param kernelWeights dⱼ, the factors of the channels' kernels
 * @param norms |wⱼ| of the channels' weights, over all outputs
 * @param residual how far the kernel weights are from their optimum
 * @param converged true if the solver reached its tolerance
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ChannelSolution(
        ChannelFit fit, double[] kernelWeights, double[] norms, double objective, double residual, boolean converged) {
    /**
     * Returns the solution without the channels that have less than a share of all kernel weight. The model is still
     * that of all channels, and must be trained again.
     */
    ChannelSolution without(double share) {
        double least = share * Arrays.stream(kernelWeights).sum();
        double[] left = kernelWeights.clone();
        double[] leftNorms = norms.clone();
        for (int c = 0; c < left.length; c++) {
            if (left[c] < least) {
                left[c] = 0;
                leftNorms[c] = 0;
            }
        }
        return new ChannelSolution(fit, left, leftNorms, objective, residual, converged);
    }

    /** Computes the linear functions. */
    public LinearModel model() {
        return fit.linear().get();
    }

    /** Returns the number of channels with a positive kernel weight. */
    public int active() {
        return (int) Arrays.stream(kernelWeights).filter(weight -> weight > 0).count();
    }
}
