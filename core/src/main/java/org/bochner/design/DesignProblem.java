package org.bochner.design;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.data.ColumnRange;
import org.bochner.design.Target.Axis;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.RowSample.Interval;
import org.bochner.kernel.SeparableKernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.kernel.composed.SumKernel;
import org.bochner.kernel.composed.WarpedKernel;

/**
 * A kernel to design a map for, and the range of values that the design holds for. The kernel depends either on the
 * ratio of two values, such as chi2, or on the difference of two rows of 1 to 3 columns, such as gaussian.
 *
 * <pre>{@code
 * DesignProblem problem = DesignProblem.of(Kernels.parse("chi2"), List.of(new RowSample.Interval(1, 255)), 0, false);
 * Design design = problem.ofDimension(Plan.DEFAULT, 5);
 * }</pre>
 *
 * @param kernel the kernel, of all columns
 * @param ranges the values of each column, empty for a column with a period; for a kernel of ratios one range for all
 *     columns, empty for every ratio
 * @param relative true to minimise errors relative to the kernel
 */
public record DesignProblem(Kernel kernel, List<Optional<Interval>> ranges, boolean relative) {
    private static final Remedy GIVE_RANGE = Remedy.set(Setting.RANGE, "");
    private static final Remedy EVERY_RATIO = Remedy.set(Setting.UNIVERSAL, "");

    public DesignProblem {
        requireDesignable(kernel);
        ranges = List.copyOf(ranges);
        requireColumns(ranges.size());
        if (relative && kernel instanceof HomogeneousKernel && ranges.get(0).isEmpty()) {
            throw new BochnerException(
                    "the relative error has no bound over every ratio: " + kernel
                            + " falls to 0 as the ratio grows, and its map does not",
                    GIVE_RANGE);
        }
    }

    /**
     * Returns the kernel to design for: the kernel itself, or that of a channel without its columns.
     *
     * @return a {@link ShiftInvariantKernel} or a {@link HomogeneousKernel}
     * @throws BochnerException if the kernel has no design; its remedies say what to do instead
     */
    public static Kernel requireDesignable(Kernel kernel) {
        if (kernel instanceof ChannelKernel channel) {
            return requireDesignable(channel.kernel());
        }
        if (kernel instanceof ShiftInvariantKernel
                || (kernel instanceof HomogeneousKernel && !(kernel instanceof SeparableKernel))) {
            return kernel;
        }
        throw new BochnerException(
                "designs are for kernels of the ratio of two values, such as chi2, and for kernels of the difference of"
                        + " rows of 1 to " + Target.MOST_COLUMNS + " columns, such as gaussian; got " + kernel,
                advice(kernel));
    }

    private static Remedy advice(Kernel kernel) {
        if (kernel instanceof SeparableKernel) {
            return Remedy.set(Setting.MAP, "exact", "has one feature per column and no error");
        }
        if (kernel instanceof RadialKernel radial) {
            String stage =
                    "uses a design for " + radial.additive() + ", whose distance it is a kernel of, as first stage";
            return Remedy.set(Setting.MAP, "fourier@lp(dimension=5)", stage);
        }
        if (kernel instanceof SumKernel) {
            return Remedy.advice("design for its terms one by one, and add their maps with '+'");
        }
        if (kernel instanceof ScaledKernel scaled) {
            return Remedy.advice("leave out the factor: its errors are those of " + scaled.kernel() + " times it");
        }
        if (kernel instanceof WarpedKernel warped) {
            return Remedy.advice("design for " + warped.kernel() + " on the range of the warped values");
        }
        return Remedy.set(Setting.MAP, "auto", "makes features of kernels of inner products");
    }

    /**
     * Creates a problem from ranges of values.
     *
     * @param kernel the kernel, without missing scales
     * @param ranges for a kernel of ratios one range, or none for every ratio; else one range per column, one per
     *     column without a period, or one for all columns
     * @param columns the number of columns; 0 if kernel and ranges say it
     */
    public static DesignProblem of(Kernel kernel, List<Interval> ranges, int columns, boolean relative) {
        Kernel inner = requireDesignable(kernel);
        if (inner instanceof HomogeneousKernel ratios) {
            return ofRatios(ratios, ranges, columns, relative);
        }
        int own = inner == kernel ? columns : count(kernel, 0);
        return ofDifferences((ShiftInvariantKernel) inner, ranges, own, relative);
    }

