package org.bochner.learn.calibrate;

import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.State;
import org.bochner.numeric.Workers;

/** Probabilities exp(sₒ/T)/Σ exp(s/T); σ(s/T) for two classes, whose single score means (0, s). */
final class SoftmaxCalibration implements Calibration {
    static final String OF_SCORES = "softmax";
    static final String FITTED = "temperature";

    private final String type;
    private final int classes;
    private final double temperature;

    private SoftmaxCalibration(String type, int classes, double temperature) {
        this.type = type;
        this.classes = Require.atLeast("calibration", "classes", classes, 2);
        this.temperature = Require.positive(type, "temperature", temperature);
    }

    static SoftmaxCalibration ofScores(int classes) {
        return new SoftmaxCalibration(OF_SCORES, classes, 1);
    }

    static SoftmaxCalibration fit(ScoreAccumulator rows, Workers workers) {
        return new SoftmaxCalibration(FITTED, rows.classes(), new TemperatureFit(rows, workers).temperature());
    }

    static SoftmaxCalibration load(int classes, State state) {
        return new SoftmaxCalibration(FITTED, classes, state.number("temperature"));
    }

    @Override
    public State state() {
        State state = State.of(type).with("classes", classes);
        return type.equals(OF_SCORES) ? state : state.with("temperature", temperature);
    }

    @Override
    public int classes() {
        return classes;
    }

    @Override
    public boolean keepsOrder() {
        return true;
    }

    @Override
    public void probabilities(double[] scores, int row, double[] to, int at) {
        if (classes == 2) {
            double logit = scores[row] / temperature;
            to[at] = 1 / (1 + Math.exp(logit));
            to[at + 1] = 1 / (1 + Math.exp(-logit));
            return;
        }
        double largest = Double.NEGATIVE_INFINITY;
        for (int o = 0; o < classes; o++) {
            largest = Math.max(largest, scores[row * classes + o]);
        }
        double sum = 0;
        for (int o = 0; o < classes; o++) {
            // Differences first, because quotients may overflow; every step is monotone despite rounding.
            to[at + o] = Math.exp((scores[row * classes + o] - largest) / temperature);
            sum += to[at + o];
        }
        for (int o = 0; o < classes; o++) {
            to[at + o] /= sum;
        }
    }

    @Override
    public String toString() {
        return type.equals(OF_SCORES) ? type : type + "(T=" + Spelling.print(temperature) + ")";
    }
}
