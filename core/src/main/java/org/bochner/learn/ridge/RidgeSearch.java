package org.bochner.learn.ridge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bochner.base.BochnerException;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.LinearFit;
import org.bochner.numeric.Precision;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;

/**
 * Searches the ridge penalty with the least validation error. It walks in factors of ten from a middle value up, or
 * else down, until the error has risen on both sides of the best, and then tries the neighbours at factors of √10. The
 * error of nearly every problem has one minimum over λ, so the search finds the optimum of a full grid at a third of
 * its cost.
 */
final class RidgeSearch {
    private final RidgeProblem problem;
    private final ValidationError score;
    private final double unit;
    private final double floor;
    private final Precision precision;
    private final int lowest;
    private final int highest;
    private final Map<Integer, PathPoint> tried = new TreeMap<>();

    /**
     * Creates a search over the penalties unit·10^(k/2), where the unit is the mean diagonal entry of the scatter
     * matrix.
     *
     * @param floor the smallest penalty allowed
     */
    RidgeSearch(RidgeProblem problem, ValidationError score, double floor, Precision precision) {
        this.problem = problem;
        this.score = score;
        this.unit = problem.statistics.scatterTrace() / problem.statistics.features();
        this.floor = floor;
        this.precision = precision;
        if (!(unit > 0)) {
            throw new BochnerException(
                    "ridge: the features do not vary over the rows; are all rows equal, or is the kernel's scale far off,"
                            + " as with a sigma much too large or a gamma much too small?");
        }
        lowest = (int) Math.ceil(2 * StrictMath.log10(floor / unit));
        highest = Math.max(8, lowest);
    }

    /** Solves the problem at the best penalty. */
    LinearFit run() {
        PathPoint best = best();
        RidgeProblem.Solved solution = problem.solve(best.lambda(), best.validationError());
        String edge = best.lambda() >= floor * Math.sqrt(10)
                ? ""
                : "; it is the smallest penalty that " + (precision == Precision.FLOAT32 ? "float32" : "float64")
                        + " features allow";
        return problem.fit(
                solution, path(), "lambda has the least " + score.name() + " of " + tried.size() + " tried" + edge);
    }

    private PathPoint best() {
        int best = coarseStep();
        for (int k : new int[] {best - 1, best + 1}) {
            if (k >= lowest
                    && k <= highest
                    && point(k).validationError() < point(best).validationError()) {
                best = k;
            }
        }
        return point(best);
    }

    /** Returns the best of the penalties in factors of ten. */
    PathPoint coarse() {
        return point(coarseStep());
    }

    private int coarseStep() {
        int middle = Math.max(-2, lowest);
        int best = walk(middle, 2);
        return best == middle ? walk(middle, -2) : best;
    }

    private List<PathPoint> path() {
        List<PathPoint> path = new ArrayList<>(tried.values());
        path.sort(Comparator.comparingDouble(PathPoint::lambda));
        return path;
    }

    /** Steps on as long as the validation error falls. */
    private int walk(int from, int step) {
        int best = from;
        while (best + step >= lowest
                && best + step <= highest
                && point(best + step).validationError() < point(best).validationError()) {
            best += step;
        }
        return best;
    }

    private PathPoint point(int k) {
        return tried.computeIfAbsent(k, key -> validate(unit * StrictMath.pow(10, key / 2.0)));
    }

    /** Validates a penalty. The error is infinite if the penalty is too small for a Cholesky factor. */
    private PathPoint validate(double lambda) {
        try {
            return score.at().apply(lambda);
        } catch (BochnerException e) {
            if (e.getCause() instanceof NotPositiveDefiniteException) {
                return new PathPoint(lambda, Double.NaN, Double.NaN, Double.POSITIVE_INFINITY);
            }
            throw e;
        }
    }
}
