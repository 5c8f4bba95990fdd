package org.bochner.tune.scales;

import org.bochner.data.RowBlock;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.RowLoss;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapGradient;
import org.bochner.numeric.Precision;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.FeatureBlock;
import org.bochner.stats.RowWeights;
import org.bochner.stats.WeightMatrix;
import org.jspecify.annotations.Nullable;

/**
 * The sum of a loss over rows, with its derivatives by the weights and intercepts of a linear model and, if asked
 * for, by the parameters of the feature map. With the derivatives ℓ′ of the losses by the scores, those by the
 * weights are Zᵀℓ′, and those by the features ℓ′βᵀ, from which those by the parameters follow. Threads: not safe;
 * each worker has its own.
 */
final class LossSums {
    private final FeatureMap map;
    private final LinearModel model;
    private final RowLoss loss;
    private final RowWeights rowWeights;
    private final FeatureBlock features;
    private final @Nullable MapGradient gradient;
    private final FeatureBlock cotangents;
    private final WeightMatrix matrix;
    private final double[] value = new double[1];
    private final double[] byWeights;
    private final double[] byIntercepts;
    private double[] scores = new double[0];

    /**
     * Creates empty sums.
     *
     * @param gradient receives the derivatives by the map's parameters; null if they are not needed
     */
    LossSums(
            FeatureMap map,
            LinearModel model,
            RowLoss loss,
            RowWeights rowWeights,
            Precision precision,
            @Nullable MapGradient gradient) {
        this.map = map;
        this.model = model;
        this.loss = loss;
        this.rowWeights = rowWeights;
        this.gradient = gradient;
        features = FeatureBlock.of(precision, model.features());
        cotangents = gradient == null ? features : FeatureBlock.of(precision, model.features());
        matrix = WeightMatrix.of(model.features(), model.outputs(), model.weights());
        byWeights = new double[model.features() * model.outputs()];
        byIntercepts = new double[model.outputs()];
    }

    void add(RowBlock block) {
        int outputs = model.outputs();
        if (scores.length < block.rows() * outputs) {
            scores = new double[block.rows() * outputs];
        }
        features.fill(map, block);
        model.apply(features, scores);
        for (int i = 0; i < block.rows(); i++) {
            double rowWeight = rowWeights.weight(block, i);
            int at = i * outputs;
            value[0] += rowWeight * loss.value(block::target, i, scores, at);
            loss.slopes(block::target, i, scores, at);
            for (int o = 0; o < outputs; o++) {
                scores[at + o] *= rowWeight;
                byIntercepts[o] += scores[at + o];
            }
        }
        features.addTransposed(scores, outputs, byWeights);
        if (gradient != null) {
            cotangents.fill(block.rows(), scores, matrix);
            features.addTo(gradient, block, cotangents);
        }
    }

    /** Adds these sums to others and clears them. */
    void moveInto(LossSums total) {
        Vectors.move(value, total.value);
        Vectors.move(byWeights, total.byWeights);
        Vectors.move(byIntercepts, total.byIntercepts);
        if (gradient != null && total.gradient != null) {
            gradient.moveInto(total.gradient);
        }
    }

    double value() {
        return value[0];
    }

    /** The shared array, D×outputs. */
    double[] byWeights() {
        return byWeights;
    }

    /** The shared array. */
    double[] byIntercepts() {
        return byIntercepts;
    }
}
