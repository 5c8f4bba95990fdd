package org.bochner.map.curve;

import java.util.Arrays;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.SeparableKernel;
import org.bochner.kernel.additive.Intersection;
import org.bochner.kernel.additive.Linear;

/** The functions Σᵢ cᵢ·κ(x, sᵢ) of the columns of an additive kernel, with rows s such as support vectors. */
final class SupportTerm extends CurveTerm {
    private final AdditiveKernel kernel;

    /** The entries of each column; zeros are left out, because κ(x, 0) = 0. */
    private final int[] starts;

    private final int[] rows;
    private final float[] values;
    private final int rowCount;

    /** Rows × outputs. */
    private final double[] coefficients;

    /**
     * Creates a term.
     *
     * @param support the rows, with the columns of the term only
     * @param coefficients c, rows × outputs, not copied
     */
    SupportTerm(Place place, int outputs, AdditiveKernel kernel, RowBlock support, double[] coefficients) {
        super(place, outputs);
        this.kernel = kernel;
        this.coefficients = coefficients;
        rowCount = support.rows();
        int columns = support.columns();
        int[] ends = new int[columns + 1];
        each(support, (row, column, value) -> ends[column + 1]++);
        for (int l = 0; l < columns; l++) {
            ends[l + 1] = Math.addExact(ends[l], ends[l + 1]);
        }
        starts = ends.clone();
        rows = new int[starts[columns]];
        values = new float[starts[columns]];
        each(support, (row, column, value) -> {
            int entry = ends[column]++;
            rows[entry] = row;
            values[entry] = value;
        });
    }

    private interface Entry {
        void accept(int row, int column, float value);
    }

    private static void each(RowBlock support, Entry entry) {
        for (int i = 0; i < support.rows(); i++) {
            if (support instanceof SparseRows sparse) {
                for (int e = sparse.starts()[i]; e < sparse.starts()[i + 1]; e++) {
                    if (sparse.values()[e] != 0) {
                        entry.accept(i, sparse.indices()[e], sparse.values()[e]);
                    }
                }
                continue;
            }
            DenseRows dense = (DenseRows) support;
            for (int l = 0; l < dense.columns(); l++) {
                float value = dense.values()[dense.offset() + i * dense.stride() + l];
                if (value != 0) {
                    entry.accept(i, l, value);
                }
            }
        }
    }

    @Override
    Kernel kernel() {
        return kernel;
    }

    @Override
    boolean uses(int column) {
        return starts[column] < starts[column + 1];
    }

    /** Returns Σᵢ cᵢ·g(sᵢ) for the feature g of a separable kernel, one number per output. */
    private double[] sums(SeparableKernel separable, int column) {
        double[] sums = new double[outputs];
        for (int e = starts[column]; e < starts[column + 1]; e++) {
            addTimes(rows[e], separable.feature(values[e]), sums);
        }
        return sums;
    }

    private void addTimes(int row, double value, double[] out) {
        for (int o = 0; o < outputs; o++) {
            out[o] += coefficients[row * outputs + o] * value;
        }
    }

    @Override
    void add(int column, double x, double[] out) {
        if (x == 0) {
            return;
        }
        if (kernel instanceof SeparableKernel separable) {
            double[] sums = sums(separable, column);
            for (int o = 0; o < outputs; o++) {
                out[o] += separable.feature(x) * sums[o];
            }
            return;
        }
        for (int e = starts[column]; e < starts[column + 1]; e++) {
            addTimes(rows[e], kernel.scalar(x, values[e]), out);
        }
    }

    @Override
    double[] range(int column) {
        boolean zeros = starts[column + 1] - starts[column] < rowCount;
        double low = zeros ? 0 : Double.POSITIVE_INFINITY;
        double high = zeros ? 0 : Double.NEGATIVE_INFINITY;
        for (int e = starts[column]; e < starts[column + 1]; e++) {
            low = Math.min(low, values[e]);
            high = Math.max(high, values[e]);
        }
        return new double[] {low, high};
    }

    @Override
    void addSlopes(int column, double[] out) {
        if (kernel instanceof Linear linear) {
            double[] sums = sums(linear, column);
            Arrays.setAll(out, o -> out[o] + sums[o]);
        }
    }

    @Override
    boolean addPieces(int column, Breaks breaks) {
        if (kernel instanceof Linear linear) {
            double[] sums = sums(linear, column);
            for (int o = 0; o < outputs; o++) {
                breaks.addLastSlope(o, sums[o]);
            }
            return true;
        }
        if (!(kernel instanceof Intersection intersection && intersection.degree() == 1)) {
            return false;
        }
        for (int e = starts[column]; e < starts[column + 1]; e++) {
            int number = breaks.add(values[e]);
            for (int o = 0; o < outputs; o++) {
                breaks.bend(number, o, -coefficients[rows[e] * outputs + o]);
            }
        }
        return true;
    }
}
