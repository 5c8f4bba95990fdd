package org.bochner.learn.calibrate;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.numeric.Workers;

/** Probabilities σ(aₒsₒ + bₒ) of each output, for more than two classes divided by their sum. */
final class SigmoidCalibration implements Calibration {
    static final String OF_SCORES = "sigmoid";
    static final String FITTED = "platt";

    private final String type;
    private final int classes;
    private final double[] slopes;
    private final double[] offsets;
    private final boolean keepsOrder;

    private SigmoidCalibration(String type, int classes, double[] slopes, double[] offsets) {
        this.type = type;
        this.classes = Require.atLeast("calibration", "classes", classes, 2);
        this.slopes = slopes;
        this.offsets = offsets;
        for (double slope : slopes) {
            Require.notNegative(type, "slope", slope);
        }
        for (double offset : offsets) {
            Require.finite(type, "offset", offset);
        }
        boolean same = Arrays.stream(slopes).allMatch(slope -> slope == slopes[0] && slope > 0)
                && Arrays.stream(offsets).allMatch(offset -> offset == offsets[0]);
        keepsOrder = same && (classes > 2 || offsets[0] == 0);
    }

    static SigmoidCalibration ofScores(int classes) {
        int outputs = classes == 2 ? 1 : classes;
        double[] ones = new double[outputs];
        Arrays.fill(ones, 1);
        return new SigmoidCalibration(OF_SCORES, classes, ones, new double[outputs]);
    }

    static SigmoidCalibration fit(ScoreAccumulator rows, Workers workers) {
        double[] slopes = new double[rows.outputs()];
        double[] offsets = new double[rows.outputs()];
        workers.each(rows.outputs(), o -> {
            PlattFit fit = PlattFit.of(rows, o);
            slopes[o] = fit.slope();
            offsets[o] = fit.offset();
        });
        return new SigmoidCalibration(FITTED, rows.classes(), slopes, offsets);
    }

    static SigmoidCalibration load(int classes, State state) {
        int outputs = classes == 2 ? 1 : classes;
        return new SigmoidCalibration(FITTED, classes, state.array("slopes", outputs), state.array("offsets", outputs));
    }

    @Override
    public State state() {
        State state = State.of(type).with("classes", classes);
        return type.equals(OF_SCORES) ? state : state.with("slopes", slopes).with("offsets", offsets);
    }

    @Override
    public int classes() {
        return classes;
    }

    @Override
    public boolean keepsOrder() {
        return keepsOrder;
    }

    @Override
    public void probabilities(double[] scores, int row, double[] to, int at) {
        if (classes == 2) {
            double logit = logit(scores[row], 0);
            to[at] = 1 / (1 + Math.exp(logit));
            to[at + 1] = 1 / (1 + Math.exp(-logit));
            return;
        }
        double largest = Double.NEGATIVE_INFINITY;
        for (int o = 0; o < classes; o++) {
            to[at + o] = logit(scores[row * classes + o], o);
            largest = Math.max(largest, to[at + o]);
        }
        // σ(t)·exp(−m) = 1/(exp(m) + exp(m − t)) with m = min(0, largest t): the sigmoids themselves would underflow if
        // all t are far below 0. Every step of this form is monotone despite rounding.
        double shift = Math.min(0, largest);
        double base = Math.exp(shift);
        double sum = 0;
        for (int o = 0; o < classes; o++) {
            to[at + o] = 1 / (base + Math.exp(shift - to[at + o]));
            sum += to[at + o];
        }
        for (int o = 0; o < classes; o++) {
            to[at + o] /= sum;
        }
    }

    /** Returns a·s + b, limited to finite numbers. */
    private double logit(double score, int output) {
        double logit = slopes[output] * score + offsets[output];
        return Math.max(-Double.MAX_VALUE, Math.min(Double.MAX_VALUE, logit));
    }

    @Override
    public String toString() {
        return type;
    }
}
