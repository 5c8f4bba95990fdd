package org.bochner.learn.calibrate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;

/** The logarithms of calibrated probabilities, which are the scores of cascades. */
class CalibrationLogarithmsTest {
    @Test
    void logarithmsAreThoseOfTheProbabilitiesAndStayFinite() {
        ScoreAccumulator rows = new ScoreAccumulator(3);
        RandomStream stream = new Seed(4).stream();
        for (int i = 0; i < 90; i++) {
            double[] scores = {stream.nextUniform(), stream.nextUniform(), stream.nextUniform()};
            scores[i % 3] += 0.5;
            rows.add(scores, 0, i % 3, 1);
        }
        Workers one = new Workers(1);
        for (Calibration calibration : List.of(
                Calibration.sigmoid(3),
                Calibration.softmax(3),
                Calibration.fit(CalibrationRecipe.Method.PLATT, rows, one),
                Calibration.fit(CalibrationRecipe.Method.TEMPERATURE, rows, one),
                Calibration.fit(CalibrationRecipe.Method.ISOTONIC, rows, one))) {
            double[] scores = {0.2, 0.9, -0.4, -700, -900, -1e300, 1e300, -1e300, 0};
            double[] logarithms = new double[9];
            double[] probabilities = new double[3];
            for (int i = 0; i < 3; i++) {
                calibration.logarithms(scores, i, logarithms, 3 * i);
                calibration.probabilities(scores, i, probabilities, 0);
                for (int o = 0; o < 3; o++) {
                    assertTrue(Double.isFinite(logarithms[3 * i + o]), calibration + " " + logarithms[3 * i + o]);
                    assertEquals(probabilities[o], Math.exp(logarithms[3 * i + o]), 1e-12, calibration.toString());
                }
            }
        }
        double[] odds = new double[1];
        double[] pair = new double[2];
        Calibration.sigmoid(2).logarithms(new double[] {0.7}, 0, odds, 0);
        Calibration.sigmoid(2).probabilities(new double[] {0.7}, 0, pair, 0);
        assertEquals(Math.log(pair[1] / pair[0]), odds[0], 1e-12);
        assertFalse(Double.isNaN(odds[0]));
        assertNotEquals(0, odds[0]);
    }
}
