package org.bochner.learn;

import org.bochner.numeric.Workers;
import org.bochner.stats.GramStatistics;

/** Ridge regression by the D×D scatter of the features: (H + λI)·w = c. */
final class PrimalRidge extends RidgeProblem {
    private final GramStatistics gram;
    private final double[] cross;

    PrimalRidge(GramStatistics gram, Workers workers) {
        super(gram, workers);
        this.gram = gram;
        int features = gram.features();
        cross = new double[Math.multiplyExact(features, outputs)];
        for (int o = 0; o < outputs; o++) {
            double[] row = gram.cross(target(o));
            for (int j = 0; j < features; j++) {
                cross[j * outputs + o] = scale() * row[j];
            }
        }
    }

    @Override
    void copyMatrix(double lambda, double[] to) {
        gram.copyScatter(lambda, to);
    }

    @Override
    double[] rightHandSides() {
        return cross.clone();
    }

    @Override
    double squaredResiduals(double lambda, double[] weights) {
        double sum = 0;
        for (int o = 0; o < outputs; o++) {
            double explained = 0;
            double norm = 0;
            for (int at = o; at < weights.length; at += outputs) {
                explained += weights[at] * cross[at];
                norm += weights[at] * weights[at];
            }
            // |y − Zw|² = |y|² − 2wᵀc + wᵀHw with Hw = c − λw.
            double total = scale() * scale() * gram.targetScatter(target(o));
            sum += Math.max(0, total - explained - lambda * norm);
        }
        return sum;
    }

    @Override
    double[] weights(Solution solution) {
        return solution.coefficients.clone();
    }

    @Override
    void unwhiten(double[] weights) {
        for (int o = 0; o < outputs; o++) {
            gram.penalty().unwhiten(weights, o, outputs);
        }
    }

    @Override
    String singular(int pivot) {
        return "features depend on each other (pivot " + pivot + " of " + gram.features() + ")";
    }
}
