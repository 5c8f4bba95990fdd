package org.bochner.map.binning;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.base.memory.MemoryBudget;

/**
 * The known cells of all grids. Cell j, counted over all grids, is feature j of the map. The hashes of a grid are sorted as
 * unsigned numbers; a directory of their first bits, with about one cell per entry, makes a search two memory accesses.
 *
 * <p>Memory: 8 bytes per cell, and 4 to 8 for the directory. Threads: safe; immutable.
 */
final class CellTable {
    private static final String OWNER = "binning";

    /** The most bits of a directory. */
    private static final int MOST_BITS = 29;

    /** The first cell of each grid, and the number of all cells. */
    private final int[] starts;

    private final long[] hashes;
    /** Per grid 2^bits + 1 cells: the first cell whose hash starts with some bits. */
    private final int[] directory;

    private final int[] directoryStarts;
    /** 64 − bits of each grid; the directory of a single entry has bits = 0. */
    private final int[] drops;

    private CellTable(int[] starts, long[] hashes) {
        this.starts = starts;
        this.hashes = hashes;
        int grids = starts.length - 1;
        drops = new int[grids];
        directoryStarts = new int[grids + 1];
        for (int g = 0; g < grids; g++) {
            int cells = starts[g + 1] - starts[g];
            // One more bit than a power of two needs would double the memory and save little.
            int bits = cells <= 1 ? 0 : 32 - Integer.numberOfLeadingZeros(cells - 1);
            drops[g] = Long.SIZE - Math.min(bits, MOST_BITS);
            long end = directoryStarts[g] + (1L << (Long.SIZE - drops[g])) + 1;
            MemoryBudget.requireArray(end, "the cells of " + grids + " grids", "use fewer grids");
            directoryStarts[g + 1] = (int) end;
        }
        directory = new int[directoryStarts[grids]];
        for (int g = 0; g < grids; g++) {
            fillDirectory(g);
        }
    }

    /** Creates the table of the hashes of each grid, each sorted as unsigned numbers. */
    static CellTable of(long[][] byGrid) {
        int[] starts = new int[byGrid.length + 1];
        for (int g = 0; g < byGrid.length; g++) {
            MemoryBudget.requireArray(
                    (long) starts[g] + byGrid[g].length, "the cells of " + byGrid.length + " grids", "use fewer grids");
            starts[g + 1] = starts[g] + byGrid[g].length;
        }
        long[] all = new long[starts[byGrid.length]];
        for (int g = 0; g < byGrid.length; g++) {
            System.arraycopy(byGrid[g], 0, all, starts[g], byGrid[g].length);
        }
        return new CellTable(starts, all);
    }

    /** Loads a table of a number of grids; fails if the cells of a grid are not in ascending order. */
    static CellTable load(State state, int grids, int cells) {
        int[] starts = state.integers("starts", grids + 1);
        int[] high = state.integers("high", cells);
        int[] low = state.integers("low", cells);
        Require.that(starts[0] == 0 && starts[grids] == cells, OWNER, "the starts of the grids are damaged");
        long[] hashes = new long[cells];
        for (int g = 0; g < grids; g++) {
            Require.that(
                    starts[g] <= starts[g + 1] && starts[g + 1] <= cells, OWNER, "the starts of the grids are damaged");
            for (int j = starts[g]; j < starts[g + 1]; j++) {
                hashes[j] = (long) high[j] << Integer.SIZE | Integer.toUnsignedLong(low[j]);
                Require.that(
                        j == starts[g] || Long.compareUnsigned(hashes[j - 1], hashes[j]) < 0,
                        OWNER,
                        "the cells of a grid are not in ascending order");
            }
        }
        return new CellTable(starts, hashes);
    }

    /** Adds the table to a saved form. */
    State save(State state) {
        int[] high = new int[hashes.length];
        int[] low = new int[hashes.length];
        for (int j = 0; j < hashes.length; j++) {
            high[j] = (int) (hashes[j] >>> Integer.SIZE);
            low[j] = (int) hashes[j];
        }
        return state.with("starts", starts).with("high", high).with("low", low);
    }

    private void fillDirectory(int grid) {
        int cell = starts[grid];
        for (int d = directoryStarts[grid]; d < directoryStarts[grid + 1]; d++) {
            int entry = d - directoryStarts[grid];
            while (cell < starts[grid + 1] && entry(hashes[cell], grid) < entry) {
                cell++;
            }
            directory[d] = cell;
        }
    }

    /** Returns the first bits of a hash. */
    private int entry(long hash, int grid) {
        return drops[grid] == Long.SIZE ? 0 : (int) (hash >>> drops[grid]);
    }

    /** Returns the number of cells of all grids. */
    int size() {
        return hashes.length;
    }

    /** Returns the first cell of a grid; for the number of grids, the number of all cells. */
    int start(int grid) {
        return starts[grid];
    }

    /** Returns the cell with a hash; -1 if the grid has none. */
    int find(int grid, long hash) {
        int d = directoryStarts[grid] + entry(hash, grid);
        int end = directory[d + 1];
        for (int j = directory[d]; j < end; j++) {
            if (hashes[j] == hash) {
                return j;
            }
        }
        return -1;
    }

    /** Returns the hashes of some of the cells of a grid, in a new array. */
    long[] select(int... cells) {
        return Arrays.stream(cells).mapToLong(j -> hashes[j]).toArray();
    }
}
