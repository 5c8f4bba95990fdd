package org.bochner.learn.calibrate;

import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.State;
import org.bochner.numeric.Workers;

/** Probabilities exp(sₒ/T)/Σ exp(s/T); σ(s/T) for two classes, whose single score means (0, s). */
final class SoftmaxCalibration extends Calibration {
    static final String OF_SCORES = "softmax";
    static final String FITTED = "temperature";

    private final double temperature;

    private SoftmaxCalibration(String type, int classes, double temperature) {
        super(type, classes, true);
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
    State withParameters(State state) {
        return state.with("temperature", temperature);
    }

    @Override
    void ofTwo(double score, double[] to, int at) {
        sigmoids(score / temperature, to, at);
    }

    @Override
    void shares(double[] scores, int from, double[] to, int at) {
        double largest = Double.NEGATIVE_INFINITY;
        for (int o = from; o < from + classes(); o++) {
            largest = Math.max(largest, scores[o]);
        }
        for (int o = 0; o < classes(); o++) {
            // Differences first, because quotients may overflow; every step is monotone despite rounding.
            to[at + o] = Math.exp((scores[from + o] - largest) / temperature);
        }
    }

    @Override
    double logOdds(double score) {
        return score / temperature;
    }

    @Override
    void logShares(double[] scores, int from, double[] to, int at) {
        double largest = Double.NEGATIVE_INFINITY;
        for (int o = from; o < from + classes(); o++) {
            largest = Math.max(largest, scores[o]);
        }
        for (int o = 0; o < classes(); o++) {
            to[at + o] = (scores[from + o] - largest) / temperature;
        }
    }

    @Override
    public String toString() {
        return ofScores() ? OF_SCORES : FITTED + "(T=" + Spelling.print(temperature) + ")";
    }
}
