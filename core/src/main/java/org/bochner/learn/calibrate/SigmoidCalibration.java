package org.bochner.learn.calibrate;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.numeric.Workers;

/** Probabilities σ(aₒsₒ + bₒ) of each output, for more than two classes divided by their sum. */
final class SigmoidCalibration extends Calibration {
    static final String OF_SCORES = "sigmoid";
    static final String FITTED = "platt";

    private final double[] slopes;
    private final double[] offsets;

    private SigmoidCalibration(String type, int classes, double[] slopes, double[] offsets) {
        super(type, classes, keepsOrder(classes, slopes, offsets));
        this.slopes = slopes;
        this.offsets = offsets;
        for (double slope : slopes) {
            Require.notNegative(type, "slope", slope);
        }
        for (double offset : offsets) {
            Require.finite(type, "offset", offset);
        }
    }

    private static boolean keepsOrder(int classes, double[] slopes, double[] offsets) {
        return Arrays.stream(slopes).allMatch(slope -> slope == slopes[0] && slope > 0)
                && Arrays.stream(offsets).allMatch(offset -> offset == offsets[0])
                && (classes > 2 || offsets[0] == 0);
    }

    static SigmoidCalibration ofScores(int classes) {
        double[] ones = new double[outputs(classes)];
        Arrays.fill(ones, 1);
        return new SigmoidCalibration(OF_SCORES, classes, ones, new double[ones.length]);
    }

    static SigmoidCalibration fit(ScoreAccumulator rows, Workers workers) {
        double[] slopes = new double[rows.outputs()];
        double[] offsets = new double[rows.outputs()];
        workers.each(rows.outputs(), o -> {
            PlattFit fit = new PlattFit(rows, o);
            slopes[o] = fit.slope();
            offsets[o] = fit.offset();
        });
        return new SigmoidCalibration(FITTED, rows.classes(), slopes, offsets);
    }

    static SigmoidCalibration load(int classes, State state) {
        int outputs = outputs(classes);
        return new SigmoidCalibration(FITTED, classes, state.array("slopes", outputs), state.array("offsets", outputs));
    }

    @Override
    State withParameters(State state) {
        return state.with("slopes", slopes).with("offsets", offsets);
    }

    @Override
    void ofTwo(double score, double[] to, int at) {
        sigmoids(logit(score, 0), to, at);
    }

    @Override
    void shares(double[] scores, int from, double[] to, int at) {
        double largest = Double.NEGATIVE_INFINITY;
        for (int o = 0; o < classes(); o++) {
            to[at + o] = logit(scores[from + o], o);
            largest = Math.max(largest, to[at + o]);
        }
        // σ(t)·exp(−m) = 1/(exp(m) + exp(m − t)) with m = min(0, largest t): the sigmoids themselves would underflow if
        // all t are far below 0. Every step of this form is monotone despite rounding.
        double shift = Math.min(0, largest);
        double base = Math.exp(shift);
        for (int o = at; o < at + classes(); o++) {
            to[o] = 1 / (base + Math.exp(shift - to[o]));
        }
    }

    @Override
    double logOdds(double score) {
        return logit(score, 0);
    }

    @Override
    void logShares(double[] scores, int from, double[] to, int at) {
        for (int o = 0; o < classes(); o++) {
            double logit = logit(scores[from + o], o);
            // log σ(t) = min(t, 0) − log(1 + exp(−|t|)), which neither overflows nor loses digits.
            to[at + o] = Math.min(logit, 0) - Math.log1p(Math.exp(-Math.abs(logit)));
        }
    }

    /** Returns a·s + b, limited to finite numbers. */
    private double logit(double score, int output) {
        double logit = slopes[output] * score + offsets[output];
        return Math.max(-Double.MAX_VALUE, Math.min(Double.MAX_VALUE, logit));
    }
}
