package org.bochner.design;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.ShiftInvariantKernel;

/**
 * The target of a design: a signature on a box of differences, with an error weight. Targets of equal kernels, axes and
 * weights are equal, so their designs are cached together.
 */
public record Target(ToDoubleFunction<double[]> signature, List<Axis> axes, ToDoubleFunction<double[]> weight) {
    /**
     * The differences of one column: from −length to length, or all differences if values repeat with a period of twice
     * the length.
     *
     * @param length the largest difference; infinite for all differences, which needs an error weight that falls to 0
     */
    public record Axis(double length, boolean periodic) {
        public Axis {
            Require.that(length > 0, "domain", "its length must be positive, got " + Spelling.print(length));
            Require.that(
                    !periodic || length < Double.POSITIVE_INFINITY,
                    "domain: a period must be finite, got " + Spelling.print(2 * length));
        }

        /** Creates an axis of differences up to a length. */
        public static Axis upTo(double length) {
            return new Axis(length, false);
        }

        /** Creates an axis of the differences of values from {@code low} to {@code high}. */
        public static Axis between(double low, double high) {
            Require.that(
                    low < high && Double.isFinite(high - low),
                    "domain: low must be less than high, got " + Spelling.print(low) + ":" + Spelling.print(high));
            return upTo(high - low);
        }

        /** Creates an axis of values that repeat with a period, such as angles with the period 2π. */
        public static Axis periodic(double period) {
            Require.positive("domain", "period", period);
            return new Axis(period / 2, true);
        }

        /** Creates an axis of all differences. */
        public static Axis infinite() {
            return upTo(Double.POSITIVE_INFINITY);
        }

        boolean finite() {
            return length < Double.POSITIVE_INFINITY;
        }
    }

    /** The error weight 1 at all differences. */
    @SuppressWarnings("UnnecessaryLambda") // targets are compared, and a method reference is a new object each time
    private static final ToDoubleFunction<double[]> ABSOLUTE = z -> 1;

    /** The error weight 1/|k|, for errors relative to the signature. */
    private record RelativeWeight(ToDoubleFunction<double[]> signature) implements ToDoubleFunction<double[]> {
        @Override
        public double applyAsDouble(double[] z) {
            return 1 / Math.abs(signature.applyAsDouble(z.clone()));
        }
    }

    /**
     * The error weight of a homogeneous kernel's signature at log-ratios, exp(−degree·|λ|/2). With this weight, the
     * design error equals the kernel error over all pairs (x, y) with max(x, y) = 1.
     */
    private record RatioWeight(double degree) implements ToDoubleFunction<double[]> {
        @Override
        public double applyAsDouble(double[] z) {
            return StrictMath.exp(-degree * Math.abs(z[0]) / 2);
        }
    }

    /** The largest number of columns; the numbers of points and frequencies grow exponentially with it. */
    public static final int MOST_COLUMNS = 3;

    public Target {
        axes = List.copyOf(axes);
        Require.that(
                !axes.isEmpty() && axes.size() <= MOST_COLUMNS,
                "design: is for 1 to " + MOST_COLUMNS + " columns, got " + axes.size()
                        + "; take random Fourier features for more");
    }

    /** The signature of a homogeneous kernel at a log-ratio, or of a shift-invariant kernel at an offset. */
    private record OfKernel(Kernel kernel) implements ToDoubleFunction<double[]> {
        @Override
        public double applyAsDouble(double[] z) {
            return kernel instanceof HomogeneousKernel ratios
                    ? ratios.signature(z[0])
                    : ((ShiftInvariantKernel) kernel).atOffset(z);
        }

        @Override
        public String toString() {
            return kernel.toString();
        }
    }

    /** Creates a target of any signature on a box, with the error weight 1. */
    public static Target of(ToDoubleFunction<double[]> signature, Axis... axes) {
        return new Target(signature, List.of(axes), ABSOLUTE);
    }

