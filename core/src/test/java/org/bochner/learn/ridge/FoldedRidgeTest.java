package org.bochner.learn.ridge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.data.Labels;
import org.bochner.kernel.Kernels;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.layout.Penalty;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.stats.Fixtures;
import org.bochner.stats.FoldedStatistics;
import org.bochner.stats.GramAccumulator;
import org.junit.jupiter.api.Test;

/** Penalties are scored by rows that were predicted from others. */
class FoldedRidgeTest {
    private static final Workers WORKERS = new Workers(2);
    private static final int ROWS = 120;
    private static final int COLUMNS = 7;

    private static List<Labels> everyKind() {
        return List.of(
                new Labels.Numbers(List.of("a", "b")),
                new Labels.Classes(List.of("no", "yes")),
                new Labels.Classes(List.of("red", "green", "blue")),
                new Labels.Classes(
                        IntStream.range(0, 300).mapToObj(c -> "c" + c).toList()));
    }

    private static Fixtures.Table table(Labels labels) {
        Fixtures.Table table = new Fixtures.Table(ROWS, COLUMNS, labels.targets(), 3, new Seed(5));
        if (labels instanceof Labels.Classes classes) {
            table.withClasses(classes.names().size(), new Seed(6));
        }
        for (int i = 0; i < ROWS; i++) {
            table.weights[i] = 0.5 + i % 3;
        }
        return table;
    }

    /** Folds of unequal size: rows 0 to 20, 20 to 60, 60 to 120. */
    private static final int[] ENDS = {0, 20, 60, 120};

    private static FoldedStatistics folds(Fixtures.Table table, Labels labels, int judged) {
        List<GramAccumulator> parts = new ArrayList<>();
        for (int f = 0; f + 1 < ENDS.length; f++) {
            parts.add(Fixtures.accumulate(table, ENDS[f], ENDS[f + 1], 17, labels, Precision.FLOAT64));
        }
        return FoldedStatistics.of(parts, judged, labels, Penalty.PLAIN);
    }

    /** The squared errors of a fold predicted from the others, summed over rows, weights and outputs. */
    private static double squares(Fixtures.Table table, Labels labels, int fold, double lambda) {
        GramAccumulator others = new GramAccumulator(COLUMNS, labels);
        for (int f = 0; f + 1 < ENDS.length; f++) {
            if (f != fold) {
                others.combine(Fixtures.accumulate(table, ENDS[f], ENDS[f + 1], 17, labels, Precision.FLOAT64));
            }
        }
        LinearModel model = Ridge.of(lambda)
                .fit(others.freeze(), Precision.FLOAT64, WORKERS)
                .model();
        OutputCoding outputs = OutputCoding.of(labels);
        double sum = 0;
        for (int i = ENDS[fold]; i < ENDS[fold + 1]; i++) {
            for (int o = 0; o < outputs.count(); o++) {
                double score = model.intercept(o);
                for (int j = 0; j < COLUMNS; j++) {
                    score += model.weight(j, o) * table.x[i][j];
                }
                double residual = score - outputs.target(table.block(i, i + 1), 0, o);
                sum += table.weights[i] * residual * residual;
            }
        }
        return sum;
    }

    private static double weight(Fixtures.Table table, int fold) {
        return IntStream.range(ENDS[fold], ENDS[fold + 1])
                .mapToDouble(i -> table.weights[i])
                .sum();
    }

    @Test
    void theScoreIsTheErrorOfRowsPredictedFromTheOtherFolds() {
        for (Labels labels : everyKind()) {
            Fixtures.Table table = table(labels);
            double total = weight(table, 0) + weight(table, 1) + weight(table, 2);
            for (int judged : new int[] {3, 1}) {
                FoldedRidge ridge = new FoldedRidge(folds(table, labels, judged), WORKERS);
                for (double lambda : new double[] {0.01, 1, 100}) {
                    double sum = 0;
                    double weight = 0;
                    for (int f = 0; f < judged; f++) {
                        double own = weight(table, f);
                        sum += squares(table, labels, f, lambda * (total - own) / total);
                        weight += own;
                    }
                    int outputs = OutputCoding.of(labels).count();
                    double expected = sum / (weight * outputs);
                    // 256 codes of 300 outputs estimate the sum to √(2/256)/√300 of it times the spread of a row's
                    // error, below 1%; without codes, sums of 120 rows round to 1e-13.
                    double tolerance = outputs > TargetSketch.COUNT ? 0.03 * expected : 1e-10;
                    assertEquals(
                            expected, ridge.at(lambda).validationError(), tolerance, labels.targets() + " " + outputs);
                }
            }
        }
    }

