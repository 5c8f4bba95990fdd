package org.bochner.learn.calibrate;

import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.numeric.Workers;

/**
 * A function from the scores of a row to probabilities, one per class, that sum to 1. Two classes have one score, which
 * is positive for the second class.
 *
 * <p>With scores s and the sigmoid σ(t) = 1/(1 + exp(−t)):
 *
 * <ul>
 *   <li>{@code sigmoid}: σ(s), the probability model of logistic regression; for more than two classes, each learned
 *       against the rest, divided by the sum;
 *   <li>{@code softmax}: exp(sₒ)/Σ exp(s), the probability model of multinomial logistic regression; equal to
 *       {@code sigmoid} for two classes;
 *   <li>{@code platt}: σ(aₒsₒ + bₒ), divided by the sum (Platt, 1999; fitted as Lin, Lin and Weng, 2007,
 *       doi:10.1007/s10994-007-5018-6);
 *   <li>{@code temperature}: softmax of s/T, for two classes σ(s/T) (Guo et al., 2017); it never changes the most
 *       probable class;
 *   <li>{@code isotonic}: one non-decreasing function per output, divided by the sum (Zadrozny and Elkan, 2002,
 *       doi:10.1145/775047.775151).
 * </ul>
 *
 * <p>The last three are fitted, by a {@link CalibrationRecipe}, to the scores of held-out rows.
 *
 * <p>Threads: safe; immutable.
 */
public abstract sealed class Calibration permits SigmoidCalibration, SoftmaxCalibration, IsotonicCalibration {
    private final String type;
    private final int classes;
    private final boolean keepsOrder;

    Calibration(String type, int classes, boolean keepsOrder) {
        this.type = type;
        this.classes = Require.atLeast("calibration", "classes", classes, 2);
        this.keepsOrder = keepsOrder;
    }

    /** Returns the number of classes, at least 2. */
    public final int classes() {
        return classes;
    }

    /** Returns the number of scores per row: one for two classes, else one per class. */
    public final int outputs() {
        return outputs(classes);
    }

    static int outputs(int classes) {
        return classes == 2 ? 1 : classes;
    }

    /**
     * Writes the probabilities of a row, one per class.
     *
     * @param scores rows×outputs, all finite
     * @param to receives the probabilities from index {@code at} on
     */
    public final void probabilities(double[] scores, int row, double[] to, int at) {
        if (classes == 2) {
            ofTwo(scores[row], to, at);
            return;
        }
        shares(scores, row * classes, to, at);
        double sum = 0;
        for (int o = at; o < at + classes; o++) {
            sum += to[o];
        }
        for (int o = at; o < at + classes; o++) {
            to[o] /= sum;
        }
    }

    /** Writes the probabilities of two classes. */
    abstract void ofTwo(double score, double[] to, int at);

    /** Writes numbers in the proportion of the probabilities, one per class, from the scores at {@code from}. */
    abstract void shares(double[] scores, int from, double[] to, int at);

    /**
     * Writes the logarithms of a row's probabilities, one per class; for two classes, the logarithm of the odds of the
     * second class. They are the scores of the calibration {@code softmax}, and comparable between models.
     *
     * @param scores rows×outputs, all finite
     * @param to receives finite numbers, one per output, from index {@code at} on
     */
    public final void logarithms(double[] scores, int row, double[] to, int at) {
        if (classes == 2) {
            to[at] = limited(logOdds(scores[row]));
            return;
        }
        logShares(scores, row * classes, to, at);
        double largest = to[at];
        for (int o = at + 1; o < at + classes; o++) {
            largest = Math.max(largest, to[o]);
        }
        double sum = 0;
        for (int o = at; o < at + classes; o++) {
            sum += Math.exp(to[o] - largest);
        }
        double total = largest + Math.log(sum);
        for (int o = at; o < at + classes; o++) {
            to[o] = limited(to[o] - total);
        }
    }

    /** Returns the logarithm of the odds of the second of two classes. */
    abstract double logOdds(double score);

    /** Writes logarithms of numbers in the proportion of the probabilities, one per class. */
    abstract void logShares(double[] scores, int from, double[] to, int at);

    private static double limited(double value) {
        return Math.max(-Double.MAX_VALUE, Math.min(Double.MAX_VALUE, value));
    }

    /** Writes 1 − σ(t) and σ(t), both without cancellation. */
    static void sigmoids(double t, double[] to, int at) {
        to[at] = 1 / (1 + Math.exp(t));
        to[at + 1] = 1 / (1 + Math.exp(-t));
    }

    /** Returns true if the class with the highest score always has the largest probability. */
    public final boolean keepsOrder() {
        return keepsOrder;
    }

    /** Returns true if different scores never have equal probabilities, apart from rounding. */
    public final boolean separates() {
        return !type.equals(IsotonicCalibration.TYPE);
    }

    /** Returns true if the probabilities follow from the loss's own probability model, without a fit. */
    public final boolean ofScores() {
        return type.equals(SigmoidCalibration.OF_SCORES) || type.equals(SoftmaxCalibration.OF_SCORES);
    }

    /** Returns the saved form. */
    public final State state() {
        State state = State.of(type).with("classes", classes);
        return ofScores() ? state : withParameters(state);
    }

    /** Returns a saved form with the fitted parameters added. */
    abstract State withParameters(State state);

    @Override
    public String toString() {
        return type;
    }

    /**
     * Fits a calibration to held-out rows, at least one of them with a weight above 0.
     *
     * @param method any method except {@code QUANTILE}, which gives no probabilities
     */
    public static Calibration fit(CalibrationRecipe.Method method, ScoreAccumulator rows, Workers workers) {
        return switch (method) {
            case PLATT -> SigmoidCalibration.fit(rows, workers);
            case TEMPERATURE -> SoftmaxCalibration.fit(rows, workers);
            case ISOTONIC -> IsotonicCalibration.fit(rows, workers);
            case QUANTILE -> throw new IllegalArgumentException("quantile gives no probabilities");
        };
    }

    /** Returns the calibration σ(s). */
    public static Calibration sigmoid(int classes) {
        return SigmoidCalibration.ofScores(classes);
    }

    /** Returns the calibration softmax(s). */
    public static Calibration softmax(int classes) {
        return SoftmaxCalibration.ofScores(classes);
    }

    /** Loads a calibration from its {@link #state}; fails if its number of classes is another. */
    public static Calibration load(State state, int classes) {
        Require.sameSize("calibration", "classes", state.count("classes"), classes);
        return switch (state.type()) {
            case SigmoidCalibration.OF_SCORES -> sigmoid(classes);
            case SigmoidCalibration.FITTED -> SigmoidCalibration.load(classes, state);
            case SoftmaxCalibration.OF_SCORES -> softmax(classes);
            case SoftmaxCalibration.FITTED -> SoftmaxCalibration.load(classes, state);
            case IsotonicCalibration.TYPE -> IsotonicCalibration.load(classes, state);
            default ->
                throw new BochnerException("calibration: the saved form has the unknown type '" + state.type() + "'");
        };
    }
}
