package org.bochner.learn.solve;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.bochner.learn.Learner;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Monitor;
import org.bochner.learn.ridge.GridWalk;
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

    /** Maximum distance from the reference of other penalties, in steps of 10^(1/4). */
    private static final int FARTHEST = 22;

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

    /** Returns 10^(k/4): the grid of strengths has the reference times these factors. */
    private static double factor(int k) {
        return StrictMath.pow(10, k / 4.0);
    }

    /** Returns {@code count} strengths, descending: from the reference if the learner is sparse, else around it. */
    static double[] grid(Learner learner, double reference, int count) {
        return IntStream.range(0, count)
                .mapToDouble(i -> reference * factor(learner.sparse() ? -i : 2 * (count / 2 - i)))
                .toArray();
    }

    /** The result of a search. */
    record Found(PathPoint point, Solution solution, List<PathPoint> path) {}

    Found run() {
        int best = learner.sparse() ? walkDown() : walkBothWays();
        Tried chosen = at(best);
        return new Found(
                chosen.point(),
                chosen.solution(),
                tried.values().stream().map(Tried::point).toList());
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
        GridWalk walk = new GridWalk(-FARTHEST, FARTHEST, this::validationError);
        return walk.better(walk.best(0, 4), 2);
    }

    private double validationError(int k) {
        return at(k).point().validationError();
    }

    private Tried at(int k) {
        Tried known = tried.get(k);
        if (known == null) {
            double strength = reference * factor(k);
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
        return tried.entrySet().stream()
                .min(Comparator.comparingInt(entry -> Math.abs(entry.getKey() - k)))
                .map(entry -> entry.getValue().solution())
                .orElse(null);
    }
}
