package org.bochner.design;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.ShiftInvariantKernel;

/**
 * What a design approximates: a signature, on a box of differences, with errors weighed. Targets of kernels are values:
 * equal ones have one design.
 */
public record Target(ToDoubleFunction<double[]> signature, List<Axis> axes, ToDoubleFunction<double[]> weight) {
    /**
     * The differences of one column: up to a length, from −length to length, or all of them where values repeat with a period
     * of twice the length.
     *
     * @param length the largest difference; infinite for all of them, which needs a weight that falls to 0
     */
    public record Axis(double length, boolean periodic) {
        public Axis {
            Require.that(length > 0, "domain", "its length must be positive, got " + Spelling.print(length));
            Require.that(
                    !periodic || length < Double.POSITIVE_INFINITY,
                    "domain",
                    "a period must be finite, got " + Spelling.print(2 * length));
        }

        /** Differences up to a length. */
        public static Axis upTo(double length) {
            return new Axis(length, false);
        }

        /** Differences of values from low to high. */
        public static Axis between(double low, double high) {
            Require.that(
                    low < high && Double.isFinite(high - low),
                    "domain",
                    "low must be less than high, got " + Spelling.print(low) + ":" + Spelling.print(high));
            return upTo(high - low);
        }

        /** Differences of values that repeat, such as angles with the period 2π. */
        public static Axis periodic(double period) {
            Require.positive("domain", "period", period);
            return new Axis(period / 2, true);
        }

        /** All differences. */
        public static Axis unbounded() {
            return upTo(Double.POSITIVE_INFINITY);
        }

        boolean bounded() {
            return length < Double.POSITIVE_INFINITY;
        }
    }

    /** The error weight under which errors count alike at all differences. */
    private static double absolute(double[] unusedDifference) {
        return 1;
    }

    /** Errors count relative to the signature, 1/|k|. */
    private record RelativeWeight(ToDoubleFunction<double[]> signature) implements ToDoubleFunction<double[]> {
        @Override
        public double applyAsDouble(double[] z) {
            return 1 / Math.abs(signature.applyAsDouble(z.clone()));
        }
    }

    /**
     * The error weight of a homogeneous kernel's signature at log-ratios, exp(−degree·|λ|/2): the design error is then the
     * error of the kernel over all values of which the larger is 1.
     */
    private record RatioWeight(double degree) implements ToDoubleFunction<double[]> {
        @Override
        public double applyAsDouble(double[] z) {
            return StrictMath.exp(-degree * Math.abs(z[0]) / 2);
        }
    }

    /** The most columns: points and frequencies grow with their power. */
    public static final int MOST_COLUMNS = 3;

    public Target {
        axes = List.copyOf(axes);
        Require.that(
                !axes.isEmpty() && axes.size() <= MOST_COLUMNS,
                "design",
                "is for 1 to " + MOST_COLUMNS + " columns, got " + axes.size()
                        + "; take random Fourier features for more");
    }

    /** The signature of a shift-invariant kernel. */
    private record OfOffsets(ShiftInvariantKernel kernel) implements ToDoubleFunction<double[]> {
        @Override
        public double applyAsDouble(double[] z) {
            return kernel.atOffset(z);
        }

        @Override
        public String toString() {
            return kernel.toString();
        }
    }

    /** The signature of a homogeneous kernel at a log-ratio. */
    private record OfRatios(HomogeneousKernel kernel) implements ToDoubleFunction<double[]> {
        @Override
        public double applyAsDouble(double[] z) {
            return kernel.signature(z[0]);
        }

        @Override
        public String toString() {
            return kernel.toString();
        }
    }

    /** Any signature on a box, with the same weight everywhere. */
    public static Target of(ToDoubleFunction<double[]> signature, Axis... axes) {
        return new Target(signature, List.of(axes), Target::absolute);
    }

    /** A shift-invariant kernel of as many columns as there are axes; in a column with a period, all of it. */
    public static Target of(ShiftInvariantKernel kernel, Axis... axes) {
        Require.that(
                kernel.minimumColumns() <= axes.length,
                "design",
                kernel + " needs " + kernel.minimumColumns() + " columns, got the range of " + axes.length);
        List<Axis> fitting = new ArrayList<>();
        for (int l = 0; l < axes.length; l++) {
            double period = kernel.period(l);
            fitting.add(period < Double.POSITIVE_INFINITY ? Axis.periodic(period) : axes[l]);
        }
        return new Target(new OfOffsets(kernel), fitting, Target::absolute);
    }

    /** A homogeneous kernel of values up to 1 whose ratio is at most so large: M = log(largestRatio). */
    public static Target ofRatios(HomogeneousKernel kernel, double largestRatio) {
        Require.that(
                largestRatio > 1, "domain", "values must have a ratio above 1, got " + Spelling.print(largestRatio));
        return new Target(
                new OfRatios(kernel),
                List.of(Axis.upTo(StrictMath.log(largestRatio))),
                new RatioWeight(kernel.degree()));
    }

    /** A homogeneous kernel of values up to 1, whatever their ratio. */
    public static Target ofAllRatios(HomogeneousKernel kernel) {
        return ofRatios(kernel, Double.POSITIVE_INFINITY);
    }

    /** The same with errors relative to the signature. */
    public Target relative() {
        return weighted(new RelativeWeight(signature));
    }

    /** Returns true if errors count relative to the signature. */
    public boolean isRelative() {
        return weight instanceof RelativeWeight;
    }

    /** Returns true if the error weight falls to 0 as the ratio of two values grows. */
    boolean isOfRatios() {
        return weight instanceof RatioWeight;
    }

    /** Returns the degree of the kernel whose ratios weigh the errors. */
    double degree() {
        return ((RatioWeight) weight).degree;
    }

    /** Returns the target with another error weight, a function of the difference. */
    public Target weighted(ToDoubleFunction<double[]> other) {
        return new Target(signature, axes, other);
    }

    /** What an error of the size of the signature at 0 weighs there. */
    double sizeAtZero() {
        double[] zero = new double[columns()];
        double value = signature.applyAsDouble(zero.clone());
        return value * weight.applyAsDouble(zero);
    }

    /** Whether the signature is even in each difference by itself, as far as some points tell. */
    boolean evenInEveryColumn() {
        int columns = columns();
        double[] z = new double[columns];
        for (int i = 1; i <= 8; i++) {
            for (int l = 0; l < columns; l++) {
                // Places without a pattern that a signature could share.
                double turns = i * (l + 1) * 0.6180339887498949;
                z[l] = axes.get(l).length() * (turns - Math.floor(turns)) / i;
            }
            double value = signature.applyAsDouble(z.clone());
            for (int l = 0; l < columns; l++) {
                z[l] = -z[l];
                if (Math.abs(signature.applyAsDouble(z.clone()) - value) > 1e-12 * (1 + Math.abs(value))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The same on another box. */
    Target on(List<Axis> others) {
        return new Target(signature, others, weight);
    }

    int columns() {
        return axes.size();
    }

    double value(double[] z, int from) {
        return signature.applyAsDouble(Arrays.copyOfRange(z, from, from + columns()));
    }

    /** The signature along one axis, where all other differences are 0. */
    private record Cut(ToDoubleFunction<double[]> signature, int columns, int column)
            implements ToDoubleFunction<double[]> {
        @Override
        public double applyAsDouble(double[] z) {
            double[] full = new double[columns];
            full[column] = z[0];
            return signature.applyAsDouble(full);
        }
    }

    /** The target of one column, where all other differences are 0. */
    Target along(int column) {
        return new Target(new Cut(signature, columns(), column), List.of(axes.get(column)), Target::absolute);
    }
}
