package org.bochner.map.binning;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.base.row.RowException;
import org.bochner.data.ColumnRange;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.numeric.Workers;

/**
 * Finds the cells of rows and makes the map. One pass over the rows counts the cells of all grids. If the memory does not
 * hold the counters of all grids, half of the grids are left for a further pass, as often as needed. Before each block, the
 * memory is checked for the counters as they are after it.
 *
 * <p>Cost: one hash per row and grid in each pass. The map does not depend on the number of passes or threads.
 */
public final class CellAccumulator {
    private static final String OWNER = "binning";

    /** A found cell, its copy in the table of the map, and its part of the table's directory. */
    private static final long BYTES_PER_CELL = 24;

    /** Counters of one grid for which advised memory has room: a grid may have more cells than others, and its counter doubles. */
    private static final double SPARE_COUNTERS = 2;

    private final Kernel kernel;
    private final BinningRecipe recipe;
    private final Grids grids;
    /** The columns that must hold zeros and ones. */
    private final List<ColumnRange> flags;

    private final MemoryBudget budget;
    private final Workers workers;
    private final List<long[]> found = new ArrayList<>();
    private final List<CellCounter> counters = new ArrayList<>();
    private long foundBytes;
    private long rows;
    private int passes;

    CellAccumulator(
            Kernel kernel,
            BinningRecipe recipe,
            Grids grids,
            List<ColumnRange> flags,
            MemoryBudget budget,
            Workers workers) {
        this.flags = flags;
        this.kernel = kernel;
        this.recipe = recipe;
        this.grids = grids;
        this.budget = budget;
        this.workers = workers;
    }

    /**
     * Runs the passes.
     *
     * @param pass reads all rows and hands them over block by block; called at least once
     */
    public BinningMap run(Consumer<Consumer<RowBlock>> pass) {
        while (found.size() < grids.count()) {
            counters.clear();
            for (int g = found.size(); g < grids.count(); g++) {
                counters.add(new CellCounter(recipe.least()));
            }
            rows = 0;
            passes++;
            pass.accept(this::add);
            // A counter is released before the cells of the next one are copied.
            while (!counters.isEmpty()) {
                long[] cells = counters.remove(0).cells();
                found.add(cells);
                foundBytes += BYTES_PER_CELL * cells.length;
            }
        }
        CellTable table = CellTable.of(found.toArray(long[][]::new));
        if (table.size() == 0) {
            throw new BochnerException(
                    OWNER + ": no cell has " + recipe.least() + " of the " + rows + " rows",
                    Remedy.advice("choose larger length-scales, or leave out least"));
        }
        return new BinningMap(kernel, grids, table);
    }

    private void add(RowBlock block) {
        rows += block.rows();
        requireFlags(block);
        int first = found.size();
        RowBlock compact = Grids.compact(block);
        // Nearly all blocks hold few new cells. Only if memory may be short are they counted.
        if (!budget.holds(bytes(c -> block.rows()))) {
            int[] added = new int[counters.size()];
            workers.each(added.length, c -> {
                long[] hashes = new long[block.rows()];
                grids.hash(compact, first + c, hashes);
                added[c] = counters.get(c).unknown(hashes, block.rows());
            });
            requireMemory(c -> added[c]);
        }
        workers.each(counters.size(), c -> {
            long[] hashes = new long[block.rows()];
            grids.hash(compact, first + c, hashes);
            counters.get(c).add(hashes, block.rows());
        });
        requireMemory(c -> 0);
    }

    /** Leaves out grids until the memory holds the others; fails if it does not hold a single one. */
    private void requireMemory(IntUnaryOperator added) {
        while (counters.size() > 1 && !budget.holds(bytes(added))) {
            counters.subList((counters.size() + 1) / 2, counters.size()).clear();
        }
        if (!budget.holds(bytes(added))) {
            // The found grids tell how many cells the others have. Before the first one is found, this is a lower
            // bound.
            double last = bytes(added) - foundBytes;
            double perGrid = found.isEmpty() ? last : (double) foundBytes / found.size();
            String what = "the cells of " + grids.count() + " grids";
            budget.require(
                    Math.max(bytes(added), perGrid * grids.count() + SPARE_COUNTERS * last),
                    what,
                    "use fewer grids",
                    "choose larger length-scales",
                    "give least=2");
        }
    }

    /** Fails if a column of a Gaussian factor has other values than 0 and 1. */
    private void requireFlags(RowBlock block) {
        if (flags.isEmpty()) {
            return;
        }
        double[] x = new double[block.columns()];
        for (int i = 0; i < block.rows(); i++) {
            block.copyRow(i, x);
            for (ColumnRange range : flags) {
                for (int l = range.from(); l < range.to(); l++) {
                    if (!(x[l] == 0 || x[l] == 1)) {
                        throw RowException.at(block.firstRow() + i, l, noFlag(range, x[l]));
                    }
                }
            }
        }
    }

    private static BochnerException noFlag(ColumnRange range, double value) {
        return new BochnerException(
                OWNER + ": in a product, gaussian is for columns of zeros and ones, but columns " + range.from() + ":"
                        + range.to() + " hold " + Spelling.print(value),
                Remedy.advice("take laplacian for columns of numbers"),
                Remedy.set(Setting.SCALING, "must leave columns of zeros and ones as they are"));
    }

    /**
     * Returns the bytes of the counters or of the cells in the table of the map, whichever are more.
     *
     * @param added the number of new cells per counter
     */
    private double bytes(IntUnaryOperator added) {
        double bytes = foundBytes;
        for (int c = 0; c < counters.size(); c++) {
            CellCounter counter = counters.get(c);
            bytes += Math.max(counter.bytes(added.applyAsInt(c)), BYTES_PER_CELL * counter.kept());
        }
        return bytes;
    }

    /** Returns the number of passes that were made over the rows. */
    public int passes() {
        return passes;
    }

    /** Returns the number of rows of the last pass. */
    public long rows() {
        return rows;
    }
}
