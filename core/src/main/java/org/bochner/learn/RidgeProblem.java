package org.bochner.learn;

import org.bochner.base.BochnerException;
import org.bochner.base.Spelling;
import org.bochner.data.Labels;
import org.bochner.numeric.Cholesky;
import org.bochner.numeric.NotPositiveDefiniteException;
import org.bochner.numeric.Workers;
import org.bochner.stats.DualStatistics;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.Statistics;

/**
 * The ridge regressions of all outputs, which share a matrix: ±1 for classes, of which two have one output, or numbers.
 * How it is solved depends on the form of the statistics.
 */
abstract class RidgeProblem {
    final Statistics statistics;
    final Workers workers;
    final int outputs;
    private final boolean classes;
    private final double[] matrix;

    RidgeProblem(Statistics statistics, Workers workers) {
        this.statistics = statistics;
        this.workers = workers;
        classes = statistics.labels() instanceof Labels.Classes;
        outputs = classes && statistics.targets() == 2 ? 1 : statistics.targets();
        matrix = new double[Math.multiplyExact(statistics.order(), statistics.order())];
    }

    static RidgeProblem of(Statistics statistics, Workers workers) {
        return statistics instanceof GramStatistics gram
                ? new PrimalRidge(gram, workers)
                : new DualRidge((DualStatistics) statistics, workers);
    }

    /** The solution at one penalty, order×outputs, row-major; what its numbers multiply is the problem's own matter. */
    static final class Solution {
        private final RidgePoint point;
        final double[] coefficients;

        Solution(RidgePoint point, double[] coefficients) {
            this.point = point;
            this.coefficients = coefficients;
        }

        RidgePoint point() {
            return point;
        }
    }

    /** Writes the matrix with lambda on its diagonal. */
    abstract void copyMatrix(double lambda, double[] to);

    /** The right-hand sides, order×outputs, row-major. The array becomes the caller's. */
    abstract double[] rightHandSides();

    /** The sum of all squared residuals of a solution. */
    abstract double squaredResiduals(double lambda, double[] coefficients);

    /** The weights on the statistics' features, D×outputs, row-major. The array becomes the caller's. */
    abstract double[] weights(Solution solution);

    /** Brings weights on the statistics' features, in place, to those on the features the map writes. */
    void unwhiten(double[] weights) {}

    /** What a singular matrix means. */
    abstract String singular(int pivot);

    /** Solves (A + λI)·X = B for all outputs; the score is NaN unless it is asked for. */
    final Solution solve(double lambda, boolean withScore) {
        copyMatrix(lambda, matrix);
        Cholesky factor = factor(lambda);
        double[] coefficients = rightHandSides();
        factor.solve(coefficients, outputs);
        double error = squaredResiduals(lambda, coefficients) / (statistics.weight() * outputs);
        double freedom = Double.NaN;
        double score = Double.NaN;
        if (withScore) {
            freedom = 1 + statistics.order() - lambda * factor.inverseTrace(workers);
            double slack = 1 - freedom / statistics.weighedRows();
            score = slack > 0 ? error / (slack * slack) : Double.POSITIVE_INFINITY;
        }
        return new Solution(new RidgePoint(lambda, freedom, error, score), coefficients);
    }

    private Cholesky factor(double lambda) {
        try {
            return Cholesky.factor(matrix, statistics.order(), workers);
        } catch (NotPositiveDefiniteException e) {
            throw new BochnerException(
                    "ridge: at lambda=" + Spelling.print(lambda) + " the problem is singular: " + singular(e.pivot())
                            + "; use a larger lambda, or lambda=auto",
                    e);
        }
    }

    final LinearModel model(Solution solution) {
        int features = statistics.features();
        double[] weights = weights(solution);
        double[] mean = statistics.mean();
        double[] intercepts = new double[outputs];
        for (int o = 0; o < outputs; o++) {
            intercepts[o] = scale() * statistics.targetMean(target(o)) - (classes ? 1 : 0);
        }
        for (int j = 0; j < features; j++) {
            for (int o = 0; o < outputs; o++) {
                intercepts[o] -= mean[j] * weights[j * outputs + o];
            }
        }
        unwhiten(weights);
        return new LinearModel(features, outputs, weights, intercepts);
    }

    /** The target of the statistics that an output predicts: of two classes the second is +1. */
    final int target(int output) {
        return classes && outputs == 1 ? 1 : output;
    }

    /** What a target is multiplied by: an indicator t becomes 2t − 1. */
    final double scale() {
        return classes ? 2 : 1;
    }
}
