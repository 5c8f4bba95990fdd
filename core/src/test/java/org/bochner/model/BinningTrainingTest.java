package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Note;
import org.bochner.base.Notes;
import org.bochner.base.SpellingException;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.data.MemorySource;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.Task;
import org.bochner.data.sample.RowView;
import org.bochner.model.file.ModelFile;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines with random binning maps, from rows to predictions. */
class BinningTrainingTest {
    private static final int ROWS = 300;

    private static final KernelMachine MACHINE =
            KernelMachine.of("laplacian(sigma=1)").withMap("binning(grids=20)").withScaling("none");

    private final float[] values = new float[2 * ROWS];
    private final String[] classes = new String[ROWS];

    BinningTrainingTest() {
        RandomStream stream = new Seed(8).stream();
        for (int i = 0; i < ROWS; i++) {
            values[2 * i] = (float) stream.nextUniform();
            values[2 * i + 1] = (float) stream.nextUniform();
            classes[i] = values[2 * i] < 0.4 ? "a" : values[2 * i + 1] < 0.5 ? "b" : "c";
        }
    }

    private MemorySource rows() {
        return MemorySource.of(2, values).withClasses(classes);
    }

    private static byte[] bytes(KernelModel model) {
        return ModelFile.toBytes(ModelFixtures.state(model));
    }

    private static double error(KernelModel model, MemorySource rows) {
        return Evaluation.of(model, rows).error();
    }

    /** A direct solution, and conjugate gradients on cells. */
    @ParameterizedTest
    @ValueSource(strings = {"ridge", "ridge(solver=cg)"})
    void threadsDoNotChangeTheModel(String learner) {
        KernelMachine machine = MACHINE.withLearner(learner);
        byte[] one = bytes(machine.fit(rows(), new Workers(1), Progress.NONE).model());
        assertArrayEquals(
                one, bytes(machine.fit(rows(), new Workers(3), Progress.NONE).model()));
    }

