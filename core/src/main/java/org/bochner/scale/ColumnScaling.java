package org.bochner.scale;

import java.util.stream.IntStream;
import org.bochner.base.State;
import org.bochner.scale.fit.ColumnAccumulator;

/**
 * Scalings that learn a shift and a factor per column, (xⱼ − shiftⱼ)·factorⱼ, from statistics of all columns that one pass
 * over the rows gathers.
 */
@SuppressWarnings("ImmutableEnumChecker") // the functions have no state
enum ColumnScaling implements LearnedScaling {
    /**
     * Gives columns the mean 0 and the variance 1: (xⱼ − μⱼ)/σⱼ. A constant column is only centred. Centring turns zeros into
     * −μⱼ/σⱼ, so sparse rows become dense.
     */
    STANDARD(
            "standard",
            (seen, j) -> isConstant(seen, j) ? seen.smallest(j) : seen.mean(j),
            (seen, j) -> isConstant(seen, j) ? 1 : 1 / Math.sqrt(seen.variance(j))),

    /**
     * Divides columns by their standard deviation and does not centre them. Sparse rows stay sparse, and the kernels of
     * differences x − y, such as the Gaussian, have the same values as with {@link #STANDARD}.
     */
    UNCENTRED("standard(uncentred)", (seen, j) -> 0, STANDARD.factor),

    /**
     * Subtracts the mean of each column: xⱼ − μⱼ. Kernels of differences x − y are not changed by it, and columns far from 0,
     * such as timestamps, keep their full resolution in float32. Sparse rows become dense.
     */
    CENTRE("centre", ColumnAccumulator::mean, (seen, j) -> 1),

    /**
     * Maps the range of each column to [0, 1]: (xⱼ − minⱼ)/(maxⱼ − minⱼ). A constant column becomes 0. Later values outside
     * the range become less than 0 or more than 1. Sparse rows stay sparse if the smallest value of every column is 0.
     */
    MIN_MAX(
            "min-max",
            ColumnAccumulator::smallest,
            (seen, j) -> seen.largest(j) == seen.smallest(j) ? 0 : 1 / (seen.largest(j) - seen.smallest(j))),

    /**
     * Subtracts the median and divides by the interquartile range, which outliers do not change. A column whose
     * interquartile range is 0 is divided by its standard deviation, and a constant column is only centred. Sparse rows
     * become dense.
     */
    ROBUST("robust", true, (seen, j) -> seen.quantile(j, 0.5), (seen, j) -> 1 / range(seen, j)),

    /** Divides columns as {@link #ROBUST} does and does not centre them. Sparse rows stay sparse. */
    ROBUST_UNCENTRED("robust(uncentred)", true, (seen, j) -> 0, ROBUST.factor);

    /** A number that is computed from the statistics of a column. */
    private interface Statistic {
        double of(ColumnAccumulator seen, int column);
    }

    private final String spelling;
    private final boolean needsQuantiles;
    private final Statistic shift;
    private final Statistic factor;

    ColumnScaling(String spelling, Statistic shift, Statistic factor) {
        this(spelling, false, shift, factor);
    }

    ColumnScaling(String spelling, boolean needsQuantiles, Statistic shift, Statistic factor) {
        this.spelling = spelling;
        this.needsQuantiles = needsQuantiles;
        this.shift = shift;
        this.factor = factor;
    }

    /** Rounding may leave a constant column a tiny variance, which must not become a huge factor. */
    private static boolean isConstant(ColumnAccumulator seen, int column) {
        return seen.smallest(column) == seen.largest(column) || !(seen.variance(column) > 0);
    }

    /** Returns the interquartile range; the standard deviation if the range is 0, and 1 for a constant column. */
    private static double range(ColumnAccumulator seen, int column) {
        double range = seen.quantile(column, 0.75) - seen.quantile(column, 0.25);
        return range > 0 ? range : isConstant(seen, column) ? 1 : Math.sqrt(seen.variance(column));
    }

    @Override
    public boolean needsQuantiles() {
        return needsQuantiles;
    }

    @Override
    public AbstractScaler scaler(ColumnAccumulator seen, int from, int to) {
        double[] shifts =
                IntStream.range(from, to).mapToDouble(j -> shift.of(seen, j)).toArray();
        double[] factors =
                IntStream.range(from, to).mapToDouble(j -> factor.of(seen, j)).toArray();
        return new ColumnScaler(this, shifts, factors);
    }

    @Override
    public Scaler load(State state) {
        int columns = state.count("columns");
        return new ColumnScaler(this, state.array("shift", columns), state.array("factor", columns));
    }

    @Override
    public String toString() {
        return spelling;
    }
}
