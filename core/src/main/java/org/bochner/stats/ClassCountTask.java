package org.bochner.stats;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.function.IntFunction;
import org.bochner.base.State;
import org.bochner.base.binary.Numbers;
import org.bochner.data.RowSource;
import org.bochner.data.RowTask;
import org.bochner.data.sample.RowPass;
import org.bochner.numeric.Workers;

/** Counts the rows of each class. Rows of unknown classes are left out. */
public record ClassCountTask(int classes) implements RowTask<long[], long[]> {
    public static final String TYPE = "class-counts";

    /** Reads a task from its saved form. */
    public static ClassCountTask load(State state) {
        return new ClassCountTask(state.count("classes"));
    }

    @Override
    public State state() {
        return State.of(TYPE).with("classes", classes);
    }

    @Override
    public int pieces() {
        return 1;
    }

    @Override
    public IntFunction<long[]> run(RowSource part, Workers workers) {
        long[] counts = new long[classes];
        RowPass.each(part, (rows, i) -> {
            // The pass over the features rejects rows of an unknown class and names the row.
            if (rows.target(i, 0) >= 0) {
                counts[(int) rows.target(i, 0)]++;
            }
        });
        return piece -> counts;
    }

    @Override
    public long[] merge(long[] first, long[] next) {
        for (int c = 0; c < classes; c++) {
            first[c] += next[c];
        }
        return first;
    }

    @Override
    public long[] result(List<long[]> pieces) {
        return pieces.get(0);
    }

    @Override
    public void write(long[] piece, DataOutput to) throws IOException {
        Numbers.write(piece, to);
    }

    @Override
    public long[] read(DataInput from) throws IOException {
        return Numbers.readLongs(from);
    }
}
