package org.bochner.kernel;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.bochner.base.State;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.data.RowTask;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;

/**
 * Draws a {@link RowSample} from rows that lie in parts: the same rows as reservoir sampling draws in one pass.
 *
 * @param places the index of the row at each place of the sample
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SampleTask(long[] places, int columns, Seed seed) implements RowTask<SamplePart, RowSample> {
    public static final String TYPE = "sample";

    /** Returns the task for a source whose number of rows is known. */
    public static SampleTask of(RowSource source, int maxRows, Seed seed) {
        return new SampleTask(Reservoir.places(maxRows, seed, source.rows()), source.columns(), seed);
    }

    /** Reads a task from its saved form. */
    public static SampleTask load(State state) {
        long[] places = state.wholes("places");
        return new SampleTask(places, state.count("columns"), new Seed(state.whole("seed")));
    }

    @Override
    public State state() {
        return State.of(TYPE).with("places", places).with("columns", columns).with("seed", seed.value());
    }

    @Override
    public int pieces() {
        return 1;
    }

    @Override
    public IntFunction<SamplePart> run(RowSource part, Workers workers) {
        return run(part, RowBlock::plain);
    }

    /** Runs the task with a scaling that is applied to each block first. */
    public IntFunction<SamplePart> run(RowSource part, UnaryOperator<RowBlock> scaling) {
        SamplePart read =
                SamplePart.read(part, scaling, Arrays.stream(places).sorted().toArray());
        return piece -> read;
    }

    @Override
    public SamplePart merge(SamplePart first, SamplePart next) {
        return first.merge(next);
    }

    @Override
    public RowSample result(List<SamplePart> pieces) {
        return pieces.get(0).sample(places, columns, seed);
    }

    @Override
    public void write(SamplePart piece, DataOutput to) throws IOException {
        piece.write(to);
    }

    @Override
    public SamplePart read(DataInput from) throws IOException {
        return SamplePart.read(from);
    }
}
