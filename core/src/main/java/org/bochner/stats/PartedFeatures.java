package org.bochner.stats;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.State;
import org.bochner.data.Labels;
import org.bochner.data.PartMemory;
import org.bochner.data.PartSession;
import org.bochner.data.PartedRows;
import org.bochner.data.RowSource;
import org.bochner.data.RowTask;
import org.bochner.numeric.Workers;

/**
 * The features of rows that lie in parts. Sums are computed where the rows are, by {@link FeatureTask}s; each process keeps
 * features in half of its heap, and maps the other rows again in every pass.
 *
 * <p>Passes that bring features to this process are refused.
 */
public final class PartedFeatures implements StoredFeatures {
    private final MappedSource mapped;
    private final PartSession session;
    private final FeatureTotals totals;
    private final long heldRows;

    private PartedFeatures(MappedSource mapped, PartSession session, Held held) {
        this.mapped = mapped;
        this.session = session;
        totals = held.totals;
        heldRows = held.rows;
    }

    /** Maps all rows once. */
    static PartedFeatures map(MappedSource mapped) {
        PartedRows parts = mapped.source()
                .parted()
                .orElseThrow(() -> new IllegalArgumentException("PartedFeatures: the rows do not lie in parts"));
        PartSession session = parts.session(PartStore.Mapping.state(mapped));
        try {
            Held held = session.run(new TotalsTask());
            if (!(held.totals.totalRowWeight() > 0)) {
                throw new BochnerException(
                        mapped.source().name() + ": holds no rows, or none with a row weight above 0");
            }
            return new PartedFeatures(mapped, session, held);
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    @Override
    public int features() {
        return mapped.features();
    }

    @Override
    public boolean sparse() {
        return mapped.sparse();
    }

    @Override
    public long entries() {
        return totals.entries();
    }

    @Override
    public Labels labels() {
        return mapped.source().labels();
    }

    @Override
    public OptionalLong knownRows() {
        return OptionalLong.of(totals.rows());
    }

    @Override
    public boolean estimated() {
        return false;
    }

    @Override
    public double totalRowWeight() {
        return totals.totalRowWeight();
    }

    @Override
    public double[] mean() {
        return totals.mean();
    }

    @Override
    public double scatterTrace() {
        return totals.scatterTrace();
    }

    @Override
    public double targetMean(int target) {
        return totals.targetMean(target);
    }

    @Override
    public long heldRows() {
        return heldRows;
    }

    @Override
    public long heldBytes() {
        return 0;
    }

    @Override
    public long mapNanos() {
        return 0;
    }

    @Override
    public void close() {
        session.close();
    }

    @Override
    public <B> B sum(FeatureTask<B> task) {
        return session.run(new SumTask<>(task));
    }

    @Override
    public <B> void pass(Supplier<B> bench, BiConsumer<FeatureTile, B> work, Consumer<B> inTurn) {
        throw refusal();
    }

    @Override
    public boolean inOrderWhile(Predicate<FeatureTile> sink) {
        throw refusal();
    }

    private BochnerException refusal() {
        return new BochnerException(
                mapped.source().name()
                        + ": this learner reads the features of all rows in one process, and the rows lie in"
                        + " several",
                Remedy.set(Setting.LEARNER, "ridge", "takes one pass over the parts"),
                Remedy.set(
                        Setting.LEARNER,
                        "logistic",
                        "takes a few passes, and so do softmax, svm(loss=squared-hinge) and huber"));
    }

    /** The totals of the features of some parts, and how many of their rows are kept in memory. */
    public record Held(FeatureTotals totals, long rows) {}

    /** Maps the rows, keeps their features, and adds up their totals. */
    public record TotalsTask() implements RowTask<Held, Held> {
        public static final String TYPE = "feature-totals";

        @Override
        public State state() {
            return State.of(TYPE);
        }

        @Override
        public int pieces() {
            return 1;
        }

        @Override
        public IntFunction<Held> run(RowSource part, Workers workers) {
            throw new IllegalStateException("features are kept in a session");
        }

        @Override
        public IntFunction<Held> run(RowSource part, Workers workers, PartMemory memory) {
            PartStore store = PartStore.of(memory, part);
            synchronized (store) {
                FeatureStore features = store.features(part, workers);
                Held held = new Held(features.totals.copy(), features.heldRows());
                return piece -> held;
            }
        }

        @Override
        public Held merge(Held first, Held next) {
            first.totals.add(next.totals);
            return new Held(first.totals, first.rows + next.rows);
        }

        @Override
        public Held result(List<Held> pieces) {
            return pieces.get(0);
        }

        @Override
        public void write(Held piece, DataOutput to) throws IOException {
            piece.totals.write(to);
            to.writeLong(piece.rows);
        }

        @Override
        public Held read(DataInput from) throws IOException {
            return new Held(FeatureTotals.read(from), from.readLong());
        }
    }

    /** Adds up the tiles of all parts. */
    public record SumTask<B>(FeatureTask<B> task) implements RowTask<B, B> {
        public static final String TYPE = "feature-sum";

        /**
         * Reads a task from its saved form.
         *
         * @param loader reads the sum
         */
        public static SumTask<?> load(State state, Function<State, FeatureTask<?>> loader) {
            return new SumTask<>(loader.apply(state.part("task")));
        }

        @Override
        public State state() {
            return State.of(TYPE).with("task", task.state());
        }

        @Override
        public int pieces() {
            return 1;
        }

        @Override
        public IntFunction<B> run(RowSource part, Workers workers) {
            throw new IllegalStateException("features are kept in a session");
        }

        @Override
        public IntFunction<B> run(RowSource part, Workers workers, PartMemory memory) {
            PartStore store = PartStore.of(memory, part);
            // A part may run twice at a time if the engine repeats slow tasks.
            synchronized (store) {
                B sum = store.features(part, workers).sum(task);
                return piece -> sum;
            }
        }

        @Override
        public B merge(B first, B next) {
            task.move(next, first);
            return first;
        }

        @Override
        public B result(List<B> pieces) {
            return pieces.get(0);
        }

        @Override
        public void write(B piece, DataOutput to) throws IOException {
            task.write(piece, to);
        }

        @Override
        public B read(DataInput from) throws IOException {
            return task.read(from);
        }
    }
}
