package org.bochner.model.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bochner.base.Notes;
import org.bochner.data.DenseRows;
import org.bochner.data.Holdout;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.data.sample.Folds;
import org.bochner.kernel.Kernels;
import org.bochner.learn.Learner;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.ridge.Ridge;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.composed.WhitenedMap;
import org.bochner.map.landmark.LandmarkForm;
import org.bochner.map.landmark.LandmarkMap;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.model.file.ModelAccess;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FoldedStatistics;
import org.bochner.stats.GramStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A held-out row is neither a training row nor a landmark. */
class HeldOutLandmarksTest {
    private static final int ROWS = 200;
    private static final int LANDMARKS = 80;
    private static final int COLUMNS = 2;
    private static final Workers WORKERS = new Workers(2);
    private static final Folds FOLDS = Folds.of(3, new Seed(4));

    private static final float[] VALUES = values();

    private static float[] values() {
        RandomStream stream = new Seed(2).stream();
        float[] values = new float[COLUMNS * ROWS];
        for (int k = 0; k < values.length; k++) {
            values[k] = (float) (2 * stream.nextUniform() - 1);
        }
        return values;
    }

    private static MemorySource rows() {
        double[] targets = new double[ROWS];
        RandomStream stream = new Seed(3).stream();
        for (int i = 0; i < ROWS; i++) {
            targets[i] = Math.abs(VALUES[2 * i]) + Math.abs(VALUES[2 * i + 1]) + 0.1 * stream.nextUniform();
        }
        return MemorySource.of(COLUMNS, VALUES).withTargets(targets);
    }

    /** The first rows are landmarks. */
    private static LandmarkMap map(LandmarkForm form) {
        return new LandmarkMap(
                Kernels.parse("matern(nu=0.5, sigma=1)"), DenseRows.of(LANDMARKS, COLUMNS, VALUES), form);
    }

    private static Scaler scaler(RowSource source) {
        return Scalings.none().fit(source, WORKERS);
    }

    private static GramStatistics statistics(RowSource source, FeatureMap map) {
        return new GramPass(source, new Transformer(scaler(source), map), WORKERS)
                .run(ClassWeights.none(), Precision.FLOAT64, Progress.NONE);
    }

