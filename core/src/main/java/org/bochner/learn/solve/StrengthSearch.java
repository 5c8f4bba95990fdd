package org.bochner.learn.solve;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.bochner.learn.Learner;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Monitor;
import org.jspecify.annotations.Nullable;

/**
 * Searches the penalty strength with the least loss on held-out rows. Each problem has a warm start at the solution of
 * the nearest strength tried before.
 *
 * <p>For sparse penalties the search descends from the strength at which all weights are zero until the loss has not
 * improved for {@link #PATIENCE} steps. For other penalties it walks up or down from the reference in factors of ten,
 * and then tries the neighbours at factors of √10.
 */
final class StrengthSearch {
    /** Steps without gain after which the search of a sparse penalty ends. */
    private static final int PATIENCE = 3;

    /**
     * Minimum number of steps of a sparse penalty: near the reference, with few non-zero weights, gains may be noise.
     */
    private static final int SHORTEST = 8;

    /** Maximum number of steps of a sparse penalty; beyond, the penalty has hardly any effect. */
    private static final int LONGEST = 14;

    private static final int FARTHEST = 10;

    private final PenaltyProblem problem;
    private final Learner learner;
    private final ToDoubleFunction<LinearModel> validationLoss;
    private final Function<Learner, Monitor> monitors;
    private final double reference;
    private final Map<Integer, Tried> tried = new TreeMap<>();

    private record Tried(Solution solution, PathPoint point) {}

    StrengthSearch(
            PenaltyProblem problem,
            Learner learner,
            ToDoubleFunction<LinearModel> validationLoss,
            Function<Learner, Monitor> monitors) {
        this.problem = problem;
        this.learner = learner;
        this.validationLoss = validationLoss;
        this.monitors = monitors;
        reference = problem.reference();
    }

    /** The result of a search. */
    record Found(PathPoint point, Solution solution, List<PathPoint> path) {}

    Found run() {
        int best = learner.sparse() ? walkDown() : walkBothWays();
        Tried chosen = at(best);
        List<PathPoint> path = new ArrayList<>();
        tried.values().forEach(t -> path.add(t.point()));
        return new Found(chosen.point(), chosen.solution(), path);
    }

    private int walkDown() {
        int best = 0;
        for (int k = -1; k >= -LONGEST && (k >= -SHORTEST || best - k <= PATIENCE); k--) {
            if (validationError(k) < validationError(best)) {
                best = k;
            }
        }
        return best;
    }

    private int walkBothWays() {
        int best = walk(0, 4);
        if (best == 0) {
            best = walk(0, -4);
        }
        for (int k : new int[] {best - 2, best + 2}) {
            if (validationError(k) < validationError(best)) {
                best = k;
            }
        }
        return best;
    }

    private int walk(int from, int step) {
        int best = from;
        while (Math.abs(best + step) <= 2 * FARTHEST && validationError(best + step) < validationError(best)) {
            best += step;
        }
        return best;
    }

    private double validationError(int k) {
        return at(k).point().validationError();
    }

    private Tried at(int k) {
        Tried known = tried.get(k);
        if (known == null) {
            double strength = reference * StrengthGrid.factor(k);
            Solution solution = problem.at(strength, nearest(k), monitors.apply(learner.withLambda(strength)));
            LinearModel model = problem.model(solution);
            PathPoint point = new PathPoint(
                    strength,
                    model.nonZeros(),
                    problem.trainingLoss(strength, solution),
                    validationLoss.applyAsDouble(model));
            known = new Tried(solution, point);
            tried.put(k, known);
        }
        return known;
    }

    private @Nullable Solution nearest(int k) {
        Solution nearest = null;
        int distance = Integer.MAX_VALUE;
        for (Map.Entry<Integer, Tried> entry : tried.entrySet()) {
            if (Math.abs(entry.getKey() - k) < distance) {
                distance = Math.abs(entry.getKey() - k);
                nearest = entry.getValue().solution();
            }
        }
        return nearest;
    }
}