    private static DesignProblem ofRatios(
            HomogeneousKernel kernel, List<Interval> ranges, int columns, boolean relative) {
        if (columns > 0) {
            throw new BochnerException(
                    "every column of " + kernel + " has the same map; leave the number of columns out");
        }
        if (ranges.size() > 1) {
            throw new BochnerException(
                    kernel + " has the same map for every column; give one interval, that of all values");
        }
        for (Interval range : ranges) {
            requireIn(range, kernel, 0);
            if (range.low() == 0) {
                throw new BochnerException(
                        "the range begins at 0, and ratios to 0 have no limit",
                        Remedy.advice("give the smallest positive value, which is 1 for counts"),
                        Remedy.set(Setting.UNIVERSAL, "for a map of every ratio (0 itself has no error)"));
            }
            if (Double.isInfinite(range.high() / range.low())) {
                throw new BochnerException(
                        "the ratio of " + range + " is infinite in float64",
                        Remedy.set(Setting.UNIVERSAL, "takes every ratio"));
            }
        }
        return new DesignProblem(kernel, List.of(ranges.stream().findFirst()), relative);
    }

    private static DesignProblem ofDifferences(
            ShiftInvariantKernel kernel, List<Interval> given, int asked, boolean relative) {
        int columns = columns(kernel, given.size(), asked);
        requireColumns(columns);
        int open = (int)
                IntStream.range(0, columns).filter(l -> !isPeriodic(kernel, l)).count();
        if (!given.isEmpty() && open == 0) {
            throw new BochnerException(
                    kernel + " repeats in every column, and its design holds for all values; leave the range out");
        }
        if (given.isEmpty() && open > 0) {
            throw new BochnerException(
                    "give the range of the values, because " + kernel + " is approximated on it",
                    GIVE_RANGE,
                    Remedy.advice("data to take it from"));
        }
        if (given.size() > 1 && given.size() != columns && given.size() != open) {
            throw new BochnerException("there are " + given.size() + " intervals, and " + kernel + " has " + columns
                    + (columns == 1 ? " column" : " columns")
                    + (open == columns ? "" : ", of which " + open + " without a period")
                    + "; give one interval for each of these, or one for all");
        }
        List<Optional<Interval>> ranges = new ArrayList<>();
        int next = 0;
        for (int l = 0; l < columns; l++) {
            if (isPeriodic(kernel, l)) {
                ranges.add(Optional.empty());
                next += given.size() == columns ? 1 : 0;
            } else {
                Interval range = given.get(given.size() == 1 ? 0 : next++);
                requireIn(range, kernel, l);
                ranges.add(Optional.of(range));
            }
        }
        return new DesignProblem(kernel, ranges, relative);
    }

    private static boolean isPeriodic(ShiftInvariantKernel kernel, int column) {
        return kernel.period(column) < Double.POSITIVE_INFINITY;
    }

    private static int columns(ShiftInvariantKernel kernel, int given, int asked) {
        int own = kernel.minimumColumns();
        if (own > 1) {
            Require.that(asked == 0 || asked == own, "design", kernel + " is of " + own + " columns, not " + asked);
            return own;
        }
        return asked > 0 ? asked : Math.max(1, given);
    }

    private static void requireIn(Interval range, Kernel kernel, int column) {
        Require.that(range.low() < range.high(), "range", "LOW must be less than HIGH, got " + range);
        kernel.requireValue(range.low(), column);
    }

    /**
     * Fails if the columns that a kernel reads are too many for a design.
     *
     * @param columns the number of columns of the data
     */
    public static void requireColumns(Kernel kernel, int columns) {
        if (!isOfRatios(kernel)) {
            requireColumns(count(kernel, columns));
        }
    }

    /** Returns the number of columns that a kernel reads. */
    private static int count(Kernel kernel, int columns) {
        ColumnRange read = Kernels.columns(kernel, columns);
        return read.to() - read.from();
    }

    /** Returns true if a kernel depends on the ratio of two values; all columns then share one map. */
    public static boolean isOfRatios(Kernel kernel) {
        return requireDesignable(kernel) instanceof HomogeneousKernel;
    }

    private static void requireColumns(int columns) {
        if (columns > Target.MOST_COLUMNS) {
            throw new BochnerException(
                    "designs are for 1 to " + Target.MOST_COLUMNS + " columns, and these are " + columns,
                    Remedy.set(Setting.KERNEL, "gaussian[0:2]", "names columns"),
                    Remedy.set(Setting.MAP, "fourier", "takes random Fourier features"));
        }
    }

