package org.bochner.kernel.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Warp;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.kernel.composed.SumKernel;
import org.bochner.kernel.composed.WarpedKernel;
import org.bochner.kernel.gram.DenseSize;
import org.bochner.kernel.shift.Gaussian;
import org.jspecify.annotations.Nullable;

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
    private final @Nullable Warp warp;
    /** The length-scales of a kernel of the Euclidean distance; 1 for others. */
    private final double[] units;
    /** The kernel as a function of the squared distance of two points; null for other kernels. */
    private final @Nullable DoubleUnaryOperator ofSquare;

    private final OfOffset ofOffset;
    private final boolean gaussian;

    /** A function of the differences of two points. */
    @FunctionalInterface
    private interface OfOffset {
        double at(double[] delta);
    }

    private DecayingKernel(double factor, @Nullable Warp warp, ShiftInvariantKernel kernel, int columns) {
        this.columns = columns;
        this.factor = factor;
        this.warp = warp;
        units = kernel.sigma().toArray(columns);
        ofSquare = kernel.ofScaledSquare().orElse(null);
        if (ofSquare == null) {
            Arrays.fill(units, 1);
        }
        ofOffset = kernel::atOffset;
        gaussian = kernel instanceof Gaussian;
    }

    private DecayingKernel(DecayingKernel other) {
        columns = other.columns;
        factor = 1;
        warp = other.warp;
        units = other.units;
        ofSquare = other.ofSquare;
        ofOffset = other.ofOffset;
        gaussian = other.gaussian;
    }

    private DecayingKernel(OfOffset function, int columns) {
        this.columns = columns;
        factor = 1;
        warp = null;
        units = new double[columns];
        Arrays.fill(units, 1);
        ofSquare = null;
        ofOffset = function;
        gaussian = false;
    }

    /** Returns the kernel for rows of a number of columns; empty if it does not decrease with every difference. */
    static Optional<DecayingKernel> of(Kernel kernel, int columns) {
        double factor = kernel instanceof ScaledKernel scaled ? scaled.factor() : 1;
        Kernel inner = kernel instanceof ScaledKernel scaled ? scaled.kernel() : kernel;
        Warp warp = inner instanceof WarpedKernel warped ? warped.warp() : null;
        Kernel plain = inner instanceof WarpedKernel warped ? warped.kernel() : inner;
        if (plain instanceof ShiftInvariantKernel shift) {
            return shift.decreases() ? Optional.of(new DecayingKernel(factor, warp, shift, columns)) : Optional.empty();
        }
        OfOffset function = ofOffset(kernel);
        return function == null ? Optional.empty() : Optional.of(new DecayingKernel(function, columns));
    }

    private static @Nullable OfOffset ofOffset(Kernel kernel) {
        if (kernel instanceof SumKernel sum) {
            List<OfOffset> terms = new ArrayList<>();
            for (Kernel term : sum.terms()) {
                OfOffset function = ofOffset(term);
                if (function == null) {
                    return null;
                }
                terms.add(function);
            }
            return delta -> terms.stream().mapToDouble(term -> term.at(delta)).sum();
        }
        if (kernel instanceof ScaledKernel scaled) {
            OfOffset function = ofOffset(scaled.kernel());
            return function == null ? null : delta -> scaled.factor() * function.at(delta);
        }
        if (kernel instanceof ChannelKernel channel) {
            OfOffset function = ofOffset(channel.kernel());
            return function == null
                    ? null
                    : delta -> function.at(Arrays.copyOfRange(delta, channel.from(), channel.to()));
        }
        return kernel instanceof ShiftInvariantKernel shift && shift.decreases() ? shift::atOffset : null;
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
        return new DecayingKernel(this);
    }

    /** Returns true for a multiple of the kernel exp(−|x−y|²/2) of points. */
    boolean gaussian() {
        return gaussian;
    }

    /** Returns k(x, x). */
    double atZero() {
        return at(new double[columns]);
    }

    /** Writes the point of a row. */
    void toPoint(double[] row, double[] points, int at) {
        double[] warped = warp == null ? row : warp.applyToRow(row);
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
        if (ofSquare == null) {
            return factor * ofOffset.at(delta);
        }
        double square = 0;
        for (double d : delta) {
            square += d * d;
        }
        return factor * ofSquare.applyAsDouble(square);
    }

    /**
     * Returns the value of two points.
     *
     * @param scratch one number per column
     */
    double value(double[] points, int at, double[] others, int other, double[] scratch) {
        if (ofSquare != null) {
            return factor * ofSquare.applyAsDouble(square(points, at, others, other));
        }
        for (int l = 0; l < columns; l++) {
            scratch[l] = points[at + l] - others[other + l];
        }
        return factor * ofOffset.at(scratch);
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
        return new Reach(least, ofSquare == null ? Double.NaN : largestSquare(ofSquare, least));
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
    final class Reach {
        private final double least;
        /** The largest squared distance; NaN if the kernel is no function of it. */
        private final double square;

        private Reach(double least, double square) {
            this.least = least;
            this.square = square;
        }

        boolean holds(double[] points, int at, double[] others, int other, double[] scratch) {
            return Double.isNaN(square)
                    ? value(points, at, others, other, scratch) >= least
                    : square(points, at, others, other) <= square;
        }

        /** Returns true if the kernel may have the value at the smallest differences of two boxes. */
        boolean holds(double[] delta) {
            if (Double.isNaN(square)) {
                return at(delta) >= least;
            }
            double sum = 0;
            for (double d : delta) {
                sum += d * d;
            }
            return sum <= square;
        }
    }
}
