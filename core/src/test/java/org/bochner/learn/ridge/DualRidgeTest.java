package org.bochner.learn.ridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.data.Labels;
import org.bochner.data.SparseRows;
import org.bochner.kernel.additive.Linear;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.map.additive.ExactMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.random.Seed;
import org.bochner.stats.BlockGram;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.DualAccumulator;
import org.bochner.stats.DualStatistics;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.MappedRows;
import org.bochner.stats.RowWeights;
import org.bochner.stats.SparseTable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The dual solves the same problem as the primal. */
class DualRidgeTest {
    private static final Workers WORKERS = new Workers(1);
    private static final List<Labels> EVERY_KIND = List.of(
            new Labels.Numbers(List.of("a", "b")),
            new Labels.Classes(List.of("no", "yes")),
            new Labels.Classes(List.of("red", "green", "blue")));

    /**
     * Both solve systems with a condition number of at most tr(H)/λ < 1e4, in which they lose 4 of 16 digits. 1e-10
     * leaves a hundredfold for the roundings of sums of 80 terms.
     */
    private static final double TOLERANCE = 1e-10;

    private static SparseTable table(Labels labels) {
        SparseTable table = new SparseTable(80, 130, labels, new Seed(1));
        for (int i = 0; i < 80; i++) {
            table.weights[i] = i % 9 == 4 ? 0 : 0.5 + i % 3;
        }
        return table;
    }

    private static ClassWeights factors(Labels labels) {
        return labels instanceof Labels.Classes classes && classes.names().size() == 3
                ? ClassWeights.of(1, 2, 0.5)
                : ClassWeights.none();
    }

    private static DualStatistics dual(SparseTable table) {
        DualAccumulator total = new DualAccumulator(table.columns(), table.labels(), factors(table.labels()));
        total.add(table.block(0, 30));
        total.add(table.block(30, 80));
        return total.freeze(WORKERS);
    }

    private static GramStatistics primal(SparseTable table) {
        GramAccumulator total = new GramAccumulator(table.columns(), table.labels());
        BlockGram block = new BlockGram(table.columns(), table.labels(), factors(table.labels()));
        MappedRows mapped = new MappedRows(new ExactMap(new Linear(), table.columns()), Precision.FLOAT64);
        block.add(mapped.take(table.block(0, 80)), 0);
        total.add(block);
        return total.freeze();
    }

    private static void assertSame(LinearFit expected, LinearFit got) {
        LinearModel model = expected.model();
        assertEquals(model.outputs(), got.model().outputs());
        for (int o = 0; o < model.outputs(); o++) {
            assertEquals(model.intercept(o), got.model().intercept(o), TOLERANCE);
            for (int j = 0; j < model.features(); j++) {
                assertEquals(model.weight(j, o), got.model().weight(j, o), TOLERANCE, "weight " + j + "," + o);
            }
        }
        assertEquals(expected.reason(), got.reason());
        assertEquals(expected.path().size(), got.path().size());
        for (int k = 0; k < expected.path().size(); k++) {
            assertSame(expected.path().get(k), got.path().get(k));
        }
        assertSame(expected.chosen(), got.chosen());
    }

    /** A score is below 10, and divides by the square of a slack that is known to 1e-10 and above 1e-2. */
    private static void assertSame(PathPoint expected, PathPoint got) {
        assertEquals(expected.lambda(), got.lambda(), TOLERANCE * expected.lambda());
        assertEquals(expected.degreesOfFreedom(), got.degreesOfFreedom(), TOLERANCE * 80);
        assertEquals(expected.trainingLoss(), got.trainingLoss(), TOLERANCE);
        assertEquals(expected.validationError(), got.validationError(), 1e-8);
    }

    @Nested
    class EqualsThePrimal {
        @Test
        void atEveryPenalty() {
            for (Labels labels : EVERY_KIND) {
                SparseTable table = table(labels);
                for (double lambda : new double[] {0.1, 1, 30}) {
                    assertSame(
                            Ridge.of(lambda).fit(primal(table), Precision.FLOAT64, WORKERS),
                            Ridge.of(lambda).fit(dual(table), Precision.FLOAT64, WORKERS));
                }
            }
        }

