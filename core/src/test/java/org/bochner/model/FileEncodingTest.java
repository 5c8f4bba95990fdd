package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.bochner.base.BochnerException;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.MemorySource;
import org.bochner.data.Task;
import org.bochner.learn.Learner;
import org.bochner.numeric.Workers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test file is read with the encoding of the model, or refused. */
class FileEncodingTest {
    private static final List<String> KINDS = List.of("flat", "house", "hut");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private KernelModel model;

    @BeforeEach
    void trainOnThreeKinds() throws IOException {
        model = fit(FileSource.open(file("train.csv", "size,kind,age,price", 60, "%1$s,%3$s,%2$s,%4$s")));
    }

    private static KernelModel fit(FileSource source) {
        return KernelMachine.of("gaussian(sigma=20)")
                .withScaling("none")
                .withFeatures(50)
                .withLearner(Learner.ridge(0.01))
                .fit(source)
                .model();
    }

    /** A file whose lines have the size (1), the age (2), the kind (3) and the price (4). */
    private DataOptions file(String name, String header, int rows, String line) throws IOException {
        StringBuilder text = new StringBuilder(header).append('\n');
        for (int i = 0; i < rows; i++) {
            double size = 10 + 0.5 * i;
            int age = 17 * i % 31;
            text.append(String.format(Locale.ROOT, line, size, age, KINDS.get(i % 3), 3.25 * size - age + 10 * (i % 3)))
                    .append('\n');
        }
        return DataOptions.of(Files.writeString(folder.resolve(name), text).toString());
    }

    private void refuses(String difference, DataOptions test) {
        FileSource guessed = FileSource.open(test);
        BochnerException evaluated = assertThrows(BochnerException.class, () -> Evaluation.of(model, guessed));
        String message = String.valueOf(evaluated.getMessage());
        assertTrue(message.contains(difference), message);
        assertTrue(message.contains("model.open(DataOptions.of(...))"), message);
    }

    private void refusesToScore(DataOptions test) {
        FileSource guessed = FileSource.open(test).withoutLabels();
        assertThrows(
                BochnerException.class, () -> model.score(guessed, Workers.all(), Progress.NONE, (rows, scores) -> {}));
    }

    @Test
    void exchangedColumnsAreRefusedAndOpenedByName() throws IOException {
        DataOptions same = file("same.csv", "size,kind,age,price", 60, "%1$s,%3$s,%2$s,%4$s");
        DataOptions exchanged = file("exchanged.csv", "age,kind,size,price", 60, "%2$s,%3$s,%1$s,%4$s");
        refuses("its column 0 is 'age', that of the model is 'size'", exchanged);
        refusesToScore(exchanged);
        double expected = Evaluation.of(model, FileSource.open(same)).rmse();
        assertEquals(expected, Evaluation.of(model, model.open(exchanged)).rmse());
        assertEquals(expected, Evaluation.of(model, model.open(same)).rmse());
    }

    @Test
    void otherCategoriesAreRefused() throws IOException {
        DataOptions renamed = file("renamed.csv", "size,kind,age,price", 60, "%1$s,new %3$s,%2$s,%4$s");
        refuses("its column 'kind' has the categories new flat, new house, new hut", renamed);
        refusesToScore(renamed);
    }

    @Test
    void aFileWithFewerCategoriesIsOpened() throws IOException {
        DataOptions few =
                file("few.csv", "size,kind,age,price", 2, "%1$s,%3$s,%2$s,%4$s").withTask(Task.REGRESS);
        refuses("its column 'kind' has the categories flat, house, that of the model has flat, house, hut", few);
        assertEquals(2, Evaluation.of(model, model.open(few)).rows());
    }

    @Test
    void anotherTaskIsRefused() throws IOException {
        DataOptions classes = file("classes.csv", "size,kind,age,price", 60, "%1$s,%3$s,%2$s,%4$s")
                .withTask(Task.CLASSIFY);
        refuses("its labels were taken for classes, the model predicts numbers", classes);
    }

    @Test
    void anotherLabelIsRefused() throws IOException {
        DataOptions rent = file("rent.csv", "size,kind,age,rent", 60, "%1$s,%3$s,%2$s,%4$s");
        refuses("its label is 'rent', that of the model is 'price'", rent);
    }

