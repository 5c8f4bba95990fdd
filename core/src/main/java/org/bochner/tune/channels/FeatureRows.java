package org.bochner.tune.channels;

import org.bochner.data.Labels;
import org.bochner.learn.linear.LinearModel;
import org.bochner.numeric.Workers;
import org.bochner.stats.FoldedFeatures;

/** Rows whose inner products are those of their features. */
record FeatureRows(ChannelFeatures channels, FoldedFeatures features) implements DualSource {
    @Override
    public int rows() {
        return features.rows();
    }

    @Override
    public int folds() {
        return features.folds();
    }

    @Override
    public int start(int fold) {
        return features.start(fold);
    }

    @Override
    public Labels labels() {
        return features.labels();
    }

    @Override
    public double[] rowWeights() {
        return features.rowWeights();
    }

    @Override
    public double[] targets(int target) {
        return features.targets(target);
    }

    @Override
    public double[] products(int channel, Workers workers) {
        return features.products(channels.start(channel), channels.end(channel), workers);
    }

    @Override
    public LinearModel model(
            double[] kernelWeights, double[] coefficients, double[] shares, double[] targetMeans, Workers workers) {
        int outputs = targetMeans.length;
        double[] weights = features.combine(coefficients, outputs, workers);
        for (int c = 0; c < kernelWeights.length; c++) {
            for (int i = channels.start(c) * outputs; i < channels.end(c) * outputs; i++) {
                weights[i] *= kernelWeights[c];
            }
        }
        double[] mean = features.combine(shares, 1, workers);
        double[] intercepts = LinearModel.uncentre(targetMeans.clone(), weights, mean);
        return new LinearModel(channels.features(), outputs, weights, intercepts);
    }
}
