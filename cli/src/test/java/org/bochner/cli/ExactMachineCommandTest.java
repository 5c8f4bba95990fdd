package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines without a map, from training to inspection. */
class ExactMachineCommandTest {
    private static final String KERNEL = "gaussian(sigma=0.3)";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Path data;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Path model;

    @BeforeEach
    void writeData() throws IOException {
        data = Rings.csv(folder.resolve("rings.csv"), 300);
        model = folder.resolve("m.bochner");
    }

    private Run train(String learner, Object... more) {
        Object[] all = new Object[10 + more.length];
        System.arraycopy(
                new Object[] {"train", data, "--kernel", KERNEL, "--map", "none", "--learner", learner, "--model", model
                },
                0,
                all,
                0,
                10);
        System.arraycopy(more, 0, all, 10, more.length);
        return Run.here(all);
    }

    private Run landmarks(String map, Object... more) {
        Object[] all = Arrays.copyOf(
                new Object[] {"train", data, "--kernel", KERNEL, "--map", map, "--model", model}, 8 + more.length);
        System.arraycopy(more, 0, all, 8, more.length);
        return Run.here(all);
    }

    @Test
    void landmarksThatAreNoTrainingRowsAreNotCalledSo() throws IOException {
        landmarks("landmarks(5, by=k-means)").worked();
        Run text = Run.here("inspect", model).worked();
        assertTrue(text.lines().stream().anyMatch(line -> line.matches("contains +5 landmarks")), text::out);
        assertEquals(0, Run.here("inspect", model, "--json").worked().number("trainingRowsContained"));
        landmarks("landmarks(5)").worked();
        assertTrue(Run.here("inspect", model).worked().out().contains("5 training rows"));
        Path given = Rings.csv(folder.resolve("given.csv"), 4);
        landmarks("landmarks", "--landmarks", given).worked();
        assertTrue(Run.here("inspect", model).worked().out().contains("4 landmarks"));
        landmarks("landmarks(by=k-means)", "--landmarks", given).refused(2, "by=k-means");
    }

    @Test
    void landmarksAreNotMoreThanTheirSample() {
        landmarks("landmarks(50, sample=10)").refused(2, "sample of 10 rows");
    }

    @Test
    void settingsThatCannotBeCombinedAreWrongUsage() {
        train("ridge", "--features", "9").refused(2, "takes no number of features");
        train("ridge", "--pca", "3").refused(2, "no principal components");
        train("ridge", "--landmarks", data).refused(2, "landmarks cannot be given");
        train("lasso").refused(2, "works with the learners ridge, svm and svr");
        landmarks("fourier", "--landmarks", data).refused(2, "which has none");
        assertFalse(Files.exists(model));
    }

    @ParameterizedTest
    @ValueSource(strings = {"svm(C=10)", "ridge"})
    void learnsAndSaysThatTheModelContainsRows(String learner) {
        train(learner, "--scale", "none").worked();
        assertTrue(Run.here("evaluate", model, data, "--json").worked().number("error") < 0.05);
        Run text = Run.here("inspect", model).worked();
        assertTrue(text.lines().stream().anyMatch(line -> line.matches("contains +\\d+ training rows")), text::out);
        Run json = Run.here("inspect", model, "--json").worked();
        assertEquals(json.number("features"), json.number("trainingRowsContained"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none(threshold=1e-4)", "none(products=tree, tolerance=1e-6)"})
    void treesGiveModelsAsOtherMachines(String map) throws IOException {
        Object[] line = {"train", data, "--kernel", KERNEL, "--scale", "none", "--map", map, "--model", model};
        Run trained = Run.here(line).worked();
        assertTrue(trained.err().contains("k(x, x)"), trained::err);
        assertTrue(Run.here("evaluate", model, data, "--json").worked().number("error") < 0.05);
        Run.here("predict", model, data, "--output", folder.resolve("p.csv")).worked();
        assertEquals(301, Files.readAllLines(folder.resolve("p.csv")).size());
        Run json = Run.here("inspect", model, "--json").worked();
        assertEquals(300, json.number("trainingRowsContained"));
        byte[] first = Files.readAllBytes(model);
        Run.here(line).worked();
        assertTrue(Arrays.equals(first, Files.readAllBytes(model)), "the same command gives the same bytes");
    }

    @Test
    void treesAreForRidgeAndKernelsOfDistances() {
        Run.here("train", data, "--kernel", KERNEL, "--map", "none(threshold=0.1)", "--learner", "svm")
                .refused(2, "--map none");
        Run.here("train", data, "--kernel", "polynomial(gamma=1)", "--map", "none(threshold=0.1)")
                .refused(2, "--map landmarks");
        Run.here("train", data, "--kernel", KERNEL, "--map", "none(tolerance=0.1)")
                .refused(2, "products=tree");
    }

    @Test
    void trainsOnRandomRows() {
        Run run = train("ridge", "--scale", "none", "--subsample", "100", "--json")
                .worked();
        assertEquals(100, run.number("rows"));
        assertEquals(100, run.number("features"));
        assertTrue(Run.here("inspect", model).worked().out().contains("100 random rows"));
    }

    @Test
    void refusesMoreRandomRowsThanRows() {
        train("ridge", "--subsample", "301").refused(1, "300 rows");
        train("ridge", "--subsample", "0").refused(2, "--subsample");
        assertFalse(Files.exists(model));
    }

    @Test
    void refusesLearnersThatNeedAMap() {
        train("logistic").refused(2, "--map landmarks");
        assertFalse(Files.exists(model));
    }

    @Test
    void refusesNumbersOfFeatures() {
        Run run = train("ridge", "--features", "100");
        assertFalse(run.code() == Main.WORKED);
        assertTrue(run.err().contains("--features"), run::err);
        assertFalse(Files.exists(model));
    }

    @Test
    void hasNoFeaturesToTransform() {
        Run run = Run.here("transform", data, "--kernel", KERNEL, "--map", "none", "--output", folder.resolve("t.csv"));
        assertFalse(run.code() == Main.WORKED);
        assertTrue(run.err().contains("--map landmarks"), run::err);
        assertFalse(Files.exists(folder.resolve("t.csv")));
    }
}
