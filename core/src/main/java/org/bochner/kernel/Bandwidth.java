package org.bochner.kernel;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.bochner.base.Require;
import org.bochner.kernel.columns.ByColumn;

/**
 * Length-scales of a kernel: one for all columns, {@code 0.5}, or one per column range, {@code [0:64=2, 64:364=3]}.
 * They are positive; some, but not all, may be {@code Infinity}, and the kernel ignores their columns. Where inverse
 * lengths are written, as for the power of the skewed kernels, an infinite length is 0.
 */
public final class Bandwidth {
    private final ByColumn ranges;

    /** True if the numbers are inverse lengths; 0 then stands for an infinite length. */
    private final boolean rates;

    private Bandwidth(String owner, String key, boolean rates, ByColumn ranges) {
        this.ranges = ranges;
        this.rates = rates;
        double off = rates ? 0 : Double.POSITIVE_INFINITY;
        boolean someCount = ranges.values().stream().anyMatch(value -> value != off);
        for (double value : ranges.values()) {
            if (value != off || !someCount) {
                Require.positive(owner, key, value);
            }
        }
    }

    /** Returns one length-scale for all columns. */
    public static Bandwidth of(double sigma) {
        return new Bandwidth("bandwidth", "sigma", false, ByColumn.of(sigma));
    }

    /** Returns one length-scale per column range; range r ends before column {@code ends[r]}. */
    public static Bandwidth ofRanges(int[] ends, double[] sigmas) {
        return new Bandwidth("bandwidth", "sigma", false, ByColumn.of("bandwidth", ends, sigmas));
    }

    /**
     * Reads the text that {@link #toString} prints.
     *
     * @param owner the kernel, for messages
     * @param key the parameter, for messages
     */
    public static Bandwidth parse(String owner, String key, String text) {
        return new Bandwidth(owner, key, false, ByColumn.parse(owner, key, text));
    }

    /** Reads inverse length-scales, such as the power of a skewed kernel. A column with 0 is ignored by the kernel. */
    public static Bandwidth parseInverse(String owner, String key, String text) {
        return new Bandwidth(owner, key, true, ByColumn.parse(owner, key, text));
    }

    /** Returns the length-scale of a column. */
    public double at(int column) {
        return ranges.at(column);
    }

    /** Returns the length-scales of columns 0, …, columns−1, in a new array. */
    public double[] toArray(int columns) {
        return IntStream.range(0, columns).mapToDouble(this::at).toArray();
    }

    /** Returns one over each length-scale, to convert between length-scales and frequency scales. */
    public Bandwidth inverse() {
        return new Bandwidth("bandwidth", rates ? "sigma" : "1/sigma", !rates, ranges.map(value -> 1 / value));
    }

    /** Applies a function to every value. {@code owner} and {@code key} name the result in error messages. */
    public Bandwidth map(String owner, String key, DoubleUnaryOperator function) {
        return new Bandwidth(owner, key, rates, ranges.map(function));
    }

    /**
     * Returns the length-scales of columns from (inclusive) to (exclusive), counted from 0: one number if they are
     * equal, or the fewest ranges. Length-scales that are equal in all these columns give equal parts.
     */
    public Bandwidth part(int from, int to) {
        return ofColumns(Arrays.copyOfRange(toArray(to), from, to));
    }

    /** Returns one length-scale per column, as one number if they are equal, or as the fewest ranges. */
    public static Bandwidth ofColumns(double... sigmas) {
        int[] ends = new int[sigmas.length];
        double[] values = new double[sigmas.length];
        int ranges = 0;
        for (int l = 0; l < sigmas.length; l++) {
            if (ranges == 0 || sigmas[l] != values[ranges - 1]) {
                values[ranges++] = sigmas[l];
            }
            ends[ranges - 1] = l + 1;
        }
        return ranges == 1 ? of(values[0]) : ofRanges(Arrays.copyOf(ends, ranges), Arrays.copyOf(values, ranges));
    }

    /**
     * Returns Σₗ (delta[l]/σₗ)², the squared length in units of the length-scales, of which isotropic kernels are
     * functions.
     */
    public double scaledSquare(double[] delta) {
        double sum = 0;
        for (int l = 0; l < delta.length; l++) {
            double scaled = delta[l] / at(l);
            sum += scaled * scaled;
        }
        return sum;
    }

    /**
     * Computes the derivatives of a function of {@link #scaledSquare} from its derivative with respect to the square.
     */
    public void slope(double bySquare, double[] delta, double[] out) {
        for (int l = 0; l < delta.length; l++) {
            double sigma = at(l);
            out[l] = delta[l] == 0 ? 0 : 2 * bySquare * delta[l] / (sigma * sigma);
        }
    }

    /** Returns the number of columns that the ranges cover; 1 if there is one length-scale for all. */
    public int columns() {
        return ranges.columns();
    }

    /** Returns true if one length-scale holds for all columns. */
    public boolean uniform() {
        return ranges.uniform();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bandwidth that && ranges.equals(that.ranges);
    }

    @Override
    public int hashCode() {
        return ranges.hashCode();
    }

    @Override
    public String toString() {
        return ranges.toString();
    }
}
