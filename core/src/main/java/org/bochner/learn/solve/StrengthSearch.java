package org.bochner.learn.solve;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.bochner.learn.Learner;
import org.bochner.learn.PathPoint;
import org.bochner.learn.ridge.GridWalk;
import org.bochner.learn.ridge.PenaltyReason;
import org.jspecify.annotations.Nullable;

/**
 * Searches the penalty strength with the least loss on held-out rows. Each problem has a warm start at the solution of
 * the nearest strength tried before.
 *
 * <p>For sparse penalties the search descends from the strength at which all weights are zero until the loss has not
 * improved for {@link #PATIENCE} steps. For other penalties it walks up or down from the reference in factors of ten,
 * and then tries the neighbours at factors of √10.
 *
 * <p>Memory: the solutions near the best strength; others are released as soon as no later one can start from them.
 */
public final class StrengthSearch<S> {
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

    /** The steps of a walk, a factor of ten, and the distance from the best strength up to which solutions are kept. */
    private static final int WALK = 4;

    private final boolean sparse;
    private final double reference;
    private final Solver<S> solver;
    private final Map<Integer, PathPoint> points = new TreeMap<>();
    private final Map<Integer, S> solutions = new TreeMap<>();

    /** A solution at a strength, and its losses. */
    public record Tried<S>(S solution, PathPoint point) {}

    /** Solves at a strength, with a warm start if {@code start} is not null. */
    @FunctionalInterface
    public interface Solver<S> {
        Tried<S> at(double strength, @Nullable S start);
    }

    /**
     * Creates a search.
     *
     * @param sparse whether the penalty makes weights zero
     * @param reference the least strength at which all weights are zero for sparse penalties, else a medium strength
     */
    public StrengthSearch(boolean sparse, double reference, Solver<S> solver) {
        this.sparse = sparse;
        this.reference = reference;
        this.solver = solver;
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
    public record Found<S>(PathPoint point, S solution, List<PathPoint> path) {
        /** Says why the strength was chosen, for a number of held-out rows or other objects, which are named. */
        public String reason(long rows, String objects) {
            return StrengthSearch.reason(path.size(), rows, objects);
        }
    }

    /** Says why a strength was chosen of a number that were tried. */
    static String reason(int tried, long rows, String objects) {
        String method = String.format(Locale.ROOT, "the loss on %,d %s set aside", rows, objects);
        return PenaltyReason.best(tried, method);
    }

    public Found<S> run() {
        return found(sparse ? walkDown() : walkBothWays());
    }

    private Found<S> found(int best) {
        return new Found<>(point(best), Objects.requireNonNull(solutions.get(best)), List.copyOf(points.values()));
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
        return walk.better(walk.best(0, WALK), WALK / 2);
    }

    private double validationError(int k) {
        return point(k).validationError();
    }

    private PathPoint point(int k) {
        PathPoint known = points.get(k);
        if (known != null) {
            return known;
        }
        Tried<S> tried = solver.at(reference * factor(k), nearest(k));
        points.put(k, tried.point);
        solutions.put(k, tried.solution);
        solutions.keySet().removeIf(other -> other != k && !isNearBest(other));
        return tried.point;
    }

    /** Returns true if a strength is near one whose loss is not above that of any other. */
    private boolean isNearBest(int k) {
        double least = points.values().stream()
                .mapToDouble(PathPoint::validationError)
                .min()
                .orElseThrow();
        return points.entrySet().stream()
                .anyMatch(
                        entry -> !(entry.getValue().validationError() > least) && Math.abs(entry.getKey() - k) <= WALK);
    }

    /** Returns the number of solutions that are kept. */
    int kept() {
        return solutions.size();
    }

    private @Nullable S nearest(int k) {
        return solutions.entrySet().stream()
                .min(Comparator.comparingInt(entry -> Math.abs(entry.getKey() - k)))
                .map(Map.Entry::getValue)
                .orElse(null);
    }
}
