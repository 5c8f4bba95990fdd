package org.bochner.stats;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicLong;
import org.bochner.base.State;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.PartMemory;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.sample.RowView;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scalings;
import org.jspecify.annotations.Nullable;

/**
 * The features of one part, which a process keeps between passes as far as its memory allows.
 *
 * <p>Threads: callers synchronise on the store, and use its features while they hold it.
 */
final class PartStore {
    /** The bytes that the features of all sessions of this process may still take. */
    private static final AtomicLong LEFT = new AtomicLong(MemoryBudget.kept().bytes());

    private static final Cleaner CLEANER = Cleaner.create();

    /** More than the bytes of a chunk beside its rows. */
    private static final int CHUNK_BYTES = 1 << 16;

    private final Mapping mapping;
    private final Latest rows;
    private @Nullable FeatureStore features;

    PartStore(Mapping mapping, RowSource part) {
        this.mapping = mapping;
        rows = new Latest(part);
    }

    /** How rows become features. */
    static final class Mapping {
        private final Scaler scaler;
        private final FeatureMap map;
        private final ClassWeights weights;
        private final Precision precision;

        private Mapping(Scaler scaler, FeatureMap map, ClassWeights weights, Precision precision) {
            this.scaler = scaler;
            this.map = map;
            this.weights = weights;
            this.precision = precision;
        }

        static State state(MappedSource mapped) {
            return State.of("mapping")
                    .with("scaler", mapped.scaler().state())
                    .with("map", mapped.map().state())
                    .with("weights", mapped.classWeights().state())
                    .with("precision", mapped.precision().name());
        }

        static Mapping load(State state) {
            return new Mapping(
                    Scalings.load(state.part("scaler")),
                    FeatureMaps.load(state.part("map")),
                    ClassWeights.load(state.part("weights")),
                    Precision.valueOf(state.text("precision")));
        }
    }

    /** Returns up to a number of the bytes that are left, and takes them. */
    private static long take(double bytes) {
        long[] taken = new long[1];
        LEFT.updateAndGet(free -> {
            taken[0] = (long) Math.min((double) free, bytes);
            return free - taken[0];
        });
        return taken[0];
    }

    /** Returns the features of the part; the first call computes them all. */
    FeatureStore features(RowSource part, Workers workers) {
        rows.part = part;
        FeatureStore known = features;
        if (known == null) {
            MappedSource mapped =
                    new MappedSource(rows, mapping.scaler, mapping.map, mapping.weights, mapping.precision, workers);
            // Features, targets and weights, and the rounding of chunks.
            double row = (double) mapping.map.outputDimension() * mapping.precision.bytes()
                    + 8.0 * (part.labels().targets() + 1);
            long budget = take(1.05 * part.rows() * row + CHUNK_BYTES);
            long unused = budget;
            try {
                known = FeatureStore.ofPart(mapped, budget);
                unused = budget - known.heldBytes();
            } finally {
                LEFT.addAndGet(unused);
            }
            long held = budget - unused;
            // The engine drops the store with its session, without a call.
            CLEANER.register(this, () -> LEFT.addAndGet(held));
            features = known;
        }
        return known;
    }

    /** The rows of a part as the task that runs can read them. */
    private static final class Latest extends RowView {
        private volatile RowSource part;

        Latest(RowSource part) {
            super(part);
            this.part = part;
        }

        @Override
        public RowCursor open() {
            return part.open();
        }
    }

    /** Returns the store that a process keeps for a part. */
    static PartStore of(PartMemory memory, RowSource part) {
        Mapping mapping = memory.shared(Mapping::load);
        return memory.kept(() -> new PartStore(mapping, part));
    }
}