    /** Returns the statistics of some columns of the table. */
    private static FoldedStatistics folds(Fixtures.Table table, Labels labels, int... kept) {
        Fixtures.Table some = new Fixtures.Table(ROWS, kept.length, labels.targets(), 0, new Seed(1));
        for (int i = 0; i < ROWS; i++) {
            some.y[i] = table.y[i];
            some.weights[i] = table.weights[i];
            for (int j = 0; j < kept.length; j++) {
                some.x[i][j] = table.x[i][kept[j]];
            }
        }
        List<GramAccumulator> parts = new ArrayList<>();
        for (int f = 0; f + 1 < ENDS.length; f++) {
            parts.add(Fixtures.accumulate(some, ENDS[f], ENDS[f + 1], 17, labels, Precision.FLOAT64));
        }
        return FoldedStatistics.of(parts, 1, labels, Penalty.PLAIN);
    }

    /** Two vectors with the span of the features 1 and 4, and a third one that depends on them. */
    private static double[] vectors() {
        double[] vectors = new double[3 * COLUMNS];
        for (int c = 0; c < 3; c++) {
            vectors[3 + c] = 1 + c;
            vectors[12 + c] = 2 - c;
        }
        return vectors;
    }

    /** Weights that are orthogonal to unit vectors are those without these features. Sums of 120 rows round to 1e-13. */
    @Test
    void featuresAreLeftOutWithAFold() {
        for (Labels labels : everyKind().subList(0, 3)) {
            Fixtures.Table table = table(labels);
            FoldedStatistics all = folds(table, labels, 1);
            FoldedStatistics some =
                    new FoldedStatistics(all.total(), all.held(), all.rest(), List.of(FoldedRidgeTest::vectors));
            FoldedStatistics expected = folds(table, labels, new int[] {0, 2, 3, 5, 6});
            for (double lambda : new double[] {0.01, 1, 100}) {
                double error = new FoldedRidge(expected, WORKERS).at(lambda).validationError();
                FoldedRidge ridge = new FoldedRidge(some, WORKERS);
                assertEquals(error, ridge.at(lambda).validationError(), 1e-10);
                assertEquals(error, ridge.onFirst(lambda).validationError(), 1e-10);
                // After six steps from a neighbouring penalty, errors differ by at most 0.002 of their size.
                assertEquals(
                        new FoldedRidge(expected, WORKERS).at(2 * lambda).validationError(),
                        ridge.onFirst(2 * lambda).validationError(),
                        0.002 * error);
            }
        }
    }

    /** A sample has the first features, and of the vectors those that are not zero there. */
    @Test
    void featuresAreLeftOutOfASample() {
        Labels labels = new Labels.Numbers(List.of("y"));
        Fixtures.Table table = table(labels);
        FoldedStatistics all = folds(table, labels, 1);
        double[] vectors = new double[2 * COLUMNS];
        vectors[2] = 1;
        vectors[2 * 6 + 1] = 1;
        FoldedStatistics sample =
                new FoldedStatistics(all.total(), all.held(), all.rest(), List.of(() -> vectors)).sample(0, 1, 2);
        assertArrayEquals(new double[] {0, 1, 0}, sample.constraints().get(0).get());
        assertEquals(
                new FoldedRidge(folds(table, labels, new int[] {0, 2}), WORKERS)
                        .at(1)
                        .validationError(),
                new FoldedRidge(sample, WORKERS).at(1).validationError(),
                1e-10);
    }

