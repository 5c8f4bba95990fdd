package org.bochner.map.binning;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.composed.SumKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.MapAlgebra;

/**
 * A random binning map of a Laplacian or another rough kernel. Each of R random grids divides the space of the rows into
 * cells; a feature belongs to one cell of one grid and is 1/√R for the rows in that cell, 0 for all others. The inner product of
 * two rows is the share of the grids in which they lie in one cell. In a sum of kernels, each term aₜ·kₜ has Rₜ of the grids, and
 * features √(aₜ/Rₜ).
 *
 * <p>Features exist for the cells of the training rows. A row in a cell without training rows has no feature in that grid,
 * so its inner products with training rows are exact, but its product with itself may be less than k(x, x).
 *
 * <p>Accuracy: the inner product of two rows is the mean of R independent draws that are 1 with probability k(x, y) and 0
 * otherwise; its variance is k(1 − k)/R. Cost per row and grid: a multiplication, an addition and a
 * rounding for each value that is not 0, and one table look-up. Cells are known by a hash of 64 bits; collisions are negligible ({@link Grids}).
 *
 * <p>References: Rahimi and Recht, Random features for large-scale kernel machines, 2007; Wu, Yen, Chen and Yan,
 * Revisiting random binning features, 2016, doi:10.1145/2939672.2939763.
 */
public final class BinningMap implements FeatureMap {
    public static final String TYPE = "binning";

    /** The most rows of a block whose cells in all grids are in one array. */
    public static final int BLOCK_ROWS = 8192;

    private final Kernel kernel;
    private final Grids grids;
    private final CellTable cells;

    BinningMap(Kernel kernel, Grids grids, CellTable cells) {
        this.kernel = kernel;
        this.grids = grids;
        this.cells = cells;
        Require.atLeast(TYPE, "cells", cells.size(), 1);
    }

    /** Loads a map. */
    public static BinningMap load(State state) {
        Kernel kernel = Kernels.parse(state.text("kernel"));
        int columns = state.count("columns");
        int grids = state.count("grids");
        Require.that(
                kernel.minimumColumns() <= columns,
                kernel.toString() + ": needs " + kernel.minimumColumns() + " columns, the rows have " + columns);
        long size = (long) columns * grids;
        Require.that(size <= Integer.MAX_VALUE, TYPE, "too many grids");
        double[] rates = state.array("rates", (int) size);
        double[] shifts = state.array("shifts", (int) size);
        double[] values = state.array("values", grids);
        int[] terms = state.integers("terms", grids);
        int termCount = MapAlgebra.terms(kernel).size();
        for (int g = 0; g < grids; g++) {
            Require.positive(TYPE, "value", values[g]);
            Require.that(terms[g] >= 0 && terms[g] < termCount, TYPE, "the kernel has no term " + terms[g]);
        }
        for (int i = 0; i < size; i++) {
            // The bin of 0 must be 0, because zeros are left out of hashes.
            Require.that(rates[i] >= 0 && shifts[i] >= 0 && shifts[i] < 1, TYPE, "a rate or a shift is damaged");
        }
        CellTable cells = CellTable.load(state, grids, state.count("cells"));
        return new BinningMap(kernel, new Grids(columns, rates, shifts, values, terms), cells);
    }

    @Override
    public int inputDimension() {
        return grids.columns();
    }

    @Override
    public int outputDimension() {
        return cells.size();
    }

    @Override
    public Kernel kernel() {
        return kernel;
    }

    /** Returns R, the number of grids. */
    public int grids() {
        return grids.count();
    }

    /** Returns the first feature of a grid; for the number of grids, the number of all features. */
    public int start(int grid) {
        return cells.start(grid);
    }

    /** Returns the feature of a row that lies in a known cell of a grid. */
    public double value(int grid) {
        return grids.value(grid);
    }

    /** Returns equal rows from which {@link #cells} of many grids are found in less time, without targets. */
    public static RowBlock compact(RowBlock rows) {
        return Grids.compact(rows);
    }

    /**
     * Writes the cells of all rows of a block in one grid.
     *
     * @param hashes scratch space, one number per row
     * @param out receives the feature of each row's cell, from an index on; -1 if the cell is not known
     */
    public void cells(RowBlock rows, int grid, long[] hashes, int[] out, int at) {
        grids.hash(rows, grid, hashes);
        for (int i = 0; i < rows.rows(); i++) {
            out[at + i] = cells.find(grid, hashes[i]);
        }
    }

