package org.bochner.learn.ridge;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
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
 * The ridge regressions of all outputs, which share one matrix. Targets are numbers, or ±1 for classes; two classes
 * have one output. The subclass depends on the form of the statistics.
 */
abstract class RidgeProblem {
    /** Maximum size of the matrix for which degrees of freedom are reported. */
    private static final int MOST_WITH_FREEDOM = 4096;

    final Statistics statistics;
    final Workers workers;
    final OutputCoding coding;
    final int outputs;
    /** Scratch space for the matrix of a solution. */
    final double[] matrix;

    RidgeProblem(Statistics statistics, Workers workers) {
        this.statistics = statistics;
        this.workers = workers;
        coding = OutputCoding.of(statistics.labels());
        outputs = coding.count();
        matrix = new double[Math.multiplyExact(statistics.matrixSize(), statistics.matrixSize())];
    }

    static RidgeProblem of(Statistics statistics, Workers workers) {
        return statistics instanceof GramStatistics gram
                ? new PrimalRidge(gram, workers)
                : new DualRidge((DualStatistics) statistics, workers);
    }

    /**
     * The solution at one penalty.
     *
     * @param coefficients matrixSize×outputs, row-major, one per feature or per row
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on to one caller, never compared
    record Solved(PathPoint point, double[] coefficients) {}

    /** Writes the matrix with lambda on its diagonal. */
    abstract void copyMatrix(double lambda, double[] to);

    /** Returns the right-hand sides, matrixSize×outputs, row-major, in a new array. */
    abstract double[] rightHandSides();

    /** Returns the sum of all squared residuals of a solution. */
    abstract double squaredResiduals(double lambda, double[] coefficients);

    /** Returns the sum of all squared residuals at a penalty; an estimate if there are very many outputs. */
    double estimatedResiduals(double lambda, Cholesky factor) {
        double[] coefficients = rightHandSides();
        factor.solve(coefficients, outputs, workers);
        return squaredResiduals(lambda, coefficients);
    }

    /** Returns the weights of the statistics' features, D×outputs, row-major, in a new array. */
    abstract double[] weights(Solved solution);

    /** Converts weights of the statistics' features to weights of the map's features, in place. */
    void unwhiten(double[] weights) {}

    /** Solves (A + λI)·X = B for all outputs. */
    final Solved solve(double lambda) {
        return solve(lambda, factor(lambda), Double.NaN, Double.NaN);
    }

    /** Solves for all outputs at a validated penalty, for small problems with degrees of freedom, at twice the cost. */
    final Solved solve(double lambda, double validationError) {
        Cholesky factor = factor(lambda);
        boolean small = statistics.matrixSize() <= MOST_WITH_FREEDOM;
        return solve(lambda, factor, small ? degreesOfFreedom(lambda, factor) : Double.NaN, validationError);
    }

    private Solved solve(double lambda, Cholesky factor, double degreesOfFreedom, double validationError) {
        double[] coefficients = rightHandSides();
        factor.solve(coefficients, outputs, workers);
        double error = meanSquare(squaredResiduals(lambda, coefficients));
        return new Solved(new PathPoint(lambda, degreesOfFreedom, error, validationError), coefficients);
    }

    /** Returns the mean squared residual per output and unit of row weight. */
    final double meanSquare(double squaredResiduals) {
        return squaredResiduals / (statistics.totalRowWeight() * outputs);
    }

    private double degreesOfFreedom(double lambda, Cholesky factor) {
        return 1 + statistics.matrixSize() - lambda * factor.inverseTrace(workers);
    }

    /** Returns the validation error that the statistics allow without folds. */
    ValidationError validationError() {
        return new ValidationError("generalised cross-validation", this::generalised);
    }

    /**
     * Computes the generalised cross-validation error (Golub, Heath and Wahba, 1979,
     * doi:10.1080/00401706.1979.10489751): the training error divided by (1 − degrees of freedom / rows)². It needs no
     * folds. If a few rows have high leverage, it prefers penalties that are too small; it is therefore used only
     * without statistics of folds: in pruning, in penalty paths, and with too few rows.
     */
    final PathPoint generalised(double lambda) {
        Cholesky factor = factor(lambda);
        double error = meanSquare(estimatedResiduals(lambda, factor));
        double freedom = degreesOfFreedom(lambda, factor);
        double slack = 1 - freedom / statistics.weighedRows();
        return new PathPoint(lambda, freedom, error, slack <= 0 ? Double.POSITIVE_INFINITY : error / (slack * slack));
    }

    /** Factors the matrix with lambda on its diagonal. */
    Cholesky factor(double lambda) {
        copyMatrix(lambda, matrix);
        return factor(matrix, statistics.matrixSize(), lambda, workers);
    }

    /** Factors a matrix with lambda on its diagonal. */
    static Cholesky factor(double[] matrix, int size, double lambda, Workers workers) {
        return factor(() -> Cholesky.factor(matrix, size, workers), size, lambda);
    }

    /** Returns a factor; explains a matrix that is not positive definite. */
    static Cholesky factor(Supplier<Cholesky> factorisation, int size, double lambda) {
        try {
            return factorisation.get();
        } catch (NotPositiveDefiniteException e) {
            throw new BochnerException(
                    "ridge: at lambda=" + Spelling.print(lambda)
                            + " the problem is singular: the features, or the rows, depend on each other (pivot "
                            + e.pivot() + " of " + size + "); use a larger lambda, or lambda=auto",
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

    /** Returns the squared norm of all functions, without intercepts. */
    double squaredNorm(Solved solution, LinearModel model) {
        return model.squaredNorm();
    }

    final LinearFit fit(Solved solution, List<PathPoint> path, String reason) {
        LinearModel model = model(solution);
        PathPoint point = solution.point();
        double squares = point.trainingLoss() * statistics.totalRowWeight() * outputs;
        double objective = (squares + point.lambda() * squaredNorm(solution, model)) / 2;
        Convergence convergence =
                new Convergence("Cholesky factor", 1, objective, "residual", 0, 0, Convergence.End.DIRECT);
        return new LinearFit(model, point, path, reason, convergence);
    }
}
