package org.bochner.map.binning;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
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
 * hold the counters of all grids, half of the grids are left for a further pass, as often as needed.
 *
 * <p>Cost: one hash per row and grid in each pass. The map does not depend on the number of passes or threads.
 */
public final class CellAccumulator {
    private static final String OWNER = "binning";

    /** A found cell, its copy in the table of the map, and its part of the table's directory. */
    private static final long BYTES_PER_CELL = 24;

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
                counters.add(new CellCounter());
            }
            rows = 0;
            passes++;
            pass.accept(this::add);
            for (CellCounter counter : counters) {
                long[] cells = counter.cells(recipe.least());
                found.add(cells);
                foundBytes += BYTES_PER_CELL * cells.length;
            }
        }
        counters.clear();
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
        workers.each(counters.size(), c -> {
            long[] hashes = new long[block.rows()];
            grids.hash(compact, first + c, hashes);
            counters.get(c).add(hashes, block.rows());
        });
        while (counters.size() > 1 && !budget.holds(bytes())) {
            counters.subList((counters.size() + 1) / 2, counters.size()).clear();
        }
        if (!budget.holds(bytes())) {
            String what = "the cells of " + grids.count() + " grids";
            budget.require(bytes(), what, "use fewer grids", "choose larger length-scales", "give least=2");
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

    /** Returns the bytes of the cells, with the copy of found cells that the table of the map makes. */
    private double bytes() {
        return foundBytes + counters.stream().mapToLong(CellCounter::bytes).sum();
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
