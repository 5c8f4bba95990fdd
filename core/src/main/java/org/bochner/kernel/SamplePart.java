package org.bochner.kernel;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.bochner.base.BochnerException;
import org.bochner.base.binary.Numbers;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.kernel.columns.ColumnRanges;
import org.bochner.random.Seed;

/** The rows of a {@link RowSample} that are in some parts of a source, and the ranges of all values there. */
public final class SamplePart {
    private static final int BLOCK_ROWS = 1024;

    private final Map<Long, Reservoir.Row> rows;
    private final ColumnRanges ranges;

    private SamplePart(Map<Long, Reservoir.Row> rows, ColumnRanges ranges) {
        this.rows = rows;
        this.ranges = ranges;
    }

    /**
     * Reads the rows of a part.
     *
     * @param chosen the indices of the sampled rows, ascending
     */
    static SamplePart read(RowSource part, UnaryOperator<RowBlock> scaling, long[] chosen) {
        Map<Long, Reservoir.Row> rows = new HashMap<>();
        ColumnRanges ranges = ColumnRanges.unknown(part.columns());
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = part.open()) {
            while (cursor.next(builder, BLOCK_ROWS)) {
                RowBlock block = scaling.apply(builder.build());
                ranges.add(block);
                int found = Arrays.binarySearch(chosen, block.firstRow());
                for (int c = found < 0 ? -found - 1 : found; c < chosen.length; c++) {
                    long row = chosen[c] - block.firstRow();
                    if (row >= block.rows()) {
                        break;
                    }
                    rows.put(chosen[c], Reservoir.nonZeros(block, (int) row));
                }
            }
        }
        return new SamplePart(rows, ranges);
    }

    /** Adds the rows of other parts. */
    SamplePart merge(SamplePart other) {
        rows.putAll(other.rows);
        ranges.merge(other.ranges);
        return this;
    }

    /**
     * Returns the sample.
     *
     * @param places the index of the row at each place of the sample
     */
    RowSample sample(long[] places, int columns, Seed seed) {
        List<Reservoir.Row> ordered = new ArrayList<>();
        for (long place : places) {
            Reservoir.Row row = rows.get(place);
            if (row == null) {
                throw new BochnerException("row " + (place + 1) + " was not found again; the rows have changed");
            }
            ordered.add(row);
        }
        return new RowSample(Reservoir.packed(ordered, columns), ranges, seed, null);
    }

    void write(DataOutput to) throws IOException {
        to.writeInt(rows.size());
        for (Map.Entry<Long, Reservoir.Row> entry : rows.entrySet()) {
            to.writeLong(entry.getKey());
            Numbers.write(entry.getValue().columns(), to);
            Numbers.write(entry.getValue().values(), to);
        }
        ranges.write(to);
    }

    static SamplePart read(DataInput from) throws IOException {
        Map<Long, Reservoir.Row> rows = new HashMap<>();
        for (int count = from.readInt(); count > 0; count--) {
            rows.put(from.readLong(), new Reservoir.Row(Numbers.readInts(from), Numbers.readFloats(from)));
        }
        return new SamplePart(rows, ColumnRanges.read(from));
    }
}
