package org.bochner.learn;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bochner.base.BochnerException;
import org.bochner.numeric.Precision;
import org.jspecify.annotations.Nullable;

/**
 * Walks the path by factors of ten from the middle, up and, if that leads nowhere, down, until the score has risen on
 * both sides of the best; then tries the factors of √10 beside it. The score of nearly every problem falls and then
 * rises, so this finds what a whole grid would at a third of the cost.
 *
 * <p>Of more than 256 classes, scores are estimated from 256 sums of their targets with fixed signs; only the penalty taken
 * is solved for all.
 */
final class RidgeSearch {
    private final RidgeProblem problem;
    private final double unit;
    private final double floor;
    private final Precision precision;
    private final Map<Integer, PathPoint> tried = new TreeMap<>();
    /** The one with the least score so far. Of the others only the points are kept: weights of many outputs are large. */
    private RidgeProblem.@Nullable Solution leading;

    /** Penalties are unit·10^(k/2): the unit is the mean of the scatter's diagonal. */
    RidgeSearch(RidgeProblem problem, double floor, Precision precision) {
        this.problem = problem;
        this.unit = problem.statistics.scatterTrace() / problem.statistics.features();
        this.floor = floor;
        this.precision = precision;
    }

    Fit run() {
        if (!(unit > 0)) {
            throw new BochnerException(
                    "ridge: the features do not vary over the rows; are all rows equal, or is the kernel's scale far off,"
                            + " as with a sigma much too large or a gamma much too small?");
        }
        int lowest = (int) Math.ceil(2 * StrictMath.log10(floor / unit));
        int highest = 8;
        int middle = Math.max(-2, lowest);
        int best = walk(middle, 2, lowest, highest);
        if (best == middle) {
            best = walk(middle, -2, lowest, highest);
        }
        for (int k : new int[] {best - 1, best + 1}) {
            if (k >= lowest && k <= highest && score(k) < score(best)) {
                best = k;
            }
        }
        RidgeProblem.Solution solution = solution(best);
        List<PathPoint> path = new ArrayList<>(tried.values());
        path.sort(Comparator.comparingDouble(PathPoint::lambda));
        String edge = "";
        if (best <= lowest) {
            edge = "; it is the smallest the features' precision allows"
                    + (precision == Precision.FLOAT32 ? ", --precision double goes lower" : "");
        }
        return problem.fit(
                solution,
                path,
                "lambda has the least generalised cross-validation score of " + path.size() + " tried"
                        + (problem.estimates() ? ", estimated for so many classes" : "") + edge);
    }

    /** Goes on by steps as long as the score falls. */
    private int walk(int from, int step, int lowest, int highest) {
        int best = from;
        while (best + step >= lowest && best + step <= highest && score(best + step) < score(best)) {
            best += step;
        }
        return best;
    }

    private double score(int k) {
        return point(k).score();
    }

    private PathPoint point(int k) {
        return tried.computeIfAbsent(k, key -> {
            double lambda = unit * StrictMath.pow(10, key / 2.0);
            return problem.estimates() ? problem.estimate(lambda) : solve(lambda);
        });
    }

    private PathPoint solve(double lambda) {
        RidgeProblem.Solution solution = problem.solve(lambda, true);
        if (leading == null || solution.point().score() < leading.point().score()) {
            leading = solution;
        }
        return solution.point();
    }

    /** The solution at the penalty found the best; solved now where none, or another of the same score, was kept. */
    private RidgeProblem.Solution solution(int best) {
        PathPoint point = point(best);
        if (leading != null && leading.point().equals(point)) {
            return leading;
        }
        RidgeProblem.Solution solution = problem.solve(point);
        tried.put(best, solution.point());
        return solution;
    }
}
