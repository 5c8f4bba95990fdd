package org.bochner.learn.calibrate;

import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.numeric.Workers;

/**
 * What makes probabilities, one a class, of the scores of a row; those of a row sum to 1. Of two classes there is one
 * score, positive for the second.
 *
 * <p>With scores s and the sigmoid σ(t) = 1/(1 + exp(−t)):
 *
 * <ul>
 *   <li>{@code sigmoid}: σ(s), what logistic regression means by its scores; several classes, each learned against all
 *       others, are divided by their sum;
 *   <li>{@code softmax}: exp(sₒ)/Σ exp(s), what multinomial logistic regression means; the same as {@code sigmoid} for
 *       two classes;
 *   <li>{@code platt}: σ(aₒsₒ + bₒ), divided by the sum (Platt, 1999; fitted as Lin, Lin and Weng, 2007,
 *       doi:10.1007/s10994-007-5018-6);
 *   <li>{@code temperature}: softmax of s/T, for two classes σ(s/T) (Guo et al., 2017); it never changes which class is
 *       the most probable;
 *   <li>{@code isotonic}: of every output a function that rises in steps, divided by the sum (Zadrozny and Elkan, 2002,
 *       doi:10.1145/775047.775151).
 * </ul>
 *
 * <p>The last three are fitted, by a {@link CalibrationRecipe}, to scores of rows that the model has not learned from.
 *
 * <p>Threads: safe; immutable.
 */
public sealed interface Calibration permits SigmoidCalibration, SoftmaxCalibration, IsotonicCalibration {
    /** How many classes there are: at least 2. */
    int classes();

    /** How many scores a row has: one for two classes, else one a class. */
    default int outputs() {
        return classes() == 2 ? 1 : classes();
    }

    /**
     * Writes the probabilities of a row, one a class.
     *
     * @param scores rows×outputs, all finite
     * @param to receives them from place {@code at} on
     */
    void probabilities(double[] scores, int row, double[] to, int at);

    /** Whether the class of the highest score always has the largest probability, or one that equals it. */
    boolean keepsOrder();

    /** Whether it is what the loss means by its scores, and nothing was fitted. */
    default boolean ofScores() {
        return state().type().equals(SigmoidCalibration.OF_SCORES)
                || state().type().equals(SoftmaxCalibration.OF_SCORES);
    }

    /** Its saved form. */
    State state();

    /**
     * Fits a calibration to rows that the model has not learned from, at least one of them with a weight above 0.
     *
     * @param method any but {@code QUANTILE}, which gives no probabilities
     */
    static Calibration fit(CalibrationRecipe.Method method, ScoreAccumulator rows, Workers workers) {
        return switch (method) {
            case PLATT -> SigmoidCalibration.fit(rows, workers);
            case TEMPERATURE -> SoftmaxCalibration.fit(rows, workers);
            case ISOTONIC -> IsotonicCalibration.fit(rows, workers);
            case QUANTILE -> throw new IllegalArgumentException("quantile gives no probabilities");
        };
    }

    /** σ of every score. */
    static Calibration sigmoid(int classes) {
        return SigmoidCalibration.ofScores(classes);
    }

    /** Softmax of the scores. */
    static Calibration softmax(int classes) {
        return SoftmaxCalibration.ofScores(classes);
    }

    /** The calibration whose {@link #state} this is, which must be of so many classes. */
    static Calibration load(State state, int classes) {
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
