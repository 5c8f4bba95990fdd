package org.bochner.stats;

import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bochner.data.Labels;

/**
 * Mapped rows that can be gone over as often as needed: what {@link org.bochner.data.RowSource} is to rows, this is to
 * their features.
 */
public interface FeatureSource {
    /** D, the number of features. */
    int features();

    /** What the targets mean. */
    Labels labels();

    /** How many rows there are; empty where that is not known before a pass over them has ended. */
    OptionalLong knownRows();

    /**
     * How many rows there are.
     *
     * @throws IllegalStateException if that is {@linkplain #knownRows not known} yet
     */
    default long rows() {
        return knownRows()
                .orElseThrow(
                        () -> new IllegalStateException("rows are counted by a pass over them, and none has ended"));
    }

    /**
     * Returns true if weight, means and scatter are estimates, because they were asked for before all rows were read.
     * Methods that need those of all rows take a source that returns false.
     */
    boolean estimated();

    /** Sum of the rows' weights, their number where they have none; or an {@linkplain #estimated estimate} of it. */
    double totalRowWeight();

    /** Weighted mean of the features, or an {@linkplain #estimated estimate} of it; a new array. */
    double[] mean();

    /** Σ w |z − z̄|², the trace of the scatter, or an {@linkplain #estimated estimate} of it. */
    double scatterTrace();

    /** Weighted mean of a target, for a class its share of the weight; or an {@linkplain #estimated estimate} of it. */
    double targetMean(int target);

    /**
     * Goes over all rows once, in parallel. Which rows are handled together does not depend on the number of threads.
     *
     * @param bench makes what one worker needs for itself
     * @param work adds a tile to what its bench has summed up; runs in parallel
     * @param inTurn takes over, and clears, what a bench has summed up since; runs for one bench at a time, in the order
     *     of the rows
     */
    <B> void pass(Supplier<B> bench, BiConsumer<FeatureTile, B> work, Consumer<B> inTurn);

    /** Hands all tiles to one consumer, one by one, in the order of the rows. Making them may run in parallel. */
    void inOrder(Consumer<FeatureTile> sink);
}