    /**
     * Creates a target of a shift-invariant kernel with one column per axis; a periodic column covers its whole period.
     */
    public static Target of(ShiftInvariantKernel kernel, Axis... axes) {
        Require.that(
                kernel.minimumColumns() <= axes.length,
                "design: " + kernel + " needs " + kernel.minimumColumns() + " columns, got the range of "
                        + axes.length);
        List<Axis> fitting = new ArrayList<>();
        for (int l = 0; l < axes.length; l++) {
            double period = kernel.period(l);
            fitting.add(period < Double.POSITIVE_INFINITY ? Axis.periodic(period) : axes[l]);
        }
        return new Target(new OfKernel(kernel), fitting, ABSOLUTE);
    }

    /**
     * Creates a target of a homogeneous kernel of values up to 1 with at most the given ratio: M = log(largestRatio).
     */
    public static Target ofRatios(HomogeneousKernel kernel, double largestRatio) {
        Require.that(
                largestRatio > 1, "domain", "values must have a ratio above 1, got " + Spelling.print(largestRatio));
        Axis logarithms = Axis.upTo(StrictMath.log(largestRatio));
        return new Target(new OfKernel(kernel), List.of(logarithms), new RatioWeight(kernel.degree()));
    }

    /** Creates a target of a homogeneous kernel of values up to 1 with any ratio. */
    public static Target ofAllRatios(HomogeneousKernel kernel) {
        return ofRatios(kernel, Double.POSITIVE_INFINITY);
    }

    /** Returns the target with errors relative to the signature. */
    public Target relative() {
        return weighted(new RelativeWeight(signature));
    }

    /** Returns true if errors count relative to the signature. */
    public boolean isRelative() {
        return weight instanceof RelativeWeight;
    }

    /** Returns a text that only equal targets have; empty for functions that are no kernel with a spelling. */
    Optional<String> spelling() {
        Optional<String> weighted = weight == ABSOLUTE
                ? Optional.of("absolute")
                : isOfRatios()
                        ? Optional.of("ratios of degree " + DesignStore.hex(degree()))
                        : isRelative() && ((RelativeWeight) weight).signature.equals(signature)
                                ? Optional.of("relative")
                                : Optional.empty();
        if (!(signature instanceof OfKernel of) || weighted.isEmpty() || !isSpelled(of.kernel)) {
            return Optional.empty();
        }
        String box = axes.stream()
                .map(axis -> DesignStore.hex(axis.length()) + (axis.periodic() ? " periodic" : ""))
                .collect(Collectors.joining(", "));
        return Optional.of("kernel " + of.kernel + "\naxes " + box + "\nweight " + weighted.get());
    }

    private static boolean isSpelled(Kernel kernel) {
        try {
            String text = kernel.toString();
            return text.indexOf('\n') < 0 && Kernels.parse(text).equals(kernel);
        } catch (BochnerException e) {
            return false;
        }
    }

    /** Returns true if the error weight falls to 0 as the ratio of two values grows. */
    boolean isOfRatios() {
        return weight instanceof RatioWeight;
    }

    /** Returns the degree of the kernel, for a target of ratios. */
    double degree() {
        return ((RatioWeight) weight).degree;
    }

    /** Returns the target with another error weight, a function of the difference. */
    public Target weighted(ToDoubleFunction<double[]> other) {
        return new Target(signature, axes, other);
    }

    /** Returns the signature at 0 times the error weight at 0. */
    double sizeAtZero() {
        double[] zero = new double[columns()];
        double value = signature.applyAsDouble(zero.clone());
        return value * weight.applyAsDouble(zero);
    }

    /** Returns true if the signature is even in each difference by itself, tested at some points. */
    boolean evenInEveryColumn() {
        int columns = columns();
        double[] z = new double[columns];
        for (int i = 1; i <= 8; i++) {
            for (int l = 0; l < columns; l++) {
                // Irregular places, so that a pattern of the signature is not hit by chance.
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

    /** Returns the target on another box. */
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

    /** Returns the target of one column, with all other differences 0. */
    Target along(int column) {
        return new Target(new Cut(signature, columns(), column), List.of(axes.get(column)), ABSOLUTE);
    }
}
