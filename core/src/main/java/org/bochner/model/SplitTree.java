package org.bochner.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.jspecify.annotations.Nullable;

/**
 * The splits of a model that is a tree of machines. Each split divides rows by their projection u·x on a direction, where x
 * has the units of the data. With {@code low ≤ high}, the share of a row that goes above is
 *
 * <pre>0 if u·x ≤ low, 1 if u·x ≥ high, and (u·x − low)/(high − low) in between;</pre>
 *
 * the rest goes below. The share of a row in a leaf is the product of its shares on the way there. The shares in all leaves
 * add up to 1 and change continuously with x, unless low = high.
 *
 * <p>Cost: the non-zeros of a direction for each split on the way of a row. Threads: safe; immutable.
 */
public final class SplitTree {
    private static final String OWNER = "tree";

    /** Trees of more leaves are refused, because every leaf has a machine of its own. */
    public static final int MOST_LEAVES = 4096;

    private final int columns;
    private final List<Split> splits;
    /** The columns of each direction, ascending, and their weights. */
    private final int[][] used;

    private final double[][] weights;

    /**
     * One split. The split of the whole is the first one of its tree.
     *
     * @param direction u, the weights of the columns by index, without zeros
     * @param low the projection up to which rows go below
     * @param high the projection from which on rows go above; at least low
     * @param below what rows below meet next: the index of a later split, or {@code −1 − leaf}
     * @param above what rows above meet next
     */
    public record Split(SortedMap<Integer, Double> direction, double low, double high, int below, int above) {
        public Split {
            direction = Collections.unmodifiableSortedMap(new TreeMap<>(direction));
            Require.that(!direction.isEmpty(), OWNER, "a direction has no columns");
            direction.values().forEach(weight -> Require.finite(OWNER, "weight of a column", weight));
            Require.finite(OWNER, "low", low);
            Require.finite(OWNER, "high", high);
            Require.that(low <= high, OWNER, "low must be at most high, got " + low + " and " + high);
            Require.finite(OWNER, "high - low", high - low);
        }
    }

    /**
     * Creates a tree.
     *
     * @param columns the number of columns of the rows
     * @param splits the splits; none for a single leaf. Leaves must be numbered from 0, each met once
     */
    public SplitTree(int columns, List<Split> splits) {
        this.columns = Require.atLeast(OWNER, "columns", columns, 1);
        this.splits = List.copyOf(splits);
        Require.that(splits.size() < MOST_LEAVES, OWNER, "at most " + MOST_LEAVES + " leaves are allowed");
        boolean[] met = new boolean[splits.size()];
        boolean[] leaves = new boolean[splits.size() + 1];
        used = new int[splits.size()][];
        weights = new double[splits.size()][];
        for (int s = 0; s < splits.size(); s++) {
            Split split = splits.get(s);
            meet(s, split.below, met, leaves);
            meet(s, split.above, met, leaves);
            Require.that(
                    split.direction.firstKey() >= 0 && split.direction.lastKey() < columns,
                    OWNER,
                    "a direction has column " + split.direction.lastKey() + ", the rows have " + columns + " columns");
            used[s] = split.direction.keySet().stream().mapToInt(j -> j).toArray();
            weights[s] = split.direction.values().stream().mapToDouble(w -> w).toArray();
        }
        for (int s = 1; s < met.length; s++) {
            Require.that(met[s], OWNER, "no split leads to split " + s);
        }
    }

    private void meet(int from, int next, boolean[] met, boolean[] leaves) {
        boolean[] kind = next < 0 ? leaves : met;
        int index = next < 0 ? -1 - next : next;
        // Splits lead to later ones, so that no path returns.
        boolean possible = index < kind.length && !kind[index] && (next < 0 || next > from);
        Require.that(possible, OWNER, "split " + from + " leads to " + next);
        kind[index] = true;
    }

    /** Returns the number of columns of the rows. */
    public int columns() {
        return columns;
    }

    /** Returns the number of leaves. */
    public int leaves() {
        return splits.size() + 1;
    }

    /** Returns the splits; those of a path are in its order. */
    public List<Split> splits() {
        return splits;
    }

