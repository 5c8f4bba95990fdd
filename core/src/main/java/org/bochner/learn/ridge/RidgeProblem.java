package org.bochner.learn.ridge;

import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Spelling;
import org.bochner.learn.Convergence;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.OutputCoding;
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
    final OutputCoding coding;
    final int outputs;
    /** Scratch space for the matrix of a solution, order×order. */
    final double[] matrix;

    RidgeProblem(Statistics statistics, Workers workers) {
        this.statistics = statistics;
        this.workers = workers;
        coding = OutputCoding.of(statistics.labels());
        outputs = coding.count();
        matrix = new double[Math.multiplyExact(statistics.order(), statistics.order())];
    }

    static RidgeProblem of(Statistics statistics, Workers workers) {
        return statistics instanceof GramStatistics gram
                ? new PrimalRidge(gram, workers)
                : new DualRidge((DualStatistics) statistics, workers);
    }

    /**
     * The solution at one penalty.
     *
     * @param coefficients matrixSize×outputs, row-major: of features or of rows, as the problem has it
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on to one caller, never compared
    record Solved(PathPoint point, double[] coefficients) {}

    /** Writes the matrix with lambda on its diagonal. */
    abstract void copyMatrix(double lambda, double[] to);

    /** The right-hand sides, order×outputs, row-major. The array becomes the caller's. */
    abstract double[] rightHandSides();

    /** The sum of all squared residuals of a solution. */
    abstract double squaredResiduals(double lambda, double[] coefficients);

    /** Returns the sum of all squared residuals at a penalty; an estimate if there are very many outputs. */
    double estimatedResiduals(double lambda, Cholesky factor) {
        double[] coefficients = rightHandSides();
        factor.solve(coefficients, outputs, workers);
        return squaredResiduals(lambda, coefficients);
    }

    /** The weights on the statistics' features, D×outputs, row-major. The array becomes the caller's. */
    abstract double[] weights(Solved solution);

    /** Brings weights on the statistics' features, in place, to those on the features the map writes. */
    void unwhiten(double[] weights) {}

    /** Solves (A + λI)·X = B for all outputs; degrees of freedom, which cost as much again, only of small problems. */
    final Solved solve(double lambda, double validationError) {
        Cholesky factor = factor(lambda);
        boolean small = statistics.order() <= MOST_WITH_FREEDOM;
        return solve(lambda, factor, small ? degreesOfFreedom(lambda, factor) : Double.NaN, validationError);
    }

    /** Solves for all outputs, without degrees of freedom and without a validation error. */
    final Solved solve(double lambda) {
        return solve(lambda, factor(lambda), Double.NaN, Double.NaN);
    }

    private Solved solve(double lambda, Cholesky factor, double degreesOfFreedom, double validationError) {
        double[] coefficients = rightHandSides();
        factor.solve(coefficients, outputs, workers);
        double error = meanSquare(squaredResiduals(lambda, coefficients));
        return new Solved(new PathPoint(lambda, degreesOfFreedom, error, validationError), coefficients);
    }

    /** The mean squared residual, per output and unit of weight. */
    final double meanSquare(double squaredResiduals) {
        return squaredResiduals / (statistics.weight() * outputs);
    }

    final double degreesOfFreedom(double lambda, Cholesky factor) {
        return 1 + statistics.order() - lambda * factor.inverseTrace(workers);
    }

    /** Returns the validation error that the statistics allow without folds. */
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
        double[] intercepts = new double[outputs];
        Arrays.setAll(intercepts, o -> coding.mean(statistics.targetMean(coding.target(o))));
        LinearModel.uncentre(intercepts, weights, statistics.mean());
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
}