    /**
     * With λ ≪ n the error of 5 features and 120 rows changes by less than 0.1% per factor of ten once λ is below a
     * thousandth of the scatter: weights change by λ/(s + λ) of their size.
     */
    @Test
    void theSearchEndsWherePenaltiesNoLongerMatter() {
        Labels labels = new Labels.Numbers(List.of("y"));
        Fixtures.Table table = new Fixtures.Table(ROWS, COLUMNS, 1, 0, new Seed(5));
        RandomStream stream = new Seed(7).stream();
        for (int i = 0; i < ROWS; i++) {
            table.y[i][0] = table.x[i][0] - table.x[i][1] + table.x[i][2] + 0.1 * stream.nextUniform();
        }
        FoldedStatistics folds = folds(table, labels, 3);
        LinearFit fit = Ridge.crossValidated(folds, Precision.FLOAT64, WORKERS);
        double unit = folds.total().scatterTrace() / COLUMNS;
        assertTrue(fit.chosen().lambda() >= 1e-5 * unit, fit.path().toString());
        assertTrue(fit.chosen().validationError()
                < 1.01 * new FoldedRidge(folds, WORKERS).at(1e-12 * unit).validationError());
    }

    /** A few rows of high leverage and noisy targets, where generalised cross-validation trusts the training rows. */
    private static Fixtures.Table leverage() {
        Fixtures.Table table = new Fixtures.Table(200, 60, 1, 0, new Seed(11));
        RandomStream stream = new Seed(12).stream();
        for (int i = 0; i < 200; i++) {
            table.y[i][0] = table.x[i][0] + 0.2 * (stream.nextUniform() - 0.5);
            // Each of the columns 20 to 59 is zero but for two rows, whose targets are noise.
            for (int j = 20; j < 60; j++) {
                table.x[i][j] = i % 100 == j - 20 ? (float) (10 * table.x[i][j]) : 0;
            }
            if (i % 100 < 40) {
                table.y[i][0] += 4 * (stream.nextUniform() - 0.5);
            }
        }
        return table;
    }

    @Test
    void rowsOfHighLeverageGetALargerPenaltyThanByGeneralisedCrossValidation() {
        Labels labels = new Labels.Numbers(List.of("y"));
        Fixtures.Table table = leverage();
        List<GramAccumulator> parts = new ArrayList<>();
        GramAccumulator all = new GramAccumulator(60, labels);
        for (int f = 0; f < 5; f++) {
            parts.add(Fixtures.accumulate(table, 40 * f, 40 * f + 40, 40, labels, Precision.FLOAT64));
            all.combine(Fixtures.accumulate(table, 40 * f, 40 * f + 40, 40, labels, Precision.FLOAT64));
        }
        LinearFit folded =
                Ridge.crossValidated(FoldedStatistics.of(parts, 5, labels, Penalty.PLAIN), Precision.FLOAT64, WORKERS);
        LinearFit general = Ridge.auto().fit(all.freeze(), Precision.FLOAT64, WORKERS);
        assertTrue(
                folded.chosen().lambda() > general.chosen().lambda(),
                folded.chosen().lambda() + " against " + general.chosen().lambda());
        assertTrue(folded.reason().contains("5-fold"), folded.reason());
        folded.path()
                .forEach(point ->
                        assertTrue(folded.chosen().validationError() <= point.validationError(), point.toString()));
    }

    @Test
    void partsWithoutRowsAreNotHeldOut() {
        Labels labels = new Labels.Numbers(List.of("y"));
        Fixtures.Table table = new Fixtures.Table(30, COLUMNS, 1, 0, new Seed(3));
        List<GramAccumulator> parts = List.of(
                Fixtures.accumulate(table, 0, 30, 30, labels, Precision.FLOAT64), new GramAccumulator(COLUMNS, labels));
        FoldedStatistics folds = FoldedStatistics.of(parts, 2, labels, Penalty.PLAIN);
        assertEquals(0, folds.count());
        LinearFit fit = Ridge.crossValidated(folds, Precision.FLOAT64, WORKERS);
        assertTrue(fit.reason().contains("generalised"), fit.reason());
    }

