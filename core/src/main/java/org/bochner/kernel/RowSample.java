package org.bochner.kernel;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.kernel.columns.ByColumn;
import org.bochner.kernel.columns.ColumnRanges;
import org.bochner.kernel.columns.PairVisitor;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.random.law.Samplers;
import org.jspecify.annotations.Nullable;

/**
 * A random sample of the rows of a source, on which scales of kernels and errors of maps are measured, and the range of
 * all values of the source.
 *
 * <p>The sample is drawn in one pass by reservoir sampling, and every row is equally likely. It depends only on the
 * rows, their order and the seed, not on the blocks. Only non-zeros are held, with 8 bytes per non-zero of a sampled
 * row.
 *
 * <p>Threads: safe; immutable.
 */
public final class RowSample {
    /**
     * The default number of rows. The rank of the measured median among all distances is then off by about one percent.
     */
    public static final int DEFAULT_ROWS = 1000;

    /**
     * The most pairs whose distances are measured. More do not change the median noticeably; with 784 dense columns
     * these take about 0.02 s.
     */
    private static final int MAX_PAIRS = 10_000;

    private static final int BLOCK_ROWS = 1024;

    /** A warp of columns that follow others: its column 0 is the column {@code from} of the warp. */
    private record ShiftedWarp(Warp warp, int from) implements Warp {
        @Override
        public double apply(double x, int column) {
            return warp.apply(x, from + column);
        }

        @Override
        public String toString() {
            return warp.toString();
        }
    }

    /** An interval from the lowest to the highest value, which may be equal. */
    public record Interval(double low, double high) {
        public Interval {
            // Intervals are made for every column, so the message is made only if it is needed.
            if (!(low <= high && Double.isFinite(high - low))) {
                throw new IllegalArgumentException(
                        "interval: low must be at most high, got " + Spelling.print(low) + ":" + Spelling.print(high));
            }
        }

        public double length() {
            return high - low;
        }

        /** Returns true if there are positive values. */
        public boolean hasPositive() {
            return high > 0;
        }

        @Override
        public String toString() {
            return Spelling.print(low) + ":" + Spelling.print(high);
        }
    }

    /** The sampled rows, without stored zeros. */
    private final SparseRows rows;

    private final ColumnRanges ranges;
    private final Seed seed;
    /** The warp that is applied before distances are measured. */
    private final @Nullable Warp warp;

    /** The unit of each column, after the warp, in which distances are measured. */
    private final ByColumn units;

    RowSample(SparseRows rows, ColumnRanges ranges, Seed seed, @Nullable Warp warp) {
        this(rows, ranges, seed, warp, ByColumn.of(1));
    }

    private RowSample(SparseRows rows, ColumnRanges ranges, Seed seed, @Nullable Warp warp, ByColumn units) {
        this.rows = rows;
        this.ranges = ranges;
        this.seed = seed;
        this.warp = warp;
        this.units = units;
    }

    /** Returns a sample without rows, of which only the number of columns is known. */
    public static RowSample none(int columns) {
        Require.atLeast("RowSample", "columns", columns, 1);
        SparseRows rows = SparseRows.of(0, columns, new int[1], new int[0], new float[0]);
        return new RowSample(rows, ColumnRanges.unknown(columns), new Seed(0), null);
    }

    /** Draws rows uniformly from an interval in every column. */
    public static RowSample even(int rows, int columns, double low, double high, Seed seed) {
        Require.that(
                low < high && Double.isFinite(high - low),
                "RowSample: low must be less than high, got " + low + ":" + high);
        return draw(rows, columns, u -> low + (high - low) * u, seed);
    }

    /**
     * Draws rows with uniform logarithms in every column, so that all magnitudes of the interval are equally frequent.
     */
    public static RowSample evenMagnitudes(int rows, int columns, double low, double high, Seed seed) {
        Require.that(
                low > 0 && low < high && Double.isFinite(high),
                "RowSample: low must be positive and less than high, got " + low + ":" + high);
        double logRatio = Math.log(high / low);
        return draw(rows, columns, u -> low * Math.exp(logRatio * u), seed);
    }