        @Test
        void inItsPathAndItsScores() {
            for (Labels labels : EVERY_KIND) {
                SparseTable table = table(labels);
                double[] lambdas = {0.1, 1, 30};
                List<PathPoint> expected = RidgeTest.path(primal(table), lambdas, WORKERS);
                List<PathPoint> got = RidgeTest.path(dual(table), lambdas, WORKERS);
                for (int k = 0; k < lambdas.length; k++) {
                    assertSame(expected.get(k), got.get(k));
                }
            }
        }
    }

    /** The mean squared error, per output and weight, of rows that are predicted from the others of a table. */
    private static double heldOutError(SparseTable table, int[] held, double lambda) {
        double[] weights = table.weights.clone();
        for (int i : held) {
            table.weights[i] = 0;
        }
        LinearModel model =
                Ridge.of(lambda).fit(primal(table), Precision.FLOAT64, WORKERS).model();
        System.arraycopy(weights, 0, table.weights, 0, weights.length);
        double sum = 0;
        double total = 0;
        OutputCoding outputs = OutputCoding.of(table.labels());
        RowWeights rowWeights = new RowWeights(table.labels(), factors(table.labels()));
        for (int i : held) {
            SparseRows row = table.block(i, i + 1);
            total += rowWeights.weight(row, 0);
            for (int o = 0; o < outputs.count(); o++) {
                double score = model.intercept(o);
                for (int j = 0; j < table.columns(); j++) {
                    score += model.weight(j, o) * table.x[i][j];
                }
                double residual = score - outputs.target(row, 0, o);
                sum += rowWeights.weight(row, 0) * residual * residual;
            }
        }
        return sum / (total * outputs.count());
    }

    private static int[] weighed(SparseTable table) {
        return IntStream.range(0, 80).filter(i -> table.weights[i] > 0).toArray();
    }

    @Nested
    class ScoresPenaltiesBy {
        @Test
        void theExactLeaveOneOutError() {
            for (Labels labels : EVERY_KIND) {
                SparseTable table = table(labels);
                RowWeights rowWeights = new RowWeights(labels, factors(labels));
                for (double lambda : new double[] {0.1, 1, 30}) {
                    double sum = 0;
                    double total = 0;
                    for (int i : weighed(table)) {
                        double weight = rowWeights.weight(table.block(i, i + 1), 0);
                        sum += weight * heldOutError(table, new int[] {i}, lambda);
                        total += weight;
                    }
                    PathPoint point = new DualRidge(dual(table), WORKERS)
                            .validationError()
                            .at()
                            .apply(lambda);
                    // Residuals are divided by slacks above 1e-3, which are known to 1e-12.
                    assertEquals(sum / total, point.validationError(), 1e-8, labels + ", lambda " + lambda);
                }
            }
        }

        @Test
        void theErrorOnOneFoldWhereThereAreManyRows() {
            for (Labels labels : EVERY_KIND) {
                SparseTable table = table(labels);
                DualStatistics statistics = dual(table);
                DualHeldOut score =
                        Objects.requireNonNull(DualHeldOut.of(new DualRidge(statistics, WORKERS), statistics));
                int[] rows = weighed(table);
                int[] held = Arrays.stream(score.held).map(i -> rows[i]).toArray();
                RowWeights rowWeights = new RowWeights(labels, factors(labels));
                double heldWeight = Arrays.stream(held)
                        .mapToDouble(i -> rowWeights.weight(table.block(i, i + 1), 0))
                        .sum();
                double share = 1 - heldWeight / statistics.totalRowWeight();
                for (double lambda : new double[] {0.1, 1, 30}) {
                    assertEquals(
                            heldOutError(table, held, share * lambda),
                            score.at(lambda).validationError(),
                            1e-8,
                            labels + ", lambda " + lambda);
                }
            }
        }

        /** The error on one fold is least at the unit, that on all folds at a hundredth of it. */
        @Test
        void theFinerErrorBetweenNeighbours() {
            DualStatistics statistics = dual(table(EVERY_KIND.get(0)));
            double unit = statistics.scatterTrace() / statistics.features();
            ValidationError score = ValidationError.refined(
                    5, lambda -> distance(lambda, unit), lambda -> distance(lambda, unit / 100));
            LinearFit fit =
                    new RidgeSearch(new DualRidge(statistics, WORKERS), score, 1e-12 * unit, Precision.FLOAT64).run();
            assertEquals(unit / 100, fit.chosen().lambda(), 1e-9 * unit);
            for (PathPoint point : fit.path()) {
                assertTrue(fit.chosen().validationError() <= point.validationError(), point.toString());
            }
        }

