package org.bochner.map.curve;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.base.row.RowException;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.columns.Domain;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.MapTypes;
import org.bochner.numeric.optimise.Vectors;

/**
 * The functions of an additive model as features: φₒ(x) = Σⱼ fⱼₒ(xⱼ), with one curve fⱼₒ per column and output, stored in
 * tables. The features are values of functions; their inner products approximate no kernel. {@link #kernel} is the kernel
 * of the model that was compiled, whose domain the rows must lie in.
 *
 * <p>Cost: one look-up per column that has a curve, whatever the number of support vectors or features of the compiled
 * model. Sparse rows cost their non-zeros.
 *
 * <p>Threads: safe; immutable.
 */
public final class CurveMap implements FeatureMap {
    public static final String TYPE = "curves";

    private final Kernel kernel;
    private final int columns;
    private final CurveTable table;

    /** True if the curves are NaN for all rows outside the domain. */
    private final boolean histograms;

    /** The values of all curves at 0, curves × outputs, and their sums: sparse rows store no zeros. */
    private final double[] zeros;

    private final double[] base;

    CurveMap(Kernel kernel, int columns, CurveTable table) {
        this.kernel = kernel;
        this.columns = Require.atLeast(TYPE, "columns", columns, 1);
        this.table = table;
        Require.atLeast(TYPE, "outputs", table.outputs, 1);
        Require.that(
                kernel.minimumColumns() <= columns, TYPE, kernel + " needs " + kernel.minimumColumns() + " columns");
        Require.atLeast(TYPE, "curves", table.curves(), 1);
        Require.ascending(TYPE, "columns", table.columns, columns - 1);
        histograms = table.nonNegative && table.curves() == columns;
        int outputs = table.outputs;
        zeros = new double[Math.multiplyExact(table.curves(), outputs)];
        base = new double[outputs];
        for (int a = 0; a < table.curves(); a++) {
            table.add(a, 0, zeros, a * outputs);
            Vectors.add(1, zeros, a * outputs, base, 0, outputs);
        }
    }

    /** Loads a map from its saved form. */
    public static CurveMap load(State state) {
        int outputs = state.count("outputs");
        Require.atLeast(TYPE, "outputs", outputs, 1);
        int[] curves = state.integers("curves", Require.atLeast(TYPE, "curves", state.count("count"), 1));
        CurveForm form = MapTypes.constant(state, "form", CurveForm.values());
        Kernel kernel = MapTypes.kernel(state, Kernel.class);
        CurveTable table = form == CurveForm.EXACT
                ? PieceTable.load(state, curves, outputs, kernel instanceof HomogeneousKernel)
                : KnotTable.load(state, form, curves, outputs, kernel instanceof HomogeneousKernel);
        return new CurveMap(kernel, state.count("columns"), table);
    }

    /** Returns the form of the tables. */
    public CurveForm form() {
        return table.form();
    }

    /** Returns the columns that have a curve, ascending; a new array. */
    public int[] curveColumns() {
        return table.columns.clone();
    }

    /** Returns the values of a column at which its curve may bend or jump, ascending; a new array. */
    public double[] knots(int curve) {
        return table.knots(curve);
    }

    /** Returns the number of knots of all curves. */
    public long knots() {
        return table.knots();
    }

    /** Returns the values of a curve, one per output; a new array. */
    public double[] at(int curve, double x) {
        double[] values = new double[table.outputs];
        table.add(curve, x, values, 0);
        return values;
    }

    @Override
    public int inputDimension() {
        return columns;
    }

    @Override
    public int outputDimension() {
        return table.outputs;
    }

    @Override
    public Kernel kernel() {
        return kernel;
    }

    @Override
    public void apply(double[] x, double[] out) {
        Require.sameSize(TYPE, "columns", x.length, columns);
        for (int l = 0; l < columns && !kernel.takesAnyValue(); l++) {
            requireValue(x[l], l);
        }
        Arrays.fill(out, 0, table.outputs, 0);
        for (int a = 0; a < table.curves(); a++) {
            table.add(a, x[table.columns[a]], out, 0);
        }
    }

    private void requireValue(double x, int column) {
        try {
            kernel.requireValue(x, column);
        } catch (BochnerException e) {
            throw RowException.at(column, e);
        }
    }

    /** Returns true if {@link #valueOrNan} can be used: there is one output, and rows that it accepts need no further check. */
    public boolean hasOneValue() {
        return table.outputs == 1 && (table.nonNegative || kernel.takesAnyValue());
    }

