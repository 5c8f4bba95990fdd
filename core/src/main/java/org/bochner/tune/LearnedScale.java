package org.bochner.tune;

import java.util.ArrayList;
import java.util.List;
import org.bochner.map.MapParameters;

/**
 * A scale that was learned.
 *
 * @param term which term of the kernel it belongs to, counted from 0
 * @param from first column that it acts on
 * @param to behind the last one
 * @param before frequency scale at the start, one over the length-scale
 * @param after frequency scale in the end; 0 for columns that were dropped
 */
public record LearnedScale(int term, int from, int to, double before, double after) {
    /** The scales of a map before and after learning. */
    static List<LearnedScale> of(MapParameters before, MapParameters after) {
        double[] old = before.values();
        double[] now = after.values();
        List<LearnedScale> learned = new ArrayList<>();
        for (int p = 0; p < now.length; p++) {
            MapParameters.Scope scope = after.scope(p);
            learned.add(new LearnedScale(scope.term(), scope.from(), scope.to(), old[p], now[p]));
        }
        return learned;
    }

    /** Its columns, counted from 0: one, or the first and the one behind the last. */
    String columns() {
        return to == from + 1 ? Integer.toString(from) : from + ":" + to;
    }

    /** Whether its columns no longer count. */
    public boolean dropped() {
        return after == 0;
    }
}
