package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.bochner.base.Json;
import org.bochner.learn.calibrate.Calibration;
import org.bochner.model.KernelModel;
import org.bochner.model.file.ModelAccess;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What predict prints, and into what. */
class PredictCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    private Path file(String name) {
        return folder.resolve(name);
    }

    /** A model of two classes, and rows with an id. */
    private Path rings() throws IOException {
        Path model = file("rings.bochner");
        Run.here("train", Rings.csv(file("rings.csv"), 200), "--features", 30, "--model", model)
                .worked();
        return model;
    }

    private Path identified(int rows) throws IOException {
        return Rings.write(
                file("new.csv"), "id,x,y", rows, i -> "\"row, " + i + "\"," + Rings.x(i, 0) + "," + Rings.x(i, 1));
    }

    @Test
    void largeNumbersKeepTheirDigits() throws IOException {
        Path data = Rings.write(
                file("times.csv"), "x,time", 50, i -> Rings.x(i, 0) + "," + (1_700_000_000.5 + Rings.x(i, 0)));
        Path model = file("times.bochner");
        Run.here("train", data, "--kernel", "linear", "--task", "regress", "--model", model)
                .worked();
        KernelModel trained = KernelModel.load(model);
        List<String> lines = Run.here("predict", model, data).worked().lines();
        assertEquals(50, lines.size());
        for (int i = 0; i < lines.size(); i++) {
            assertTrue(lines.get(i).matches("170000000[01](\\.\\d+)?"), lines.get(i));
            double score = trained.score(new double[] {Rings.x(i, 0)})[0];
            // The features of a block are float32: a few units of 2^-24 of the spread, nothing of the offset.
            assertEquals(score, Double.parseDouble(lines.get(i)), 1e-5);
        }
        Run rounded = Run.here("predict", model, data, "--digits", 2).worked();
        assertEquals(List.of("1700000000"), rounded.lines().stream().distinct().toList());
    }

    @Test
    void namesOfClassesStayOnOneLine() throws IOException {
        Path data = Rings.write(
                file("odd.csv"),
                "x,y,where",
                100,
                i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + ",\"" + (Rings.inner(i) ? "in\nner" : "out\ter") + "\"");
        Path model = file("odd.bochner");
        Run.here("train", data, "--features", 20, "--model", model).worked();
        List<String> lines = Run.here("predict", model, data).worked().lines();
        assertEquals(100, lines.size());
        assertTrue(lines.containsAll(List.of("in\\nner", "out\\ter")), lines.toString());
    }

    @Test
    void plainLinesHaveNoHeader() throws IOException {
        Path model = rings();
        List<String> lines =
                Run.here("predict", model, file("rings.csv")).worked().lines();
        assertEquals(200, lines.size());
        assertTrue(lines.stream().allMatch(List.of("inner", "outer")::contains));
    }

    @Test
    void scoresStartWithTheNamesOfClasses() throws IOException {
        Path model = rings();
        Run scores = Run.here("predict", model, file("rings.csv"), "--scores").worked();
        assertEquals(201, scores.lines().size());
        assertEquals("outer", scores.lines().get(0));
        assertEquals(
                scores.lines().subList(1, 201),
                Run.here("predict", model, file("rings.csv"), "--scores", "--no-header")
                        .worked()
                        .lines());
    }

    @Test
    void probabilitiesHaveSixDigitsAtMostUnlessMoreAreAskedFor() throws IOException {
        Path model = file("calibrated.bochner");
        ModelAccess.model(ModelAccess.parts(KernelModel.load(rings())).withCalibration(Calibration.sigmoid(2)))
                .save(model);
        List<String> lines = Run.here("predict", model, file("rings.csv"), "--probabilities")
                .worked()
                .lines();
        assertEquals("inner,outer", lines.get(0));
        for (String line : lines.subList(1, lines.size())) {
            assertTrue(line.matches("0\\.\\d{1,6},0\\.\\d{1,6}"), line);
        }
        List<String> full = Run.here(
                        "predict", model, file("rings.csv"), "--probabilities", "--digits", 17, "--no-header")
                .worked()
                .lines();
        for (String line : full) {
            String[] cells = line.split(",", -1);
            assertEquals(1, Double.parseDouble(cells[0]) + Double.parseDouble(cells[1]), 1e-15);
        }
    }

    @Test
    void columnsThatTrainingLackedMayBeLeftOut() throws IOException {
        Path model = rings();
        Path data = identified(3);
        Run.here("predict", model, data).refused(Main.FAILED, "column 'id'", "--ignore id");
        assertEquals(
                Run.here("predict", model, file("rings.csv")).worked().lines().subList(0, 3),
                Run.here("predict", model, data, "--ignore", "id").worked().lines());
    }

    @Test
    void columnsThatTheModelNeedsOrThatAreNotThereCannotBeLeftOut() throws IOException {
        Path model = rings();
        Path data = file("rings.csv");
        for (String command : List.of("predict", "evaluate")) {
            Run.here(command, model, data, "--ignore", "x")
                    .refused(Main.FAILED, "rings.csv", "column 'x' cannot be left out: the model was trained on it");
            Run.here(command, model, data, "--ignore", "z").refused(Main.FAILED, "no ignored column 'z'");
            Run.here(command, model, data, "--ignore", "0").refused(Main.FAILED, "cannot be left out by its index");
        }
    }

    @Test
    void columnsThatTrainingLeftOutMayBeNamedAgain() throws IOException {
        Path data = Rings.write(
                file("with-id.csv"),
                "id,x,y,where",
                100,
                i -> i + "," + Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + Rings.label(i));
        Path model = file("without-id.bochner");
        for (String ignored : List.of("id", "0")) {
            Run.here("train", data, "--test", data, "--ignore", ignored, "--features", 30, "--model", model)
                    .worked();
            Run.here("predict", model, data, "--ignore", "id").worked();
            Run.here("predict", model, Rings.csv(file("rings.csv"), 5), "--ignore", "id")
                    .worked();
        }
    }

    @Nested
    class Copies {
        @Test
        void standBeforeThePrediction() throws IOException {
            Path model = rings();
            Path data = identified(5);
            List<String> lines =
                    Run.here("predict", model, data, "--copy", "id,x").worked().lines();
            assertEquals(6, lines.size());
            assertEquals("id,x,prediction", lines.get(0));
            String prediction = Run.here("predict", model, file("rings.csv"))
                    .worked()
                    .lines()
                    .get(3);
            assertEquals("\"row, 3\"," + Rings.x(3, 0) + "," + prediction, lines.get(4));
            List<String> scores = Run.here("predict", model, data, "--copy", "0", "--scores", "--no-header")
                    .worked()
                    .lines();
            assertEquals(5, scores.size());
            assertTrue(scores.get(0).matches("\"row, 0\",-?\\d\\.\\d+"), scores.get(0));
        }

        @Test
        void workFromAPipe() throws IOException {
            Path model = rings();
            Path data = identified(3000);
            Run piped = Run.processWithInput(Files.readAllBytes(data), "predict", model, "-", "--copy", "id")
                    .worked();
            assertEquals(
                    Run.here("predict", model, data, "--copy", "id").worked().out(), piped.out());
            assertTrue(
                    piped.lines().get(3000).startsWith("\"row, 2999\","),
                    piped.lines().get(3000));
        }

        @Test
        void goToATableByItsName() throws IOException {
            Path model = rings();
            Path csv = file("out.csv");
            Run.here("predict", model, file("rings.csv"), "--output", csv).worked();
            assertEquals("prediction", Files.readAllLines(csv).get(0));
            Path tsv = file("out.tsv");
            Run.here("predict", model, identified(3), "--copy", "id", "--output", tsv)
                    .worked();
            assertEquals(
                    List.of("id\tprediction", "row, 0\t" + Rings.label(0)),
                    Files.readAllLines(tsv).subList(0, 2));
        }

        @Test
        void areRefusedWhereTheyCannotBe() throws IOException {
            Path model = rings();
            Path data = identified(3);
            Run.here("predict", model, data, "--copy", "id,id").refused(Main.USAGE, "--copy", "twice");
            Run.here("predict", model, data, "--copy", "idd").refused(Main.FAILED, "no such column 'idd'");
            Run.here("predict", model, data, "--digits", 0).refused(Main.USAGE, "--digits must be at least 1");
            Path sparse = Rings.libsvm(file("rings.svm"), 5);
            Run.here("predict", model, sparse, "--copy", "1").refused(Main.FAILED, "LIBSVM", "no such column");
        }

        @Test
        void ofAnArrayAreItsNumbers() throws IOException {
            Path model = rings();
            Path array = Rings.npy(file("rings.npy"), 3);
            List<String> lines =
                    Run.here("predict", model, array, "--copy", "1").worked().lines();
            assertEquals("1,prediction", lines.get(0));
            assertTrue(lines.get(2).startsWith(Rings.x(1, 1) + ","), lines.get(2));
        }
    }

    @Nested
    class JsonLines {
        private static Map<?, ?> read(String line) throws IOException {
            byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
            return (Map<?, ?>) java.util.Objects.requireNonNull(Json.read(bytes, 0, bytes.length));
        }

        @Test
        void haveAnObjectPerRow() throws IOException {
            Path model = file("calibrated.bochner");
            ModelAccess.model(ModelAccess.parts(KernelModel.load(rings())).withCalibration(Calibration.sigmoid(2)))
                    .save(model);
            Path out = file("out.ndjson");
            Run.here("predict", model, identified(4), "--copy", "id", "--probabilities", "--output", out)
                    .worked();
            List<String> lines = Files.readAllLines(out);
            assertEquals(4, lines.size());
            Map<?, ?> row = read(lines.get(2));
            assertEquals(List.of("id", "prediction", "probabilities"), List.copyOf(row.keySet()));
            assertEquals("row, 2", row.get("id"));
            assertEquals(
                    Run.here("predict", model, file("rings.csv"))
                            .worked()
                            .lines()
                            .get(2),
                    row.get("prediction"));
            assertEquals(
                    List.of("inner", "outer"),
                    List.copyOf(Run.object(row, "probabilities").keySet()));
        }

        @Test
        void haveNumbersAndRefuseNamesThatAreTaken() throws IOException {
            Path data = Rings.write(
                    file("heights.csv"),
                    "x,prediction,height,depth",
                    60,
                    i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + Rings.height(i) + "," + i);
            Path model = file("heights.bochner");
            Run.here("train", data, "--label", "height,depth", "--features", 10, "--model", model)
                    .worked();
            Path out = file("out.jsonl");
            Run.here("predict", model, data, "--output", out).worked();
            Map<?, ?> row = read(Files.readAllLines(out).get(0));
            Map<?, ?> numbers = Run.object(row, "prediction");
            assertEquals(List.of("height", "depth"), List.copyOf(numbers.keySet()));
            assertTrue(numbers.get("height") instanceof Number);
            Run.here("predict", model, data, "--copy", "prediction", "--output", out)
                    .refused(Main.FAILED, "'prediction'", "JSON lines");
            assertEquals(
                    "prediction,height,depth",
                    Run.here("predict", model, data, "--copy", "prediction")
                            .worked()
                            .lines()
                            .get(0));
        }
    }
}
