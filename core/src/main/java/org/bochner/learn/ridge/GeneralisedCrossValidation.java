package org.bochner.learn.ridge;

import org.bochner.learn.PathPoint;
import org.bochner.numeric.matrix.Cholesky;

/**
 * Generalised cross-validation (Golub, Heath and Wahba, 1979, doi:10.1080/00401706.1979.10489751): the training error
 * divided by (1 − degrees of freedom / rows)². It needs no folds. If a few rows have high leverage, it prefers
 * penalties that are too small; it is therefore used only without statistics of folds: in pruning, in penalty paths,
 * and with too few rows.
 */
record GeneralisedCrossValidation(RidgeProblem problem) implements ValidationError {
    @Override
    public PathPoint at(double lambda) {
        Cholesky factor = problem.factor(lambda);
        double error = problem.meanSquare(problem.estimatedResiduals(lambda, factor));
        double freedom = problem.degreesOfFreedom(lambda, factor);
        double slack = 1 - freedom / problem.statistics.weighedRows();
        return new PathPoint(lambda, freedom, error, slack <= 0 ? Double.POSITIVE_INFINITY : error / (slack * slack));
    }

    @Override
    public String name() {
        return "generalised cross-validation error";
    }
}
