package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.learn.Learner;
import org.bochner.learn.ridge.Ridge;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Float32 statistics, or float64 ones in their place, give the predictions of float64 to 1e-4 standard deviations. */
class CoarseStatisticsTest {
    private static final int ROWS = 1500;

    /** A rough function of few columns, which a small penalty fits by large weights. */
    private static MemorySource rows() {
        RandomStream stream = new Seed(11).stream();
        float[] values = new float[3 * ROWS];
        double[] targets = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            for (int l = 0; l < 3; l++) {
                values[3 * i + l] = (float) (4 * stream.nextUniform() - 2);
            }
            targets[i] = Math.abs(values[3 * i] - values[3 * i + 1] * values[3 * i + 2])
                    + Math.sin(4 * values[3 * i + 1])
                    + 0.1 * stream.nextUniform();
        }
        return MemorySource.of(3, values).withTargets(targets);
    }

    private static TrainingResult train(String learner, int features, Precision precision) {
        return KernelMachine.of("gaussian(sigma=1)")
                .withFeatures(features)
                .withPrecision(precision)
                .withLearner(Learner.parse(learner))
                .fit(rows());
    }

    private static double[] predictions(KernelModel model, RowSource rows) {
        double[] all = new double[ROWS];
        model.score(
                rows,
                Workers.all(),
                Progress.NONE,
                (block, scores) -> System.arraycopy(scores, 0, all, (int) block.firstRow(), block.rows()));
        return all;
    }

    /** Root mean square of the differences over the standard deviation of the second. */
    private static double difference(double[] one, double[] other) {
        double mean = 0;
        for (double value : other) {
            mean += value / other.length;
        }
        double squares = 0;
        double scatter = 0;
        for (int i = 0; i < one.length; i++) {
            squares += (one[i] - other[i]) * (one[i] - other[i]);
            scatter += (other[i] - mean) * (other[i] - mean);
        }
        return Math.sqrt(squares / scatter);
    }

    @ParameterizedTest
    @CsvSource({"4e-5, 200", "1e-4, 200", "4e-4, 200", "4e-3, 200", "4e-2, 200", "3e-5, 600", "1e-3, 600"})
    void givenPenaltiesGiveThePredictionsOfFloat64(double lambda, int features) {
        String learner = "ridge(lambda=" + lambda + ")";
        KernelModel coarse = train(learner, features, Precision.FLOAT32).model();
        KernelModel fine = train(learner, features, Precision.FLOAT64).model();
        double difference = difference(predictions(coarse, rows()), predictions(fine, rows()));
        assertTrue(difference <= Ridge.LARGEST_ERROR, "differ by " + difference);
    }

    @Test
    void chosenPenaltiesDoToo() {
        TrainingResult coarse = train("ridge", 200, Precision.FLOAT32);
        double lambda = coarse.report().chosen().lambda();
        KernelModel fine =
                train("ridge(lambda=" + lambda + ")", 200, Precision.FLOAT64).model();
        double difference = difference(predictions(coarse.model(), rows()), predictions(fine, rows()));
        assertTrue(difference <= Ridge.LARGEST_ERROR, "differ by " + difference + " at " + lambda);
    }

    @Test
    void ordinaryPenaltiesStayInFloat32() {
        assertEquals(
                Precision.FLOAT32,
                train("ridge(lambda=1)", 200, Precision.FLOAT32).model().precision());
    }
}