    /** Returns the values of all rows and, at the end of each, the target. */
    private static List<double[]> all(RowSource source) {
        List<double[]> rows = new ArrayList<>();
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            while (cursor.next(builder, ROWS)) {
                RowBlock block = builder.build();
                for (int i = 0; i < block.rows(); i++) {
                    double[] row = new double[COLUMNS + 1];
                    block.copyRow(i, row);
                    row[COLUMNS] = block.target(i, 0);
                    rows.add(row);
                }
            }
        }
        return rows;
    }

    private static double score(FeatureMap map, LinearModel model, double[] row) {
        double[] z = new double[map.outputDimension()];
        map.apply(Arrays.copyOf(row, COLUMNS), z);
        double score = model.intercept(0);
        for (int j = 0; j < z.length; j++) {
            score += model.weight(j, 0) * z[j];
        }
        return score;
    }

    /** Returns the landmarks that are not in the test part, by comparing all values. */
    private static int[] kept(Holdout split) {
        List<double[]> held = all(split.test());
        return IntStream.range(0, LANDMARKS)
                .filter(j -> held.stream().noneMatch(row -> row[0] == VALUES[2 * j] && row[1] == VALUES[2 * j + 1]))
                .toArray();
    }

    /** Learns from the training rows of a split with the landmarks among them, and returns the errors of the others. */
    private static double squares(Holdout split, LandmarkMap map, double lambda) {
        LandmarkMap others = map.withLandmarks(kept(split));
        FeatureMap used = map.form() == LandmarkForm.KERNEL ? new WhitenedMap(others) : others;
        double share = (double) split.train().rows() / ROWS;
        LinearModel model = Ridge.of(lambda * share)
                .fit(statistics(split.train(), used), Precision.FLOAT64, WORKERS)
                .model();
        return all(split.test()).stream()
                .mapToDouble(row -> Math.pow(row[COLUMNS] - score(used, model, row), 2))
                .sum();
    }

    /** Whitened features have a condition of at most 1e4, and sums of 200 rows round to 1e-13. */
    @ParameterizedTest
    @EnumSource(LandmarkForm.class)
    void foldsAreJudgedWithTheLandmarksOfTheOtherRows(LandmarkForm form) {
        MemorySource rows = rows();
        LandmarkMap map = map(form);
        FeatureMap used = form == LandmarkForm.KERNEL ? new WhitenedMap(map) : map;
        FoldedStatistics folds = new GramPass(rows, new Transformer(scaler(rows), used), WORKERS)
                .fold(FOLDS, 3, ClassWeights.none(), Precision.FLOAT64, Progress.NONE);
        for (double lambda : new double[] {1e-4, 0.01, 1}) {
            double expected = 0;
            for (Holdout split : Holdout.folds(rows, 3, new Seed(4))) {
                expected += squares(split, map, lambda);
            }
            expected /= ROWS;
            assertEquals(
                    expected, Ridge.validate(folds, lambda, WORKERS).validationError(), 1e-8 * expected, form.name());
        }
    }

    /** Without the left-out landmarks, penalties would be compared by other errors. */
    @Test
    void learnersOfRowsChooseThePenaltyWithTheLandmarksOfTheOtherRows() {
        MemorySource rows = rows();
        LandmarkMap map = map(LandmarkForm.KERNEL);
        KernelMachine machine = KernelMachine.of(map.kernel().toString())
                .withScaling("none")
                .withPrecision(Precision.FLOAT64)
                .withLearner(Learner.parse("ridge(solver=cg, tolerance=1e-10)"));
        TrainingSettings settings = ModelAccess.settings(machine);
        TrainingContext context = TrainingContext.of(settings, rows, WORKERS, Progress.NONE, new Notes());
        Transformer transformer = new Transformer(scaler(rows), map);
        LinearFit fit =
                new WeightFit(context, transformer, ClassWeights.none()).run().fit();
        assertEquals(LANDMARKS, fit.model().features());
        Holdout split = Holdout.split(rows, 0.1, settings.seed.derive("validation"));
        double share = (double) split.train().rows() / ROWS;
        assertTrue(fit.path().size() > 3, fit.path().toString());
        for (PathPoint point : fit.path()) {
            double expected =
                    squares(split, map, point.lambda() / share) / split.test().rows();
            assertEquals(expected, 2 * point.validationError(), 1e-4 * expected);
        }
        assertEquals(
                fit.path().stream()
                        .mapToDouble(PathPoint::validationError)
                        .min()
                        .orElseThrow(),
                fit.chosen().validationError());
    }

    /** A source that counts how often it is read. */
    private record Counted(MemorySource from, AtomicInteger readings) implements RowSource {
        @Override
        public String name() {
            return from.name();
        }

        @Override
        public int columns() {
            return from.columns();
        }

        @Override
        public Labels labels() {
            return from.labels();
        }

        @Override
        public boolean sparse() {
            return false;
        }

        @Override
        public RowCursor open() {
            readings.incrementAndGet();
            return from.open();
        }
    }

    /** Two readings find the landmarks aside, and two the features of training and validation rows. */
    @Test
    void landmarksAreMatchedOnce() {
        AtomicInteger readings = new AtomicInteger();
        RowSource rows = new Counted(rows(), readings);
        LandmarkMap map = map(LandmarkForm.KERNEL);
        TrainingSettings settings =
                ModelAccess.settings(KernelMachine.of(map.kernel().toString())
                        .withScaling("none")
                        .withValidation(0.3)
                        .withLearner("ridge(solver=cg)"));
        Transformer transformer = new Transformer(scaler(rows), map);
        readings.set(0);
        TrainingContext context = TrainingContext.of(settings, rows, WORKERS, Progress.NONE, new Notes());
        LinearFit fit =
                new WeightFit(context, transformer, ClassWeights.none()).run().fit();
        assertTrue(fit.model().features() < LANDMARKS, fit.model()::toString);
        assertEquals(4, readings.get());
    }

    /** Rows that are set aside from the final fit, too, are no landmarks of the model. */
    @Test
    void rowsThatStayAsideAreNoLandmarksOfTheModel() {
        MemorySource rows = rows();
        KernelMachine machine = KernelMachine.of("matern(nu=0.5, sigma=1)")
                .withScaling("none")
                .withMap("landmarks(80)")
                .withValidation(0.3)
                .withLearner("ridge(solver=cg)");
        TrainingSettings settings = ModelAccess.settings(machine);
        Holdout split = Holdout.split(rows, 0.3, settings.seed.derive("validation"));
        KernelModel model = machine.fit(rows).model();
        LandmarkMap map = (LandmarkMap) model.transformer().map();
        assertTrue(map.outputDimension() < LANDMARKS, map.toString());
        assertSame(map, of(map).add(split.test(), scaler(rows), null, 1).without(1));
    }

    /** The scores that a calibration learns from are rounded to float32. */
    @Test
    void calibrationsHoldOutLandmarks() {
        int[] classes = new int[ROWS];
        RandomStream stream = new Seed(5).stream();
        for (int i = 0; i < ROWS; i++) {
            classes[i] = (VALUES[2 * i] > 0) == (stream.nextUniform() < 0.8) ? 1 : 0;
        }
        MemorySource rows = MemorySource.of(COLUMNS, VALUES).withClasses(List.of("low", "high"), classes);
        LandmarkMap map = map(LandmarkForm.KERNEL);
        TrainingSettings settings =
                ModelAccess.settings(KernelMachine.of(map.kernel().toString())
                        .withScaling("none")
                        .withPrecision(Precision.FLOAT64)
                        .withLearner(Learner.ridge(0.001))
                        .withCalibration("platt(folds=3)"));
        List<Double> scores = new ArrayList<>();
        double[] score = new double[1];
        new TrainingRun(settings, rows, WORKERS, Progress.NONE, new Transformer(scaler(rows), map)).run(held -> {
            for (int i = 0; i < held.rows(); i++) {
                held.copyScores(i, score);
                scores.add(score[0]);
            }
        });
        int next = 0;
        for (Holdout split : Holdout.folds(rows, 3, settings.seed.derive("calibration"))) {
            LandmarkMap others = map.withLandmarks(kept(split));
            LinearModel model = Ridge.of(0.001)
                    .fit(statistics(split.train(), new WhitenedMap(others)), Precision.FLOAT64, WORKERS)
                    .model();
            for (double[] row : all(split.test())) {
                assertEquals(score(new WhitenedMap(others), model, row), scores.get(next++), 1e-6);
            }
        }
        assertEquals(ROWS, next);
    }

    private static HeldOutLandmarks of(FeatureMap map) {
        return Objects.requireNonNull(HeldOutLandmarks.of(map));
    }

    @Test
    void landmarksWithCopiesInOtherPartsStay() {
        LandmarkMap map = map(LandmarkForm.KERNEL);
        MemorySource rows = rows();
        Scaler scaler = scaler(rows);
        FeatureMap others = of(map).add(MemorySource.load(rows, row -> row < 10), scaler, null, 1)
                .add(MemorySource.load(rows, row -> row >= 10), scaler, null, 0)
                .without(1);
        assertEquals(LANDMARKS - 10, others.outputDimension());
        MemorySource copies = MemorySource.of(COLUMNS, Arrays.copyOf(VALUES, 4 * COLUMNS));
        FeatureMap more = of(map).add(MemorySource.load(rows, row -> row < 10), scaler, null, 1)
                .add(MemorySource.load(rows, row -> row >= 10), scaler, null, 0)
                .add(copies, scaler, null, 0)
                .without(1);
        assertEquals(LANDMARKS - 6, more.outputDimension());
    }

    @Test
    void centresAndAllLandmarksTogetherStay() {
        MemorySource rows = rows();
        float[] centres = VALUES.clone();
        for (int k = 0; k < centres.length; k++) {
            centres[k] += 0.5f;
        }
        LandmarkMap apart =
                new LandmarkMap(Kernels.gaussian(1), DenseRows.of(LANDMARKS, COLUMNS, centres), LandmarkForm.KERNEL);
        assertSame(apart, of(apart).add(rows, scaler(rows), null, 1).without(1));
        LandmarkMap map = map(LandmarkForm.KERNEL);
        assertSame(map, of(map).add(rows, scaler(rows), null, 1).without(1));
        assertNull(HeldOutLandmarks.of(FeatureMaps.parse("fourier").build(Kernels.gaussian(1), 2, 10, new Seed(1))));
    }

    /** A row has the same values in a dense and in a sparse block, with or without stored zeros. */
    @Test
    void sparseLandmarksAreFoundAmongDenseRows() {
        MemorySource rows =
                MemorySource.of(3, new float[] {0, 1, 2, 3, 0, 0, 0, 4, 0}).withTargets(new double[3]);
        SparseRows landmarks =
                SparseRows.of(2, 3, new int[] {0, 2, 4}, new int[] {1, 2, 0, 2}, new float[] {1, 2, 3, 0});
        LandmarkMap map = new LandmarkMap(Kernels.gaussian(1), landmarks, LandmarkForm.KERNEL);
        HeldOutLandmarks found = of(map);
        for (int part = 0; part < 3; part++) {
            long own = part;
            found.add(MemorySource.load(rows, row -> row == own), scaler(rows), null, part);
        }
        assertEquals(
                List.of(1, 1, 2),
                List.of(0, 1, 2).stream()
                        .map(part -> found.without(part).outputDimension())
                        .toList());
    }
}