    /**
     * Returns the only feature of a row that is rounded to float32. The result is not finite if a value is not finite in
     * float32, or lies outside the domain of the kernel.
     */
    public double valueOrNan(double[] row) {
        Require.sameSize(TYPE, "columns", row.length, columns);
        double sum = table.sum(row);
        int next = 0;
        for (int l = 0; l < columns && table.curves() < columns; l++) {
            if (next < table.curves() && table.columns[next] == l) {
                next++;
            } else {
                float x = (float) row[l];
                sum += table.nonNegative && x < 0 ? Double.NaN : x - x;
            }
        }
        return sum;
    }

    @Override
    public void apply(RowBlock rows, double[] out, int offset, int stride) {
        checkColumns(rows);
        // Curves of histograms check the domain themselves, which saves a pass over the rows.
        if (!histograms || rows instanceof SparseRows) {
            Domain.check(kernel, rows);
        }
        for (int i = 0; i < rows.rows(); i++) {
            int at = offset + i * stride;
            if (rows instanceof SparseRows sparse) {
                sum(sparse, i, out, at);
            } else {
                sum((DenseRows) rows, i, out, at);
                if (Double.isNaN(out[at])) {
                    Domain.check(kernel, rows);
                }
            }
        }
    }

    private void sum(DenseRows rows, int i, double[] out, int at) {
        int from = rows.offset() + i * rows.stride();
        if (table.outputs == 1) {
            out[at] = table.sum(rows.values(), from);
            return;
        }
        Arrays.fill(out, at, at + table.outputs, 0);
        for (int a = 0; a < table.curves(); a++) {
            table.add(a, rows.values()[from + table.columns[a]], out, at);
        }
    }

    /** Adds the differences to the curves at 0, for the stored values of a sparse row. */
    private void sum(SparseRows rows, int i, double[] out, int at) {
        int outputs = table.outputs;
        System.arraycopy(base, 0, out, at, outputs);
        boolean all = table.curves() == columns;
        int next = 0;
        for (int e = rows.starts()[i]; e < rows.starts()[i + 1]; e++) {
            int column = rows.indices()[e];
            int curve = all ? column : Arrays.binarySearch(table.columns, next, table.curves(), column);
            if (curve >= 0) {
                table.add(curve, rows.values()[e], out, at);
                Vectors.add(-1, zeros, curve * outputs, out, at, outputs);
            }
            next = curve >= 0 ? curve : -curve - 1;
        }
    }

    /**
     * Adds the differences between the values of each curve and its values at 0, and their squares, over some rows.
     *
     * @param moments curves × outputs × 2
     */
    public void addMoments(RowBlock rows, double[] moments) {
        double[] row = rows instanceof SparseRows ? new double[0] : new double[columns];
        double[] values = new double[table.outputs];
        for (int i = 0; i < rows.rows(); i++) {
            if (rows instanceof SparseRows sparse) {
                for (int e = sparse.starts()[i]; e < sparse.starts()[i + 1]; e++) {
                    int curve = Arrays.binarySearch(table.columns, sparse.indices()[e]);
                    if (curve >= 0) {
                        addMoments(curve, sparse.values()[e], values, moments);
                    }
                }
                continue;
            }
            rows.copyRow(i, row);
            for (int a = 0; a < table.curves(); a++) {
                addMoments(a, row[table.columns[a]], values, moments);
            }
        }
    }

    private void addMoments(int curve, double x, double[] values, double[] moments) {
        Arrays.fill(values, 0);
        table.add(curve, x, values, 0);
        for (int o = 0; o < values.length; o++) {
            int at = curve * values.length + o;
            double difference = values[o] - zeros[at];
            moments[2 * at] += difference;
            moments[2 * at + 1] += difference * difference;
        }
    }

    @Override
    public void apply(RowBlock rows, float[] out, int offset, int stride) {
        int outputs = table.outputs;
        double[] values = new double[Math.multiplyExact(rows.rows(), outputs)];
        apply(rows, values, 0, outputs);
        for (int i = 0; i < rows.rows(); i++) {
            Vectors.round(values, i * outputs, out, offset + i * stride, outputs);
        }
    }

    @Override
    public State state() {
        State state = State.of(TYPE)
                .with("kernel", kernel.toString())
                .with("form", form().toString())
                .with("columns", columns)
                .with("outputs", table.outputs)
                .with("count", table.curves())
                .with("curves", table.columns);
        table.save(state);
        return state;
    }

    @Override
    public String toString() {
        return "CurveMap[" + kernel + ", " + table.curves() + " " + form() + " curves of " + columns + " columns, "
                + table.outputs + " outputs]";
    }
}
