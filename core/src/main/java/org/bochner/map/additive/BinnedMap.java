package org.bochner.map.additive;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.SparseRows;
import org.bochner.kernel.additive.Intersection;
import org.bochner.map.composed.MapTypes;

/**
 * A map of the intersection kernel by N equal bins of [0, b], with its own b for each column. With U(t) for N numbers
 * that are 1 below t, then the rest of t, then 0, a value x becomes
 *
 * <pre>
 * unary      √(b/N) · U(round(N·x/b))      halves round up
 * piecewise  √(b/N) · U(N·x/b)
 * sparse     {i: 1 − f, i + 1: f}          N·x/b = i + f, at the nodes 1 to N
 * </pre>
 *
 * and one more number, √(x − b) where x > b, 0 elsewhere: N + 1 features per column. For degree g, all are multiplied
 * by x^((g−1)/2).
 *
 * <p>The sparse code has the features of the piecewise one in another basis. With its {@linkplain #whiten penalty},
 * (N/b)·Σₖ (wₖ − wₖ₋₁)² per column, learning finds the same function. A weight is the value of the function at a node.
 *
 * <p>Accuracy per column, for degree 1 (otherwise times (xy)^((g−1)/2)) and at most one value above b: unary is within
 * b/(2N) of min(x, y), and values below b/(2N) vanish; piecewise and sparse are too small by at most b/(4N), and exact
 * unless both values lie in the same bin. Where both values are above b, √((x − b)(y − b)) replaces min(x − b, y − b);
 * it is exact for x = y and too large otherwise. A model trained on values up to b is constant above b, as with the
 * exact kernel.
 *
 * <p>Distances |φ(x) − φ(y)|² of piecewise codes are too small, by b/(3N) in the mean; errors of unary codes have
 * either sign and cancel over the columns. Unary codes are therefore the better first stage of kernels of a distance.
 *
 * <p>Cost: one division per value. Sparse rows keep only non-zero features, at most 2 per value with the sparse code.
 *
 * <p>Reference: Maji and Berg, Max-margin additive classifiers for detection, 2009.
 */
public final class BinnedMap extends AdditiveMap {
    public static final String TYPE = "binned";

    private final Intersection kernel;
    private final BinCode code;
    private final int bins;

    /** b of every column. */
    private final double[] ranges;

    /** √(b/N) of every column: the factor of the dense codes, and of the sparse one when whitened. */
    private final double[] units;

    private final int widest;

    /**
     * Makes the map of some bins.
     *
     * @param ranges b of every column
     */
    public BinnedMap(Intersection kernel, BinCode code, int bins, double[] ranges) {
        super(kernel, ranges.length, featuresPerColumn(code, bins, ranges.length));
        this.kernel = kernel;
        this.code = code;
        this.bins = bins;
        this.ranges = ranges.clone();
        this.units = new double[ranges.length];
        int largest = 0;
        for (int l = 0; l < ranges.length; l++) {
            units[l] = Math.sqrt(Require.positive(code.toString(), "range", ranges[l]) / bins);
            largest = ranges[l] > ranges[largest] ? l : largest;
        }
        this.widest = largest;
    }

    private static int featuresPerColumn(BinCode code, int bins, int columns) {
        Require.atLeast(code.toString(), "bins", bins, 1);
        Require.that(
                columns * (bins + 1L) <= Integer.MAX_VALUE - 8,
                code.toString() + ": " + bins + " bins of " + columns
                        + " columns are more than 2^31 features; take fewer bins");
        return bins + 1;
    }

    public static BinnedMap load(State state) {
        Intersection kernel = MapTypes.kernel(state, Intersection.class);
        BinCode code = MapTypes.constant(state, "code", BinCode.values());
        return new BinnedMap(kernel, code, state.count("bins"), state.array("ranges", state.count("columns")));
    }

    /** Returns the code of the bins. */
    public BinCode code() {
        return code;
    }

    /** Returns the number of bins per column. */
    public int bins() {
        return bins;
    }

    /** Returns b of a column. */
    public double range(int column) {
        return ranges[column];
    }

    /** Returns the degree of the kernel. */
    public double degree() {
        return kernel.degree();
    }

    @Override
    public ErrorBound errorBound() {
        double share = 1.0 / (code == BinCode.UNARY ? 2 : 4) / bins;
        return (column, x, y) -> {
            double u = Math.max(0, Math.min(x, y) - ranges[column]);
            double v = Math.max(0, Math.max(x, y) - ranges[column]);
            return factor(x) * factor(y) * (share * ranges[column] + Math.sqrt(u) * (Math.sqrt(v) - Math.sqrt(u)));
        };
    }

    @Override
    public boolean hasPlainPenalty() {
        return code != BinCode.SPARSE;
    }

    /** u times the sums of a column's features from the last to each, with u = √(b/N); for the sparse code. */
    @Override
    public void whiten(double[] features, int at) {
        if (hasPlainPenalty()) {
            return;
        }
        int start = at;
        for (double unit : units) {
            double sum = 0;
            for (int k = start + bins - 1; k >= start; k--) {
                sum += features[k];
                features[k] = unit * sum;
            }
            start += bins + 1;
        }
    }

