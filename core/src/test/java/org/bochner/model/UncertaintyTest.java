package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.bochner.base.BochnerException;
import org.bochner.data.Holdout;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.model.file.ModelAccess;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.numeric.function.StudentQuantile;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UncertaintyTest {
    private static final double[] LEVELS = {0.8, 0.9, 0.95};

    private static final KernelMachine MACHINE = KernelMachine.of("gaussian(sigma=0.7)")
            .withFeatures(60)
            .withScaling("none")
            .withLearner("ridge(lambda=0.1)");

    /** Nearly normal, of variance 1. */
    private static double noise(RandomStream stream) {
        double sum = -6;
        for (int i = 0; i < 12; i++) {
            sum += stream.nextUniform();
        }
        return sum;
    }

    private static MemorySource curve(int rows, long seed) {
        RandomStream stream = new Seed(seed).stream();
        float[] values = new float[2 * rows];
        double[] targets = new double[rows];
        for (int i = 0; i < rows; i++) {
            values[2 * i] = (float) (2 * stream.nextUniform() - 1);
            values[2 * i + 1] = (float) (2 * stream.nextUniform() - 1);
            targets[i] = Math.sin(3 * values[2 * i]) + values[2 * i + 1] + 0.3 * noise(stream);
        }
        return MemorySource.of(2, values).withTargets(targets);
    }

    private static MemorySource clouds(int classes, int rows, long seed) {
        RandomStream stream = new Seed(seed).stream();
        float[] values = new float[2 * rows];
        int[] labels = new int[rows];
        for (int i = 0; i < rows; i++) {
            labels[i] = stream.nextInt(classes);
            double angle = 2 * Math.PI * labels[i] / classes;
            values[2 * i] = (float) (Math.cos(angle) + 0.7 * noise(stream));
            values[2 * i + 1] = (float) (Math.sin(angle) + 0.7 * noise(stream));
        }
        return MemorySource.of(2, values)
                .withClasses(IntStream.range(0, classes).mapToObj(c -> "c" + c).toList(), labels);
    }

    private static KernelModel trained(KernelMachine machine, String recipe, RowSource rows) {
        return machine.withUncertainty(recipe).fit(rows).model();
    }

    private static List<Evaluation.Coverage> coverages(KernelModel model, RowSource rows) {
        return Evaluation.of(model, rows, new Workers(2), Progress.NONE, 1, LEVELS)
                .coverages();
    }

    /**
     * With m held-out and n test rows, the coverage at level p has a variance of about p(1 − p)(1/m + 1/n). Four standard
     * deviations, and 1/m for the rounding of the rank.
     */
    private static void assertCovers(KernelModel model, RowSource rows, long tested) {
        for (Evaluation.Coverage found : coverages(model, rows)) {
            double m = model.uncertaintyRows();
            double p = found.level();
            double bound = 4 * Math.sqrt(p * (1 - p) * (1 / m + 1.0 / tested)) + 1 / m;
            assertEquals(p, found.coverage(), bound, found + " of " + model.uncertainty());
        }
    }

    @Nested
    class Conformal {
        @ParameterizedTest
        @ValueSource(strings = {"conformal", "conformal(folds=3)", "conformal(share=0.3)"})
        void intervalsCoverFreshRows(String recipe) {
            KernelModel model = trained(MACHINE, recipe, curve(1000, 1));
            assertCovers(model, curve(4000, 2), 4000);
        }

        /** Sets cover at least as often: a set without classes gets one, and probabilities may tie. */
        @ParameterizedTest
        @ValueSource(strings = {"conformal", "conformal(share=0.3)"})
        void setsCoverFreshRows(String recipe) {
            for (int classes : new int[] {2, 5}) {
                for (String calibration : new String[] {"", "platt", "isotonic(holdout=0.2)"}) {
                    KernelMachine machine = calibration.isEmpty() ? MACHINE : MACHINE.withCalibration(calibration);
                    KernelModel model = trained(machine, recipe, clouds(classes, 900, 3));
                    for (Evaluation.Coverage found : coverages(model, clouds(classes, 3000, 4))) {
                        double p = found.level();
                        double m = model.uncertaintyRows();
                        double bound = 4 * Math.sqrt(p * (1 - p) * (1 / m + 1.0 / 3000));
                        assertTrue(found.coverage() >= p - bound, classes + " " + calibration + ": " + found);
                        assertTrue(found.size() >= 1 && found.size() < classes, found.toString());
                    }
                }
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void notesCountTheRowsSetAside(int count) {
            MemorySource rows = curve(12, 5);
            Seed seed = LongStream.range(1, 1000)
                    .mapToObj(Seed::new)
                    .filter(one -> Holdout.split(rows, 0.2, one.derive("uncertainty"))
                                    .test()
                                    .rows()
                            == count)
                    .findFirst()
                    .orElseThrow();
            String notes = MACHINE.withSeed(seed)
                    .withUncertainty("conformal(share=0.2)")
                    .fit(rows)
                    .report()
                    .notes()
                    .toString();
            assertTrue(notes.contains(count == 1 ? "1 row was set aside for" : "2 rows were set aside for"), notes);
            // 2/3 is 0.6666..., and the level 0.667 would give infinite intervals.
            String errors = count == 1
                    ? "the errors of 1 held-out row give intervals up to the level 0.5;"
                    : "the errors of 2 held-out rows give intervals up to the level 0.666;";
            assertTrue(notes.contains(errors), notes);
        }

        /** The interval is the prediction and the quantile of the errors on the rows set aside, by definition. */
        @Test
        void theRowsSetAsideGiveTheInterval() {
            MemorySource rows = curve(200, 5);
            KernelModel model = trained(MACHINE, "conformal(share=0.4)", rows);
            Holdout split = Holdout.split(rows, 0.4, new Seed(1).derive("uncertainty"));
            KernelModel plain = MACHINE.fit(split.train()).model();
            List<Double> errors = new ArrayList<>();
            plain.score(split.test(), new Workers(1), Progress.NONE, (block, scores) -> {
                for (int i = 0; i < block.rows(); i++) {
                    errors.add(Math.abs(block.target(i, 0) - scores[i]));
                }
            });
            errors.sort(null);
            double[] row = {0.3, -0.2};
            PredictionInterval found = model.intervals(row, 0.9).get(0);
            double half = errors.get((int) Math.ceil((errors.size() + 1) * 0.9) - 1);
            assertEquals(plain.predictNumber(row), found.prediction());
            assertEquals(found.prediction() + half, found.upper());
            assertEquals(found.prediction() - half, found.lower());
            assertEquals(errors.size(), model.uncertaintyRows());
        }

        /** Equal folds: with a calibration, five models are trained beside the final one, not ten. */
        @Test
        void sharesTheFoldsOfACalibration() {
            MemorySource rows = clouds(3, 300, 6);
            KernelModel both = trained(MACHINE.withCalibration("platt"), "conformal", rows);
            List<Set<Long>> fits = new ArrayList<>();
            Progress counting = (stage, count, fraction) -> {
                if (stage.equals("solving")) {
                    fits.add(new HashSet<>());
                }
            };
            MACHINE.withCalibration("platt").withUncertainty("conformal").fit(rows, new Workers(1), counting);
            assertEquals(6, fits.size());
            assertEquals(300, both.uncertaintyRows());
            assertTrue(both.hasProbabilities());
        }

        @Test
        void tooFewRowsGiveInfiniteIntervalsAndAllClasses() {
            MemorySource few = curve(12, 7);
            TrainingResult result =
                    MACHINE.withUncertainty("conformal(folds=2)").fit(few);
            KernelModel model = result.model();
            assertEquals(12.0 / 13, model.highestLevel(), 1e-15);
            assertTrue(Double.isInfinite(
                    model.intervals(new double[] {0, 0}, 0.95).get(0).width()));
            assertTrue(model.intervals(new double[] {0, 0}, 0.9).get(0).width() < 10);
            assertTrue(
                    result.report().notes().stream()
                            .anyMatch(note -> note.text().contains("12 held-out rows")),
                    result.report().notes().toString());
            KernelModel classes = trained(MACHINE, "conformal(folds=2)", clouds(4, 15, 8));
            assertEquals(List.of("c0", "c1", "c2", "c3"), classes.classSet(new double[] {0, 0}, 0.99));
        }

        @Test
        void twoRowsAreTooFewForFiveFolds() {
            BochnerException e = assertThrows(BochnerException.class, () -> trained(MACHINE, "conformal", curve(2, 9)));
            assertTrue(String.valueOf(e.getMessage()).contains("fewer folds"), e.getMessage());
        }

        /** The class of one row is missing in the training rows of one fold; its row is then held out. */
        @Test
        void aClassInOneFoldOnlyIsNoFailure() {
            int[] labels = new int[60];
            Arrays.setAll(labels, i -> i == 17 ? 2 : i % 2);
            MemorySource rows = curve(60, 10).withClasses(List.of("a", "b", "rare"), labels);
            KernelModel model = trained(MACHINE, "conformal", rows);
            assertEquals(60, model.uncertaintyRows());
        }

        @Test
        void rowsOfWeightZeroAreNotCounted() {
            double[] weights = new double[100];
            Arrays.setAll(weights, i -> i % 4 == 0 ? 0 : 2);
            KernelModel model = trained(MACHINE, "conformal", curve(100, 11).withRowWeights(weights));
            assertEquals(75, model.uncertaintyRows());
        }

        /** Rows of a group are equal: a model that had seen one of them would predict the others exactly. */
        @Test
        void wholeGroupsAreHeldOut() {
            int groups = 150;
            MemorySource single = curve(groups, 12);
            float[] values = new float[8 * groups];
            double[] targets = new double[4 * groups];
            long[] ids = new long[4 * groups];
            RandomStream stream = new Seed(13).stream();
            for (int g = 0; g < groups; g++) {
                float a = (float) stream.nextUniform();
                float b = (float) stream.nextUniform();
                double y = noise(stream);
                for (int k = 0; k < 4; k++) {
                    values[2 * (4 * g + k)] = a;
                    values[2 * (4 * g + k) + 1] = b;
                    targets[4 * g + k] = y;
                    ids[4 * g + k] = g;
                }
            }
            MemorySource rows = MemorySource.of(2, values).withTargets(targets).withGroups(ids);
            KernelMachine memory = KernelMachine.of("gaussian(sigma=0.02)")
                    .withFeatures(800)
                    .withScaling("none")
                    .withLearner("ridge(lambda=0.0001)");
            assertTrue(single.rows() == groups);
            for (String recipe : List.of("conformal", "conformal(share=0.3)")) {
                double half = trained(memory, recipe, rows)
                                .intervals(new double[] {0.5, 0.5}, 0.8)
                                .get(0)
                                .width()
                        / 2;
                // 80% of a standard normal variable lie within 1.28, less four standard errors of that quantile.
                assertTrue(half > 0.7, recipe + ": " + half);
            }
        }

        @Test
        void setsOfRowsGetIntervals() {
            RandomStream stream = new Seed(14).stream();
            String[] ids = new String[600];
            double[] targets = new double[600];
            for (int i = 0; i < 600; i++) {
                ids[i] = "s" + i / 3;
                targets[i] = i % 3 == 0 ? noise(stream) : targets[i - 1];
            }
            MemorySource rows = curve(600, 15).withTargets(targets).withSets(ids);
            for (String recipe : List.of("conformal", "gaussian")) {
                KernelModel model = trained(MACHINE, recipe, rows);
                assertEquals(200, model.uncertaintyRows());
                PredictionInterval interval = model.intervals(new double[][] {{0.1, 0.2}, {0.3, 0.4}}, 0.9)
                        .get(0);
                assertTrue(interval.width() > 1, recipe);
            }
        }

        @Test
        void severalTargetsHaveIntervalsOfTheirOwn() {
            double[] targets = new double[800];
            RandomStream stream = new Seed(16).stream();
            Arrays.setAll(targets, i -> (i % 2 == 0 ? 1 : 10) * noise(stream));
            MemorySource rows = curve(400, 17).withTargets(List.of("small", "large"), targets);
            for (String recipe : List.of("conformal", "conformal(share=0.5)", "gaussian")) {
                KernelModel model = trained(MACHINE, recipe, rows);
                List<PredictionInterval> found = model.intervals(new double[] {0.1, 0.1}, 0.8);
                assertEquals(2, found.size());
                assertEquals(10, found.get(1).width() / found.get(0).width(), 3, recipe);
                assertEquals(
                        List.of("small", "large"),
                        coverages(model, rows).stream()
                                .limit(2)
                                .map(Evaluation.Coverage::output)
                                .toList());
            }
        }

        @Test
        void cascadesTakeRowsSetAsideAndRefuseFolds() {
            MemorySource rows = clouds(3, 600, 18);
            KernelMachine cascade = MACHINE.withStages(List.of(KernelMachine.of("linear")), 0.01);
            KernelModel model = trained(cascade, "conformal(share=0.3)", rows);
            assertTrue(coverages(model, clouds(3, 2000, 19)).get(1).coverage() > 0.84);
            BochnerException e = assertThrows(BochnerException.class, () -> trained(cascade, "conformal", rows));
            assertTrue(String.valueOf(e.getMessage()).contains("share=0.2"), e.getMessage());
        }

        @Test
        void learnersWithoutSquaredLossHaveThemToo() {
            for (String learner : List.of("svr(C=1, epsilon=0.1)", "huber(l2=1, delta=1)", "lasso(lambda=0.1)")) {
                assertCovers(trained(MACHINE.withLearner(learner), "conformal", curve(500, 20)), curve(2000, 21), 2000);
            }
            for (String learner : List.of("svm(C=1)", "softmax(l2=1)", "lda(shrinkage=0.1)")) {
                KernelModel model = trained(MACHINE.withLearner(learner), "conformal", clouds(3, 400, 22));
                assertTrue(coverages(model, clouds(3, 2000, 23)).get(1).coverage() > 0.84, learner);
            }
        }

        @Test
        void exactMachinesHaveThemToo() {
            KernelMachine exact =
                    KernelMachine.of("gaussian(sigma=0.7)").withMap("none").withScaling("none");
            assertCovers(trained(exact, "conformal", curve(200, 24)), curve(2000, 25), 2000);
        }
    }

    @Nested
    class Gaussian {
        /**
         * The formulas of a Gaussian process with n×n matrices, a flat prior of the intercept and the linear kernel: equal up
         * to rounding, which the condition of the matrices amplifies by less than 1e5.
         */
        @Test
        void intervalsAreThoseOfAGaussianProcess() {
            int n = 40;
            double lambda = 0.7;
            RandomStream stream = new Seed(30).stream();
            double[][] z = new double[n][3];
            double[] y = new double[n];
            double[] weights = new double[n];
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < 3; j++) {
                    z[i][j] = (float) (5 + noise(stream));
                }
                y[i] = z[i][0] - 2 * z[i][1] + noise(stream);
                weights[i] = 1 + stream.nextInt(3);
            }
            KernelModel model = KernelMachine.of("linear")
                    .withScaling("none")
                    .withPrecision(Precision.FLOAT64)
                    .withLearner("ridge(lambda=0.7)")
                    .withUncertainty("gaussian")
                    .fit(MemorySource.of(z).withTargets(y).withRowWeights(weights))
                    .model();
            // C = ZZ'/lambda + diag(1/w), the covariance of the targets in units of the noise.
            double[] covariance = new double[n * n];
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    covariance[i * n + j] = dot(z[i], z[j]) / lambda + (i == j ? 1 / weights[i] : 0);
                }
            }
            Cholesky factor = Cholesky.factor(covariance, n, new Workers(1));
            double[] ones = new double[n];
            Arrays.fill(ones, 1);
            double[] solvedOnes = solve(factor, ones);
            double mean = dot(solvedOnes, y) / dot(solvedOnes, ones);
            double[] centred = Arrays.stream(y).map(value -> value - mean).toArray();
            double[] solved = solve(factor, centred);
            double noise = dot(centred, solved) / (n - 1);
            for (double[] row : new double[][] {{5, 5, 5}, {4.5, 6, 7}, {0, 0, 0}, {-20, 3, 40}}) {
                double[] k = Arrays.stream(z)
                        .mapToDouble(other -> dot(other, row) / lambda)
                        .toArray();
                double prediction = mean + dot(k, solved);
                double left = 1 - dot(solvedOnes, k);
                double variance =
                        1 + dot(row, row) / lambda - dot(k, solve(factor, k)) + left * left / dot(solvedOnes, ones);
                double half = StudentQuantile.central(0.9, n - 1) * Math.sqrt(noise * variance);
                PredictionInterval found = model.intervals(row, 0.9).get(0);
                assertEquals(prediction, found.prediction(), 1e-9 * (1 + Math.abs(prediction)));
                assertEquals(2 * half, found.width(), 1e-9 * half);
            }
        }

        private static double[] solve(Cholesky factor, double[] right) {
            double[] solution = right.clone();
            factor.solve(solution, 1);
            return solution;
        }

        private static double dot(double[] a, double[] b) {
            return IntStream.range(0, a.length).mapToDouble(i -> a[i] * b[i]).sum();
        }

        /** The noise is normal and the function smooth, so that the model holds: 4 standard deviations of the share. */
        @ParameterizedTest
        @ValueSource(strings = {"ridge(lambda=0.1)", "ridge"})
        void intervalsCoverFreshRows(String learner) {
            assertCovers(trained(MACHINE.withLearner(learner), "gaussian", curve(1000, 31)), curve(4000, 32), 4000);
        }

        @Test
        void intervalsWidenFarFromTheRows() {
            KernelModel model = trained(MACHINE, "gaussian", curve(500, 33));
            double near = model.intervals(new double[] {0, 0}, 0.9).get(0).width();
            double far = model.intervals(new double[] {3, 3}, 0.9).get(0).width();
            assertTrue(far > 1.5 * near, near + " and " + far);
        }

        @Test
        void refusesWhatHasNoMatrixOfFeatures() {
            MemorySource rows = curve(100, 34);
            for (KernelMachine other : List.of(
                    MACHINE.withLearner("svr(C=1, epsilon=0.1)"),
                    MACHINE.withLearner("ridge(lambda=1, solver=cg)"),
                    MACHINE.withComponents("10"),
                    MACHINE.withMap("landmarks"),
                    KernelMachine.of("gaussian(sigma=1)").withMap("none"),
                    KernelMachine.of("laplacian(sigma=1)")
                            .withMap("binning(grids=10)")
                            .withLearner("ridge(lambda=1, solver=cg)"))) {
                BochnerException e = assertThrows(BochnerException.class, () -> trained(other, "gaussian", rows));
                assertTrue(String.valueOf(e.getMessage()).contains("\"conformal\""), other + ": " + e.getMessage());
            }
            assertThrows(BochnerException.class, () -> trained(MACHINE, "gaussian", clouds(2, 50, 1)));
        }

        @Test
        void whitenedLandmarksAndSparseRowsHaveThem() {
            assertCovers(
                    trained(MACHINE.withMap("landmarks(whitened)"), "gaussian", curve(500, 35)), curve(2000, 36), 2000);
            int[] starts = IntStream.rangeClosed(0, 30).toArray();
            int[] indices = IntStream.range(0, 30).map(i -> 3 * i).toArray();
            float[] values = new float[30];
            Arrays.fill(values, 1);
            double[] targets = IntStream.range(0, 30).mapToDouble(i -> i % 2).toArray();
            KernelModel model = KernelMachine.of("linear")
                    .withScaling("none")
                    .withLearner("ridge(lambda=1)")
                    .withUncertainty("gaussian")
                    .fit(MemorySource.ofCsr(90, starts, indices, values).withTargets(targets))
                    .model();
            assertTrue(model.intervals(new double[90], 0.9).get(0).width() > 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"conformal", "conformal(share=0.3)", "gaussian"})
    void savedModelsGiveEqualIntervals(String recipe, @TempDir Path folder) {
        KernelModel model = trained(MACHINE, recipe, curve(300, 40));
        model.save(folder.resolve("m.bochner"));
        KernelModel loaded = KernelModel.load(folder.resolve("m.bochner"));
        assertEquals(model.uncertainty(), loaded.uncertainty());
        for (double level : LEVELS) {
            assertEquals(
                    model.intervals(new double[] {0.2, 0.7}, level), loaded.intervals(new double[] {0.2, 0.7}, level));
        }
        assertEquals(coverages(model, curve(100, 41)), coverages(loaded, curve(100, 41)));
        assertEquals(ModelFixtures.state(model), ModelFixtures.state(loaded));
    }

    @Test
    void savedModelsGiveEqualSets(@TempDir Path folder) {
        KernelModel model = trained(MACHINE, "conformal", clouds(4, 300, 42));
        model.save(folder.resolve("m.bochner"));
        KernelModel loaded = KernelModel.load(folder.resolve("m.bochner"));
        for (double level : LEVELS) {
            assertEquals(
                    model.classSet(new double[] {0.1, 0.1}, level), loaded.classSet(new double[] {0.1, 0.1}, level));
        }
    }

    /** The number of threads changes neither quantiles nor deviations. */
    @ParameterizedTest
    @ValueSource(strings = {"conformal", "conformal(share=0.3)", "gaussian"})
    void threadsDoNotChangeTheModel(String recipe) {
        KernelMachine machine = MACHINE.withUncertainty(recipe);
        assertEquals(
                ModelFixtures.state(machine.fit(curve(2500, 43), new Workers(1), Progress.NONE)
                        .model()),
                ModelFixtures.state(machine.fit(curve(2500, 43), new Workers(3), Progress.NONE)
                        .model()));
    }

    @Test
    void aModelWithoutUncertaintySaysHowToGetOne() {
        KernelModel model = MACHINE.fit(curve(50, 44)).model();
        BochnerException e = assertThrows(BochnerException.class, () -> model.intervals(new double[] {0, 0}, 0.9));
        assertTrue(String.valueOf(e.getMessage()).contains("withUncertainty(\"conformal\")"), e.getMessage());
        assertThrows(BochnerException.class, () -> coverages(model, curve(20, 45)));
        assertThrows(
                BochnerException.class,
                () -> PredictionWriter.ofPredictions(model).withIntervals(0.9));
        assertFalse(model.uncertainty().isPresent());
        assertEquals(0, model.uncertaintyRows());
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void refusesLevelsThatAreNoProbabilities(double level) {
        for (String recipe : List.of("conformal", "gaussian")) {
            KernelModel model = trained(MACHINE, recipe, curve(50, 46));
            assertThrows(IllegalArgumentException.class, () -> model.intervals(new double[] {0, 0}, level));
        }
    }

    @Test
    void intervalsAreForNumbersAndSetsForClasses() {
        KernelModel numbers = trained(MACHINE, "conformal", curve(50, 47));
        assertThrows(BochnerException.class, () -> numbers.classSet(new double[] {0, 0}, 0.9));
        KernelModel classes = trained(MACHINE, "conformal", clouds(2, 50, 48));
        assertThrows(BochnerException.class, () -> classes.intervals(new double[] {0, 0}, 0.9));
    }

    /** Lower and upper ends of the writer are those of single rows, up to the rounding of float32 products. */
    @Test
    void writesIntervalsOfRows() throws IOException {
        MemorySource rows = curve(60, 49);
        KernelModel model = trained(MACHINE, "gaussian", rows);
        StringWriter out = new StringWriter();
        PredictionWriter writer = PredictionWriter.ofPredictions(model).asCsv().withIntervals(0.9);
        writer.write(rows, new Workers(2), Progress.NONE, out);
        List<String> lines = out.toString().lines().toList();
        assertEquals("prediction,lower,upper", lines.get(0));
        assertEquals(61, lines.size());
        List<double[]> first = new ArrayList<>();
        model.score(rows, new Workers(1), Progress.NONE, (block, scores) -> {
            double[] row = new double[2];
            block.copyRow(0, row);
            first.add(row);
        });
        String[] cells = lines.get(1).split(",", -1);
        PredictionInterval interval = model.intervals(first.get(0), 0.9).get(0);
        assertEquals(interval.lower(), Double.parseDouble(cells[1]), 1e-5);
        assertEquals(interval.upper(), Double.parseDouble(cells[2]), 1e-5);
        // The widths of a Gaussian process cannot be computed from scores.
        assertThrows(
                IllegalArgumentException.class,
                () -> model.score(rows, new Workers(1), Progress.NONE, (block, scores) -> {
                    try {
                        writer.write(block, scores, out);
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                }));
    }

    @Test
    void pruningAndCompilingDropTheUncertainty() {
        KernelModel model = trained(MACHINE, "conformal", curve(100, 50));
        int[] kept = FeatureGroups.unitsOf(model.map())
                .featuresOf(IntStream.range(0, 15).toArray());
        KernelModel restricted = ModelAccess.model(ModelFixtures.parts(model)
                .withMap(model.map().restrict(kept), model.linear().restrict(kept), model.training()));
        assertFalse(restricted.uncertainty().isPresent());
    }
}
