package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cross-validation and groups, as the command runs them. */
class CvCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    /** Ten visits each of thirty patients, who look alike at every visit and differ in what they have. */
    private Path visits() throws IOException {
        return Rings.write(
                folder.resolve("visits.csv"),
                "patient,x,y,ill",
                300,
                i -> "p" + i / 10 + "," + (Rings.x(i / 10, 0) + i % 10 * 1e-4) + "," + Rings.x(i / 10, 1) + ","
                        + ((i / 10) * 7 % 5 % 2 == 0 ? "yes" : "no"));
    }

    private static Run cv(Path data, Object... flags) {
        return run(List.of("cv", data, "--features", 100), flags);
    }

    @Test
    void hasALinePerFoldAndTheStandardErrorOfTheirMean() throws IOException {
        Path rings = Rings.csv(folder.resolve("rings.csv"), 300);
        Run json = cv(rings, "--folds", 4, "--json");
        assertEquals(300, json.number("rows"));
        assertEquals(4, json.list("results").size());
        double sum = 0;
        double rows = 0;
        for (Object line : json.list("results")) {
            Map<?, ?> fold = (Map<?, ?>) line;
            sum += Run.number(fold, "error");
            rows += Run.number(fold, "testRows");
        }
        assertEquals(300, rows);
        assertEquals(sum / 4, json.number("error"), 1e-12);
        assertEquals(json.number("standardDeviation") / 2, json.number("standardError"), 1e-12);
        assertTrue(json.number("binomialStandardError") > 0);
        List<String> text = cv(rings, "--folds", 4, "--repeats", 2).lines();
        assertEquals(1 + 8 + 2, text.size(), text.toString());
        assertTrue(text.get(8).startsWith("2.4 "), text.get(8));
        assertTrue(text.get(10).startsWith("standard error"), text.get(10));
    }

    @Test
    void ofNumbersIsTheRootMeanSquaredError() throws IOException {
        Path data = Rings.write(
                folder.resolve("heights.csv"),
                "x,y,height",
                200,
                i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + Rings.height(i));
        Run run = cv(data, "--task", "regress", "--json");
        assertEquals(5, run.list("results").size());
        assertTrue(run.number("rmse") < 0.1 && run.number("r2") > 0.9, run.out());
        assertFalse(run.json().containsKey("binomialStandardError"));
    }

    @Test
    void groupsAreOnOneSideInCrossValidationAndHoldOut() throws IOException {
        Path visits = visits();
        assertTrue(cv(visits, "--categorical", "patient", "--json").number("error") < 0.1);
        // Who has what cannot be known of a patient never seen.
        assertTrue(cv(visits, "--group", "patient", "--json").number("error") > 0.25);
        Path model = folder.resolve("m.bochner");
        Run trained = Run.here(
                        "train",
                        visits,
                        "--group",
                        "patient",
                        "--holdout",
                        0.3,
                        "--features",
                        100,
                        "--model",
                        model,
                        "--json")
                .worked();
        // Whole patients, of ten visits each.
        assertEquals(0, trained.number("testRows") % 10);
        assertEquals(300, trained.number("rows") + trained.number("testRows"));
        assertEquals(2, trained.number("columns"));
        assertTrue(trained.number("error") > 0.2);
        assertEquals(
                "patient",
                Run.object(
                                Run.object(
                                        Run.here("inspect", model, "--json")
                                                .worked()
                                                .json(),
                                        "training"),
                                "data")
                        .get("groupColumn"));
        assertEquals(300, Run.here("predict", model, visits).worked().lines().size());
    }

    @Test
    void groupsAreKeptTogetherWhereScalesAreLearnedAndProbabilitiesFitted() throws IOException {
        Path visits = visits();
        // The same rows without their patients: whoever is tested on was learned from too, and looks the same.
        List<String> lines = Files.readAllLines(visits);
        Path bare = Rings.write(
                folder.resolve("bare.csv"),
                "x,y,ill",
                300,
                i -> lines.get(i + 1).replaceFirst("[^,]*,", ""));
        double grouped = learnKernel(visits, "--group", "patient").number("before");
        assertTrue(grouped > learnKernel(bare).number("before") + 0.3, "grouped " + grouped);
        // Probabilities that were fitted to scores of other visits of the same patients are too sure of themselves.
        double logLoss = calibrated(visits, "--group", "patient").number("logLoss");
        assertTrue(logLoss > 2 * calibrated(bare).number("logLoss"), "log loss " + logLoss);
    }

    private static Run learnKernel(Path data, Object... flags) {
        return run(List.of("learn-kernel", data, "--features", 100, "--iterations", 1, "--json"), flags);
    }

    private Run calibrated(Path data, Object... flags) {
        Path model = folder.resolve("c.bochner");
        run(List.of("train", data, "--features", 100, "--calibrate", "platt", "--model", model), flags);
        return Run.here("evaluate", model, data, "--json").worked();
    }

    private static Run run(List<Object> first, Object... flags) {
        List<Object> all = new ArrayList<>(first);
        all.addAll(List.of(flags));
        return Run.here(all.toArray()).worked();
    }

    @Test
    void smallClassesAreRemarkedOn() throws IOException {
        Path data = Rings.write(
                folder.resolve("rare.csv"),
                "x,y,where",
                80,
                i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + (i < 3 ? "rare" : Rings.label(i)));
        Run run = cv(data);
        assertTrue(run.err().contains("'rare' has 3"), run.err());
    }

    @Test
    void wrongNumbersAreWrongUsage() throws IOException {
        Path data = visits();
        Run.here("cv", data, "--folds", 1).refused(Main.USAGE, "--folds must be at least 2");
        Run.here("cv", data, "--repeats", 0).refused(Main.USAGE, "--repeats must be at least 1");
        Run.here("cv", data, "--group", "nobody").refused(Main.FAILED, "no group column 'nobody'");
    }
}
