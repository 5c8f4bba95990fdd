package org.bochner.learn.ridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.data.Labels;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.stats.Fixtures;
import org.bochner.stats.Fixtures.Table;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.Statistics;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RidgeTest {
    /** Generalised cross-validation at given penalties. */
    static List<PathPoint> path(Statistics statistics, double[] lambdas, Workers workers) {
        RidgeProblem problem = RidgeProblem.of(statistics, workers);
        return Arrays.stream(lambdas).mapToObj(problem::generalised).toList();
    }

    private static final Workers WORKERS = new Workers(1);
    private static final Labels NUMBERS = new Labels.Numbers(List.of("a", "b"));

    private static GramStatistics statistics(Table table, Labels labels) {
        return Fixtures.accumulate(table, 0, table.rows, 32, labels, Precision.FLOAT64)
                .freeze();
    }

    /** The gradient of the objective at the fit, which vanishes at the optimum. */
    private static double largestGradient(Table table, LinearModel model, double lambda, int output) {
        double largest = 0;
        double sum = 0;
        double[] gradient = new double[table.columns];
        for (int i = 0; i < table.rows; i++) {
            double residual = table.weights[i] * (model.apply(table.x[i])[output] - table.y[i][output]);
            sum += residual;
            for (int j = 0; j < table.columns; j++) {
                gradient[j] += residual * table.x[i][j];
            }
        }
        for (int j = 0; j < table.columns; j++) {
            largest = Math.max(largest, Math.abs(gradient[j] + lambda * model.weight(j, output)));
        }
        return Math.max(largest, Math.abs(sum));
    }

    @Nested
    class AtAGivenPenalty {
        @Test
        void theGradientVanishesForEveryOutputAndTheIntercept() {
            Table table = new Table(150, 6, 2, 3, new Seed(1));
            for (int i = 0; i < 150; i++) {
                table.weights[i] = 0.5 + i % 3;
            }
            for (double lambda : new double[] {1e-3, 1, 1e3}) {
                LinearModel model = Ridge.of(lambda)
                        .fit(statistics(table, NUMBERS), Precision.FLOAT64, WORKERS)
                        .model();
                for (int output = 0; output < 2; output++) {
                    // 150 rows of size 4, weights up to 2.5, condition number below 1e5: far below 1e-8.
                    assertTrue(largestGradient(table, model, lambda, output) < 1e-8);
                }
            }
        }

        @Test
        void aHugePenaltyLeavesTheMean() {
            Table table = new Table(60, 4, 2, 0, new Seed(2));
            LinearModel model = Ridge.of(1e12)
                    .fit(statistics(table, NUMBERS), Precision.FLOAT64, WORKERS)
                    .model();
            double mean = 0;
            for (double[] y : table.y) {
                mean += y[0] / 60;
            }
            assertEquals(mean, model.intercept(0), 1e-9);
        }

        @Test
        void thePathEqualsSingleFits() {
            Table table = new Table(80, 5, 2, 1, new Seed(3));
            GramStatistics statistics = statistics(table, NUMBERS);
            double[] lambdas = {0.01, 0.1, 1, 10};
            List<PathPoint> path = path(statistics, lambdas, WORKERS);
            for (int k = 0; k < lambdas.length; k++) {
                LinearFit fit = Ridge.of(lambdas[k]).fit(statistics, Precision.FLOAT64, WORKERS);
                assertEquals(fit.chosen().trainingLoss(), path.get(k).trainingLoss(), 1e-12);
            }
            assertTrue(path.get(0).degreesOfFreedom() > path.get(3).degreesOfFreedom());
        }

        @Test
        void theTrainingErrorIsThatOfTheRows() {
            Table table = new Table(70, 4, 2, 0, new Seed(4));
            LinearFit fit = Ridge.of(0.5).fit(statistics(table, NUMBERS), Precision.FLOAT64, WORKERS);
            double sum = 0;
            for (int i = 0; i < 70; i++) {
                double[] values = fit.model().apply(table.x[i]);
                for (int o = 0; o < 2; o++) {
                    sum += (values[o] - table.y[i][o]) * (values[o] - table.y[i][o]);
                }
            }
            assertEquals(sum / 140, fit.chosen().trainingLoss(), 1e-12);
        }

        @Test
        void aSingularProblemWithoutPenaltyIsRefused() {
            Table table = new Table(10, 3, 2, 0, new Seed(5));
            for (double[] x : table.x) {
                x[2] = x[1];
            }
            BochnerException e = assertThrows(
                    BochnerException.class,
                    () -> Ridge.of(0).fit(statistics(table, NUMBERS), Precision.FLOAT64, WORKERS));
            assertTrue(String.valueOf(e.getMessage()).contains("lambda"), e.getMessage());
        }
    }

    @Nested
    class Classes {
        @Test
        void areFittedOneAgainstAllToPlusAndMinusOne() {
            Table table = new Table(90, 4, 1, 0, new Seed(6)).withClasses(3, new Seed(7));
            Labels labels = new Labels.Classes(List.of("a", "b", "c"));
            LinearModel model = Ridge.of(0.3)
                    .fit(statistics(table, labels), Precision.FLOAT64, WORKERS)
                    .model();
            assertEquals(3, model.outputs());
            Table targets = new Table(90, 4, 3, 0, new Seed(6));
            for (int i = 0; i < 90; i++) {
                targets.x[i] = table.x[i];
                for (int c = 0; c < 3; c++) {
                    targets.y[i][c] = table.y[i][0] == c ? 1 : -1;
                }
            }
            for (int c = 0; c < 3; c++) {
                assertTrue(largestGradient(targets, model, 0.3, c) < 1e-10);
            }
        }

        @Test
        void ofTwoTheSecondIsPositive() {
            Table table = new Table(40, 2, 1, 0, new Seed(8));
            for (int i = 0; i < 40; i++) {
                table.y[i][0] = table.x[i][0] > 0 ? 1 : 0;
            }
            LinearModel model = Ridge.of(0.01)
                    .fit(statistics(table, new Labels.Classes(List.of("no", "yes"))), Precision.FLOAT64, WORKERS)
                    .model();
            assertEquals(1, model.outputs());
            assertTrue(model.apply(new double[] {0.9, 0})[0] > 0);
            assertTrue(model.apply(new double[] {-0.9, 0})[0] < 0);
        }
    }

    @Nested
    class ChosenPenalty {
        /** y = 2x₀ + noise of variance v on d columns: the ridge optimum is interior and GCV must be near it. */
        private Table noisy(int rows, int columns, double noise) {
            Table table = new Table(rows, columns, 2, 0, new Seed(9));
            RandomStream stream = new Seed(10).stream();
            for (int i = 0; i < rows; i++) {
                table.y[i][0] = 2 * table.x[i][0] + noise * stream.nextGaussian();
                table.y[i][1] = -table.x[i][1] + noise * stream.nextGaussian();
            }
            return table;
        }

        @Test
        void hasTheLeastScoreOfAFineGrid() {
            GramStatistics statistics = statistics(noisy(60, 30, 2), NUMBERS);
            LinearFit fit = Ridge.auto().fit(statistics, Precision.FLOAT64, WORKERS);
            double best = Double.POSITIVE_INFINITY;
            double unit = statistics.scatterTrace() / statistics.features();
            for (int k = -16; k <= 8; k++) {
                double lambda = unit * StrictMath.pow(10, k / 2.0);
                best = Math.min(
                        best,
                        path(statistics, new double[] {lambda}, WORKERS).get(0).validationError());
            }
            assertEquals(best, fit.chosen().validationError(), 1e-12 * best);
            assertTrue(fit.path().size() < 12, "tried " + fit.path().size());
        }

        /**
         * Clouds of 300 classes in 24 columns. Residuals of classes correlate by less than 1 / their number, so that a
         * squared sum of them with random signs has a standard deviation of √2 of its mean at most, and the mean over 256
         * one of 0.09; the bound is that over √24, because weights of 300 classes on 24 features share so many directions,
         * times four.
         */
        @Test
        void ofHundredsOfClassesComesFromScoresThatAreNearlyExact() {
            Table table = new Table(3000, 24, 1, 0, new Seed(12)).withClasses(300, new Seed(13));
            Table centres = new Table(300, 24, 1, 0, new Seed(14));
            for (int i = 0; i < table.rows; i++) {
                for (int j = 0; j < table.columns; j++) {
                    table.x[i][j] = (float) (centres.x[(int) table.y[i][0]][j] + 0.5 * table.x[i][j]);
                }
                table.weights[i] = 0.5 + i % 2;
            }
            List<String> names =
                    IntStream.range(0, 300).mapToObj(Integer::toString).toList();
            GramStatistics statistics = statistics(table, new Labels.Classes(names));
            LinearFit fit = Ridge.auto().fit(statistics, Precision.FLOAT64, WORKERS);
            assertTrue(fit.path().size() > 2);
            double least = Double.POSITIVE_INFINITY;
            for (PathPoint estimated : fit.path()) {
                PathPoint exact = path(statistics, new double[] {estimated.lambda()}, WORKERS)
                        .get(0);
                assertEquals(exact.degreesOfFreedom(), estimated.degreesOfFreedom(), 1e-9);
                double bound = 4 * Math.sqrt(2 / 256.0 / 24);
                assertEquals(exact.validationError(), estimated.validationError(), bound * exact.validationError());
                least = Math.min(least, exact.validationError());
                if (estimated.lambda() == fit.chosen().lambda()) {
                    assertEquals(exact, estimated);
                }
            }
            assertEquals(least, fit.chosen().validationError(), 1e-3 * least);
            assertEquals(
                    Ridge.of(fit.chosen().lambda())
                            .fit(statistics, Precision.FLOAT64, WORKERS)
                            .model()
                            .state(),
                    fit.model().state());
        }

        /** GCV is defined with the trace of the hat matrix; here that matrix is formed. */
        @Test
        void theScoreIsTheDefinition() {
            Table table = noisy(25, 4, 1);
            GramStatistics statistics = statistics(table, NUMBERS);
            double lambda = 0.7;
            PathPoint point = path(statistics, new double[] {lambda}, WORKERS).get(0);
            double trace = 0;
            for (int i = 0; i < 25; i++) {
                // Leverage of row i: how far its own fitted value moves when its target moves by one.
                Table moved = noisy(25, 4, 1);
                moved.y[i][0] += 1;
                double before = Ridge.of(lambda)
                        .fit(statistics, Precision.FLOAT64, WORKERS)
                        .model()
                        .apply(table.x[i])[0];
                double after = Ridge.of(lambda)
                        .fit(statistics(moved, NUMBERS), Precision.FLOAT64, WORKERS)
                        .model()
                        .apply(table.x[i])[0];
                trace += after - before;
            }
            assertEquals(trace, point.degreesOfFreedom(), 1e-9);
            double slack = 1 - trace / 25;
            assertEquals(point.trainingLoss() / (slack * slack), point.validationError(), 1e-9);
        }

        @Test
        void rowsOfWeightZeroDoNotCount() {
            Table some = noisy(60, 30, 2);
            Table more = noisy(180, 30, 2);
            for (int i = 0; i < 180; i++) {
                if (i < 60) {
                    more.x[i] = some.x[i];
                    more.y[i] = some.y[i];
                } else {
                    more.weights[i] = 0;
                }
            }
            PathPoint expected = Ridge.auto()
                    .fit(statistics(some, NUMBERS), Precision.FLOAT64, WORKERS)
                    .chosen();
            PathPoint got = Ridge.auto()
                    .fit(statistics(more, NUMBERS), Precision.FLOAT64, WORKERS)
                    .chosen();
            // Tiles are cut elsewhere, so that sums of 60 products may differ in their last bits.
            assertEquals(expected.lambda(), got.lambda(), 1e-12 * expected.lambda());
            assertEquals(expected.validationError(), got.validationError(), 1e-12 * expected.validationError());
        }

        @Test
        void isRefusedWhereNothingVaries() {
            Table table = new Table(10, 3, 2, 0, new Seed(11));
            for (double[] x : table.x) {
                java.util.Arrays.fill(x, 1);
            }
            assertThrows(
                    BochnerException.class,
                    () -> Ridge.auto().fit(statistics(table, NUMBERS), Precision.FLOAT64, WORKERS));
        }
    }

    /** The stated limit of float32 statistics holds: their error is below it, and it is not a hundred times too large. */
    @Test
    void float32StatisticsAreAsFineAsStated() {
        int columns = 64;
        Table table = new Table(2000, columns, 2, 0, new Seed(12));
        GramStatistics fine = Fixtures.accumulate(table, 0, 2000, 512, NUMBERS, Precision.FLOAT64)
                .freeze();
        GramStatistics coarse = Fixtures.accumulate(table, 0, 2000, 512, NUMBERS, Precision.FLOAT32)
                .freeze();
        double frobenius = 0;
        for (int i = 0; i < columns; i++) {
            for (int j = 0; j < columns; j++) {
                frobenius += Math.pow(fine.scatter(i, j) - coarse.scatter(i, j), 2);
            }
        }
        // The spectral norm of a matrix lies between its Frobenius norm over √D and the Frobenius norm.
        double limit = Ridge.smallestLambda(fine, Precision.FLOAT32);
        assertTrue(Math.sqrt(frobenius) < limit, Math.sqrt(frobenius) + " of " + limit);
        assertTrue(limit < 100 * Math.sqrt(frobenius / columns), limit + " for " + Math.sqrt(frobenius / columns));
    }
}
