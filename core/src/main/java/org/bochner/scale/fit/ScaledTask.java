package org.bochner.scale.fit;

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
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scalings;

/** Runs another task on scaled rows. */
public record ScaledTask<P, R>(RowTask<P, R> task, Scaler scaler) implements RowTask<P, R> {
    public static final String TYPE = "scaled";

    /**
     * Reads a task from its saved form.
     *
     * @param loader reads the other task
     */
    public static ScaledTask<?, ?> load(State state, Function<State, RowTask<?, ?>> loader) {
        return new ScaledTask<>(loader.apply(state.part("task")), Scalings.load(state.part("scaler")));
    }

    @Override
    public State state() {
        return State.of(TYPE).with("task", task.state()).with("scaler", scaler.state());
    }

    @Override
    public int pieces() {
        return task.pieces();
    }

    @Override
    public IntFunction<P> run(RowSource part, Workers workers) {
        return task.run(new ScaledView(part, scaler), workers);
    }

    @Override
    public IntFunction<P> run(RowSource part, Workers workers, PartMemory memory) {
        return task.run(new ScaledView(part, scaler), workers, memory);
    }

    @Override
    public P merge(P first, P next) {
        return task.merge(first, next);
    }

    @Override
    public R result(List<P> pieces) {
        return task.result(pieces);
    }

    @Override
    public void write(P piece, DataOutput to) throws IOException {
        task.write(piece, to);
    }

    @Override
    public P read(DataInput from) throws IOException {
        return task.read(from);
    }
}
