package org.bochner.data.sample;

import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.Holdout;
import org.bochner.data.RowBlock;
import org.bochner.random.Seed;

/**
 * Assigns every row to one of several folds, with equal probabilities, by a hash of the seed and the row's group; a row
 * without a group is its own group. The folds need no memory and do not depend on how the rows are read.
 *
 * <pre>{@code
 * Folds folds = Folds.of(5, new Seed(1));
 * int fold = folds.fold(block, i);
 * }</pre>
 *
 * <p>Threads: safe; an immutable value.
 */
public record Folds(int count, Seed seed) {
    /**
     * Creates folds.
     *
     * @param count the number of folds, at least 2
     */
    public static Folds of(int count, Seed seed) {
        Require.atLeast("folds", "count", count, 2);
        return new Folds(count, seed.derive("folds"));
    }

    /** Returns the saved form, which {@link #load} reads. */
    public State state() {
        return State.of("folds").with("count", count).with("seed", seed.value());
    }

    /** Reads folds from their saved form. */
    public static Folds load(State state) {
        return new Folds(state.count("count"), new Seed(state.whole("seed")));
    }

    /** Returns the fold, from 0, of a row of a block, which is the index of its test part in {@link Holdout#folds}. */
    public int fold(RowBlock rows, int row) {
        return fold(rows.group(row));
    }

    /** Returns the fold, from 0, of a {@linkplain RowBlock#group group}. */
    public int fold(long group) {
        return (int) Long.remainderUnsigned(seed.derive(group).value(), count);
    }
}
