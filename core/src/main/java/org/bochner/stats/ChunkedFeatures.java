package org.bochner.stats;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.bochner.base.BochnerException;
import org.bochner.data.Labels;
import org.bochner.data.RowSource;

/** A source of features in chunks of type C, with their totals. */
abstract sealed class ChunkedFeatures<C> implements FeatureSource permits MappedFeatures, PackedFeatures {
    final MappedSource mapped;
    final RowSource source;
    final RowWeights rowWeights;
    final FeatureTotals totals;
    long mapNanos;
    /** True after the sink of tiles in order has ended the pass. */
    volatile boolean stopped;

    ChunkedFeatures(MappedSource mapped) {
        this.mapped = mapped;
        source = mapped.source();
        rowWeights = mapped.rowWeights();
        totals = new FeatureTotals(mapped.features(), source.labels());
    }

    @Override
    public final int features() {
        return totals.features();
    }

    @Override
    public final Labels labels() {
        return source.labels();
    }

    @Override
    public OptionalLong knownRows() {
        return OptionalLong.of(totals.rows());
    }

    @Override
    public boolean estimated() {
        return false;
    }

    /** Returns the time spent in the feature map, summed over the threads and over all passes. */
    public final long mapNanos() {
        return mapNanos;
    }

    @Override
    public double totalRowWeight() {
        return totals.totalRowWeight();
    }

    @Override
    public final double[] mean() {
        return totals.mean();
    }

    @Override
    public double scatterTrace() {
        return totals.scatterTrace();
    }

    @Override
    public final double targetMean(int target) {
        return totals.targetMean(target);
    }

    final void requireWeight() {
        if (!(totals.totalRowWeight() > 0)) {
            throw new BochnerException(source.name() + ": holds no rows, or none with a row weight above 0");
        }
    }

    abstract void allInOrder(Consumer<FeatureTile> sink);

    @Override
    public final boolean inOrderWhile(Predicate<FeatureTile> sink) {
        stopped = false;
        allInOrder(tile -> {
            if (!stopped) {
                stopped = !sink.test(tile);
            }
        });
        boolean whole = !stopped;
        stopped = false;
        return whole;
    }

    /** Processes chunks in memory in parallel. */
    final <B> void overHeld(List<C> held, Supplier<B> bench, BiConsumer<C, B> work, BiConsumer<C, B> inTurn) {
        int[] next = {0};
        mapped.workers()
                .conveyor(
                        () -> new int[1],
                        slot -> {
                            slot[0] = next[0];
                            return !stopped && next[0]++ < held.size();
                        },
                        bench,
                        (slot, own) -> work.accept(held.get(slot[0]), own),
                        (slot, own) -> inTurn.accept(held.get(slot[0]), own));
    }
}