    /**
     * Writes the share of a row in each leaf.
     *
     * @param rows rows in the units of the data, which are no sets
     * @param shares receives one number per leaf
     */
    public void shares(RowBlock rows, int row, double[] shares) {
        Arrays.fill(shares, 0, leaves(), 0);
        descend(rows, row, splits.isEmpty() ? -1 : 0, 1, shares);
    }

    private void descend(RowBlock rows, int row, int at, double share, double[] shares) {
        if (at < 0) {
            shares[-1 - at] = share;
            return;
        }
        Split split = splits.get(at);
        double above = above(split.low, split.high, project(rows, row, used[at], weights[at]));
        if (above < 1) {
            descend(rows, row, split.below, share * (1 - above), shares);
        }
        if (above > 0) {
            descend(rows, row, split.above, share * above, shares);
        }
    }

    /**
     * Returns the share of a row that goes above, by its projection.
     *
     * @param low at most high
     */
    public static double above(double low, double high, double projection) {
        if (!(projection > low)) {
            return 0;
        }
        return projection >= high ? 1 : (projection - low) / (high - low);
    }

    /**
     * Returns the projection u·x of a row. It does not depend on whether the row is stored dense or sparse.
     *
     * @param used the columns with a weight, ascending
     * @param weights their weights
     */
    public static double project(RowBlock rows, int row, int[] used, double[] weights) {
        double sum = 0;
        if (rows instanceof DenseRows dense) {
            float[] values = dense.values();
            int at = dense.offset() + row * dense.stride();
            double @Nullable [] origin = dense.origin();
            for (int k = 0; k < used.length; k++) {
                sum += weights[k] * values[at + used[k]];
            }
            if (origin != null) {
                for (int k = 0; k < used.length; k++) {
                    sum += weights[k] * origin[used[k]];
                }
            }
            return sum;
        }
        SparseRows sparse = (SparseRows) rows;
        int entry = sparse.starts()[row];
        int end = sparse.starts()[row + 1];
        for (int k = 0; k < used.length && entry < end; k++) {
            while (entry < end && sparse.indices()[entry] < used[k]) {
                entry++;
            }
            if (entry < end && sparse.indices()[entry] == used[k]) {
                sum += weights[k] * sparse.values()[entry];
            }
        }
        return sum;
    }

    /** Returns the saved form. */
    public State state() {
        State state = State.of("splits").with("columns", columns).with("count", splits.size());
        double[] bounds = new double[2 * splits.size()];
        int[] next = new int[2 * splits.size()];
        for (int s = 0; s < splits.size(); s++) {
            Split split = splits.get(s);
            bounds[2 * s] = split.low;
            bounds[2 * s + 1] = split.high;
            next[2 * s] = split.below;
            next[2 * s + 1] = split.above;
            state.with("size." + s, used[s].length)
                    .with("columns." + s, used[s])
                    .with("direction." + s, weights[s]);
        }
        return state.with("bounds", bounds).with("next", next);
    }

    /** Reads a tree from its {@link #state}. */
    public static SplitTree load(State state) {
        int columns = state.count("columns");
        int count = state.count("count");
        Require.that(count < MOST_LEAVES, OWNER, "at most " + MOST_LEAVES + " leaves are allowed");
        double[] bounds = state.array("bounds", 2 * count);
        int[] next = state.integers("next", 2 * count);
        List<Split> splits = new ArrayList<>();
        for (int s = 0; s < count; s++) {
            int size = state.count("size." + s);
            int[] columnsOf = state.integers("columns." + s, size);
            double[] ofColumns = state.array("direction." + s, size);
            SortedMap<Integer, Double> direction = new TreeMap<>();
            for (int e = 0; e < size; e++) {
                direction.put(columnsOf[e], ofColumns[e]);
            }
            Require.sameSize(OWNER, "columns of a direction", direction.size(), size);
            splits.add(new Split(direction, bounds[2 * s], bounds[2 * s + 1], next[2 * s], next[2 * s + 1]));
        }
        return new SplitTree(columns, splits);
    }
}