    @Override
    public void apply(double[] x, double[] out) {
        Require.sameSize(TYPE, "columns", x.length, inputDimension());
        Arrays.fill(out, 0, outputDimension(), 0);
        for (int g = 0; g < grids(); g++) {
            int cell = cells.find(g, grids.hash(x, g));
            if (cell >= 0) {
                out[cell] = grids.value(g);
            }
        }
    }

    @Override
    public boolean makesSparse() {
        return true;
    }

    @Override
    public SparseRows applySparse(RowBlock rows) {
        checkColumns(rows);
        int count = rows.rows();
        int[] byGrid = new int[Math.multiplyExact(count, grids())];
        long[] hashes = new long[count];
        int known = 0;
        RowBlock compact = compact(rows);
        for (int g = 0; g < grids(); g++) {
            cells(compact, g, hashes, byGrid, g * count);
        }
        for (int cell : byGrid) {
            known += cell >= 0 ? 1 : 0;
        }
        int[] starts = new int[count + 1];
        int[] indices = new int[known];
        float[] values = new float[known];
        int next = 0;
        for (int i = 0; i < count; i++) {
            for (int g = 0; g < grids(); g++) {
                int cell = byGrid[g * count + i];
                if (cell >= 0) {
                    indices[next] = cell;
                    values[next++] = (float) grids.value(g);
                }
            }
            starts[i + 1] = next;
        }
        return SparseRows.like(rows, outputDimension(), starts, indices, values);
    }

    @Override
    public void apply(RowBlock rows, float[] out, int offset, int stride) {
        checkColumns(rows);
        long[] hashes = new long[rows.rows()];
        for (int i = 0; i < rows.rows(); i++) {
            Arrays.fill(out, offset + i * stride, offset + i * stride + outputDimension(), 0);
        }
        for (int g = 0; g < grids(); g++) {
            grids.hash(rows, g, hashes);
            for (int i = 0; i < rows.rows(); i++) {
                int cell = cells.find(g, hashes[i]);
                if (cell >= 0) {
                    out[offset + i * stride + cell] = (float) grids.value(g);
                }
            }
        }
    }

    @Override
    public int[] terms() {
        int[] terms = new int[outputDimension()];
        for (int g = 0; g < grids(); g++) {
            Arrays.fill(terms, cells.start(g), cells.start(g + 1), grids.term(g));
        }
        return terms;
    }

    @Override
    public BinningMap restrict(int... kept) {
        int[] firsts = new int[grids() + 1];
        for (int g = 0; g <= grids(); g++) {
            int end = Arrays.binarySearch(kept, cells.start(g));
            firsts[g] = end < 0 ? -1 - end : end;
        }
        int[] left = IntStream.range(0, grids())
                .filter(g -> firsts[g] < firsts[g + 1])
                .toArray();
        long[][] hashes = Arrays.stream(left)
                .mapToObj(g -> cells.select(Arrays.copyOfRange(kept, firsts[g], firsts[g + 1])))
                .toArray(long[][]::new);
        List<Kernel> terms = MapAlgebra.terms(kernel);
        int[] used = Arrays.stream(left).map(grids::term).distinct().sorted().toArray();
        int[] numbers = new int[terms.size()];
        for (int t = 0; t < used.length; t++) {
            numbers[used[t]] = t;
        }
        List<Kernel> ofUsed = Arrays.stream(used).mapToObj(terms::get).toList();
        Kernel own = ofUsed.size() == 1 ? ofUsed.get(0) : new SumKernel(ofUsed);
        return new BinningMap(own, grids.select(left, numbers), CellTable.of(hashes));
    }

    @Override
    public State state() {
        return cells.save(State.of(TYPE)
                .with("kernel", kernel.toString())
                .with("columns", inputDimension())
                .with("grids", grids())
                .with("cells", outputDimension())
                .with("rates", grids.rates(), grids(), inputDimension())
                .with("shifts", grids.shifts(), grids(), inputDimension())
                .with("values", grids.values())
                .with("terms", grids.terms()));
    }

    @Override
    public String toString() {
        return "BinningMap[" + kernel + ", " + grids() + " grids, " + outputDimension() + " cells]";
    }
}
