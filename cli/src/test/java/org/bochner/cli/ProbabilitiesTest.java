package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.bochner.learn.calibrate.Calibration;
import org.bochner.model.KernelModel;
import org.bochner.model.file.ModelAccess;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Probabilities and first answers, as the command prints them. */
class ProbabilitiesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    private Path rings;

    @SuppressWarnings("NullAway.Init") // before each test
    private Path twoClasses;

    @BeforeEach
    void trainOnRings() throws IOException {
        rings = Rings.csv(folder.resolve("rings.csv"), 300);
        twoClasses = folder.resolve("two.bochner");
        Run.here("train", rings, "--features", 40, "--model", twoClasses).worked();
    }

    private Path digits() {
        Path model = folder.resolve("digits.bochner");
        Run.here("train", Run.DIGITS, "--scale", "none", "--features", 200, "--model", model)
                .worked();
        return model;
    }

    /** The model, with its scores taken for those of a logistic one. */
    private Path calibrated(Path path, int classes) {
        Path calibrated = folder.resolve("calibrated.bochner");
        ModelAccess.model(ModelAccess.parts(KernelModel.load(path)).withCalibration(Calibration.sigmoid(classes)))
                .save(calibrated);
        return calibrated;
    }

    private static double[] numbers(String line) {
        return Arrays.stream(line.split(",", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    private static void assertAgrees(List<String> probabilities, List<String> classes, List<?> names) {
        assertEquals(classes.size(), probabilities.size());
        for (int i = 0; i < classes.size(); i++) {
            double[] p = numbers(probabilities.get(i));
            assertEquals(names.size(), p.length);
            assertEquals(1, Arrays.stream(p).sum(), 1e-12);
            assertEquals(Arrays.stream(p).max().orElseThrow(), p[names.indexOf(classes.get(i))], "row " + i);
        }
    }

    @Test
    void areALineARowInTheOrderOfInspect() {
        Path model = calibrated(digits(), 10);
        List<?> names = Run.here("inspect", model, "--json").worked().list("classes");
        List<String> classes = Run.here("predict", model, Run.DIGITS).worked().lines();
        assertEquals(1797, classes.size());
        assertAgrees(
                Run.here("predict", model, Run.DIGITS, "--probabilities", "--digits", 17, "--no-header")
                        .worked()
                        .lines(),
                classes,
                names);
    }

    @Test
    void ofTwoClassesAreTwoNumbers() throws IOException {
        Path model = calibrated(twoClasses, 2);
        Path out = folder.resolve("p.txt");
        Run.here("predict", model, rings, "--probabilities", "--digits", 17, "--no-header", "--output", out)
                .worked();
        List<?> names = Run.here("inspect", model, "--json").worked().list("classes");
        assertAgrees(
                Files.readAllLines(out),
                Run.here("predict", model, rings).worked().lines(),
                names);
    }

    @Test
    void areRefusedWithAWayOutWhereThereAreNone() throws IOException {
        Run.here("predict", twoClasses, rings, "--probabilities")
                .refused(Main.FAILED, "no probabilities", "--calibrate platt", "logistic", "--scores");
        Run.here("predict", twoClasses, rings, "--probabilities", "--scores")
                .refused(Main.USAGE, "give either --scores or --probabilities, not both");
        Path heights = Rings.write(
                folder.resolve("heights.csv"),
                "x,y,height",
                60,
                i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + Rings.height(i));
        Path numbers = folder.resolve("numbers.bochner");
        Run.here("train", heights, "--features", 10, "--model", numbers).worked();
        Run.here("predict", numbers, heights, "--probabilities").refused(Main.FAILED, "predicts numbers");
        Run.here("evaluate", numbers, heights, "--top", 2).refused(Main.USAGE, "--top 2", "numbers");
    }

    @Test
    void areEvaluatedWhereThereAreSome() {
        Path model = calibrated(digits(), 10);
        Run run = Run.here("evaluate", model, Run.DIGITS, "--top", 3, "--json").worked();
        assertTrue(run.number("logLoss") > 0 && run.number("logLoss") < Math.log(10), run.out());
        assertTrue(run.number("brier") > 0 && run.number("brier") < 1, run.out());
        assertTrue(run.number("calibrationError") > 0 && run.number("calibrationError") < 1, run.out());
        assertEquals(3, run.number("topK"));
        assertTrue(run.number("topError") < run.number("error"), run.out());
        String text =
                Run.here("evaluate", model, Run.DIGITS, "--top", 3).worked().out();
        assertTrue(text.contains(", top-3 ") && text.contains("log loss ") && text.contains("Brier"), text);
        Run without = Run.here("evaluate", twoClasses, rings, "--json").worked();
        assertFalse(without.json().containsKey("logLoss") || without.json().containsKey("topK"), without.out());
    }

    @Test
    void theEffectOfTheCalibrationOnRankingsIsReported() {
        Path model = folder.resolve("level.bochner");
        List<Object> flags = List.of("train", Run.DIGITS, "--scale", "none", "--features", 40, "--holdout", 0.3);
        Object[] quantile = Stream.concat(flags.stream(), Stream.of("--calibrate", "quantile", "--model", model))
                .toArray();
        String text = Run.here(quantile).worked().out();
        assertTrue(text.contains("calibrated    error ") && text.contains("uncalibrated  error "), text);
        Run plain = Run.here(Stream.concat(flags.stream(), Stream.of("--json")).toArray())
                .worked();
        assertFalse(plain.json().containsKey("calibrationEffect"), plain.out());
        Run json = Run.here(Stream.concat(Arrays.stream(quantile), Stream.of("--json"))
                        .toArray())
                .worked();
        Object effect = Run.object(json.json(), "calibrationEffect");
        // Without the shifts, the model is that of the command without --calibrate.
        assertEquals(plain.number("error"), Run.number(Run.object(effect, "uncalibrated"), "error"));
        assertEquals(json.number("error"), Run.number(Run.object(effect, "calibrated"), "error"));
        Run evaluated =
                Run.here("evaluate", model, Run.DIGITS, "--top", 2, "--json").worked();
        Object top = Run.object(evaluated.json(), "calibrationEffect");
        assertEquals(2, Run.number(top, "topK"));
        assertEquals(evaluated.number("topError"), Run.number(Run.object(top, "calibrated"), "topError"));
        String table = Run.here("evaluate", model, Run.DIGITS).worked().out();
        assertTrue(table.contains("top-5 error ") && table.contains("mean rank"), table);
    }

    @Test
    void firstAnswersAreFewerThanTheClasses() {
        Run.here("evaluate", twoClasses, rings, "--top", 2).refused(Main.USAGE, "--top 2", "only 2 classes");
        Run.here("evaluate", twoClasses, rings, "--top", 0).refused(Main.USAGE, "--top must be at least 1");
    }

    @Test
    void ofManyClassesTheWorstAreShown() throws IOException {
        Path data = Rings.write(
                folder.resolve("many.csv"),
                "x,y,cell",
                900,
                i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + ",cell" + cell(i));
        Path model = folder.resolve("many.bochner");
        Run.here("train", data, "--features", 60, "--model", model).worked();
        Run text = Run.here("evaluate", model, data, "--top", 5).worked();
        // The headline, the head of the table, 20 classes, how many there are, means, a blank, and up to 10 confused
        // pairs.
        int pairs = text.lines().size() - 26;
        assertTrue(pairs > 0 && pairs <= 10, text.out());
        assertTrue(text.lines().get(25).startsWith("most confused"), text.out());
        assertTrue(text.out().contains("the 20 of 64 classes with the least recall"), text.out());
        assertEquals(
                64,
                Run.here("evaluate", model, data, "--json")
                        .worked()
                        .list("classes")
                        .size());
    }

    private static int cell(int row) {
        return 8 * (int) (8 * Rings.x(row, 0)) + (int) (8 * Rings.x(row, 1));
    }
}
