package org.bochner.model.evaluate;

import org.bochner.data.Labels;
import org.bochner.learn.linear.LinearModel;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.FeatureTile;
import org.bochner.stats.WeightMatrix;

/** The error of linear functions on given features. */
public final class FeatureError {
    private FeatureError() {}

    /** Returns the weighted share of rows with a wrong class, or the weighted root mean squared error. */
    public static double of(FeatureSource rows, LinearModel model) {
        WeightMatrix weights = new WeightMatrix(model.features(), model.outputs());
        weights.set(model.weights());
        boolean classes = rows.labels() instanceof Labels.Classes;
        double[] total = new double[1];
        rows.pass(() -> new double[1], (tile, sum) -> sum[0] += cost(tile, weights, model, classes), sum -> {
            total[0] += sum[0];
            sum[0] = 0;
        });
        return classes
                ? total[0] / rows.totalRowWeight()
                : Math.sqrt(total[0] / (rows.totalRowWeight() * model.outputs()));
    }

    private static double cost(FeatureTile tile, WeightMatrix weights, LinearModel model, boolean classes) {
        int outputs = model.outputs();
        double[] scores = new double[tile.rows() * outputs];
        tile.multiply(weights, scores);
        double sum = 0;
        for (int i = 0; i < tile.rows(); i++) {
            for (int o = 0; o < outputs; o++) {
                scores[i * outputs + o] += model.intercept(o);
            }
            if (classes) {
                boolean right = ClassRanking.highest(scores, i, outputs) == (int) tile.target(i, 0);
                sum += right ? 0 : tile.rowWeight(i);
            } else {
                for (int o = 0; o < outputs; o++) {
                    double difference = scores[i * outputs + o] - tile.target(i, o);
                    sum += tile.rowWeight(i) * difference * difference;
                }
            }
        }
        return sum;
    }
}