    @Test
    void otherReplacementsOfMissingValuesAreRefused() throws IOException {
        DataOptions filled = file("filled.csv", "size,kind,age,price", 40, "%1$s,%3$s,%2$s,%4$s")
                .withMissingFilled(true);
        refuses("missing values of its column 'size' are replaced by another value than in training", filled);
    }

    @Test
    void classesOfTheModelMayBeAbsentAndOthersAreRefused() throws IOException {
        KernelModel kinds = fit(FileSource.open(file("kinds.csv", "size,age,kind", 60, "%1$s,%2$s,%3$s")));
        DataOptions two = file("two.csv", "size,age,kind", 2, "%1$s,%2$s,%3$s");
        assertEquals(2, Evaluation.of(kinds, FileSource.open(two)).rows());
        DataOptions others = file("others.csv", "size,age,kind", 60, "%1$s,%2$s,x%3$s");
        assertThrows(BochnerException.class, () -> Evaluation.of(kinds, FileSource.open(others)));
        assertEquals(60, Evaluation.of(kinds, kinds.open(others)).unseen());
    }

    @Test
    void rowsInMemoryHaveNoEncodingToCompare() {
        MemorySource rows = MemorySource.of(new double[][] {{1, 0, 0, 1, 2}, {2, 1, 0, 0, 3}})
                .withTargets(1, 2);
        assertEquals(2, Evaluation.of(model, rows).rows());
        KernelModel ofArrays =
                KernelMachine.of("gaussian(sigma=1)").withFeatures(10).fit(rows).model();
        assertThrows(BochnerException.class, () -> ofArrays.open(DataOptions.of("any.csv")));
    }

    @Test
    void measuresOfTheOtherTaskAreRefused() throws IOException {
        Evaluation numbers =
                Evaluation.of(model, model.open(file("same.csv", "size,kind,age,price", 60, "%1$s,%3$s,%2$s,%4$s")));
        assertEquals(
                "the model predicts numbers; use rmse, mae or r2",
                assertThrows(BochnerException.class, numbers::error).getMessage());
        DataOptions kinds = file("kinds.csv", "size,age,kind", 60, "%1$s,%2$s,%3$s");
        Evaluation classes = Evaluation.of(fit(FileSource.open(kinds)), FileSource.open(kinds));
        assertEquals(
                "the model predicts classes; use error, auc or macroF1",
                assertThrows(BochnerException.class, classes::rmse).getMessage());
    }

    @Test
    void aRowBeforeOneHotEncodingIsRefusedWithTheRemedy() {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> model.predictNumber(new double[3]));
        String message = String.valueOf(refused.getMessage());
        assertTrue(message.contains("the model has 5 columns after one-hot encoding; predictNumber(Map)"), message);
    }

    @Test
    void rowsInMemoryWithoutLabelsAreRefusedWithTheRemedy() {
        BochnerException refused = assertThrows(
                BochnerException.class,
                () -> KernelMachine.of("gaussian(sigma=1)").fit(MemorySource.of(new double[][] {{1}, {2}})));
        String message = String.valueOf(refused.getMessage());
        assertTrue(
                message.contains("the rows have no labels; MemorySource.withClasses or withTargets adds them"),
                message);
    }

    @Test
    void printInOneLine() throws IOException {
        DataOptions kinds = file("kinds.csv", "size,age,kind", 60, "%1$s,%2$s,%3$s");
        KernelMachine machine = KernelMachine.of("gaussian(sigma=20)")
                .withScaling("none")
                .withFeatures(50)
                .withLearner(Learner.ridge(0.01));
        assertEquals("gaussian(sigma=20), map auto, 50 features, ridge(lambda=0.01)", machine.toString());
        TrainingResult result = machine.fit(FileSource.open(kinds));
        String text = "3 classes from 2 columns: gaussian(sigma=20), 50 features";
        assertEquals(text, result.model().toString());
        assertEquals(text + ", trained on 60 rows with ridge(lambda=0.01)", result.toString());
        assertEquals("number price from 5 columns: gaussian(sigma=20), 50 features", model.toString());
        assertTrue(
                Evaluation.of(result.model(), FileSource.open(kinds)).toString().startsWith("60 rows, error 0."));
    }
}
