package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import org.bochner.base.BochnerException;
import org.bochner.data.Holdout;
import org.bochner.data.MemorySource;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;

class CrossValidationTest {
    private static final KernelMachine MACHINE = KernelMachine.of("gaussian").withFeatures(40);

    private static final int ROWS = 300;

    /** Ten rows near each of thirty places, whose class or number is drawn for the place. */
    private static MemorySource places(boolean classes) {
        SplittableRandom random = new SplittableRandom(5);
        float[] values = new float[2 * ROWS];
        int[] labels = new int[ROWS];
        double[] targets = new double[ROWS];
        for (int place = 0; place < ROWS / 10; place++) {
            float x = (float) random.nextDouble(-3, 3);
            float y = (float) random.nextDouble(-3, 3);
            int label = random.nextInt(2);
            for (int i = 10 * place; i < 10 * place + 10; i++) {
                values[2 * i] = x + (float) random.nextDouble(0.01);
                values[2 * i + 1] = y + (float) random.nextDouble(0.01);
                labels[i] = label;
                targets[i] = 3 * label + random.nextDouble(0.1);
            }
        }
        MemorySource rows = MemorySource.of(2, values);
        return classes ? rows.withClasses(List.of("a", "b"), labels) : rows.withTargets(targets);
    }

    private static long[] groups() {
        long[] groups = new long[ROWS];
        for (int i = 0; i < ROWS; i++) {
            groups[i] = i / 10;
        }
        return groups;
    }

    private static CrossValidation of(MemorySource rows, int folds, int repeats) {
        return CrossValidation.of(MACHINE, rows, folds, repeats, new Seed(1), new Workers(1), Progress.NONE);
    }

    @Test
    void everyFoldIsTestedByAModelOfTheOthersAlone() {
        for (boolean classes : new boolean[] {true, false}) {
            MemorySource rows = places(classes);
            CrossValidation cv = of(rows, 3, 1);
            List<Holdout> folds = Holdout.folds(
                    rows, 3, new Seed(1).derive("cross-validation").derive(0));
            assertEquals(3, cv.results().size());
            for (int fold = 0; fold < 3; fold++) {
                // All that is learned, scaling and bandwidth included, is learned from the training rows.
                Evaluation evaluation = Evaluation.of(
                        MACHINE.fit(folds.get(fold).train()).model(),
                        folds.get(fold).test());
                CrossValidation.Fold found = cv.results().get(fold);
                assertEquals(classes ? evaluation.error() : evaluation.rmse(), found.errorOrRmse());
                assertEquals(folds.get(fold).train().rows(), found.trainRows());
                assertEquals(folds.get(fold).test().rows(), found.testRows());
            }
            assertEquals(ROWS, cv.rows());
        }
    }

    @Test
    void standardErrorIsThatOfTheMeanOfTheFolds() {
        CrossValidation cv = of(places(true), 4, 1);
        double[] errors = cv.results().stream()
                .mapToDouble(CrossValidation.Fold::errorOrRmse)
                .toArray();
        double mean = (errors[0] + errors[1] + errors[2] + errors[3]) / 4;
        double squares = 0;
        for (double error : errors) {
            squares += (error - mean) * (error - mean);
        }
        assertEquals(mean, cv.errorOrRmse(), 1e-15);
        assertEquals(Math.sqrt(squares / 3), cv.standardDeviation(), 1e-15);
        assertEquals(Math.sqrt(squares / 3) / 2, cv.standardError(), 1e-15);
        assertEquals(Math.sqrt(mean * (1 - mean) / ROWS), cv.binomialStandardError(), 1e-15);
    }

    @Test
    void repeatsDivideTheRowsOtherwiseAndAverageTheVariance() {
        CrossValidation once = of(places(false), 3, 1);
        CrossValidation twice = of(places(false), 3, 2);
        assertEquals(6, twice.results().size());
        assertEquals(once.results(), twice.results().subList(0, 3));
        assertTrue(
                twice.results().get(0).errorOrRmse() != twice.results().get(3).errorOrRmse());
        double second = 0;
        double mean = twice.results().subList(3, 6).stream()
                .mapToDouble(CrossValidation.Fold::errorOrRmse)
                .average()
                .orElseThrow();
        for (CrossValidation.Fold fold : twice.results().subList(3, 6)) {
            second += (fold.errorOrRmse() - mean) * (fold.errorOrRmse() - mean) / 2;
        }
        double first = once.standardDeviation() * once.standardDeviation();
        assertEquals(Math.sqrt((first + second) / 2 / 3), twice.standardError(), 1e-12);
        assertTrue(Double.isNaN(twice.binomialStandardError()));
    }

    @Test
    void groupsTakeAwayWhatNeighboursGiveAway() {
        // Nothing tells the class of a place from those of the others, but rows of one place are all of its class.
        assertTrue(of(places(true), 5, 1).errorOrRmse() < 0.15);
        assertTrue(of(places(true).withGroups(groups()), 5, 1).errorOrRmse() > 0.3);
    }

    @Test
    void needsRowsInEveryFold() {
        assertThrows(BochnerException.class, () -> of(places(true).withGroups(new long[ROWS]), 2, 1));
        assertThrows(IllegalArgumentException.class, () -> of(places(true), 1, 1));
        assertThrows(IllegalArgumentException.class, () -> of(places(true), 2, 0));
    }
}