    private static LinearFit searched(FoldedStatistics folds, ValidationError error) {
        RidgeProblem problem = RidgeProblem.of(folds.total(), WORKERS);
        double floor = Ridge.smallestLambda(folds.total(), Precision.FLOAT64);
        return new RidgeSearch(problem, error, floor, Precision.FLOAT64).run();
    }

    private static double onAllFolds(FoldedStatistics folds) {
        return searched(folds, new FoldedRidge(folds, WORKERS).onAllFolds())
                .chosen()
                .lambda();
    }

    private static LinearFit sampled(FoldedStatistics folds, int count) {
        return searched(folds, new FoldedRidge(folds, WORKERS).sampled(count, Precision.FLOAT64));
    }

    private static final int FOURIER = 160;

    /**
     * Returns the statistics of Fourier features of random rows, whose targets are a smooth function of the rows and
     * noise, and outliers outside the first of five folds.
     */
    private static FoldedStatistics fourier(double noise, int outliers, Labels labels) {
        int rows = 900;
        Fixtures.Table table = new Fixtures.Table(rows, FOURIER, labels.targets(), 0, new Seed(21));
        FeatureMap map = FeatureMaps.parse("fourier").build(Kernels.gaussian(0.3), 3, FOURIER, new Seed(22));
        RandomStream stream = new Seed(23).stream();
        double[] z = new double[FOURIER];
        for (int i = 0; i < rows; i++) {
            double[] x = {stream.nextUniform(), 2 * stream.nextUniform(), 2 * stream.nextUniform()};
            map.apply(x, z);
            for (int j = 0; j < FOURIER; j++) {
                table.x[i][j] = (float) z[j];
            }
            double target = Math.sin(3 * x[0]) + x[1] * x[2] + noise * (stream.nextUniform() - 0.5);
            boolean outlier = i >= rows / 5 && i % 10 == 0 && i / 10 - rows / 50 < outliers;
            table.y[i][0] = labels instanceof Labels.Classes
                    ? (target > 1.2 ? 1 : target > 0.9 ? 2 : 0)
                    : target + (outlier ? 20 * stream.nextUniform() : 0);
            table.weights[i] = 1;
        }
        List<GramAccumulator> parts = new ArrayList<>();
        for (int f = 0; f < 5; f++) {
            parts.add(Fixtures.accumulate(table, f * rows / 5, (f + 1) * rows / 5, 60, labels, Precision.FLOAT64));
        }
        return FoldedStatistics.of(parts, 5, labels, Penalty.PLAIN);
    }

    /** Neighbouring penalties differ by a factor of √10; the search may miss the best by one of them. */
    @Test
    void aSampleOfTheFeaturesLeadsToThePenaltyOfAllFolds() {
        Labels numbers = new Labels.Numbers(List.of("y"));
        Labels classes = new Labels.Classes(List.of("a", "b", "c"));
        for (FoldedStatistics folds : List.of(
                fourier(0.2, 0, numbers),
                fourier(2, 0, numbers),
                fourier(0.5, 20, numbers),
                fourier(0.5, 0, classes))) {
            LinearFit sampled = sampled(folds, FOURIER / 4);
            assertEquals(0, StrictMath.log10(sampled.chosen().lambda() / onAllFolds(folds)), 0.5001);
            assertEquals(
                    "best of " + sampled.path().size()
                            + " by the error on one held-out fold, after 5-fold cross-validation with a sample of the"
                            + " features",
                    sampled.reason());
        }
    }

