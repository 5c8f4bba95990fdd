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
 * Looks for the strength of a penalty with the least loss on rows that were set aside. Each problem begins at the solution
 * of the nearest strength tried before.
 *
 * <p>A penalty that makes weights zero is walked down from where all are, until the loss has risen for a while; others up
 * or down from the middle, by factors of ten and then of √10.
 */
final class StrengthSearch {
    /** Steps of sparse penalties without gain before the walk ends. */
    private static final int PATIENCE = 3;

    /** Steps that are always made: near the reference few weights are not zero, and gains may be less than chance. */
    private static final int SHORTEST = 8;

    /** How far below the reference a sparse penalty is walked: weights are hardly held back any more. */
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

    /** What a search found. */
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
