package org.bochner.map.additive;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.row.RowException;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.columns.Domain;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.SelectedColumnsMap;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.map.layout.MapMemory;
import org.bochner.numeric.optimise.Vectors;

/**
 * The map of an additive kernel: each column has {@link #featuresPerColumn} features, which depend on its value alone.
 * Zero has only zeros as features, so sparse rows have sparse features and cost only their non-zeros.
 *
 * <p>A subclass maps one value. Values outside the kernel's domain are refused with their row and column.
 *
 * <p>Threads: safe; immutable.
 */
public abstract class AdditiveMap implements FeatureMap {
    private final AdditiveKernel kernel;
    private final int columns;
    private final int featuresPerColumn;
    private final int features;

    /** Takes the number of columns of the rows. */
    public AdditiveMap(AdditiveKernel kernel, int columns, int featuresPerColumn) {
        this.kernel = kernel;
        this.columns = Require.atLeast("map", "columns", columns, 1);
        this.featuresPerColumn = Require.atLeast("map", "features per column", featuresPerColumn, 1);
        String what = featuresPerColumn + " features of each of " + columns + " columns";
        this.features = MapMemory.length("map of " + kernel, what, (long) columns * featuresPerColumn);
    }

    /** Returns the number of features per column. */
    public final int featuresPerColumn() {
        return featuresPerColumn;
    }

    /** Writes the features of one value of the kernel's domain that is not zero. */
    public abstract void map(double x, double[] out, int at);

    /** Writes the features of one value of a column. Maps whose columns differ override it. */
    public void map(int column, double x, double[] out, int at) {
        map(x, out, at);
    }

    /** Writes the features of dense rows, which may contain zeros, one row after the other. */
    public void mapRows(int rows, float[] x, int from, float[] out, int at) {
        map(x, from, rows * columns, out, at);
    }

    /**
     * A bound on |κ(x, y) − ⟨φ(x), φ(y)⟩| for two values of a column that are not zero; infinite where none is known.
     */
    @FunctionalInterface
    public interface ErrorBound {
        double at(int column, double x, double y);
    }

    /** Returns the bound of the error. It may keep intermediate results, so each thread needs its own. */
    public ErrorBound errorBound() {
        return (column, x, y) -> Double.POSITIVE_INFINITY;
    }

    /**
     * Writes the features of some values of the kernel's domain, which may be zero, one value after the other. Maps
     * that can do it faster than value by value override it.
     */
    public void map(float[] x, int from, int count, float[] out, int at) {
        double[] group = new double[featuresPerColumn];
        for (int i = 0; i < count; i++) {
            float value = x[from + i];
            int start = at + i * featuresPerColumn;
            if (value == 0) {
                Arrays.fill(out, start, start + featuresPerColumn, 0);
                continue;
            }
            map(value, group, 0);
            Vectors.round(group, 0, out, start, featuresPerColumn);
        }
    }

    @Override
    public final int inputDimension() {
        return columns;
    }

    @Override
    public final int outputDimension() {
        return features;
    }

    @Override
    public final AdditiveKernel kernel() {
        return kernel;
    }

    @Override
    public final void apply(double[] x, double[] out) {
        Require.sameSize(kernel.toString(), "columns", x.length, columns);
        for (int l = 0; l < columns; l++) {
            if (x[l] == 0) {
                Arrays.fill(out, l * featuresPerColumn, (l + 1) * featuresPerColumn, 0);
            } else {
                require(x[l], l);
                map(l, x[l], out, l * featuresPerColumn);
            }
        }
    }

    private void require(double x, int column) {
        try {
            kernel.requireValue(x, column);
        } catch (BochnerException e) {
            throw RowException.at(column, e);
        }
    }

    @Override
    public final void apply(RowBlock rows, float[] out, int offset, int stride) {
        checkColumns(rows);
        if (rows instanceof SparseRows sparse) {
            spread(apply(sparse), out, offset, stride);
            return;
        }
        Domain.check(kernel, rows);
        DenseRows dense = (DenseRows) rows;
        if (dense.stride() == columns && stride == outputDimension()) {
            // In one call, because short calls cost more per value.
            mapRows(rows.rows(), dense.values(), dense.offset(), out, offset);
            return;
        }
        for (int i = 0; i < rows.rows(); i++) {
            mapRows(1, dense.values(), dense.offset() + i * dense.stride(), out, offset + i * stride);
        }
    }

    /** Writes sparse features as dense ones. */
    private void spread(SparseRows features, float[] out, int offset, int stride) {
        int total = outputDimension();
        for (int i = 0; i < features.rows(); i++) {
            int start = offset + i * stride;
            Arrays.fill(out, start, start + total, 0);
            for (int e = features.starts()[i]; e < features.starts()[i + 1]; e++) {
                out[start + features.indices()[e]] = features.values()[e];
            }
        }
    }

    @Override
    public final void apply(RowBlock rows, double[] out, int offset, int stride) {
        checkColumns(rows);
        Domain.check(kernel, rows);
        double[] row = new double[columns];
        for (int i = 0; i < rows.rows(); i++) {
            rows.copyRow(i, row);
            for (int l = 0; l < columns; l++) {
                int at = offset + i * stride + l * featuresPerColumn;
                if (row[l] == 0) {
                    Arrays.fill(out, at, at + featuresPerColumn, 0);
                } else {
                    map(l, row[l], out, at);
                }
            }
        }
    }

    @Override
    public final boolean keepsSparsity() {
        return true;
    }

    /**
     * Returns one unit per column. Most of the work on a value, its logarithm and its root, is done once for all its
     * features; and a column without features need not be read.
     */
    @Override
    public final int[] units() {
        return IntStream.range(0, features).map(j -> j / featuresPerColumn).toArray();
    }

    /** Returns the map of the columns whose features are kept; the other columns are no longer read. */
    @Override
    public final FeatureMap restrict(int... kept) {
        int[] left = FeatureGroups.unitsOf(this).groupsOf(kept);
        return left.length == columns ? this : new SelectedColumnsMap(ofColumns(left), left, columns);
    }

    /** Returns the map of rows that have only some of the columns, given ascending. */
    public abstract AdditiveMap ofColumns(int[] kept);

    @Override
    public final SparseRows apply(SparseRows rows) {
        checkColumns(rows);
        Domain.check(kernel, rows);
        return compress(rows);
    }

    /**
     * Returns the features of rows whose values are checked. Maps with many zeros among the features of a value
     * override it.
     */
    public SparseRows compress(SparseRows rows) {
        int first = rows.starts()[0];
        int entries = rows.entries();
        int[] starts = new int[rows.rows() + 1];
        String what = featuresPerColumn + " features of each of " + entries + " non-zeros";
        int[] indices = new int[MapMemory.length("map of " + kernel, what, (long) entries * featuresPerColumn)];
        float[] values = new float[indices.length];
        for (int i = 0; i < rows.rows(); i++) {
            int from = rows.starts()[i];
            int to = rows.starts()[i + 1];
            for (int e = from; e < to; e++) {
                int at = (e - first) * featuresPerColumn;
                for (int j = 0; j < featuresPerColumn; j++) {
                    indices[at + j] = rows.indices()[e] * featuresPerColumn + j;
                }
            }
            starts[i + 1] = (to - first) * featuresPerColumn;
        }
        map(rows.values(), first, entries, values, 0);
        return SparseRows.like(rows, outputDimension(), starts, indices, values);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + kernel + ", " + columns + " columns, " + featuresPerColumn
                + " features each]";
    }
}
