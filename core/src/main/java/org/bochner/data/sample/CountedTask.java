package org.bochner.data.sample;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.bochner.base.State;
import org.bochner.data.PartMemory;
import org.bochner.data.RowSource;
import org.bochner.data.RowTask;
import org.bochner.data.sample.CountingSource.Counts;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;

/**
 * Runs another task and counts the rows that it reads, as {@link CountingSource} does. The task must read all rows in each of its
 * passes.
 */
public record CountedTask<P, R>(RowTask<P, R> task) implements RowTask<CountedTask.Piece<P>, CountedTask.Counted<R>> {
    public static final String TYPE = "counted";

    /**
     * A piece of the other task.
     *
     * @param counts the counts of the rows; null for all pieces but the first
     */
    public record Piece<P>(P value, @Nullable Counts counts) {}

    /** The result of the other task, and the counts. */
    record Counted<R>(R value, Counts counts) {}

    /**
     * Reads a task from its saved form.
     *
     * @param loader reads the other task
     */
    public static CountedTask<?, ?> load(State state, Function<State, RowTask<?, ?>> loader) {
        return new CountedTask<>(loader.apply(state.part("task")));
    }

    @Override
    public State state() {
        return State.of(TYPE).with("task", task.state());
    }

    @Override
    public int pieces() {
        return task.pieces();
    }

    @Override
    public IntFunction<Piece<P>> run(RowSource part, Workers workers) {
        CountingSource counting = new CountingSource(part);
        return counted(task.run(counting, workers), counting);
    }

    @Override
    public IntFunction<Piece<P>> run(RowSource part, Workers workers, PartMemory memory) {
        CountingSource counting = new CountingSource(part);
        return counted(task.run(counting, workers, memory), counting);
    }

    private IntFunction<Piece<P>> counted(IntFunction<P> pieces, CountingSource counting) {
        return piece -> new Piece<>(pieces.apply(piece), piece == 0 ? counting.counts() : null);
    }

    @Override
    public Piece<P> merge(Piece<P> first, Piece<P> next) {
        P merged = task.merge(first.value, next.value);
        Counts counts = first.counts;
        Counts later = next.counts;
        return new Piece<>(merged, counts == null || later == null ? null : counts.add(later));
    }

    @Override
    public Counted<R> result(List<Piece<P>> pieces) {
        R value = task.result(pieces.stream().map(Piece::value).toList());
        Counts counts = pieces.get(0).counts;
        return new Counted<>(value, counts == null ? new Counts(0) : counts);
    }

    @Override
    public void write(Piece<P> piece, DataOutput to) throws IOException {
        Counts counts = piece.counts;
        to.writeBoolean(counts != null);
        if (counts != null) {
            counts.write(to);
        }
        task.write(piece.value, to);
    }

    @Override
    public Piece<P> read(DataInput from) throws IOException {
        Counts counts = from.readBoolean() ? Counts.read(from) : null;
        return new Piece<>(task.read(from), counts);
    }
}
