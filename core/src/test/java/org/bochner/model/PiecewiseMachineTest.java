package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.bochner.data.MemorySource;
import org.bochner.learn.linear.LinearModel;
import org.bochner.map.FeatureMaps;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Support vector machines in the two-sparse code of bins with the penalty of first differences, (N/b)·Σₖ (Wₖ − Wₖ₋₁)² per
 * column, as Maji and Berg (2009) train piecewise linear classifiers, against a solver of this test.
 */
class PiecewiseMachineTest {
    private static final int ROWS = 80;
    private static final int COLUMNS = 2;
    private static final int BINS = 6;
    private static final double C = 2;

    private final float[] values = new float[ROWS * COLUMNS];
    private final int[] classes = new int[ROWS];

    PiecewiseMachineTest() {
        RandomStream random = new Seed(4).stream();
        for (int i = 0; i < ROWS; i++) {
            double a = random.nextUniform();
            double b = random.nextUniform();
            values[2 * i] = (float) a;
            values[2 * i + 1] = (float) b;
            classes[i] = Math.abs(a - 0.5) + b * b + 0.3 * (random.nextUniform() - 0.5) > 0.6 ? 1 : 0;
        }
    }

    private double sign(int i) {
        return classes[i] == 1 ? 1 : -1;
    }

    /** Returns the share of bin k, of a range of 1, that a value fills. */
    private static double filled(double x, int k) {
        return Math.max(0, Math.min(1, BINS * x - k));
    }

    /** The kernel of the code: the penalty is its inverse. */
    private double kernel(int i, int j) {
        double sum = 0;
        for (int l = 0; l < COLUMNS; l++) {
            for (int k = 0; k < BINS; k++) {
                sum += filled(values[2 * i + l], k) * filled(values[2 * j + l], k) / BINS;
            }
        }
        return sum;
    }

    /** Maximises the dual over pairs of rows in turns, and returns it: the least value of the primal objective. */
    private double leastObjective() {
        double[] alpha = new double[ROWS];
        double[] f = new double[ROWS];
        double change = 1;
        for (int sweep = 0; sweep < 3000 && change > 1e-9; sweep++) {
            change = 0;
            for (int i = 0; i < ROWS; i++) {
                for (int j = 0; j < i; j++) {
                    double curvature = kernel(i, i) + kernel(j, j) - 2 * kernel(i, j);
                    double errors = f[i] - sign(i) - (f[j] - sign(j));
                    // α·y of row i grows by the step, that of row j falls by it, and both α stay between 0 and C.
                    double step = curvature > 1e-12 ? -errors / curvature : 0;
                    double low = Math.max(lowest(alpha[i], sign(i)), -highest(alpha[j], sign(j)));
                    double high = Math.min(highest(alpha[i], sign(i)), -lowest(alpha[j], sign(j)));
                    step = Math.max(low, Math.min(high, step));
                    if (Math.abs(step) > 1e-14) {
                        alpha[i] += sign(i) * step;
                        alpha[j] -= sign(j) * step;
                        for (int r = 0; r < ROWS; r++) {
                            f[r] += step * (kernel(r, i) - kernel(r, j));
                        }
                        change = Math.max(change, Math.abs(step));
                    }
                }
            }
        }
        double dual = 0;
        for (int i = 0; i < ROWS; i++) {
            dual += alpha[i] - 0.5 * alpha[i] * sign(i) * f[i];
        }
        return dual;
    }

    private static double lowest(double alpha, double sign) {
        return sign > 0 ? -alpha : alpha - C;
    }

    private static double highest(double alpha, double sign) {
        return sign > 0 ? C - alpha : alpha;
    }

    /** The objective of a model, from the values of its function at the borders of the bins. */
    private double objective(KernelModel model) {
        LinearModel linear = model.linear();
        double objective = 0;
        for (int l = 0; l < COLUMNS; l++) {
            double before = 0;
            for (int k = 0; k < BINS; k++) {
                double weight = linear.weight(l * (BINS + 1) + k, 0);
                objective += BINS * (weight - before) * (weight - before) / 2;
                before = weight;
            }
            assertEquals(0, linear.weight(l * (BINS + 1) + BINS, 0), "no value is above the range");
        }
        for (int i = 0; i < ROWS; i++) {
            double score = model.score(new double[] {values[2 * i], values[2 * i + 1]})[0];
            objective += C * Math.max(0, 1 - sign(i) * score);
        }
        return objective;
    }

    /** The share of the least objective by which that of the model may be larger: 1e-3 for the tolerance of the dual solver. */
    @ParameterizedTest
    @CsvSource({"svm(C=2), 1e-3", "'svm(C=2, solver=stream, iterations=100)', 0.02"})
    void minimisesTheHingeLossWithThePenaltyOfDifferences(String learner, double tolerance) {
        KernelModel model = KernelMachine.of("intersection")
                .withMap(FeatureMaps.parse("piecewise(bins=6, sparse, range=1)"))
                .withScaling("none")
                .withLearner(learner)
                .fit(MemorySource.of(COLUMNS, values).withClasses(List.of("no", "yes"), classes))
                .model();
        double least = leastObjective();
        double objective = objective(model);
        assertTrue(objective > least * (1 - 1e-6), objective + " below " + least);
        assertTrue(objective < least * (1 + tolerance), objective + " above " + least);
        assertPredictsByTables(model);
    }

    /** The compiled model is a table of the values at the borders of the bins, and has the scores of the model. */
    private void assertPredictsByTables(KernelModel model) {
        AdditiveCurves curves = AdditiveCurves.compile(model, "linear", BINS + 1, new Workers(1));
        for (int l = 0; l < COLUMNS; l++) {
            double[] knots = curves.knots(l);
            for (int k = 1; k <= BINS; k++) {
                double weight = model.linear().weight(l * (BINS + 1) + k - 1, 0);
                assertEquals(weight, curves.at(l, knots[k])[0], 1e-6 * Math.max(1, Math.abs(weight)));
            }
        }
        double[] row = {0.37, 0.81};
        assertEquals(model.score(row)[0], curves.model().score(row)[0], 1e-5);
        assertEquals(BINS + 1, Arrays.stream(curves.knots(0)).distinct().count());
    }
}
