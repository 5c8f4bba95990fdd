package org.bochner.stats;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;

/**
 * Sorts the rows of a cursor into tiles of one part each. The tiles do not depend on the number of threads.
 *
 * <p>Threads: not safe.
 */
public final class RowSorter {
    private final RowCursor cursor;
    private final UnaryOperator<RowBlock> prepare;
    private final PartOf of;
    private final int tileRows;
    private final List<RowTiles> open;
    private final RowBlockBuilder reading = new RowBlockBuilder();
    private RowBlock rows = reading.build();
    private int next;
    private int flushed;

    /** Returns the part of a row, from 0; −1 to leave the row out. */
    @FunctionalInterface
    public interface PartOf {
        int part(RowBlock rows, int row);
    }

    /**
     * Creates a sorter.
     *
     * @param prepare changes the rows as they are read, for example scales them
     * @param parts the number of parts
     * @param tiles the number of tiles that are filled at a time
     * @param tileRows the number of rows per tile
     */
    public RowSorter(RowCursor cursor, UnaryOperator<RowBlock> prepare, int parts, PartOf of, int tiles, int tileRows) {
        this.cursor = cursor;
        this.prepare = prepare;
        this.of = of;
        this.tileRows = tileRows;
        open = IntStream.range(0, parts).mapToObj(p -> new RowTiles(tiles)).toList();
    }

    /**
     * Fills tiles with rows of the first part that has enough of them; at the end, with the remaining rows. Returns false
     * if there are none.
     */
    public boolean fill(RowTiles tiles) {
        while (more()) {
            int row = next++;
            int part = of.part(rows, row);
            if (part >= 0 && open.get(part).add(rows, row, tileRows)) {
                open.get(part).moveTo(tiles, part);
                return true;
            }
        }
        while (flushed < open.size()) {
            int part = flushed++;
            if (open.get(part).finish()) {
                open.get(part).moveTo(tiles, part);
                return true;
            }
        }
        return false;
    }

    private boolean more() {
        if (next < rows.rows()) {
            return true;
        }
        boolean more = cursor.next(reading, tileRows);
        rows = more ? prepare.apply(reading.build()) : reading.build();
        next = 0;
        return more;
    }
}