    /** After six steps, weights differ by at most 0.001 of their size, and errors by about twice as much. */
    @Test
    void aNeighbouringPenaltyNeedsNoFactorisation() {
        for (Labels labels : List.of(new Labels.Numbers(List.of("y")), new Labels.Classes(List.of("a", "b", "c")))) {
            FoldedStatistics folds = fourier(0.5, 0, labels);
            for (double lambda : new double[] {1e-4, 0.3, 100}) {
                FoldedRidge near = new FoldedRidge(folds, WORKERS);
                near.onFirst(lambda);
                for (double other : new double[] {Math.sqrt(10) * lambda, lambda / Math.sqrt(10)}) {
                    double exact =
                            new FoldedRidge(folds, WORKERS).onFirst(other).validationError();
                    double found = near.onFirst(other).validationError();
                    assertEquals(exact, found, 0.002 * exact, labels + " " + other);
                    assertTrue(found != exact, "the penalty was factored");
                }
            }
        }
    }

    /**
     * The target is the sum of six columns of variance 1/3; a seventh column of variance 1e10/3 is unrelated. At penalties near
     * the mean scatter, the six columns have no weights. Least squares has no error, so any penalty that is small for the six
     * leaves less than a hundredth of the variance.
     */
    @Test
    void oneLargeFeatureDoesNotHideTheOthers() {
        Labels labels = new Labels.Numbers(List.of("y"));
        Fixtures.Table table = new Fixtures.Table(ROWS, COLUMNS, 1, 0, new Seed(3));
        for (int i = 0; i < ROWS; i++) {
            table.y[i][0] = 0;
            for (int j = 0; j + 1 < COLUMNS; j++) {
                table.y[i][0] += table.x[i][j];
            }
            table.x[i][COLUMNS - 1] *= 1e5f;
        }
        FoldedStatistics folds = folds(table, labels, 3);
        double variance = folds.total().targetScatter(0) / folds.total().totalRowWeight();
        LinearFit fit = searched(folds, new FoldedRidge(folds, WORKERS).onAllFolds());
        assertTrue(
                fit.chosen().validationError() < 0.01 * variance, fit.chosen().toString());
    }

    /** The penalty of a sample is absolute: here, the one large feature is not in the sample. */
    @Test
    void aSampleWithoutALargeFeatureHasASmallPenalty() {
        Labels labels = new Labels.Numbers(List.of("y"));
        Fixtures.Table table = new Fixtures.Table(ROWS, COLUMNS, 1, 0, new Seed(3));
        int drawn = FoldedRidge.sample(COLUMNS, 1)[0];
        for (int i = 0; i < ROWS; i++) {
            table.y[i][0] = table.x[i][drawn];
            table.x[i][(drawn + 1) % COLUMNS] *= 1e5f;
        }
        FoldedStatistics folds = folds(table, labels, 3);
        double variance = folds.total().targetScatter(0) / folds.total().totalRowWeight();
        LinearFit fit = sampled(folds, 1);
        assertTrue(
                fit.chosen().validationError() < 0.01 * variance, fit.chosen().toString());
    }

    @Test
    void aSampleOfZerosIsNotUsed() {
        Labels labels = new Labels.Numbers(List.of("y"));
        Fixtures.Table table = new Fixtures.Table(ROWS, 30, 1, 0, new Seed(3));
        int drawn = FoldedRidge.sample(30, 1)[0];
        for (double[] row : table.x) {
            row[drawn] = 0;
        }
        FoldedStatistics folds = folds(table, labels, 3);
        assertEquals(onAllFolds(folds), sampled(folds, 1).chosen().lambda());
    }

    @Test
    void manyFeaturesAreSearchedWithASampleOfThem() {
        Labels labels = new Labels.Numbers(List.of("y"));
        for (int features : new int[] {2048, 2049}) {
            Fixtures.Table table = new Fixtures.Table(4, features, 1, 0, new Seed(3));
            List<GramAccumulator> parts = List.of(
                    Fixtures.accumulate(table, 0, 2, 2, labels, Precision.FLOAT64),
                    Fixtures.accumulate(table, 2, 4, 2, labels, Precision.FLOAT64));
            FoldedStatistics folds = FoldedStatistics.of(parts, 2, labels, Penalty.PLAIN);
            ValidationError error = new FoldedRidge(folds, WORKERS).error(Precision.FLOAT64);
            assertEquals(features > 2048, error.lowest() != null, error.name());
        }
    }
}
