package org.bochner.learn.ridge;

import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Spelling;
import org.bochner.data.Labels;
import org.bochner.learn.Convergence;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.bochner.stats.DualStatistics;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.Statistics;

/**
 * The ridge regressions of all outputs, which share a matrix: ±1 for classes, of which two have one output, or numbers.
 * How it is solved depends on the form of the statistics.
 */
abstract class RidgeProblem {
    /** The largest order of a problem whose degrees of freedom are reported. */
    private static final int MOST_WITH_FREEDOM = 4096;

    final Statistics statistics;
    final Workers workers;
    final int outputs;
    private final boolean classes;
    /** Scratch space for the matrix of a solution, order×order. */
    final double[] matrix;

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
    static final class Solved {
        private final PathPoint point;
        final double[] coefficients;

        Solved(PathPoint point, double[] coefficients) {
            this.point = point;
            this.coefficients = coefficients;
        }

        PathPoint point() {
            return point;
        }
    }

    /** Writes the matrix with lambda on its diagonal. */
    abstract void copyMatrix(double lambda, double[] to);

    /** The right-hand sides, order×outputs, row-major. The array becomes the caller's. */
    abstract double[] rightHandSides();

    /** The sum of all squared residuals of a solution. */
    abstract double squaredResiduals(double lambda, double[] coefficients);

    /** Whether there are so many outputs that the squared residuals of solutions not wanted are estimated. */
    boolean estimates() {
        return false;
    }

    /** An estimate of the sum of all squared residuals at a penalty, without solving for all outputs. */
    double estimatedResiduals(double lambda, Cholesky factor) {
        throw new UnsupportedOperationException("nothing is estimated");
    }

    /** The weights on the statistics' features, D×outputs, row-major. The array becomes the caller's. */
    abstract double[] weights(Solved solution);

    /** Brings weights on the statistics' features, in place, to those on the features the map writes. */
    void unwhiten(double[] weights) {}

    /** Solves (A + λI)·X = B for all outputs; degrees of freedom, which cost as much again, only of small problems. */
    final Solved solve(double lambda, double score) {
        Cholesky factor = factor(lambda);
        boolean small = statistics.order() <= MOST_WITH_FREEDOM;
        return solve(lambda, factor, small ? degreesOfFreedom(lambda, factor) : Double.NaN, score);
    }

    /** Solves for all outputs, without degrees of freedom and without a score. */
    final Solved solve(double lambda) {
        return solve(lambda, factor(lambda), Double.NaN, Double.NaN);
    }

    private Solved solve(double lambda, Cholesky factor, double degreesOfFreedom, double score) {
        double[] coefficients = rightHandSides();
        factor.solve(coefficients, outputs, workers);
        double error = meanSquare(squaredResiduals(lambda, coefficients));
        return new Solved(new PathPoint(lambda, degreesOfFreedom, error, score), coefficients);
    }

    /** The mean squared residual, per output and unit of weight. */
    final double meanSquare(double squaredResiduals) {
        return squaredResiduals / (statistics.weight() * outputs);
    }

    final double degreesOfFreedom(double lambda, Cholesky factor) {
        return 1 + statistics.order() - lambda * factor.inverseTrace(workers);
    }

    /** Scores by what the statistics allow without folds. */
    ValidationError validationError() {
        return new GeneralisedCrossValidation(this);
    }

    final Cholesky factor(double lambda) {
        copyMatrix(lambda, matrix);
        return factor(matrix, statistics.order(), lambda, workers);
    }

    /** Factors a matrix with lambda on its diagonal. */
    static Cholesky factor(double[] matrix, int order, double lambda, Workers workers) {
        try {
            return Cholesky.factor(matrix, order, workers);
        } catch (NotPositiveDefiniteException e) {
            throw new BochnerException(
                    "ridge: at lambda=" + Spelling.print(lambda)
                            + " the problem is singular: the features, or the rows, depend on each other (pivot "
                            + e.pivot() + " of " + order + "); use a larger lambda, or lambda=auto",
                    e);
        }
    }

    final LinearModel model(Solved solution) {
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

    final LinearFit fit(Solved solution, List<PathPoint> path, String reason) {
        LinearModel model = model(solution);
        PathPoint point = solution.point();
        double squares = point.trainingLoss() * statistics.weight() * outputs;
        double objective = (squares + point.lambda() * model.squaredNorm()) / 2;
        Convergence convergence =
                new Convergence("Cholesky factor", 1, objective, "residual", 0, 0, Convergence.End.DIRECT);
        return new LinearFit(model, point, path, reason, convergence);
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
