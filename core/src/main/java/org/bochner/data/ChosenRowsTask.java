package org.bochner.data;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.function.IntFunction;
import org.bochner.base.State;
import org.bochner.base.binary.Numbers;
import org.bochner.numeric.Workers;

/**
 * Reads some rows into memory.
 *
 * @param chosen chooses rows by their indices
 */
public record ChosenRowsTask(RowChoice chosen) implements RowTask<ChosenRows, ChosenRows> {
    public static final String TYPE = "chosen-rows";

    private static final int BLOCK_ROWS = 1024;

    /** Reads a task from its saved form. */
    public static ChosenRowsTask load(State state) {
        return new ChosenRowsTask(RowChoice.load(state.part("chosen")));
    }

    @Override
    public State state() {
        return State.of(TYPE).with("chosen", chosen.state());
    }

    @Override
    public int pieces() {
        return 1;
    }

    @Override
    public IntFunction<ChosenRows> run(RowSource part, Workers workers) {
        ChosenRows rows = ChosenRows.read(part, chosen, BLOCK_ROWS);
        return piece -> rows;
    }

    @Override
    public ChosenRows merge(ChosenRows first, ChosenRows next) {
        return first.followedBy(next);
    }

    @Override
    public ChosenRows result(List<ChosenRows> pieces) {
        return pieces.get(0);
    }

    @Override
    public void write(ChosenRows piece, DataOutput to) throws IOException {
        RowCodec.write(piece.rows(), to);
        Numbers.write(piece.indices(), to);
    }

    @Override
    public ChosenRows read(DataInput from) throws IOException {
        return new ChosenRows(RowCodec.read(from), Numbers.readLongs(from));
    }
}