    @Override
    public void unwhiten(double[] weights, int at, int stride) {
        if (hasPlainPenalty()) {
            return;
        }
        int start = at;
        for (double unit : units) {
            double sum = 0;
            for (int k = 0; k < bins; k++) {
                sum += weights[start + k * stride];
                weights[start + k * stride] = unit * sum;
            }
            start += (bins + 1) * stride;
        }
    }

    @Override
    public void whitenWeights(double[] weights, int at, int stride) {
        if (hasPlainPenalty()) {
            return;
        }
        int start = at;
        for (double unit : units) {
            double before = 0;
            for (int k = 0; k < bins; k++) {
                double weight = weights[start + k * stride];
                weights[start + k * stride] = (weight - before) / unit;
                before = weight;
            }
            start += (bins + 1) * stride;
        }
    }

    /** Returns the place of a value among the bins, at most N. Whole numbers of bins have no rounding error. */
    private double place(int column, double x) {
        double range = ranges[column];
        return x < range ? Math.min(bins, bins * x / range) : bins;
    }

    private double factor(double x) {
        return kernel.degree() == 1 ? 1 : Math.pow(x, (kernel.degree() - 1) / 2);
    }

    /** Returns the factor of the numbers of the code. */
    private double amplitude(int column, double factor) {
        return code == BinCode.SPARSE ? factor : factor * units[column];
    }

    /** Maps the value as in the column with the largest range, which has the largest error. */
    @Override
    public void map(double x, double[] out, int at) {
        map(widest, x, out, at);
    }

    @Override
    public void map(int column, double x, double[] out, int at) {
        Arrays.fill(out, at, at + featuresPerColumn(), 0);
        double place = place(column, x);
        int first = code.first(place);
        int last = code.end(place) - 1;
        double factor = factor(x);
        if (last >= first) {
            double amplitude = amplitude(column, factor);
            Arrays.fill(out, at + first, at + last, amplitude * code.run(place));
            out[at + last] = amplitude * code.last(place);
        }
        if (x > ranges[column]) {
            out[at + bins] = factor * Math.sqrt(x - ranges[column]);
        }
    }

    @Override
    public void mapRows(int rows, float[] x, int from, float[] out, int at) {
        Arrays.fill(out, at, at + rows * outputDimension(), 0);
        for (int i = 0; i < rows * ranges.length; i++) {
            double value = x[from + i];
            if (value != 0) {
                int column = i % ranges.length;
                write(column, value, place(column, value), out, at + i * (bins + 1));
            }
        }
    }

    /** Writes the numbers that are not zero, number j to out[at + j]. */
    private void write(int column, double x, double place, float[] out, int at) {
        int first = code.first(place);
        int last = code.end(place) - 1;
        double factor = factor(x);
        if (last >= first) {
            double amplitude = amplitude(column, factor);
            Arrays.fill(out, at + first, at + last, (float) (amplitude * code.run(place)));
            out[at + last] = (float) (amplitude * code.last(place));
        }
        if (x > ranges[column]) {
            out[at + bins] = (float) (factor * Math.sqrt(x - ranges[column]));
        }
    }

    /** Returns the index after the last number that is not zero. */
    private int end(int column, double x, double place) {
        return x > ranges[column] ? bins + 1 : code.end(place);
    }

    /** Without the zeros of the codes: histograms are mostly small values, whose dense codes are short. */
    @Override
    public SparseRows compress(SparseRows rows) {
        int[] starts = new int[rows.rows() + 1];
        int total = 0;
        for (int i = 0; i < rows.rows(); i++) {
            for (int e = rows.starts()[i]; e < rows.starts()[i + 1]; e++) {
                int column = rows.indices()[e];
                double x = rows.values()[e];
                double place = place(column, x);
                total = Math.addExact(total, end(column, x, place) - code.first(place));
            }
            starts[i + 1] = total;
        }
        int[] indices = new int[total];
        float[] values = new float[total];
        int next = 0;
        for (int e = rows.starts()[0]; e < rows.starts()[rows.rows()]; e++) {
            int column = rows.indices()[e];
            double x = rows.values()[e];
            double place = place(column, x);
            int first = code.first(place);
            int end = end(column, x, place);
            write(column, x, place, values, next - first);
            for (int j = first; j < end; j++) {
                indices[next++] = column * (bins + 1) + j;
            }
        }
        return SparseRows.like(rows, outputDimension(), starts, indices, values);
    }

    @Override
    public BinnedMap ofColumns(int[] kept) {
        double[] left = Arrays.stream(kept).mapToDouble(l -> ranges[l]).toArray();
        return new BinnedMap(kernel, code, bins, left);
    }

    @Override
    public State state() {
        return State.of(TYPE)
                .with("kernel", kernel.toString())
                .with("code", code.toString())
                .with("bins", bins)
                .with("columns", inputDimension())
                .with("ranges", ranges);
    }
}
