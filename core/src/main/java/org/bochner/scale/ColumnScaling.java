package org.bochner.scale;

import java.util.Locale;
import org.bochner.base.State;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;
import org.bochner.scale.fit.ColumnAccumulator;

/**
 * Scalings that learn a shift and a factor per column, (xⱼ − shiftⱼ)·factorⱼ, from statistics of all columns that one pass
 * over the rows gathers.
 */
enum ColumnScaling implements Scaling {
    /**
     * Gives columns the mean 0 and the variance 1: (xⱼ − μⱼ)/σⱼ. A constant column is only centred. Centring turns zeros into
     * −μⱼ/σⱼ, so sparse rows become dense.
     */
    STANDARD {
        @Override
        double shift(ColumnAccumulator seen, int column) {
            return isConstant(seen, column) ? seen.smallest(column) : seen.mean(column);
        }

        @Override
        double factor(ColumnAccumulator seen, int column) {
            return isConstant(seen, column) ? 1 : 1 / Math.sqrt(seen.variance(column));
        }
    },

    /**
     * Divides columns by their standard deviation and does not centre them. Sparse rows stay sparse, and the kernels of
     * differences x − y, such as the Gaussian, have the same values as with {@link #STANDARD}.
     */
    UNCENTRED {
        @Override
        double shift(ColumnAccumulator seen, int column) {
            return 0;
        }

        @Override
        double factor(ColumnAccumulator seen, int column) {
            return STANDARD.factor(seen, column);
        }

        @Override
        public String toString() {
            return "standard(uncentred)";
        }
    },

    /**
     * Subtracts the mean of each column: xⱼ − μⱼ. Kernels of differences x − y are not changed by it, and columns far from 0,
     * such as timestamps, keep their full resolution in float32. Sparse rows become dense.
     */
    CENTRE {
        @Override
        double shift(ColumnAccumulator seen, int column) {
            return seen.mean(column);
        }

        @Override
        double factor(ColumnAccumulator seen, int column) {
            return 1;
        }
    },

    /**
     * Maps the range of each column to [0, 1]: (xⱼ − minⱼ)/(maxⱼ − minⱼ). A constant column becomes 0. Later values outside
     * the range become less than 0 or more than 1. Sparse rows stay sparse if the smallest value of every column is 0.
     */
    MIN_MAX {
        @Override
        double shift(ColumnAccumulator seen, int column) {
            return seen.smallest(column);
        }

        @Override
        double factor(ColumnAccumulator seen, int column) {
            double range = seen.largest(column) - seen.smallest(column);
            return range == 0 ? 0 : 1 / range;
        }
    };

    abstract double shift(ColumnAccumulator seen, int column);

    abstract double factor(ColumnAccumulator seen, int column);

    /** Rounding may leave a constant column a tiny variance, which must not become a huge factor. */
    private static boolean isConstant(ColumnAccumulator seen, int column) {
        return seen.smallest(column) == seen.largest(column) || !(seen.variance(column) > 0);
    }

    /** Returns the scaler of the columns from (inclusive) to (exclusive) of the rows that were seen. */
    AbstractScaler scaler(ColumnAccumulator seen, int from, int to) {
        double[] shift = new double[to - from];
        double[] factor = new double[to - from];
        for (int j = from; j < to; j++) {
            shift[j - from] = shift(seen, j);
            factor[j - from] = factor(seen, j);
        }
        return new ColumnScaler(this, shift, factor);
    }

    @Override
    public Scaler fit(RowSource rows, Workers workers) {
        return scaler(ColumnAccumulator.of(rows, workers), 0, rows.columns()).requireNarrowIfDense(rows);
    }

    @Override
    public Scaler load(State state) {
        int columns = state.count("columns");
        return new ColumnScaler(this, state.array("shift", columns), state.array("factor", columns));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
