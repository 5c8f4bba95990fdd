package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** train → save → predict → evaluate → inspect → transform, on every kind of data. */
class RoundTripTest {
    private static final int ROWS = 400;

    /**
     * Half of the points are of either class, so a linear function errs on about half. A Gaussian of this width with 80
     * features makes some 2% of errors; a tenth leaves room for other draws and none for not learning.
     */
    private static final double LEARNED = 0.1;

    private static final List<String> MACHINE =
            List.of("--kernel", "gaussian(sigma=0.3)", "--scale", "none", "--features", "80");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Path model;

    @BeforeEach
    void nameTheModel() {
        model = folder.resolve("m.bochner");
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    private Run train(Object... arguments) {
        List<Object> all = new ArrayList<>(List.of("train"));
        all.addAll(Arrays.asList(arguments));
        all.addAll(MACHINE);
        all.addAll(List.of("--model", model, "--json"));
        return Run.here(all.toArray()).worked();
    }

    /** Fails unless a model of three quarters of the rows is right about most of the others. */
    private static void assertLearned(Object... arguments) {
        List<Object> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(MACHINE);
        double error = run("train", all, "--holdout", 0.25, "--json").number("error");
        assertTrue(error < LEARNED, () -> "error " + error);
    }

    private static Run run(String command, List<Object> arguments, Object... more) {
        List<Object> all = new ArrayList<>(List.of(command));
        all.addAll(arguments);
        all.addAll(Arrays.asList(more));
        return Run.here(all.toArray()).worked();
    }

    /** Every command agrees about the model and the data that it was trained on. */
    private void assertRoundTrip(List<String> labels, Object... data) {
        Run trained = train(data);
        assertEquals(ROWS, trained.number("rows"));
        assertEquals(80, trained.number("features"));

        List<Object> modelAndData = new ArrayList<>(List.of(model));
        modelAndData.addAll(Arrays.asList(data));
        List<String> predictions = run("predict", modelAndData).lines();
        assertEquals(ROWS, predictions.size());
        long wrong = IntStream.range(0, ROWS)
                .filter(i -> !predictions.get(i).equals(labels.get(i)))
                .count();

        Run evaluated = run("evaluate", modelAndData, "--json");
        assertEquals(ROWS, evaluated.number("rows"));
        assertEquals((double) wrong / ROWS, evaluated.number("error"), 1e-12, "predict and evaluate disagree");
        assertLearned(data);

        Run inspected = run("inspect", List.of(model), "--json");
        assertEquals(80, inspected.number("features"));
        assertEquals("gaussian(sigma=0.3)", inspected.json().get("kernel"));

        List<Object> dataAlone = Arrays.asList(data);
        Path features = file("features.npy");
        assertEquals(
                ROWS,
                run("transform", dataAlone, "--model", model, "--output", features, "--json")
                        .number("rows"));
        assertTrue(Files.exists(features));
    }

    private static List<String> labels(String inner, String outer) {
        return IntStream.range(0, ROWS)
                .mapToObj(i -> Rings.inner(i) ? inner : outer)
                .toList();
    }

    @Nested
    class OnFormats {
        @Test
        void libsvm() throws IOException {
            assertRoundTrip(labels("1", "-1"), Rings.libsvm(file("rings.libsvm"), ROWS));
        }

        @Test
        void csvWithHeaderAndTextClasses() throws IOException {
            assertRoundTrip(labels("inner", "outer"), Rings.csv(file("rings.csv"), ROWS), "--label", "where");
        }

        @Test
        void csvWithoutHeaderLabelFirst() throws IOException {
            Path data = Rings.write(
                    file("rings.csv"),
                    "",
                    ROWS,
                    i -> (Rings.inner(i) ? 1 : 0) + ";" + Rings.x(i, 0) + ";" + Rings.x(i, 1));
            assertRoundTrip(labels("1", "0"), data, "--label", "first");
        }

        @Test
        void gzippedTabSeparatedText() throws IOException {
            Path data = Rings.gzip(Rings.write(
                    file("rings.tsv"),
                    "x\ty\twhere",
                    ROWS,
                    i -> Rings.x(i, 0) + "\t" + Rings.x(i, 1) + "\t" + Rings.label(i)));
            assertRoundTrip(labels("inner", "outer"), data);
        }

        @Test
        void npyWithLabelsApart() throws IOException {
            assertRoundTrip(
                    labels("inner", "outer"),
                    Rings.npy(file("rings.npy"), ROWS),
                    "--labels",
                    Rings.labels(file("labels.txt"), ROWS));
        }

        @Test
        void idxWithLabelsApart() throws IOException {
            Path images = Rings.idxImages(file("images.idx"), ROWS);
            Path labels = Rings.idxLabels(file("labels.idx"), ROWS);
            Run trained = Run.here(
                            "train",
                            images,
                            "--labels",
                            labels,
                            "--scale",
                            "divide(by=255)",
                            "--kernel",
                            "gaussian(sigma=0.3)",
                            "--features",
                            80,
                            "--holdout",
                            0.25,
                            "--model",
                            model,
                            "--json")
                    .worked();
            assertEquals(ROWS, trained.number("rows") + trained.number("testRows"));
            Run evaluated = Run.here("evaluate", model, images, "--labels", labels, "--json")
                    .worked();
            assertEquals(ROWS, evaluated.number("rows"));
            assertTrue(trained.number("error") < LEARNED, trained.out());
        }

        @Test
        void channelsJoinedRowByRow() throws IOException {
            Path xs = Rings.write(file("x.csv"), "x", ROWS, i -> "" + Rings.x(i, 0));
            Path ys = Rings.write(file("y.csv"), "y", ROWS, i -> "" + Rings.x(i, 1));
            assertRoundTrip(
                    labels("inner", "outer"),
                    "--channel",
                    "east=" + xs,
                    "--channel",
                    "north=" + ys,
                    "--labels",
                    Rings.labels(file("labels.csv"), ROWS));
        }

        @Test
        void categoriesAndMissingCells() throws IOException {
            Path data = Rings.write(
                    file("rings.csv"),
                    "x,colour,y,where",
                    ROWS,
                    i -> (i % 50 == 7 ? "" : Rings.x(i, 0)) + "," + (i % 3 == 0 ? "red" : "blue") + "," + Rings.x(i, 1)
                            + "," + Rings.label(i));
            Run trained = train(data, "--missing", "mean");
            assertEquals(4, trained.number("columns"), "x, two colours, y");
            Run evaluated = Run.here("evaluate", model, data, "--missing", "mean", "--json")
                    .worked();
            assertEquals(ROWS, evaluated.number("rows"));
            assertLearned(data, "--missing", "mean");
        }
    }

    @Nested
    class OnTasks {
        @Test
        void onePositiveClassAgainstTheRest() throws IOException {
            Path data = Rings.write(
                    file("thirds.csv"),
                    "x,y,where",
                    ROWS,
                    i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + ","
                            + (Rings.inner(i) ? "inner" : i % 2 == 0 ? "even" : "odd"));
            Run trained = train(data, "--positive", "inner");
            assertEquals(2, trained.list("classes").size());
            assertLearned(data, "--positive", "inner");
            List<String> predictions = Run.here("predict", model, data).worked().lines();
            assertEquals(
                    Set.copyOf(trained.list("classes")), Set.copyOf(predictions), "no other class is ever predicted");
        }

        @Test
        void balancedClassesFindTheRareOne() throws IOException {
            // One row in eight is of the class 'rare', and lies among the others: only weights can make it win.
            Path data = Rings.write(
                    file("rare.csv"),
                    "x,y,where",
                    ROWS,
                    i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + (Rings.inner(i) && i % 4 == 0 ? "rare" : "usual"));
            train(data);
            double plain = recallOf("rare", data);
            train(data, "--balanced");
            double balanced = recallOf("rare", data);
            assertTrue(balanced > plain + 0.3, () -> "recall " + plain + ", balanced " + balanced);
        }

        private double recallOf(String name, Path data) {
            Run evaluated = Run.here("evaluate", model, data, "--json").worked();
            for (Object line : evaluated.list("classes")) {
                if (line instanceof Map<?, ?> score
                        && name.equals(score.get("class"))
                        && score.get("recall") instanceof Double recall) {
                    return recall;
                }
            }
            throw new AssertionError(evaluated.out());
        }

        @Test
        void aNumber() throws IOException {
            Path data = Rings.write(
                    file("heights.csv"),
                    "height,x,y",
                    ROWS,
                    i -> Rings.height(i) + "," + Rings.x(i, 0) + "," + Rings.x(i, 1));
            Run trained = train(data, "--label", "height", "--holdout", "0.25");
            assertEquals("regress", trained.json().get("task"));
            // Heights have a standard deviation of 0.45.
            assertTrue(trained.number("rmse") < 0.05, trained.out());
            assertEquals(ROWS, trained.number("rows") + trained.number("testRows"));

            List<String> predictions = Run.here("predict", model, data, "--label", "height")
                    .worked()
                    .lines();
            double squares = 0;
            for (int i = 0; i < ROWS; i++) {
                double difference = Double.parseDouble(predictions.get(i)) - Rings.height(i);
                squares += difference * difference;
            }
            Run evaluated = Run.here("evaluate", model, data, "--label", "height", "--json")
                    .worked();
            // Predictions are printed as the nearest float32 values.
            assertEquals(Math.sqrt(squares / ROWS), evaluated.number("rmse"), 1e-6);
        }

        @Test
        void severalNumbersAtOnce() throws IOException {
            Path data = Rings.write(
                    file("pairs.csv"),
                    "x,y,height,depth",
                    ROWS,
                    i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + Rings.height(i) + "," + (1 - 2 * Rings.height(i)));
            train(data, "--label", "height,depth");
            List<String> first = List.of(Run.here("predict", model, data, "--label", "height,depth")
                    .worked()
                    .lines()
                    .get(0)
                    .split(","));
            assertEquals(2, first.size());
            assertEquals(1 - 2 * Double.parseDouble(first.get(0)), Double.parseDouble(first.get(1)), 1e-3);
            Run evaluated =
                    Run.here("evaluate", model, data, "--label", "height,depth").worked();
            assertTrue(evaluated.out().contains("depth"), evaluated.out());
        }

        @Test
        void scoresGiveTheClass() throws IOException {
            Path data = Rings.csv(file("rings.csv"), ROWS);
            train(data);
            List<String> classes = Run.here("predict", model, data).worked().lines();
            List<String> scores = Run.here("predict", model, data, "--scores", "--no-header")
                    .worked()
                    .lines();
            for (int i = 0; i < ROWS; i++) {
                // Classes are in alphabetical order, and a positive score is for the second.
                assertEquals(Double.parseDouble(scores.get(i)) > 0 ? "outer" : "inner", classes.get(i));
            }
        }
    }

    @Nested
    class WithATest {
        @Test
        void fileOfItsOwn() throws IOException {
            Path data = Rings.csv(file("train.csv"), ROWS);
            Path test = Rings.write(
                    file("test.csv"),
                    "x,y,where",
                    100,
                    i -> Rings.x(ROWS + i, 0) + "," + Rings.x(ROWS + i, 1) + "," + Rings.label(ROWS + i));
            Run trained = train(data, "--test", test);
            assertEquals(100, trained.number("testRows"));
            assertTrue(trained.number("error") < 2 * LEARNED, trained.out());
            assertEquals(
                    trained.number("error"),
                    Run.here("evaluate", model, test, "--json").worked().number("error"),
                    "what train measured is what evaluate measures with the saved model");
        }

        @Test
        void labelsApart() throws IOException {
            Run trained = train(
                    Rings.npy(file("train.npy"), ROWS),
                    "--labels",
                    Rings.labels(file("train.txt"), ROWS),
                    "--test",
                    Rings.npy(file("test.npy"), 100),
                    "--test-labels",
                    Rings.labels(file("test.txt"), 100));
            assertEquals(100, trained.number("testRows"));
            assertTrue(trained.number("error") < LEARNED, trained.out());
        }

        @Test
        void channels() throws IOException {
            Path xs = Rings.write(file("x.csv"), "x", ROWS, i -> "" + Rings.x(i, 0));
            Path rest = Rings.write(file("y.csv"), "y,where", ROWS, i -> Rings.x(i, 1) + "," + Rings.label(i));
            Run trained = train(
                    "--channel",
                    "east=" + xs,
                    "--channel",
                    "north=" + rest,
                    "--label",
                    "where",
                    "--test-channel",
                    "east=" + xs,
                    "--test-channel",
                    "north=" + rest);
            assertEquals(ROWS, trained.number("testRows"));
        }
    }

    @Nested
    class ChannelsByName {
        private List<Object> joined() throws IOException {
            Path xs = Rings.write(file("x.csv"), "x", ROWS, i -> "" + Rings.x(i, 0));
            Path ys = Rings.write(file("y.csv"), "y,x", ROWS, i -> Rings.x(i, 1) + "," + Rings.x(i, 0));
            return List.of(
                    "--channel",
                    "east=" + xs,
                    "--channel",
                    "north=" + ys,
                    "--labels",
                    Rings.labels(file("labels.txt"), ROWS));
        }

        private Run trained(String kernel, String scale) throws IOException {
            return run(
                    "train",
                    joined(),
                    "--kernel",
                    kernel,
                    "--scale",
                    scale,
                    "--features",
                    80,
                    "--holdout",
                    0.2,
                    "--model",
                    model,
                    "--json");
        }

        @Test
        void areTheirColumnsInModelAndReports() throws IOException {
            Run named =
                    trained("0.5*gaussian(sigma=0.3)[north] + gaussian[east]", "standard[east] + divide(by=2)[north]");
            byte[] bytes = Files.readAllBytes(model);
            assertEquals("standard[0:1] + divide(by=2)[1:3]", named.json().get("scaling"));
            String kernel = String.valueOf(named.json().get("kernel"));
            assertTrue(kernel.startsWith("0.5*gaussian(sigma=0.3)[1:3] + gaussian(sigma="), kernel);
            assertTrue(kernel.endsWith(")[0:1]"), kernel);
            Run numbered = trained("0.5*gaussian(sigma=0.3)[1:3] + gaussian[0:1]", "standard[0:1] + divide(by=2)[1:3]");
            assertEquals(named.json().get("error"), numbered.json().get("error"));
            assertArrayEquals(bytes, Files.readAllBytes(model), "the same model, byte for byte");
            Run evaluated = run("evaluate", List.of(model), joined().toArray());
            assertTrue(evaluated.out().contains("error"), evaluated.out());
        }

        @Test
        void everyChannelByItself() throws IOException {
            Run trained = trained("gaussian(sigma=0.3)[*]", "standard[*]");
            assertEquals("standard[0:1] + standard[1:3]", trained.json().get("scaling"));
            assertEquals(
                    "gaussian(sigma=0.3)[0:1] + gaussian(sigma=0.3)[1:3]",
                    trained.json().get("kernel"));
        }

        @Test
        void inTransformAndError() throws IOException {
            Path features = file("z.csv");
            Run transformed = run(
                    "transform",
                    joined(),
                    "--kernel",
                    "gaussian(sigma=1)[north]",
                    "--scale",
                    "unit-l2[north]",
                    "--features",
                    6,
                    "--output",
                    features,
                    "--json");
            assertEquals("gaussian(sigma=1)[1:3]", transformed.json().get("kernel"));
            Run measured = run(
                    "error",
                    joined(),
                    "--kernel",
                    "gaussian(sigma=1)[north]",
                    "--scale",
                    "unit-l2[north] + standard[east]",
                    "--features",
                    6,
                    "--json");
            assertEquals("gaussian(sigma=1)[1:3]", measured.json().get("kernel"));
        }
    }

    @Nested
    class PredictReads {
        @Test
        void rowsWithoutLabels() throws IOException {
            Path data = Rings.csv(file("train.csv"), ROWS);
            Path bare = Rings.write(file("bare.csv"), "x,y", ROWS, i -> Rings.x(i, 0) + "," + Rings.x(i, 1));
            train(data);
            String expected = Run.here("predict", model, data).worked().out();
            assertEquals(expected, Run.here("predict", model, bare).worked().out());
            assertEquals(
                    expected,
                    Run.here("predict", model, bare, "--label", "none").worked().out());
            Run.here("evaluate", model, bare).refused(Main.FAILED, "bare.csv", "no labels");
        }

        @Test
        void columnsByTheirNames() throws IOException {
            Path data = Rings.csv(file("train.csv"), ROWS);
            Path turned = Rings.write(
                    file("turned.csv"),
                    "where,y,x",
                    ROWS,
                    i -> Rings.label(i) + "," + Rings.x(i, 1) + "," + Rings.x(i, 0));
            train(data, "--label", "where");
            assertEquals(
                    Run.here("predict", model, data).worked().out(),
                    Run.here("predict", model, turned, "--label", "where")
                            .worked()
                            .out());
        }

        @Test
        void andWritesToAFile() throws IOException {
            Path data = Rings.csv(file("train.csv"), ROWS);
            train(data);
            Path output = file("predictions.txt");
            Run written = Run.here("predict", model, data, "--output", output).worked();
            assertEquals("", written.out());
            assertEquals(Run.here("predict", model, data).worked().out(), Files.readString(output));
        }

        @Test
        void unseenCategoriesAsItIsTold() throws IOException {
            Path data = Rings.write(
                    file("train.csv"),
                    "x,colour,where",
                    ROWS,
                    i -> Rings.x(i, 0) + "," + (i % 2 == 0 ? "red" : "blue") + "," + Rings.label(i));
            Path green = Files.writeString(file("green.csv"), "x,colour\n0.5,green\n");
            train(data);
            Run.here("predict", model, green).refused(Main.FAILED, "green.csv:2", "colour", "green");
            assertEquals(
                    1,
                    Run.here("predict", model, green, "--unseen", "zeros")
                            .worked()
                            .lines()
                            .size());
        }
    }

    @Nested
    class Transform {
        @Test
        void writesEveryFormatWithTheSameFeatures() throws IOException {
            Path data = Rings.csv(file("rings.csv"), 20);
            for (String name : List.of("z.csv", "z.libsvm", "z.csv.gz", "z.npy")) {
                Run.here(
                                "transform",
                                data,
                                "--kernel",
                                "gaussian(sigma=1)",
                                "--features",
                                6,
                                "--scale",
                                "none",
                                "--output",
                                file(name))
                        .worked();
            }
            List<String> csv = Files.readAllLines(file("z.csv"));
            assertEquals(21, csv.size(), "a header and the rows");
            assertEquals(7, csv.get(1).split(",").length, "six features and the label");
            assertTrue(csv.get(1).endsWith("," + Rings.label(0)), csv.get(1));
            assertTrue(Files.readAllLines(file("z.libsvm")).get(0).startsWith(Rings.label(0) + " 1:"));
            // The same rows in another format train the same machine.
            Run plain = Run.here("error", file("z.csv"), "--features", 4, "--json", "--kernel", "gaussian(sigma=1)")
                    .worked();
            Run zipped = Run.here("error", file("z.csv.gz"), "--features", 4, "--json", "--kernel", "gaussian(sigma=1)")
                    .worked();
            assertEquals(plain.json().get("reports"), zipped.json().get("reports"));
        }

        @Test
        void ofAModelIsWhatItPredictsFrom() throws IOException {
            Path data = Rings.csv(file("rings.csv"), ROWS);
            train(data);
            Run.here("transform", data, "--model", model, "--output", file("z.csv"))
                    .worked();
            assertEquals(81, Files.readAllLines(file("z.csv")).get(0).split(",").length);
            Run.here("transform", data, "--model", model, "--features", 5, "--output", file("y.csv"))
                    .refused(Main.USAGE, "--model");
            assertFalse(Files.exists(file("y.csv")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fourier", "fourier(phase)", "orthogonal", "quasi", "structured", "structured(phase)"})
    void everyMapLearns(String map) throws IOException {
        Run trained = train(Rings.csv(file("rings.csv"), ROWS), "--map", map, "--holdout", "0.25");
        assertTrue(trained.number("error") < 2 * LEARNED, trained.out());
        assertEquals(map, trained.json().get("map"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "none",
                "standard",
                "min-max",
                "unit-l2",
                "divide(by=2)",
                "min-max[1:2] + standard[0:1]",
                "quantile",
                "log1p then standard[1:2] + clip then robust[0:1]"
            })
    void everyScalingIsSavedWithTheModel(String scale) throws IOException {
        Path data = Rings.csv(file("rings.csv"), ROWS);
        Run trained = Run.here(
                        "train", data, "--scale", scale, "--features", 40, "--test", data, "--model", model, "--json")
                .worked();
        assertEquals(
                trained.number("error"),
                Run.here("evaluate", model, data, "--json").worked().number("error"));
    }

    @Test
    void doublePrecisionIsKept() throws IOException {
        train(Rings.csv(file("rings.csv"), ROWS), "--precision", "double");
        assertEquals(
                "float64", Run.here("inspect", model, "--json").worked().json().get("precision"));
    }

    @Test
    void aWeightOfZeroIsARowLess() throws IOException {
        Path all = Rings.write(
                file("weighted.csv"),
                "x,y,w,where",
                ROWS,
                i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + (i < 200 ? 1 : 0) + ","
                        + (i < 200 ? Rings.label(i) : "inner"));
        train(all, "--weight", "w", "--learner", "ridge(lambda=0.01)");
        String weighted = Run.here("predict", model, all).worked().out();
        train(Rings.csv(file("half.csv"), 200), "--learner", "ridge(lambda=0.01)");
        Path bare = Rings.write(file("bare.csv"), "x,y", ROWS, i -> Rings.x(i, 0) + "," + Rings.x(i, 1));
        assertEquals(Run.here("predict", model, bare).worked().out(), weighted);
    }
}
