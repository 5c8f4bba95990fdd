package org.bochner.learn.ridge;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.IntFunction;
import org.bochner.base.BochnerException;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.LinearFit;
import org.bochner.numeric.Precision;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;

/**
 * Searches the ridge penalty with the least validation error. It {@linkplain GridWalk walks} in factors of ten from a
 * middle value up, or else down, until the error has risen on both sides of the best, and then tries the neighbours at
 * factors of √10. If there is a finer error, it decides between these neighbours, and the walk goes on from them. If
 * the error knows its lowest penalty, the search only walks up from it, in factors of √10.
 *
 * <p>The middle value is a tenth of the mean diagonal entry of the scatter matrix. If a few features are far larger than the
 * others, all penalties near it may be so large for the others that the error does not depend on them. The walk then
 * starts at a tenth of the median entry, too.
 */
final class RidgeSearch {
    /**
     * The share by which the error must fall for a penalty that is smaller by √10. Errors hardly change once a penalty is too
     * small to matter, and the search would go on to the smallest one.
     */
    private static final double GAIN = 5e-4;

    /** The first step of a walk: a tenth of the unit. */
    private static final int MIDDLE = -2;

    /** If the mean diagonal entry is more than 10^(k/2) times the median one, with this k, the walk also starts at the median. */
    private static final int APART = 4;

    private final RidgeProblem problem;
    private final ValidationError score;
    private final double unit;
    private final double floor;
    private final Precision precision;
    private final GridWalk walk;
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
        int lowest = (int) Math.ceil(2 * StrictMath.log10(floor / unit));
        walk = new GridWalk(lowest, Math.max(8, lowest), k -> point(k).validationError(), GAIN);
    }

    /** Solves the problem at the best penalty. */
    LinearFit run() {
        PathPoint best = point(bestStep());
        RidgeProblem.Solved solution = problem.solve(best.lambda(), best.validationError());
        String edge = best.lambda() >= floor * Math.sqrt(10)
                ? ""
                : "; it is the smallest penalty that " + (precision == Precision.FLOAT32 ? "float32" : "float64")
                        + " features allow";
        return problem.fit(
                solution, List.copyOf(tried.values()), PenaltyReason.best(tried.size(), score.name()) + edge);
    }

    /** Returns k of the best penalty. */
    int bestStep() {
        int coarse = coarseStep();
        if (score.lowest() != null) {
            return coarse;
        }
        DoubleFunction<PathPoint> fine = score.fine();
        if (fine == null) {
            return walk.better(coarse, 1);
        }
        Map<Integer, PathPoint> compared = new TreeMap<>();
        IntFunction<PathPoint> at = k -> compared.computeIfAbsent(k, key -> validate(fine, lambda(key)));
        int best =
                new GridWalk(walk.lowest(), walk.highest(), k -> at.apply(k).validationError(), GAIN).best(coarse, 1);
        // Errors of different rows are not comparable.
        tried.clear();
        tried.putAll(compared);
        return best;
    }

    /** Returns the largest of the tried penalties whose error is at most a share above the least. */
    double largestWithin(double share) {
        double most = (1 + share) * point(bestStep()).validationError();
        return tried.values().stream()
                .filter(point -> point.validationError() <= most)
                .mapToDouble(PathPoint::lambda)
                .max()
                .orElseThrow();
    }

    /** Returns the best of the penalties in factors of ten; of √10 if the error knows its lowest penalty. */
    PathPoint coarse() {
        return point(coarseStep());
    }

    private int coarseStep() {
        if (score.lowest() == null) {
            int best = walk.best(Math.max(MIDDLE, walk.lowest()), 2);
            int median = step(problem.statistics.medianScatter());
            int below = median > -APART ? best : walk.best(Math.max(MIDDLE + median, walk.lowest()), 2);
            return point(below).validationError() < point(best).validationError() ? below : best;
        }
        int lowest = Math.min(walk.highest(), Math.max(step(score.lowest().getAsDouble()), walk.lowest()));
        return new GridWalk(lowest, walk.highest(), walk.error(), GAIN).best(lowest, 1);
    }

    /** Returns the k of the penalty on the grid that is nearest to a number. */
    private int step(double lambda) {
        return (int) Math.rint(2 * StrictMath.log10(lambda / unit));
    }

    private PathPoint point(int k) {
        return tried.computeIfAbsent(k, key -> validate(score.at(), lambda(key)));
    }

    private double lambda(int k) {
        return unit * StrictMath.pow(10, k / 2.0);
    }

    /** Validates a penalty. The error is infinite if the penalty is too small for a Cholesky factor. */
    private static PathPoint validate(DoubleFunction<PathPoint> error, double lambda) {
        try {
            return error.apply(lambda);
        } catch (BochnerException e) {
            if (e instanceof NotPositiveDefiniteException || e.getCause() instanceof NotPositiveDefiniteException) {
                return new PathPoint(lambda, Double.NaN, Double.NaN, Double.POSITIVE_INFINITY);
            }
            throw e;
        }
    }
}
