package org.bochner.scale;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bochner.base.BochnerException;
import org.bochner.base.State;
import org.jspecify.annotations.Nullable;

/** Maps each column by a piecewise linear function that never falls, and that is constant beyond its first and last knot. */
final class QuantileScaler extends AbstractScaler {
    /** A column farther from 0 than this many times its spread loses more than 6e-5 of the spread in float32. */
    private static final double FAR = 1000;

    private final double[][] knots;
    private final double[][] scores;
    private final boolean keepsZeros;

    /**
     * Creates a scaler on the arrays, which are not copied.
     *
     * @param knots the ascending knots of each column, at least one
     * @param scores the results at the knots
     */
    QuantileScaler(Scaling scaling, double[][] knots, double[][] scores) {
        super(scaling, knots.length);
        this.knots = knots;
        this.scores = scores;
        keepsZeros = IntStream.range(0, knots.length).allMatch(j -> score(j, 0) == 0);
    }

    @Override
    public State state() {
        return super.state()
                .with("knotCounts", Stream.of(knots).mapToInt(own -> own.length).toArray())
                .with("knots", Stream.of(knots).flatMapToDouble(Arrays::stream).toArray())
                .with(
                        "scores",
                        Stream.of(scores).flatMapToDouble(Arrays::stream).toArray());
    }

    /** Reads a scaler from its saved form, which is not trusted. */
    static QuantileScaler load(Scaling scaling, State state) {
        int columns = state.count("columns");
        int[] counts = state.integers("knotCounts", columns);
        long total = 0;
        for (int count : counts) {
            require(count >= 1, "a column has " + count + " knots");
            total += count;
        }
        require(total <= Integer.MAX_VALUE, "there are " + total + " knots");
        double[] allKnots = state.array("knots", (int) total);
        double[] allScores = state.array("scores", (int) total);
        double[][] knots = new double[columns][];
        double[][] scores = new double[columns][];
        int from = 0;
        for (int j = 0; j < columns; j++) {
            knots[j] = Arrays.copyOfRange(allKnots, from, from + counts[j]);
            scores[j] = Arrays.copyOfRange(allScores, from, from + counts[j]);
            for (int k = 1; k < counts[j]; k++) {
                require(knots[j][k] > knots[j][k - 1], "the knots of column " + j + " do not ascend");
                require(scores[j][k] >= scores[j][k - 1], "the scores of column " + j + " fall");
            }
            from += counts[j];
        }
        require(
                Arrays.stream(allKnots).allMatch(knot -> Math.abs(knot) <= Float.MAX_VALUE)
                        && Arrays.stream(allScores).allMatch(score -> Math.abs(score) <= Quantile.FARTHEST),
                "a knot or score is out of range");
        return new QuantileScaler(scaling, knots, scores);
    }

    private static void require(boolean condition, String problem) {
        if (!condition) {
            throw new BochnerException("the saved scaler is inconsistent: " + problem);
        }
    }

    @Override
    public double unscaled(int column, double scaled) {
        return knots[column].length == 1 ? Double.NaN : interpolated(scores[column], knots[column], scaled);
    }

    @Override
    void addFacts(int column, List<Map<String, Object>> steps) {
        double[] own = knots[column];
        steps.add(step("lowest", own[0], "median", own[own.length / 2], "highest", own[own.length - 1]));
    }

    @Override
    public boolean keepsZeros() {
        return keepsZeros;
    }

    /** The knots are float64 and lie where the values lie. */
    @Override
    boolean keepsResolution(int column, double origin) {
        return true;
    }

    @Override
    public double @Nullable [] origin() {
        double[] origin = new double[knots.length];
        boolean some = false;
        for (int j = 0; j < origin.length; j++) {
            int count = knots[j].length;
            double middle = knots[j][count / 2];
            if (count > 1 && Math.abs(middle) > FAR * (knots[j][3 * count / 4] - knots[j][count / 4])) {
                origin[j] = (float) middle;
                some = true;
            }
        }
        return some ? origin : null;
    }

    @Override
    AbstractScaler relativeTo(double[] origin) {
        double[][] moved = new double[knots.length][];
        for (int j = 0; j < moved.length; j++) {
            double start = origin[j];
            moved[j] = Arrays.stream(knots[j]).map(knot -> knot - start).toArray();
        }
        return new QuantileScaler(scaling(), moved, scores);
    }

    private double score(int column, double value) {
        return interpolated(knots[column], scores[column], value);
    }

    /** Returns the linear interpolation at a place; beyond the ends, the value at the end. */
    private static double interpolated(double[] places, double[] values, double place) {
        int last = places.length - 1;
        if (!(place > places[0])) {
            return values[0];
        }
        if (place >= places[last]) {
            return values[last];
        }
        int low = 0;
        int high = last;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (places[middle] <= place) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double share = (place - places[low]) / (places[high] - places[low]);
        return values[low] + (values[high] - values[low]) * share;
    }

    @Override
    void scaleRow(float[] values, int start) {
        for (int j = 0; j < knots.length; j++) {
            values[start + j] = (float) score(j, values[start + j]);
        }
    }

    @Override
    void scaleEntries(float[] values, int[] indices, int first, int start, int end) {
        for (int e = start; e < end; e++) {
            values[e] = (float) score(indices[e] - first, values[e]);
        }
    }
}
