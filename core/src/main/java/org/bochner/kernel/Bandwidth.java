package org.bochner.kernel;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import org.bochner.base.Require;

/**
 * Length-scales of a kernel: one for all columns, {@code 0.5}, or one for each block of columns,
 * {@code [0:64=2, 64:364=3]}. Positive {@link Blocks}, of which some, but not all, may be {@code Infinity}: their columns
 * do not count. Where one over the lengths is written, as the power of the skewed kernels is, that is 0.
 */
public final class Bandwidth {
    private final Blocks blocks;

    /** Whether the numbers are one over lengths, of which 0 means what an infinite length does. */
    private final boolean rates;

    private Bandwidth(String owner, String key, boolean rates, Blocks blocks) {
        this.blocks = blocks;
        this.rates = rates;
        double off = rates ? 0 : Double.POSITIVE_INFINITY;
        boolean someCount = blocks.values().stream().anyMatch(value -> value != off);
        for (double value : blocks.values()) {
            if (value != off || !someCount) {
                Require.positive(owner, key, value);
            }
        }
    }

    /** The same length-scale for every column. */
    public static Bandwidth of(double sigma) {
        return new Bandwidth("bandwidth", "sigma", false, Blocks.of(sigma));
    }

    /** One length-scale a block; block b ends before column {@code ends[b]}. */
    public static Bandwidth ofBlocks(int[] ends, double[] sigmas) {
        return new Bandwidth("bandwidth", "sigma", false, Blocks.of("bandwidth", ends, sigmas));
    }

    /** Reads what {@link #toString} prints. */
    public static Bandwidth parse(String owner, String text) {
        return parse(owner, "sigma", text);
    }

    /** The same for lengths of another name. */
    static Bandwidth parse(String owner, String key, String text) {
        return new Bandwidth(owner, key, false, Blocks.parse(owner, key, text));
    }

    /** The same for one over lengths, of any name. */
    static Bandwidth parseRates(String owner, String key, String text) {
        return new Bandwidth(owner, key, true, Blocks.parse(owner, key, text));
    }

    /** The length-scale of a column. */
    public double at(int column) {
        return blocks.at(column);
    }

    /** The length-scales of columns 0, …, columns−1, in an array of its own. */
    public double[] toArray(int columns) {
        double[] sigmas = new double[columns];
        for (int l = 0; l < columns; l++) {
            sigmas[l] = at(l);
        }
        return sigmas;
    }

    /** One over each of them: length-scales of frequency scales, and the other way round. */
    public Bandwidth inverse() {
        return new Bandwidth("bandwidth", rates ? "sigma" : "1/sigma", !rates, blocks.map(value -> 1 / value));
    }

    /** The same blocks with other numbers, which are the parameter {@code key} of {@code owner}. */
    Bandwidth map(String owner, String key, DoubleUnaryOperator function) {
        return new Bandwidth(owner, key, rates, blocks.map(function));
    }

    /**
     * The length-scales of columns from (inclusive) to (exclusive), counted from 0: one where they are all the same, or
     * blocks of which neighbours differ. Length-scales that are the same in all these columns give equal parts.
     */
    Bandwidth part(int from, int to) {
        return ofColumns(Arrays.copyOfRange(toArray(to), from, to));
    }

    /** One length-scale a column: one for all where they are the same, or blocks of which neighbours differ. */
    public static Bandwidth ofColumns(double... sigmas) {
        int[] ends = new int[sigmas.length];
        double[] values = new double[sigmas.length];
        int blocks = 0;
        for (int l = 0; l < sigmas.length; l++) {
            if (blocks == 0 || sigmas[l] != values[blocks - 1]) {
                values[blocks++] = sigmas[l];
            }
            ends[blocks - 1] = l + 1;
        }
        return blocks == 1 ? of(values[0]) : ofBlocks(Arrays.copyOf(ends, blocks), Arrays.copyOf(values, blocks));
    }

    /** Σₗ (delta[l]/σₗ)²: the squared length in units of the length-scales, of which isotropic kernels are functions. */
    double scaledSquare(double[] delta) {
        double sum = 0;
        for (int l = 0; l < delta.length; l++) {
            double scaled = delta[l] / at(l);
            sum += scaled * scaled;
        }
        return sum;
    }

    /** The derivatives of a function of {@link #scaledSquare}, from its own by the square. */
    void slope(double bySquare, double[] delta, double[] out) {
        for (int l = 0; l < delta.length; l++) {
            double sigma = at(l);
            out[l] = delta[l] == 0 ? 0 : 2 * bySquare * delta[l] / (sigma * sigma);
        }
    }

    /** How many columns the blocks cover; 1 where one length-scale serves all. */
    public int columns() {
        return blocks.columns();
    }

    /** Whether one length-scale serves all columns. */
    public boolean uniform() {
        return blocks.uniform();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bandwidth that && blocks.equals(that.blocks);
    }

    @Override
    public int hashCode() {
        return blocks.hashCode();
    }

    @Override
    public String toString() {
        return blocks.toString();
    }
}
