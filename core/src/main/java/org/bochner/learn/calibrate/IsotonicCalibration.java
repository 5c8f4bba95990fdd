package org.bochner.learn.calibrate;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.numeric.Workers;

/**
 * One non-decreasing function per output, linear between knots and constant beyond them; for more than two classes the
 * values are divided by their sum, which is positive because all values lie strictly between 0 and 1.
 */
final class IsotonicCalibration extends Calibration {
    static final String TYPE = "isotonic";

    /** The first knot of each output, then the number of knots. */
    private final int[] starts;

    private final double[] places;
    private final double[] values;

    private IsotonicCalibration(int classes, int[] starts, double[] places, double[] values) {
        super(TYPE, classes, false);
        this.starts = starts;
        this.places = places;
        this.values = values;
        Require.sameSize(TYPE, "outputs", starts.length - 1, outputs());
        Require.that(starts[0] == 0 && starts[outputs()] == places.length, TYPE, "the outputs miss some knots");
        for (int o = 0; o < outputs(); o++) {
            Require.that(starts[o] < starts[o + 1], TYPE, "output " + o + " has no knots");
            for (int k = starts[o]; k < starts[o + 1]; k++) {
                Require.between(TYPE, "value", values[k], 0, 1);
                boolean ascends = k == starts[o] || (places[k] > places[k - 1] && values[k] >= values[k - 1]);
                Require.that(ascends, TYPE, "the knots of output " + o + " do not ascend");
            }
        }
    }

    static IsotonicCalibration fit(ScoreAccumulator rows, Workers workers) {
        rows.requireRows();
        IsotonicFit[] fits = new IsotonicFit[rows.outputs()];
        workers.each(fits.length, o -> fits[o] = IsotonicFit.of(rows, o));
        int[] starts = new int[fits.length + 1];
        for (int o = 0; o < fits.length; o++) {
            starts[o + 1] = Math.addExact(starts[o], fits[o].knots());
        }
        double[] places = new double[starts[fits.length]];
        double[] values = new double[places.length];
        for (int o = 0; o < fits.length; o++) {
            fits[o].copyTo(places, values, starts[o]);
        }
        return new IsotonicCalibration(rows.classes(), starts, places, values);
    }

    static IsotonicCalibration load(int classes, State state) {
        int outputs = outputs(classes);
        int knots = state.count("knots");
        int[] starts = state.integers("starts", outputs + 1);
        for (int o = 0; o < outputs; o++) {
            Require.that(starts[o] >= 0 && starts[o] <= starts[o + 1], TYPE, "the starts do not ascend");
        }
        return new IsotonicCalibration(classes, starts, state.array("places", knots), state.array("values", knots));
    }

    @Override
    State withParameters(State state) {
        return state.with("knots", places.length)
                .with("starts", starts)
                .with("places", places)
                .with("values", values);
    }

    @Override
    double logOdds(double score) {
        double second = value(score, 0);
        return Math.log(second / (1 - second));
    }

    @Override
    void logShares(double[] scores, int from, double[] to, int at) {
        for (int o = 0; o < classes(); o++) {
            to[at + o] = Math.log(value(scores[from + o], o));
        }
    }

    @Override
    void ofTwo(double score, double[] to, int at) {
        to[at + 1] = value(score, 0);
        to[at] = 1 - to[at + 1];
    }

    @Override
    void shares(double[] scores, int from, double[] to, int at) {
        for (int o = 0; o < classes(); o++) {
            to[at + o] = value(scores[from + o], o);
        }
    }

    private double value(double score, int output) {
        int found = Arrays.binarySearch(places, starts[output], starts[output + 1], score);
        if (found >= 0) {
            return values[found];
        }
        int above = -found - 1;
        if (above == starts[output]) {
            return values[above];
        }
        if (above == starts[output + 1]) {
            return values[above - 1];
        }
        double share = (score - places[above - 1]) / (places[above] - places[above - 1]);
        return values[above - 1] + share * (values[above] - values[above - 1]);
    }
}
