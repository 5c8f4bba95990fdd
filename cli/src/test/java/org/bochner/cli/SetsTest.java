package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sets of three points: "wide" about (±1, 0), "high" about (0, ±1), whose means are alike. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SetsTest {
    private static final int SETS = 80;

    /** A given kernel needs no search for scales. */
    private static final String KERNEL = "gaussian(sigma=0.7)";

    private final Path folder;
    private final Path data;
    private final Path model;

    SetsTest(@TempDir Path folder) {
        this.folder = folder;
        data = folder.resolve("points.csv");
        model = folder.resolve("sets.bochner");
    }

    private static String points(int sets) {
        StringBuilder text = new StringBuilder("image,x,y,shape\n");
        for (int s = 0; s < sets; s++) {
            for (int i = 0; i < 3; i++) {
                double sign = (s + i) % 2 == 0 ? 1 : -1;
                double x = (7 * s + 3 * i) % 11 / 20.0 - 0.25;
                double y = (5 * s + 8 * i) % 13 / 24.0 - 0.25;
                boolean wide = s % 2 == 0;
                text.append("i" + s + "," + (wide ? sign + x : x) + "," + (wide ? y : sign + y) + ","
                        + (wide ? "wide" : "high") + "\n");
            }
        }
        return text.toString();
    }

    @BeforeAll
    void train() throws IOException {
        Files.writeString(data, points(SETS));
        Run run = Run.here("train", data, "--set", "image", "--kernel", KERNEL, "--features", 40, "--model", model)
                .worked();
        assertTrue(run.out().startsWith("sets     80\n"), run.out());
    }

    @Test
    void evaluateCountsSets() {
        Run run = Run.here("evaluate", model, data).worked();
        assertTrue(run.out().startsWith("error 0.00% (0 of 80 sets wrong)\nclass  sets"), run.out());
        assertEquals(80, Run.here("evaluate", model, data, "--json").worked().number("rows"));
    }

    @Test
    void predictPrintsOneLinePerSetWithItsId() {
        List<String> lines = Run.here("predict", model, data).worked().lines();
        assertEquals(81, lines.size());
        assertEquals(List.of("image,prediction", "i0,wide", "i1,high"), lines.subList(0, 3));
        List<String> scores = Run.here("predict", model, data, "--scores", "--copy", "shape")
                .worked()
                .lines();
        assertEquals("image,shape,wide", scores.get(0));
        assertTrue(scores.get(1).startsWith("i0,wide,"), scores.get(1));
    }

    @Test
    void holdOutsFoldsAndSamplesAreOfSets() {
        Run holdout = Run.here("train", data, "--set", "image", "--kernel", KERNEL, "--features", 40, "--holdout", 0.25)
                .worked();
        assertTrue(holdout.out().matches("(?s).*holdout +error .* of [0-9]+ sets wrong.*"), holdout.out());
        Run folds = Run.here("cv", data, "--set", "image", "--kernel", KERNEL, "--features", 20, "--folds", 2, "--json")
                .worked();
        assertEquals(80, folds.number("rows"));
        Run sample = Run.here(
                        "train",
                        data,
                        "--set",
                        "image",
                        "--kernel",
                        KERNEL,
                        "--features",
                        20,
                        "--subsample",
                        30,
                        "--json")
                .worked();
        assertEquals(30, sample.number("rows"));
    }

    @Test
    void notesCountSets() throws IOException {
        Path few = Files.writeString(folder.resolve("few.csv"), points(14));
        Run run = Run.here("cv", few, "--set", "image", "--kernel", KERNEL, "--features", 10, "--folds", 4)
                .worked();
        assertTrue(run.err().contains("2 classes have fewer than 8 sets for 4 folds ('high' has 7)"), run.err());
        Run measured =
                Run.here("train", few, "--set", "image", "--features", 10).worked();
        assertTrue(measured.err().contains("cross-validation needs at least 50 sets"), measured.err());
        Run logistic = Run.here(
                        "train", data, "--set", "image", "--kernel", KERNEL, "--features", 10, "--learner", "logistic")
                .worked();
        assertTrue(logistic.out().contains("sets set aside"), logistic.out());
        assertFalse(logistic.out().contains("rows set aside"), logistic.out());
    }

    @Test
    void filesWithoutAHeaderHaveTheIdsInTheSamePlace() throws IOException {
        String text = points(4);
        Path headless = Files.writeString(folder.resolve("headless.csv"), text.substring(text.indexOf('\n') + 1));
        List<String> lines = Run.here("predict", model, headless).worked().lines();
        assertEquals(List.of("image,prediction", "i0,wide", "i1,high"), lines.subList(0, 3));
    }

    @Test
    void theHeaderOfPredictionsHasNoNameTwice() throws IOException {
        Path rows = Files.writeString(folder.resolve("named.csv"), points(8).replace("image", "prediction"));
        Path named = folder.resolve("named.bochner");
        Run.here("train", rows, "--set", "prediction", "--kernel", KERNEL, "--features", 10, "--model", named)
                .worked();
        Run.here("predict", named, rows).refused(1, "'prediction'", "--no-header");
        assertEquals(
                8,
                Run.here("predict", named, rows, "--no-header").worked().lines().size());
    }

    @Test
    void inspectAndTransformKnowSets() throws IOException {
        Run inspected = Run.here("inspect", model).worked();
        assertTrue(inspected.out().contains("sets of rows, by column image"), inspected.out());
        assertTrue(Run.here("inspect", model, "--json").worked().out().contains("\"setColumn\" : \"image\""));
        Path features = folder.resolve("features.csv");
        Run.here("transform", data, "--model", model, "--output", features).worked();
        assertEquals(81, Files.readAllLines(features).size());
        Run.here("transform", data, "--set", "image", "--kernel", "linear", "--scale", "none", "--output", features)
                .worked();
        List<String> means = Files.readAllLines(features);
        assertEquals(81, means.size());
        // The points (0.75, -0.25), (-1.1, 0.0833), (1.05, -0.125) of the file, averaged by hand.
        assertTrue(means.get(1).contains("0.2333"), means.get(1));
    }

    @Test
    void cascadesCountSets() {
        Run run = Run.here("train", data, "--set", "image", "--cascade", "linear | " + KERNEL, "--features", 20)
                .worked();
        assertTrue(run.out().contains("on 80 sets held out") && run.out().contains("us per set"), run.out());
    }

    @Test
    void pruneAndPathKnowSets() {
        Path small = folder.resolve("small.bochner");
        Run pruned =
                Run.here("prune", model, data, "--keep", 0.5, "--output", small).worked();
        assertTrue(pruned.out().contains("measured on sets held out"), pruned.out());
        assertTrue(Run.here("evaluate", small, data).worked().out().contains("80 sets"));
        Run.here("path", data, "--set", "image", "--kernel", KERNEL, "--features", 20, "--steps", 3, "--holdout", 0.3)
                .worked();
    }

    @Nested
    class BadInput {
        private Path file(String name, String text) throws IOException {
            return Files.writeString(folder.resolve(name), text);
        }

        private Run refused(int code, Path rows, String... texts) {
            Path none = folder.resolve("none.bochner");
            Run run = Run.here("train", rows, "--set", "image", "--features", 10, "--model", none)
                    .refused(code, texts);
            assertFalse(Files.exists(none));
            return run;
        }

        @Test
        void idsOutOfOrderAreNamedWithBothLines() throws IOException {
            Path rows = file("order.csv", points(10) + "i3,1,2,high\n");
            refused(1, rows, "order.csv:32", "order.csv:11", "sort the rows by the column of set ids");
        }

        @Test
        void anEmptyIdIsNamedWithItsLine() throws IOException {
            Path rows = file("empty.csv", points(10) + ",1,2,high\n");
            refused(1, rows, "empty.csv:32", "image", "the set id is missing");
        }

        @Test
        void labelsOfASetMustAgree() throws IOException {
            Path rows = file("labels.csv", points(10) + "i9,1,2,wide\n");
            refused(1, rows, "labels.csv:32", "the label is not that of the set's first row", "labels.csv:29");
        }

        @Test
        void idsOutOfOrderStopAPredictionToo() throws IOException {
            Path rows = file("late.csv", points(4) + "i0,1,2,wide\n");
            Run.here("predict", model, rows).refused(1, "late.csv:14", "late.csv:2");
        }

        @Test
        void aFileWithoutIdsIsRefused() throws IOException {
            Path rows = file("bare.csv", "x,y\n1,2\n");
            Run.here("evaluate", model, file("labelled.csv", "x,y,shape\n1,2,wide\n"))
                    .refused(1, "no set ids", "'image'");
            Run.here("predict", model, rows).refused(1, "image");
        }

        @ParameterizedTest
        @CsvSource({"learn-kernel", "compare"})
        void otherCommandsRefuseSets(String command) {
            Run.here(command, data, "--set", "image", "--holdout", 0.3).refused(1, "sets of rows", "--set");
        }

        @Test
        void exactMachinesRefuseSets() {
            Run.here("train", data, "--set", "image", "--map", "none").refused(1, "--map landmarks");
        }

        @Test
        void formatsWithoutColumnsHaveNoSets() throws IOException {
            Path rows = file("rows.libsvm", "1 1:2\n-1 2:3\n");
            refused(1, rows, "a LIBSVM file has no set column 'image'", "CSV or NPY");
        }
    }
}