    /**
     * Draws rows from an interval in each column: uniformly, or, if {@link #drawsMagnitudes}, with uniform logarithms.
     *
     * @throws org.bochner.base.BochnerException if the kernel does not take the lowest value
     */
    public static RowSample drawn(Kernel kernel, Interval interval, int columns, Seed seed) {
        for (int column = 0; column < columns; column++) {
            kernel.requireValue(interval.low(), column);
        }
        Seed own = seed.derive("domain");
        return drawsMagnitudes(kernel, interval)
                ? evenMagnitudes(DEFAULT_ROWS, columns, interval.low(), interval.high(), own)
                : even(DEFAULT_ROWS, columns, interval.low(), interval.high(), own);
    }

    /**
     * Returns true if {@link #drawn} draws all magnitudes equally often: for kernels of histograms and positive values.
     */
    public static boolean drawsMagnitudes(Kernel kernel, Interval interval) {
        return interval.low() > 0 && !kernel.takesAnyValue();
    }

    private static RowSample draw(int rows, int columns, DoubleUnaryOperator quantile, Seed seed) {
        RandomStream stream = seed.stream();
        float[] values = new float[Math.multiplyExact(rows, columns)];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) quantile.applyAsDouble(stream.nextUniform());
        }
        return of(DenseRows.of(rows, columns, values), rows, seed);
    }

    /** Returns a sample of at most {@code maxRows} rows of a block. */
    public static RowSample of(RowBlock rows, int maxRows, Seed seed) {
        return new Reservoir(maxRows, seed).add(rows).build();
    }

    /** Draws a sample of at most {@link #DEFAULT_ROWS} rows of a source, which may lie in parts. */
    public static RowSample of(RowSource source, Seed seed) {
        if (source.parted().isPresent()) {
            return SampleTask.of(source, DEFAULT_ROWS, seed).over(source, new Workers(1));
        }
        return of(source, RowBlock::plain, DEFAULT_ROWS, seed);
    }

    /**
     * Draws a sample of at most {@code maxRows} rows of a source.
     *
     * @param scaling the scaling of the kernel's rows, applied to each block first
     */
    public static RowSample of(RowSource source, UnaryOperator<RowBlock> scaling, int maxRows, Seed seed) {
        Reservoir reservoir = new Reservoir(maxRows, seed);
        RowBlockBuilder block = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            while (cursor.next(block, BLOCK_ROWS)) {
                reservoir.add(scaling.apply(block.build()));
            }
        }
        return reservoir.build();
    }

    public int rows() {
        return rows.rows();
    }

    /** Returns the number of columns of the rows. */
    public int columns() {
        return rows.columns();
    }

    /** Returns the smallest positive and the largest value of all rows of the source; 0:0 if none is positive. */
    public Interval range() {
        return ranges.of(0, columns());
    }

    /**
     * Returns the smallest positive and the largest value in the columns from (inclusive) to (exclusive), over all
     * rows.
     */
    public Interval range(int from, int to) {
        requireColumns(from, to);
        return ranges.of(from, to);
    }

    /**
     * Returns the interval of all values of a column, over all rows and including zeros; empty if there are no rows.
     */
    public Optional<Interval> interval(int column) {
        requireColumns(column, column + 1);
        return ranges.of(column);
    }

    /** Returns true if no value of any row of the source is negative. */
    public boolean nonNegative() {
        return IntStream.range(0, columns())
                .allMatch(l -> interval(l).map(Interval::low).orElse(0.0) >= 0);
    }

    /** Returns the sampled rows with the columns from (inclusive) to (exclusive) only. */
    public RowSample columns(int from, int to) {
        requireColumns(from, to);
        Warp shifted = warp == null ? null : new ShiftedWarp(warp, from);
        return new RowSample(rows.columns(from, to), ranges.columns(from, to), seed, shifted);
    }

    /** Returns all columns of sampled row i in a new array. */
    public double[] row(int i) {
        double[] full = new double[columns()];
        rows.copyRow(i, full);
        return full;
    }

    /** Returns the non-zeros of the sampled rows; the arrays must not be changed. */
    public SparseRows nonZeros() {
        return rows;
    }

    /** Returns the sampled rows as a block: dense, or sparse if less than a third of the values is not zero. */
    public RowBlock block() {
        if (3L * rows.entries() < (long) rows() * columns()) {
            return rows;
        }
        float[] full = new float[Math.multiplyExact(rows(), columns())];
        rows.copyDense(0, rows(), full);
        return DenseRows.of(rows(), columns(), full);
    }

    /**
     * Returns {@code count} of the sampled rows at equal distances, or all if there are no more. The range of values
     * stays.
     */
    public RowSample thinned(int count) {
        if (count >= rows()) {
            return this;
        }
        RowBlockBuilder some = new RowBlockBuilder();
        some.beginSparse(0, columns(), 0, false);
        for (int i = 0; i < count; i++) {
            some.addRow(rows, (int) ((long) i * rows() / count));
        }
        return new RowSample((SparseRows) some.build(), ranges, seed, warp);
    }

    /** Returns a sample of these rows whose distances are measured after the warp. */
    public RowSample warped(Warp function) {
        return new RowSample(rows, ranges, seed, function, units);
    }

    /** Returns a sample of these rows whose distances are measured in units of their own per column. */
    RowSample inUnits(ByColumn unit) {
        return new RowSample(rows, ranges, seed, warp, unit);
    }

    /**
     * Returns the median distance between sampled rows. Pairs of equal rows are left out, so that many equal rows do
     * not give 0. For large samples, a random part of the pairs is used.
     *
     * @param norm p in (Σ|xₗ − yₗ|^p)^(1/p): 1, 2 or another positive number
     */
    public double medianDistance(double norm) {
        Require.positive("RowSample", "norm", norm);
        DoubleBinaryOperator perColumn = norm == 1
                ? (x, y) -> Math.abs(x - y)
                : norm == 2 ? (x, y) -> (x - y) * (x - y) : (x, y) -> Math.pow(Math.abs(x - y), norm);
        double[] distances = Arrays.stream(distances(perColumn))
                .map(norm == 1 ? d -> d : norm == 2 ? Math::sqrt : d -> Math.pow(d, 1 / norm))
                .filter(d -> d > 0)
                .sorted()
                .toArray();
        if (distances.length == 0) {
            throw allEqual();
        }
        int half = distances.length / 2;
        return distances.length % 2 == 1 ? distances[half] : (distances[half - 1] + distances[half]) / 2;
    }

    /**
     * Returns the mean, over pairs of sampled rows, of a function of a distance that is a sum over the columns. For
     * large samples, a random part of the pairs is used.
     *
     * @param perColumn the term of one column; 0 for two zeros
     * @param ofSum the function of the sum
     */
    public double meanDistance(DoubleBinaryOperator perColumn, DoubleUnaryOperator ofSum) {
        double mean = Arrays.stream(distances(perColumn)).map(ofSum).average().orElseThrow();
        if (!(mean > 0)) {
            throw allEqual();
        }
        return mean;
    }

    private BochnerException allEqual() {
        return new BochnerException("all sampled rows are equal" + (warp == null ? "" : " after " + warp));
    }

    private void requireColumns(int from, int to) {
        Require.that(
                from >= 0 && from < to && to <= columns(),
                "RowSample: columns " + from + ":" + to + " do not lie within 0:" + columns());
    }

    /**
     * Returns the sums over columns of pairs of rows. Columns in which both rows are zero add nothing, with or without
     * a warp, so only non-zeros are visited.
     */
    private double[] distances(DoubleBinaryOperator perColumn) {
        int n = rows();
        if (n < 2) {
            throw new BochnerException("a scale is measured between rows, and the data has " + n);
        }
        int[] pairs = Samplers.pairs(seed.derive("pairs").stream(), n, MAX_PAIRS);
        double[] distances = new double[pairs.length / 2];
        Warp function = warp;
        for (int p = 0; p < distances.length; p++) {
            double[] sum = new double[1];
            PairVisitor add = function == null
                    ? (column, x, y) -> sum[0] += perColumn.applyAsDouble(x / units.at(column), y / units.at(column))
                    : (column, x, y) -> sum[0] += perColumn.applyAsDouble(
                            function.apply(x, column) / units.at(column), function.apply(y, column) / units.at(column));
            PairVisitor.visit(rows, pairs[2 * p], pairs[2 * p + 1], 0, columns(), add);
            distances[p] = sum[0];
        }
        return distances;
    }
}
