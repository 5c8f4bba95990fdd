package org.bochner.tune;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.map.MapParameters;

/**
 * A learned scale of a kernel, and the columns that share it.
 *
 * @param term index of the kernel's term, from 0
 * @param from first column
 * @param to end of the columns, exclusive
 * @param before frequency scale at the start: one over the length-scale
 * @param after learned frequency scale; 0 for columns that were dropped
 * @param influence learned frequency scale times the spread of the columns: the root mean square of the standard
 *     deviations of their scaled values. For kernels of histograms and of warped values the spread is taken as 1
 */
public record LearnedScale(int term, int from, int to, double before, double after, double influence) {
    /**
     * Returns the scales of a map before and after learning, by term and column.
     *
     * @param join true to join neighbouring columns that moved together
     * @param spread the standard deviation of each column after scaling
     */
    static List<LearnedScale> of(MapParameters before, MapParameters after, boolean join, double[] spread) {
        double[] old = before.values();
        double[] now = after.values();
        List<LearnedScale> learned = new ArrayList<>();
        for (int p = 0; p < now.length; p++) {
            MapParameters.Scope scope = after.scope(p);
            int from = scope.from();
            int last = learned.size() - 1;
            if (join && last >= 0 && learned.get(last).isJoinedBy(scope, old[p], now[p])) {
                from = learned.remove(last).from;
            }
            double influence = now[p] * meanSpread(spread, from, scope.to());
            learned.add(new LearnedScale(scope.term(), from, scope.to(), old[p], now[p], influence));
        }
        return learned;
    }

    private boolean isJoinedBy(MapParameters.Scope next, double nextBefore, double nextAfter) {
        return term == next.term() && to == next.from() && before == nextBefore && after == nextAfter;
    }

    private static double meanSpread(double[] spread, int from, int to) {
        return Math.sqrt(
                Arrays.stream(spread, from, to).map(s -> s * s).average().orElse(0));
    }

    /** Returns the columns, counted from 0: one index, or the first and the end. */
    String columns() {
        return to == from + 1 ? Integer.toString(from) : from + ":" + to;
    }

    /** Returns true if the kernel ignores its columns. */
    public boolean dropped() {
        return after == 0;
    }
}
