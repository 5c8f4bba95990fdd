package org.bochner.model.evaluate;

import org.bochner.data.Labels;
import org.bochner.learn.linear.LinearModel;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.FeatureTile;
import org.bochner.stats.WeightMatrix;

/** The errors of linear functions on given features. */
public final class FeatureError {
    private FeatureError() {}

    /** The cost of a row's scores. */
    interface RowCost {
        /**
         * Returns the cost of a row of a tile.
         *
         * @param scores the scores of all rows of the tile, rows×outputs, row-major
         */
        double of(FeatureTile tile, int row, double[] scores);
    }

    /** Returns the weighted share of rows with a wrong class, or the weighted root mean squared error. */
    public static double of(FeatureSource rows, LinearModel model) {
        double sum = rows.sum(new FeatureErrorTask(model)).sum()[0];
        return rows.labels() instanceof Labels.Classes
                ? sum / rows.totalRowWeight()
                : Math.sqrt(sum / (rows.totalRowWeight() * model.outputs()));
    }

    /** Returns the weighted sum of the costs of the rows of a tile. */
    static double sum(FeatureTile tile, WeightMatrix weights, LinearModel model, RowCost cost) {
        int outputs = model.outputs();
        double[] scores = new double[tile.rows() * outputs];
        tile.multiply(weights, scores);
        double sum = 0;
        for (int i = 0; i < tile.rows(); i++) {
            for (int o = 0; o < outputs; o++) {
                scores[i * outputs + o] += model.intercept(o);
            }
            sum += tile.rowWeight(i) * cost.of(tile, i, scores);
        }
        return sum;
    }
}
