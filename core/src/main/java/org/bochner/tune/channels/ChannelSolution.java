package org.bochner.tune.channels;

import java.util.Arrays;
import org.bochner.learn.linear.LinearModel;

/** What was learned of the channels at one strength of the penalty. */
public final class ChannelSolution {
    private final LinearModel model;
    private final double[] weights;
    private final double[] norms;
    private final double objective;
    private final double residual;
    private final boolean converged;

    /**
     * A mixture; the arrays become its own.
     *
     * @param model linear functions of the features of all channels
     * @param weights dⱼ, what the channels' kernels are multiplied by
     * @param norms |wⱼ| of the channels' weights, over all outputs
     * @param residual how far the weights of the kernels are from their optimum
     */
    ChannelSolution(
            LinearModel model, double[] weights, double[] norms, double objective, double residual, boolean converged) {
        this.model = model;
        this.weights = weights;
        this.norms = norms;
        this.objective = objective;
        this.residual = residual;
        this.converged = converged;
    }

    public LinearModel model() {
        return model;
    }

    public double weight(int channel) {
        return weights[channel];
    }

    /** dⱼ of all channels; a new array. */
    public double[] weights() {
        return weights.clone();
    }

    public double norm(int channel) {
        return norms[channel];
    }

    public double objective() {
        return objective;
    }

    public double residual() {
        return residual;
    }

    public boolean converged() {
        return converged;
    }

    /**
     * The same without channels that have less than a share of all weights. Its functions are still those of
     * all channels: they are to be learned anew.
     */
    public ChannelSolution without(double share) {
        double least = share * Arrays.stream(weights).sum();
        double[] left = weights.clone();
        double[] leftNorms = norms.clone();
        for (int c = 0; c < left.length; c++) {
            if (left[c] < least) {
                left[c] = 0;
                leftNorms[c] = 0;
            }
        }
        return new ChannelSolution(model, left, leftNorms, objective, residual, converged);
    }

    /** How many channels have a weight. */
    public int active() {
        return (int) Arrays.stream(weights).filter(weight -> weight > 0).count();
    }

    /** The norm of each channel's weights over all outputs. */
    static double[] norms(LinearModel model, ChannelFeatures channels) {
        double[] norms = new double[channels.count()];
        for (int c = 0; c < norms.length; c++) {
            double sum = 0;
            for (int j = channels.start(c); j < channels.end(c); j++) {
                for (int o = 0; o < model.outputs(); o++) {
                    sum += model.weight(j, o) * model.weight(j, o);
                }
            }
            norms[c] = Math.sqrt(sum);
        }
        return norms;
    }
}
