package org.bochner.scale.fit;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;
import org.bochner.base.State;
import org.bochner.data.RowSource;
import org.bochner.data.RowTask;
import org.bochner.numeric.Workers;

/**
 * Accumulates the mean, the variance, the range and the quantiles of columns.
 *
 * @param columns the number of columns
 * @param sketched the columns that need quantiles
 */
public record ColumnTask(int columns, BitSet sketched) implements RowTask<ColumnAccumulator, ColumnAccumulator> {
    public static final String TYPE = "columns";

    public ColumnTask {
        sketched = (BitSet) sketched.clone();
    }

    /** Reads a task from its saved form. */
    public static ColumnTask load(State state) {
        BitSet sketched = new BitSet();
        for (int column : state.integers("sketched", state.count("sketches"))) {
            sketched.set(column);
        }
        return new ColumnTask(state.count("columns"), sketched);
    }

    @Override
    public State state() {
        return State.of(TYPE)
                .with("columns", columns)
                .with("sketches", sketched.cardinality())
                .with("sketched", sketched.stream().toArray());
    }

    @Override
    public int pieces() {
        return 1;
    }

    @Override
    public IntFunction<ColumnAccumulator> run(RowSource part, Workers workers) {
        ColumnAccumulator total = ColumnAccumulator.read(part, sketched, workers);
        return piece -> total;
    }

    @Override
    public ColumnAccumulator merge(ColumnAccumulator first, ColumnAccumulator next) {
        first.merge(next);
        return first;
    }

    @Override
    public ColumnAccumulator result(List<ColumnAccumulator> pieces) {
        return pieces.get(0);
    }

    @Override
    public void write(ColumnAccumulator piece, DataOutput to) throws IOException {
        piece.write(to);
    }

    @Override
    public ColumnAccumulator read(DataInput from) throws IOException {
        ColumnAccumulator piece = new ColumnAccumulator(columns, sketched);
        piece.read(from);
        return piece;
    }
}
