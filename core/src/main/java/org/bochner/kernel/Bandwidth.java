package org.bochner.kernel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;

/**
 * Length-scales of a shift-invariant kernel: one for all columns, {@code 0.5}, or one for each block of columns,
 * {@code [0:64=2, 64:364=3]}. Blocks start at column 0 and leave no gap.
 */
public final class Bandwidth {
    private final List<Integer> ends;
    private final List<Double> values;

    private Bandwidth(List<Integer> ends, List<Double> values) {
        this.ends = List.copyOf(ends);
        this.values = List.copyOf(values);
        for (double value : values) {
            Require.positive("bandwidth", "sigma", value);
        }
    }

    /** The same length-scale for every column. */
    public static Bandwidth of(double sigma) {
        return new Bandwidth(List.of(), List.of(sigma));
    }

    /** One length-scale a block; block b ends before column {@code ends[b]}. */
    public static Bandwidth ofBlocks(int[] ends, double[] sigmas) {
        Require.that(ends.length == sigmas.length && ends.length > 0, "bandwidth", "needs one sigma a block");
        List<Integer> blockEnds = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        int start = 0;
        for (int b = 0; b < ends.length; b++) {
            Require.that(ends[b] > start, "bandwidth", "blocks must ascend and not be empty, got end " + ends[b]);
            start = ends[b];
            blockEnds.add(ends[b]);
            values.add(sigmas[b]);
        }
        return new Bandwidth(blockEnds, values);
    }

    /** Reads what {@link #toString} prints. */
    public static Bandwidth parse(String owner, String text) {
        if (!text.startsWith("[")) {
            double sigma = Spelling.toNumber(owner, "sigma", text);
            Require.positive(owner, "sigma", sigma);
            return of(sigma);
        }
        if (!text.endsWith("]")) {
            throw new SpellingException(owner + ": sigma '" + text + "': the bracket is not closed");
        }
        List<String> parts = Spelling.splitTopLevel(owner, text.substring(1, text.length() - 1), ',');
        int[] ends = new int[parts.size()];
        double[] sigmas = new double[parts.size()];
        int start = 0;
        for (int b = 0; b < ends.length; b++) {
            String part = parts.get(b).strip();
            if (!part.matches("\\d{1,9}:\\d{1,9}=.+")) {
                throw new SpellingException(owner + ": sigma of a block is written from:to=value, got '" + part + "'");
            }
            int colon = part.indexOf(':');
            int equals = part.indexOf('=');
            int from = Integer.parseInt(part.substring(0, colon));
            ends[b] = Integer.parseInt(part.substring(colon + 1, equals));
            if (from != start || ends[b] <= from) {
                throw new SpellingException(owner + ": blocks of sigma must follow each other from column 0; '" + part
                        + "' should start at " + start);
            }
            start = ends[b];
            sigmas[b] = Spelling.toNumber(owner, "sigma", part.substring(equals + 1));
            Require.positive(owner, "sigma", sigmas[b]);
        }
        return ofBlocks(ends, sigmas);
    }

    /** The length-scale of a column. */
    public double at(int column) {
        if (ends.isEmpty()) {
            return values.get(0);
        }
        // The block of a column is the first that ends behind it.
        int found = Collections.binarySearch(ends, column + 1);
        int block = found >= 0 ? found : -found - 1;
        if (block == ends.size()) {
            throw new IllegalArgumentException("bandwidth: column " + column + " lies beyond the last block " + this);
        }
        return values.get(block);
    }

    /** The length-scales of columns 0, …, columns−1, in an array of its own. */
    public double[] toArray(int columns) {
        double[] sigmas = new double[columns];
        for (int l = 0; l < columns; l++) {
            sigmas[l] = at(l);
        }
        return sigmas;
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

    /** How many columns the blocks cover; 1 where one length-scale serves all. */
    public int columns() {
        return ends.isEmpty() ? 1 : ends.get(ends.size() - 1);
    }

    /** Whether one length-scale serves all columns. */
    public boolean uniform() {
        return ends.isEmpty();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bandwidth that && ends.equals(that.ends) && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return Objects.hash(ends, values);
    }

    @Override
    public String toString() {
        if (ends.isEmpty()) {
            return Spelling.print(values.get(0));
        }
        StringJoiner text = new StringJoiner(", ", "[", "]");
        int start = 0;
        for (int b = 0; b < ends.size(); b++) {
            text.add(start + ":" + ends.get(b) + "=" + Spelling.print(values.get(b)));
            start = ends.get(b);
        }
        return text.toString();
    }
}