    @Test
    void rowsThatMemoryDoesNotHoldAreMappedInEveryPassWithTheSameResult() {
        KernelMachine machine = MACHINE.withLearner("ridge(solver=cg)");
        TrainingResult kept = machine.fit(rows());
        TrainingResult mapped = machine.withMemory(0).fit(rows());
        assertArrayEquals(
                kept.model().linear().weights(), mapped.model().linear().weights());
        assertTrue(
                mapped.report().notes().stream()
                        .map(Note::toString)
                        .anyMatch(note -> note.contains("0 of 300 rows were kept in memory")),
                () -> mapped.report().notes().toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ridge", "ridge(solver=cg)"})
    void savedModelsAreTheSame(String learner, @TempDir Path folder) {
        KernelModel model = MACHINE.withLearner(learner).fit(rows()).model();
        model.save(folder.resolve("m.bochner"));
        KernelModel loaded = KernelModel.load(folder.resolve("m.bochner"));
        assertArrayEquals(bytes(model), bytes(loaded));
        for (double[] row : new double[][] {{0.1, 0.2}, {0.5, 0.9}, {0, 0}, {-3e30, 40}}) {
            assertArrayEquals(model.score(row), loaded.score(row));
        }
    }

    /** A row far from all others lies in unknown cells; the model knows the mean alone. */
    @Test
    void aRowInUnknownCellsHasTheScoresOfTheIntercepts() {
        KernelModel model = MACHINE.fit(rows()).model();
        assertArrayEquals(model.linear().intercepts(), model.score(new double[] {1e6, -1e6}), 1e-12);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ridge",
                "ridge(lambda=0.1)",
                "ridge(lambda=0.1, solver=cg)",
                "ridge(lambda=0.1, solver=direct)",
                "lasso(lambda=0.5)",
                "logistic(C=1)",
                "softmax(l2=0.1)",
                "svm(C=1)",
                "svm(C=1, loss=squared-hinge)"
            })
    void everyLearnerLearnsFromCells(String learner) {
        KernelModel model = MACHINE.withLearner(learner).fit(rows()).model();
        // Classes are boxes; rows near their edges may be wrong.
        assertTrue(error(model, rows()) < 0.1, () -> learner + " errs on " + error(model, rows()));
    }

    @Test
    void conjugateGradientsFindTheExactSolution() {
        KernelModel direct = MACHINE.withLearner("ridge(lambda=0.1, solver=direct)")
                .withPrecision(Precision.FLOAT64)
                .fit(rows())
                .model();
        KernelModel cells = MACHINE.withLearner("ridge(lambda=0.1, solver=cg, tolerance=1e-12)")
                .fit(rows())
                .model();
        // Sparse features are rounded to float32, by 6e-8 of their size; the condition number is below 3,000.
        assertArrayEquals(direct.linear().weights(), cells.linear().weights(), 1e-5);
        assertArrayEquals(direct.linear().intercepts(), cells.linear().intercepts(), 1e-5);
    }

    /** With 56 cells and 3 outputs, one small matrix takes far less time than 200 iterations over 300 rows. */
    @Test
    void fewCellsNeedNoIterations() {
        String solver = MACHINE.fit(rows()).report().notes().toString();
        assertTrue(solver.contains("matrix of the features"), solver);
    }

    @Test
    void fewRowsAreCrossValidated() {
        MemorySource few = MemorySource.of(2, Arrays.copyOf(values, 40)).withClasses(Arrays.copyOf(classes, 20));
        String reason = MACHINE.fit(few).report().reason();
        assertTrue(reason.contains("validation") || reason.contains("leave-one-out"), reason);
    }

    /** Few rows are folded, many have rows held out. */
    @ParameterizedTest
    @ValueSource(ints = {300, 10_100})
    void aConstantTargetIsAConstantModel(int count) {
        float[] many = new float[2 * count];
        for (int k = 0; k < many.length; k++) {
            many[k] = values[k % values.length];
        }
        double[] targets = new double[count];
        Arrays.fill(targets, -2.5);
        MemorySource rows = MemorySource.of(2, many).withTargets(List.of("y"), targets);
        KernelModel model = KernelMachine.of("laplacian")
                .withMap("binning(grids=20)")
                .withLearner("ridge(solver=cg)")
                .fit(rows)
                .model();
        assertEquals(-2.5, model.score(new double[] {0.3, 0.6})[0], 1e-12);
    }

    /** Few groups leave folds without rows. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 10})
    void rowsInFewGroupsAreCrossValidatedWithTheFoldsThatHaveRows(int groups) {
        long[] ids = IntStream.range(0, ROWS).mapToLong(i -> i % groups).toArray();
        TrainingReport report = MACHINE.withLearner("ridge(solver=cg)")
                .fit(rows().withGroups(ids))
                .report();
        int folds = Holdout.foldsWithRows(rows().withGroups(ids), 5, new Seed(1).derive("validation"))
                .size();
        assertTrue(folds >= 2 && folds <= Math.min(5, groups));
        assertTrue(report.reason().endsWith(" by " + folds + "-fold cross-validation"), report.reason());
    }

    @Test
    void oneGroupHasNoFolds() {
        BochnerException e = assertThrows(
                BochnerException.class,
                () -> MACHINE.withLearner("ridge(solver=cg)").fit(rows().withGroups(new long[ROWS])));
        assertTrue(e.problem().contains("the rows of all groups with a weight above 0 are in one fold"), e.problem());
        assertEquals("ridge(lambda=1)", e.remedies().get(0).value());
    }

    /** All rows of some folds may have the weight 0. */
    @Test
    void foldsWithoutWeightsAreNotHeldOut() {
        long[] ids = IntStream.range(0, ROWS).mapToLong(i -> i % 10).toArray();
        double[] weights =
                IntStream.range(0, ROWS).mapToDouble(i -> i % 10 < 3 ? 1 : 0).toArray();
        KernelMachine machine = MACHINE.withLearner("ridge(solver=cg)");
        MemorySource grouped = rows().withGroups(ids);
        TrainingReport report = machine.fit(grouped.withRowWeights(weights)).report();
        assertTrue(report.reason().matches(".*[23]-fold cross-validation"), report.reason());
        double[] one =
                IntStream.range(0, ROWS).mapToDouble(i -> i % 10 == 0 ? 1 : 0).toArray();
        BochnerException e = assertThrows(BochnerException.class, () -> machine.fit(grouped.withRowWeights(one)));
        assertTrue(e.problem().contains("in one fold"), e.problem());
    }

    /** Rows whose number is not known. */
    private static final class Uncounted extends RowView {
        private int opened;

        Uncounted(RowSource source) {
            super(source);
        }

        @Override
        public long rows() {
            return -1;
        }

        @Override
        public RowCursor open() {
            opened++;
            return source.open();
        }
    }

    @Test
    void theSearchOfAPenaltyCountsTheRowsForItsMemory() {
        KernelMachine machine = MACHINE.withLearner("ridge(solver=cg)");
        Workers workers = new Workers(1);
        Transformer transformer = machine.prepare(rows(), workers, Progress.NONE, new Notes());
        TrainingReport known =
                machine.fit(rows(), transformer, workers, Progress.NONE).report();
        TrainingReport unknown = machine.fit(new Uncounted(rows()), transformer, workers, Progress.NONE)
                .report();
        assertEquals(known.bytesNeeded(), unknown.bytesNeeded());
    }

    /** Two columns of 4 bytes, and 32 bytes per row for labels, in arrays that grow by a half. */
    @Test
    void copiesOfRowsCountAsMemory() {
        KernelMachine machine = MACHINE.withLearner("ridge(solver=cg)");
        long inMemory = machine.fit(rows()).report().bytesNeeded();
        long copied = machine.fit(new Uncounted(rows())).report().bytesNeeded();
        assertEquals(inMemory + (long) (1.5 * ROWS * (2 * 4 + 32)), copied);
    }

    /** Files are not parsed again for every fold. */
    @Test
    void foldsOfCalibrationAndIntervalsReadTheRowsInMemory() {
        KernelMachine machine = MACHINE.withLearner("ridge(solver=cg, lambda=0.1)");
        Uncounted once = new Uncounted(rows());
        TrainingResult single = machine.fit(once);
        Uncounted folded = new Uncounted(rows());
        KernelMachine calibrated =
                machine.withCalibration("temperature(folds=3)").withUncertainty("conformal(folds=4)");
        TrainingResult result = calibrated.fit(folded);
        assertEquals(once.opened, folded.opened);
        assertEquals(single.model().training().data(), result.model().training().data());
        assertArrayEquals(bytes(calibrated.fit(rows()).model()), bytes(result.model()));
    }

    @Test
    void classWeightsCountAsRows() {
        KernelMachine exact = MACHINE.withLearner("ridge(lambda=0.1, solver=cg, tolerance=1e-12)");
        double[] weights = Arrays.stream(classes)
                .mapToDouble(name -> name.equals("b") ? 3 : 1)
                .toArray();
        KernelModel byClass =
                exact.withClassWeights(Map.of("b", 3.0)).fit(rows()).model();
        KernelModel byRow = exact.fit(rows().withRowWeights(weights)).model();
        assertArrayEquals(byClass.linear().weights(), byRow.linear().weights(), 1e-9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ridge", "ridge(solver=cg)"})
    void sparseRowsHaveTheCellsOfDenseRows(String learner) {
        KernelMachine machine = MACHINE.withLearner(learner);
        int[] starts = IntStream.rangeClosed(0, ROWS).map(i -> 2 * i).toArray();
        int[] indices = IntStream.range(0, 2 * ROWS).map(e -> e % 2).toArray();
        MemorySource sparse = MemorySource.ofCsr(2, starts, indices, values).withClasses(classes);
        assertArrayEquals(
                machine.fit(rows()).model().linear().weights(),
                machine.fit(sparse).model().linear().weights());
    }

    /** Kernels are compared with 32 grids, or with one per term of a larger sum. */
    @Test
    void sumsOfManyKernelsFindTheirScales() {
        int columns = 33;
        int count = 60;
        RandomStream stream = new Seed(12).stream();
        float[] wide = new float[count * columns];
        double[] targets = new double[count];
        for (int k = 0; k < wide.length; k++) {
            wide[k] = (float) stream.nextUniform();
            targets[k / columns] += wide[k];
        }
        String sum = IntStream.range(0, columns)
                .mapToObj(l -> "laplacian[" + l + ":" + (l + 1) + "]")
                .collect(Collectors.joining(" + "));
        KernelMachine machine = KernelMachine.of(sum).withScaling("none");
        MemorySource rows = MemorySource.of(columns, wide).withTargets(List.of("sum"), targets);
        KernelModel model = machine.withMap("binning(grids=40)").fit(rows).model();
        assertTrue(model.map().kernel().toString().contains("[32:33]"));
        SpellingException e = assertThrows(
                SpellingException.class,
                () -> machine.withMap("binning(grids=20)").fit(rows));
        // The message names the map that was given.
        assertTrue(String.valueOf(e.getMessage()).contains("grids=20"), e.getMessage());
    }

    @Test
    void openKernelIsLaplacian() {
        KernelModel model = KernelMachine.of("gaussian")
                .withOpenKernel()
                .withMap("binning(grids=20)")
                .fit(rows())
                .model();
        assertTrue(
                model.map().kernel().toString().startsWith("laplacian("),
                model.map().kernel()::toString);
        assertTrue(error(model, rows()) < 0.1);
    }

    @Test
    void eachCategoricalColumnGetsAFactor(@TempDir Path folder) throws Exception {
        String lines = IntStream.range(0, ROWS)
                .mapToObj(i -> String.format(
                        Locale.ROOT,
                        "%s,%.3f,%d",
                        List.of("x", "y", "z").get(i % 3),
                        values[i],
                        i % 3 == 1 ? 5 : i % 3))
                .collect(Collectors.joining("\n", "category,number,target\n", "\n"));
        Path file = Files.writeString(folder.resolve("rows.csv"), lines);
        FileSource rows = FileSource.open(
                DataOptions.of(file.toString()).withLabel("target").withTask(Task.REGRESS));
        KernelModel model = KernelMachine.of("gaussian")
                .withOpenKernel()
                .withMap("binning(grids=40)")
                .fit(rows)
                .model();
        assertTrue(
                model.map().kernel().toString().startsWith("gaussian("),
                model.map().kernel()::toString);
        assertTrue(
                model.map().kernel().toString().contains("[0:3] * laplacian("),
                model.map().kernel()::toString);
        assertEquals(5, model.score(model.encode(Map.of("category", "y", "number", 0.5)))[0], 0.3);
    }

    @Test
    void numbersWithAGaussianFactorAreRefused() {
        BochnerException e = assertThrows(
                BochnerException.class,
                () -> KernelMachine.of("laplacian(sigma=1)[0:1] * gaussian(sigma=1)[1:2]")
                        .withMap("binning(grids=20)")
                        .fit(rows()));
        assertTrue(String.valueOf(e.getMessage()).contains("zeros and ones"), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gaussian(sigma=1)",
                "laplacian(sigma=1) + chi2",
                "stable(p=1.5, q=1, sigma=1)",
                "stable(p=0.1, q=0.1, sigma=1)",
                "laplacian(sigma=1)@log(c=1)"
            })
    void otherKernelsAreRefused(String kernel) {
        SpellingException e = assertThrows(
                SpellingException.class,
                () -> KernelMachine.of(kernel).withMap("binning").fit(rows()));
        assertTrue(String.valueOf(e.getMessage()).contains("laplacian"), e.getMessage());
    }

    @Test
    void numbersOfFeaturesAndFurtherMapsAreRefused() {
        assertThrows(SpellingException.class, () -> MACHINE.withFeatures(100).fit(rows()));
        assertThrows(
                SpellingException.class,
                () -> KernelMachine.of("laplacian(sigma=1) + gaussian(sigma=1)")
                        .withMap("binning + fourier")
                        .fit(rows()));
        assertThrows(
                SpellingException.class,
                () -> KernelMachine.of("laplacian(sigma=1) + laplacian(sigma=2)")
                        .withMap("binning(grids=1)")
                        .fit(rows()));
    }
}