        @Test
        void noneBelowTheLowestOfASample() {
            DualStatistics statistics = dual(table(EVERY_KIND.get(0)));
            double unit = statistics.scatterTrace() / statistics.features();
            for (int bestStep = -4; bestStep <= 4; bestStep++) {
                double best = unit * Math.pow(10, bestStep / 2.0);
                ValidationError score =
                        ValidationError.sampled(5, () -> unit / Math.sqrt(10), lambda -> distance(lambda, best));
                LinearFit fit = new RidgeSearch(
                                new DualRidge(statistics, WORKERS), score, 1e-12 * unit, Precision.FLOAT64)
                        .run();
                int chosenStep = Math.max(-1, bestStep);
                assertEquals(Math.pow(10, chosenStep / 2.0), fit.chosen().lambda() / unit, 1e-9);
                // Each step up to the best, and one beyond it.
                assertEquals(chosenStep + 3, fit.path().size());
            }
        }

        private static PathPoint distance(double lambda, double best) {
            return new PathPoint(lambda, Double.NaN, Double.NaN, Math.abs(Math.log(lambda / best)));
        }

        /** Rows of one group are held out together, and few rows are compared on all folds. */
        @Test
        void allFoldsWhereThereAreFewRows() {
            DualStatistics statistics = dual(table(EVERY_KIND.get(0)));
            DualHeldOut score = Objects.requireNonNull(DualHeldOut.of(new DualRidge(statistics, WORKERS), statistics));
            assertTrue(score.error().fine() != null);
            double sum = 0;
            double fine = Objects.requireNonNull(score.error().fine()).apply(1).validationError();
            for (int fold = 0; fold < 5; fold++) {
                DualHeldOut one =
                        Objects.requireNonNull(DualHeldOut.of(new DualRidge(statistics, WORKERS), statistics, fold));
                double share = Arrays.stream(one.held)
                                .mapToDouble(i -> statistics.root(i) * statistics.root(i))
                                .sum()
                        / statistics.totalRowWeight();
                sum += share * one.at(1).validationError();
            }
            assertEquals(sum, fine, 1e-12 * sum);
        }

        /** A score that falls with the penalty, down to where the matrix cannot be factored any more. */
        @Test
        void anInfiniteErrorWhereThePenaltyIsTooSmallForTheMatrix() {
            DualStatistics statistics = dual(table(EVERY_KIND.get(0)));
            double unit = statistics.scatterTrace() / statistics.features();
            ValidationError score = new ValidationError("penalty", lambda -> {
                if (lambda < 1e-5 * unit) {
                    // Rounds to a matrix of zeros, which has no factor.
                    Cholesky unused = RidgeProblem.factor(new double[4], 2, lambda, WORKERS);
                }
                return new PathPoint(lambda, Double.NaN, Double.NaN, lambda);
            });
            LinearFit fit =
                    new RidgeSearch(new DualRidge(statistics, WORKERS), score, 1e-12 * unit, Precision.FLOAT64).run();
            assertTrue(fit.chosen().lambda() >= 1e-5 * unit, fit.reason());
            assertTrue(fit.chosen().lambda() < 1e-4 * unit, fit.reason());
        }

        @Test
        void whatTheChosenOneHasLeastOf() {
            SparseTable table = table(EVERY_KIND.get(0));
            LinearFit fit = Ridge.auto().fit(dual(table), Precision.FLOAT64, WORKERS);
            assertTrue(fit.reason().contains("leave-one-out"), fit.reason());
            for (PathPoint point : fit.path()) {
                assertTrue(fit.chosen().validationError() <= point.validationError(), point.toString());
            }
        }
    }

    @Test
    void withoutPenaltyItIsRefused() {
        DualStatistics statistics = dual(table(EVERY_KIND.get(0)));
        BochnerException e =
                assertThrows(BochnerException.class, () -> Ridge.of(0).fit(statistics, Precision.FLOAT64, WORKERS));
        assertTrue(String.valueOf(e.getMessage()).contains("fewer rows"), e.getMessage());
    }

    @Test
    void equalRowsHaveNoPenaltyToChoose() {
        SparseTable table = table(EVERY_KIND.get(0));
        for (int i = 0; i < 80; i++) {
            table.x[i] = new float[130];
        }
        assertThrows(BochnerException.class, () -> Ridge.auto().fit(dual(table), Precision.FLOAT64, WORKERS));
    }
}
