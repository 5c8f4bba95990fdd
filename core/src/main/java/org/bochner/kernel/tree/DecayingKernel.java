package org.bochner.kernel.tree;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.kernel.composed.SumKernel;
import org.bochner.kernel.composed.WarpedKernel;
import org.bochner.kernel.gram.DenseSize;
import org.bochner.kernel.shift.Gaussian;

/**
 * A kernel as a function of the differences of points, which does not grow when the size of a difference grows. Points
 * are rows after the warp of the kernel, and in units of the length-scales if the kernel is a function of the Euclidean
 * distance.
 *
 * <p>Threads: safe; immutable.
 */
final class DecayingKernel {
    private final int columns;
    private final double factor;
    private final UnaryOperator<double[]> warp;
    /** The length-scales of a kernel of the Euclidean distance; 1 for others. */
    private final double[] units;

    private final Profile profile;

    /** The kernel without its factor, as a function of two points. */
    private sealed interface Profile permits OfSquare, OfOffset {}

    /**
     * A function of the squared distance.
     *
     * @param gaussian true for exp(−|x−y|²/2)
     */
    private record OfSquare(DoubleUnaryOperator function, boolean gaussian) implements Profile {}

    /** A function of the differences. */
    private record OfOffset(ToDoubleFunction<double[]> function) implements Profile {}

    private DecayingKernel(int columns, double factor, UnaryOperator<double[]> warp, double[] units, Profile profile) {
        this.columns = columns;
        this.factor = factor;
        this.warp = warp;
        this.units = units;
        this.profile = profile;
    }

    /** Returns the kernel for rows of a number of columns; empty if it does not decrease with every difference. */
    static Optional<DecayingKernel> of(Kernel kernel, int columns) {
        double factor = kernel instanceof ScaledKernel scaled ? scaled.factor() : 1;
        Kernel inner = kernel instanceof ScaledKernel scaled ? scaled.kernel() : kernel;
        UnaryOperator<double[]> warp = inner instanceof WarpedKernel warped ? warped.warp()::applyToRow : row -> row;
        Kernel plain = inner instanceof WarpedKernel warped ? warped.kernel() : inner;
        double[] ones = new double[columns];
        Arrays.fill(ones, 1);
        if (!(plain instanceof ShiftInvariantKernel shift)) {
            return ofOffset(kernel)
                    .map(function -> new DecayingKernel(columns, 1, row -> row, ones, new OfOffset(function)));
        }
        if (!shift.decreases()) {
            return Optional.empty();
        }
        return Optional.of(shift.ofScaledSquare()
                .map(function -> new DecayingKernel(
                        columns,
                        factor,
                        warp,
                        shift.sigma().toArray(columns),
                        new OfSquare(function, shift instanceof Gaussian)))
                .orElseGet(() -> new DecayingKernel(columns, factor, warp, ones, new OfOffset(shift::atOffset))));
    }

    private static Optional<ToDoubleFunction<double[]>> ofOffset(Kernel kernel) {
        if (kernel instanceof SumKernel sum) {
            List<Optional<ToDoubleFunction<double[]>>> terms =
                    sum.terms().stream().map(DecayingKernel::ofOffset).toList();
            if (terms.stream().anyMatch(Optional::isEmpty)) {
                return Optional.empty();
            }
            List<ToDoubleFunction<double[]>> functions =
                    terms.stream().flatMap(Optional::stream).toList();
            return Optional.of(delta -> functions.stream()
                    .mapToDouble(function -> function.applyAsDouble(delta))
                    .sum());
        }
        if (kernel instanceof ScaledKernel scaled) {
            return ofOffset(scaled.kernel()).map(function -> delta -> scaled.factor() * function.applyAsDouble(delta));
        }
        if (kernel instanceof ChannelKernel channel) {
            return ofOffset(channel.kernel())
                    .map(function ->
                            delta -> function.applyAsDouble(Arrays.copyOfRange(delta, channel.from(), channel.to())));
        }
        return kernel instanceof ShiftInvariantKernel shift && shift.decreases()
                ? Optional.of(shift::atOffset)
                : Optional.empty();
    }

    int columns() {
        return columns;
    }

