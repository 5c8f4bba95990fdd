package org.bochner.learn;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bochner.base.BochnerException;
import org.bochner.numeric.Precision;

/**
 * Walks the path by factors of ten from the middle, up and, if that leads nowhere, down, until the score has risen on
 * both sides of the best; then tries the factors of √10 beside it. The score of nearly every problem falls and then
 * rises, so this finds what a whole grid would at a third of the cost.
 */
final class RidgeSearch {
    private final RidgeProblem problem;
    private final double unit;
    private final double floor;
    private final Precision precision;
    private final Map<Integer, RidgeProblem.Solution> tried = new TreeMap<>();

    /** Penalties are unit·10^(k/2): the unit is the mean of the scatter's diagonal. */
    RidgeSearch(RidgeProblem problem, double floor, Precision precision) {
        this.problem = problem;
        this.unit = problem.statistics.scatterTrace() / problem.statistics.features();
        this.floor = floor;
        this.precision = precision;
    }

    RidgeFit run() {
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
        List<RidgePoint> path = new ArrayList<>();
        tried.values().forEach(s -> path.add(s.point()));
        path.sort(Comparator.comparingDouble(RidgePoint::lambda));
        String edge = "";
        if (best <= lowest) {
            edge = "; it is the smallest the features' precision allows"
                    + (precision == Precision.FLOAT32 ? ", --precision double goes lower" : "");
        }
        return new RidgeFit(
                problem.model(solution),
                solution.point(),
                path,
                "lambda has the least generalised cross-validation score of " + path.size() + " tried" + edge);
    }

    /** Goes on by steps as long as the score falls. */
    private int walk(int from, int step, int lowest, int highest) {
        int best = from;
        while (best + step >= lowest && best + step <= highest && score(best + step) < score(best)) {
            best += step;
        }
        return best;
    }

    private RidgeProblem.Solution solution(int k) {
        return tried.computeIfAbsent(k, key -> problem.solve(unit * StrictMath.pow(10, key / 2.0), true));
    }

    private double score(int k) {
        return solution(k).point().score();
    }
}