    /**
     * Creates a problem with the range of a sample of scaled rows.
     *
     * @param kernel the kernel, without missing scales
     * @param name the name of the rows, for messages
     */
    public static DesignProblem of(Kernel kernel, RowSample rows, String name, boolean relative) {
        requireColumns(kernel, rows.columns());
        int from = Kernels.columns(kernel, rows.columns()).from();
        int to = Kernels.columns(kernel, rows.columns()).to();
        Kernel inner = requireDesignable(kernel);
        if (inner instanceof HomogeneousKernel ratios) {
            return new DesignProblem(ratios, List.of(Optional.of(positive(rows.range(from, to), name))), relative);
        }
        ShiftInvariantKernel differences = (ShiftInvariantKernel) inner;
        List<Optional<Interval>> ranges = new ArrayList<>();
        for (int l = from; l < to; l++) {
            ranges.add(isPeriodic(differences, l - from) ? Optional.empty() : Optional.of(column(rows, l, name)));
        }
        return new DesignProblem(differences, ranges, relative);
    }

    private static Interval positive(Interval range, String name) {
        if (range.low() < range.high()) {
            return interval(range.low(), range.high());
        }
        String value = Spelling.print((float) range.high());
        String problem = range.hasPositive()
                ? "all positive values are " + value + ", so that their ratio is always 1"
                : "no value is positive, so that there is no range";
        throw DataException.in(name, problem, GIVE_RANGE, EVERY_RATIO);
    }

    private static Interval column(RowSample rows, int column, String name) {
        String constant =
                "column " + column + " has the same value in all rows, so that there is no range of differences";
        return rows.interval(column)
                .filter(range -> range.low() < range.high())
                .map(range -> interval(range.low(), range.high()))
                .orElseThrow(() -> DataException.in(name, constant, GIVE_RANGE, Remedy.advice("leave the column out")));
    }

    /** Returns an interval of float32 values, each as its shortest decimal. */
    private static Interval interval(double low, double high) {
        return new Interval(
                Double.parseDouble(Float.toString((float) low)), Double.parseDouble(Float.toString((float) high)));
    }

    /** Returns true if the kernel depends on the ratio of two values; all columns then share one map. */
    public boolean ofRatios() {
        return kernel instanceof HomogeneousKernel;
    }

    /** Returns true if the design holds for values of every ratio. */
    public boolean universal() {
        return ofRatios() && ranges.get(0).isEmpty();
    }

    /**
     * Returns the kernel's largest value on the range, for kernels of ratios; their absolute errors are shares of it.
     */
    public double largest() {
        return kernel instanceof HomogeneousKernel ratios
                ? ranges.get(0)
                        .map(range -> Math.pow(range.high(), ratios.degree()))
                        .orElse(1.0)
                : 1;
    }

    /** Returns the period of a column; infinite if there is none. */
    public double period(int column) {
        return kernel instanceof ShiftInvariantKernel differences
                ? differences.period(column)
                : Double.POSITIVE_INFINITY;
    }

    /** Returns the number of columns of the design. */
    public int columns() {
        return ranges.size();
    }

    /** Finds the design with the least error for at most this number of features. */
    public Design ofDimension(Plan plan, int dimension) {
        return Designs.ofDimension(target(), plan, dimension);
    }

    /**
     * Finds the design with the least error for at most this number of features, and reports the progress.
     *
     * @param progress receives the share of the search that is done, from 0 to 1
     */
    public Design ofDimension(Plan plan, int dimension, DoubleConsumer progress) {
        return Designs.ofDimension(target(), plan, dimension, progress);
    }

    /**
     * Finds the design with the fewest features for an error.
     *
     * @param tried receives each size that was tried for several columns, because the search takes seconds to minutes
     */
    public Design ofError(Plan plan, double error, Consumer<Design> tried) {
        return Designs.ofError(target(), plan, error, tried);
    }

    private Target target() {
        Target target;
        if (kernel instanceof HomogeneousKernel ratios) {
            target = ranges.get(0)
                    .map(range -> Target.ofRatios(ratios, range.high() / range.low()))
                    .orElseGet(() -> Target.ofAllRatios(ratios));
        } else {
            Axis[] axes = IntStream.range(0, ranges.size())
                    .mapToObj(l -> ranges.get(l)
                            .map(range -> Axis.between(range.low(), range.high()))
                            .orElseGet(() -> Axis.periodic(period(l))))
                    .toArray(Axis[]::new);
            target = Target.of((ShiftInvariantKernel) kernel, axes);
        }
        return relative ? target.relative() : target;
    }
}