    /** Returns the factor of the kernel. */
    double factor() {
        return factor;
    }

    /** Returns the kernel divided by its factor. */
    DecayingKernel withoutFactor() {
        return new DecayingKernel(columns, 1, warp, units, profile);
    }

    /** Returns true for a multiple of the kernel exp(−|x−y|²/2) of points. */
    boolean gaussian() {
        return profile instanceof OfSquare ofSquare && ofSquare.gaussian();
    }

    /** Returns k(x, x). */
    double atZero() {
        return at(new double[columns]);
    }

    /** Writes the point of a row. */
    void toPoint(double[] row, double[] points, int at) {
        double[] warped = warp.apply(row);
        for (int l = 0; l < columns; l++) {
            points[at + l] = warped[l] / units[l];
        }
    }

    /** Returns the points of rows, one after the other. */
    double[] points(RowBlock rows) {
        double[] points = new double[DenseSize.of(rows.rows(), columns, Double.BYTES)];
        double[] row = new double[columns];
        for (int i = 0; i < rows.rows(); i++) {
            rows.copyRow(i, row);
            toPoint(row, points, i * columns);
        }
        return points;
    }

    /** Returns the value at differences of points. */
    double at(double[] delta) {
        return profile instanceof OfSquare ofSquare
                ? factor * ofSquare.function().applyAsDouble(square(delta))
                : factor * ((OfOffset) profile).function().applyAsDouble(delta);
    }

    /**
     * Returns the value of two points.
     *
     * @param scratch one number per column
     */
    double value(double[] points, int at, double[] others, int other, double[] scratch) {
        if (profile instanceof OfSquare ofSquare) {
            return factor * ofSquare.function().applyAsDouble(square(points, at, others, other));
        }
        for (int l = 0; l < columns; l++) {
            scratch[l] = points[at + l] - others[other + l];
        }
        return factor * ((OfOffset) profile).function().applyAsDouble(scratch);
    }

    private static double square(double[] delta) {
        double square = 0;
        for (double d : delta) {
            square += d * d;
        }
        return square;
    }

    private double square(double[] points, int at, double[] others, int other) {
        double square = 0;
        for (int l = 0; l < columns; l++) {
            double difference = points[at + l] - others[other + l];
            square += difference * difference;
        }
        return square;
    }

    /** Returns the pairs of points with at least a value. */
    Reach reach(double least) {
        return profile instanceof OfSquare ofSquare
                ? new SquareReach(largestSquare(ofSquare.function(), least))
                : new ValueReach(least);
    }

    /** Returns the largest squared distance at which the kernel has at least a value; negative if there is none. */
    private double largestSquare(DoubleUnaryOperator function, double least) {
        // Non-negative doubles have the order of their bits.
        long low = -1;
        long high = Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);
        while (high - low > 1) {
            long middle = low + (high - low) / 2;
            if (factor * function.applyAsDouble(Double.longBitsToDouble(middle)) >= least) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low < 0 ? -1 : Double.longBitsToDouble(low);
    }

    /** Decides whether two points, or a point and a box, are so near that the kernel has at least a value. */
    interface Reach {
        boolean holds(double[] points, int at, double[] others, int other, double[] scratch);

        /** Returns true if the kernel may have the value at the smallest differences of two boxes. */
        boolean holds(double[] delta);
    }

    /** The pairs within a squared distance. */
    private final class SquareReach implements Reach {
        private final double most;

        SquareReach(double most) {
            this.most = most;
        }

        @Override
        public boolean holds(double[] points, int at, double[] others, int other, double[] scratch) {
            return square(points, at, others, other) <= most;
        }

        @Override
        public boolean holds(double[] delta) {
            return square(delta) <= most;
        }
    }

    /** The pairs with at least a value. */
    private final class ValueReach implements Reach {
        private final double least;

        ValueReach(double least) {
            this.least = least;
        }

        @Override
        public boolean holds(double[] points, int at, double[] others, int other, double[] scratch) {
            return value(points, at, others, other, scratch) >= least;
        }

        @Override
        public boolean holds(double[] delta) {
            return at(delta) >= least;
        }
    }
}
