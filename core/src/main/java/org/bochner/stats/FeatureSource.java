package org.bochner.stats;

import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.bochner.data.Labels;

/**
 * The features of the rows of a {@link org.bochner.data.RowSource}, with targets and weights, for any number of passes.
 */
public interface FeatureSource {
    /** Returns D, the number of features. */
    int features();

    /** Returns true if the features of all tiles are sparse. */
    default boolean sparse() {
        return false;
    }

    /** Returns the number of stored features: rows times features, or the number of non-zeros of sparse rows. */
    default long entries() {
        return rows() * features();
    }

    /** Returns the meaning of the targets. */
    Labels labels();

    /** Returns the number of rows; empty if it is not known before a pass has ended. */
    OptionalLong knownRows();

    /**
     * Returns the number of rows.
     *
     * @throws IllegalStateException if the number is {@linkplain #knownRows not known} yet
     */
    default long rows() {
        return knownRows()
                .orElseThrow(
                        () -> new IllegalStateException("rows are counted by a pass over them, and none has ended"));
    }

    /**
     * Returns true if weight, means and scatter are estimated from the rows read before the first pass. Methods that
     * need exact totals take only sources that return false.
     */
    boolean estimated();

    /** Returns the sum of the row weights, each 1 by default, or an {@linkplain #estimated estimate} of the sum. */
    double totalRowWeight();

    /** Returns the weighted mean of the features, or an {@linkplain #estimated estimate}, in a new array. */
    double[] mean();

    /** Returns Σ w |z − z̄|², the trace of the scatter, or an {@linkplain #estimated estimate}. */
    double scatterTrace();

    /** Returns the weighted mean of a target (of a class: its share), or an {@linkplain #estimated estimate}. */
    double targetMean(int target);

    /**
     * Runs one pass over all rows in parallel. The grouping of rows into tiles does not depend on the number of
     * threads.
     *
     * @param bench creates the working memory of one worker
     * @param work adds a tile to the sums of its bench; runs in parallel
     * @param inTurn takes over the sums of a bench and clears them; runs for one bench at a time, in the order of the
     *     rows
     */
    <B> void pass(Supplier<B> bench, BiConsumer<FeatureTile, B> work, Consumer<B> inTurn);

    /** Returns a sum over all tiles, computed in one pass. */
    default <B> B sum(FeatureTask<B> task) {
        B total = task.bench(this);
        pass(() -> task.bench(this), task::add, own -> task.move(own, total));
        return total;
    }

    /** Passes all tiles to a task, in parallel. */
    default void forEachTile(Consumer<FeatureTile> task) {
        pass(Object::new, (tile, none) -> task.accept(tile), none -> {});
    }

    /**
     * Passes all tiles to one consumer, one at a time, in the order of the rows. Features may be computed in parallel.
     */
    default void inOrder(Consumer<FeatureTile> sink) {
        inOrderWhile(tile -> {
            sink.accept(tile);
            return true;
        });
    }

    /** Passes tiles on as {@link #inOrder} does until the sink returns false; returns false if it did. */
    boolean inOrderWhile(Predicate<FeatureTile> sink);
}
