package org.bochner.map;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Intersection;

/**
 * A map of the intersection kernel by bins of equal width that divide [0, b]: of every value x, with N bins, U(t) for N
 * numbers that are 1 below t, with what is left of t in the next, and 0 from there on,
 *
 * <pre>
 * unary      √(b/N) · U(round(N·x/b))      halves round up
 * piecewise  √(b/N) · U(N·x/b)
 * sparse     {i: 1 − f, i + 1: f}          N·x/b = i + f, at the nodes 1 to N
 * </pre>
 *
 * and one more number, √(x − b) where x > b, 0 elsewhere: N + 1 numbers a column. Of degree g, all times x^((g−1)/2).
 *
 * <p>The sparse code has the features of the piecewise one in another basis: with its {@linkplain #penalty penalty},
 * (N/b)·Σₖ (wₖ − wₖ₋₁)² a column, a linear function of it is the same function. A weight is then the value of the function
 * at a node.
 *
 * <p>Accuracy, in each column, of degree 1 (else times (xy)^((g−1)/2)), where at most one of two values is above b: unary
 * within b/(2N) of min(x, y), values below b/(2N) vanish; piecewise and sparse from b/(4N) below to 0, and exact unless
 * both values lie in the same bin. Where both are above b, it is as near as for (b, b), and then √((x − b)(y − b)) instead
 * of min(x − b, y − b), which is exact for x = y and too large otherwise. A model trained on values up to b is constant
 * above b in every column, as one with the exact kernel is.
 *
 * <p>Cost: one division a value. Sparse rows have as many features as are not zero, at most 2 a value by the sparse code.
 *
 * <p>Reference: Maji and Berg, Max-margin additive classifiers for detection, 2009.
 */
public final class BinnedMap extends AdditiveMap {
    static final String TYPE = "binned";

    private final Intersection kernel;
    private final BinCode code;
    private final int bins;
    private final double range;

    /** √(b/N): what ones of the dense codes are multiplied by, and of the sparse code when it is whitened. */
    private final double unit;

    BinnedMap(Intersection kernel, int columns, BinCode code, int bins, double range) {
        super(kernel, columns);
        this.kernel = kernel;
        this.code = code;
        this.bins = Require.atLeast(code.toString(), "bins", bins, 1);
        this.range = Require.positive(code.toString(), "range", range);
        this.unit = Math.sqrt(range / bins);
        Require.that(
                columns * (bins + 1L) <= Integer.MAX_VALUE,
                code.toString(),
                bins + " bins of " + columns + " columns are more than 2^31 features; take fewer bins");
    }

    static BinnedMap load(State state) {
        BinCode code = Arrays.stream(BinCode.values())
                .filter(c -> c.toString().equals(state.text("code")))
                .findFirst()
                .orElseThrow(() -> new BochnerException(TYPE + ": unknown code '" + state.text("code") + "'"));
        return new BinnedMap(
                kernel(state, Intersection.class),
                state.count("columns"),
                code,
                state.count("bins"),
                state.number("range"));
    }

    /** N: how many bins there are. */
    public int bins() {
        return bins;
    }

    /** b: the bins divide the values from 0 to here. */
    public double range() {
        return range;
    }

    @Override
    public int width() {
        return bins + 1;
    }

    @Override
    public Penalty penalty() {
        return code == BinCode.SPARSE ? new FirstDifferences(inputDimension(), bins, unit) : Penalty.PLAIN;
    }

    /** Where a value lies among the bins; above them it is at their end. Whole numbers of bins have no rounding error. */
    private double place(double x) {
        return x < range ? Math.min(bins, bins * x / range) : bins;
    }

    private double factor(double x) {
        return kernel.degree() == 1 ? 1 : Math.pow(x, (kernel.degree() - 1) / 2);
    }

    /** What the numbers of the code are multiplied by. */
    private double amplitude(double factor) {
        return code == BinCode.SPARSE ? factor : factor * unit;
    }

    @Override
    void map(double x, double[] out, int at) {
        Arrays.fill(out, at, at + width(), 0);
        double place = place(x);
        int first = code.first(place);
        int last = code.end(place) - 1;
        double factor = factor(x);
        if (last >= first) {
            double amplitude = amplitude(factor);
            Arrays.fill(out, at + first, at + last, amplitude * code.run(place));
            out[at + last] = amplitude * code.last(place);
        }
        if (x > range) {
            out[at + bins] = factor * Math.sqrt(x - range);
        }
    }

    @Override
    void map(float[] x, int from, int count, float[] out, int at) {
        int width = width();
        Arrays.fill(out, at, at + count * width, 0);
        for (int i = 0; i < count; i++) {
            double value = x[from + i];
            if (value != 0) {
                write(value, place(value), out, at + i * width);
            }
        }
    }

    /** Writes the numbers that are not zero, number j to out[at + j]. */
    private void write(double x, double place, float[] out, int at) {
        int first = code.first(place);
        int last = code.end(place) - 1;
        double factor = factor(x);
        if (last >= first) {
            double amplitude = amplitude(factor);
            Arrays.fill(out, at + first, at + last, (float) (amplitude * code.run(place)));
            out[at + last] = (float) (amplitude * code.last(place));
        }
        if (x > range) {
            out[at + bins] = (float) (factor * Math.sqrt(x - range));
        }
    }

    /** Index after the last number that is not zero. */
    private int end(double x, double place) {
        return x > range ? bins + 1 : code.end(place);
    }

    /** Without the zeros of the codes: histograms are mostly small values, whose dense codes are short. */
    @Override
    SparseRows compress(SparseRows rows) {
        int[] starts = new int[rows.rows() + 1];
        int total = 0;
        for (int i = 0; i < rows.rows(); i++) {
            for (int e = rows.starts()[i]; e < rows.starts()[i + 1]; e++) {
                double x = rows.values()[e];
                double place = place(x);
                total = Math.addExact(total, end(x, place) - code.first(place));
            }
            starts[i + 1] = total;
        }
        int[] indices = new int[total];
        float[] values = new float[total];
        int next = 0;
        for (int e = rows.starts()[0]; e < rows.starts()[rows.rows()]; e++) {
            double x = rows.values()[e];
            double place = place(x);
            int first = code.first(place);
            int end = end(x, place);
            write(x, place, values, next - first);
            for (int j = first; j < end; j++) {
                indices[next++] = rows.indices()[e] * width() + j;
            }
        }
        return SparseRows.like(rows, outputDimension(), starts, indices, values);
    }

    @Override
    public State state() {
        return State.of(TYPE)
                .with("kernel", kernel.toString())
                .with("columns", inputDimension())
                .with("code", code.toString())
                .with("bins", bins)
                .with("range", range);
    }

    @Override
    public String toString() {
        return "BinnedMap[" + code + ", " + kernel + ", " + inputDimension() + " columns, " + bins + " bins to " + range
                + "]";
    }
}
