package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The learn-kernel command, on rows of which one column says much, one little and one nothing. */
class LearnKernelCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    @SuppressWarnings("NullAway.Init") // made before each test
    private Path waves;

    @BeforeEach
    void writeRows() throws IOException {
        waves = waves(500);
    }

    /** Numbers that wave along the first column, rise along the second and do not depend on the third. */
    private Path waves(int rows) throws IOException {
        return Rings.write(
                folder.resolve("waves" + rows + ".csv"),
                "much,little,nothing,height",
                rows,
                i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + noise(i) + ","
                        + (Math.sin(12 * Rings.x(i, 0)) + 0.3 * Rings.x(i, 1)));
    }

    /** Evenly spread, too, and as good as independent of the others. */
    private static double noise(int row) {
        double turns = row * 0.41421356237309515;
        return Math.floor(1024 * (turns - Math.floor(turns))) / 1024;
    }

    private Run learn(Object... more) {
        List<Object> arguments = new ArrayList<>(List.of("learn-kernel", waves, "--features", 60));
        arguments.addAll(Arrays.asList(more));
        return Run.here(arguments.toArray());
    }

    /** The words of a line that was meant for a shell. */
    private static List<String> words(String command) {
        Matcher word = Pattern.compile("'([^']*)'|\\S+").matcher(command);
        List<String> words = new ArrayList<>();
        while (word.find()) {
            words.add(word.group(1) == null ? word.group() : word.group(1));
        }
        return words;
    }

    @Test
    void printsScalesThenErrorsAndLastTheKernel() {
        Run run = learn("--holdout", 0.2).worked();
        List<String> lines = run.lines();
        assertTrue(lines.get(0).matches("columns +length-scale +learned +change +influence +rank"), run.out());
        assertTrue(lines.get(1).matches("much .* 1"), run.out());
        assertTrue(run.err().contains("500 rows, 3 columns"), run.err());
        assertTrue(run.err().contains("note: scaling standard and gaussian(sigma="), run.err());
        for (String fact : List.of("objective  cv(folds=5): ", "holdout    rmse ", "before     rmse ", "search  ")) {
            assertTrue(run.out().contains(fact), run.out());
        }
        String last = lines.get(lines.size() - 1);
        assertTrue(
                last.matches(
                        "again +bochner train .* --scale standard --map fourier --features 60 --holdout 0.2 --learner 'ridge\\(lambda=.*\\)'"
                                + " --kernel 'gaussian\\(sigma=.*'"),
                last);
    }

    @Test
    void learnsWhatColumnsAreWorth() {
        Run run = learn("--holdout", 0.3, "--json").worked();
        assertTrue(run.number("after") < run.number("before"), run.out());
        // The wave has two periods in the data, of which the median distance knows nothing.
        assertTrue(run.number("rmse") < 0.7 * run.number("startRmse"), run.out());
        List<?> scales = run.list("scales");
        assertEquals(3, scales.size());
        assertEquals("much", ((Map<?, ?>) scales.get(0)).get("columns"));
        assertEquals(
                "1", String.valueOf(((Map<?, ?>) scales.get(0)).get("rank")).replace(".0", ""));
        Map<?, ?> step = (Map<?, ?>) run.list("steps").get(0);
        assertEquals(List.of("stage", "iteration", "value", "slope"), List.copyOf(step.keySet()));
    }

    @Test
    void gradientsOfFittedFunctionsTellWhatColumnsAreWorth() throws IOException {
        waves = waves(300);
        Path learned = folder.resolve("learned.bochner");
        Run run = learn("--method", "agop", "--seed", 3, "--model", learned, "--json")
                .worked();
        assertEquals("agop", run.json().get("method"));
        assertTrue(run.number("after") < run.number("before"), run.out());
        assertEquals("much", ((Map<?, ?>) run.list("scales").get(0)).get("columns"));
        assertTrainsTheSame(run, learned, waves);
    }

    @Test
    void randomGridsTakeLearnedScales() {
        Path learned = folder.resolve("learned.bochner");
        Run run = learn("--map", "binning(grids=16)", "--holdout", 0.2, "--seed", 3, "--model", learned, "--json")
                .worked();
        assertTrue(String.valueOf(run.json().get("kernel")).startsWith("laplacian(sigma=["), run.out());
        assertTrue(String.valueOf(run.json().get("startKernel")).startsWith("gaussian"), run.out());
        assertEquals("much", ((Map<?, ?>) run.list("scales").get(0)).get("columns"));
        assertTrue(run.number("rmse") < run.number("startRmse"), run.out());
        assertTrainsTheSame(run, learned, waves);
    }

    @Test
    void scalesUpToAFactorAreCompletedByTrain() {
        Run run = Run.here(
                        "train", waves, "--map", "binning(grids=16)", "--kernel", "laplacian(sigma=~[0:1=0.5, 1:3=5])")
                .worked();
        Matcher kernel = Pattern.compile("kernel +laplacian\\(sigma=\\[0:1=([0-9.E-]+), 1:3=([0-9.E-]+)\\]\\)")
                .matcher(run.out());
        assertTrue(kernel.find(), run.out());
        assertEquals(10, Double.parseDouble(kernel.group(2)) / Double.parseDouble(kernel.group(1)), 1e-3);
        Run.here("train", waves, "--map", "binning", "--kernel", "laplacian(sigma=~)")
                .refused(Main.USAGE, "sigma");
    }

    @Test
    void aMatrixIsWrittenAndReadAgain() throws IOException {
        waves = waves(300);
        Path learned = folder.resolve("learned.bochner");
        Path matrix = folder.resolve("M.csv");
        Run run = learn("--method", "agop(full)", "--matrix", matrix, "--seed", 3, "--model", learned, "--json")
                .worked();
        assertTrue(run.number("after") < run.number("before"), run.out());
        assertEquals(matrix.toString(), run.json().get("matrix"));
        assertEquals(3, Files.readAllLines(matrix).size());
        Map<?, ?> gradients = (Map<?, ?>) Objects.requireNonNull(run.json().get("gradients"));
        Map<?, ?> column = (Map<?, ?>) ((List<?>) Objects.requireNonNull(gradients.get("columns"))).get(0);
        assertEquals("much", column.get("column"));
        Map<?, ?> direction = (Map<?, ?>) ((List<?>) Objects.requireNonNull(gradients.get("directions"))).get(0);
        assertTrue(((Number) Objects.requireNonNull(direction.get("share"))).doubleValue() > 0.5, run.out());
        assertTrainsTheSame(run, learned, waves);
        String scale = "standard then linear(file=" + matrix + ")";
        Run.here("train", waves, "--scale", scale, "--features", 60, "--model", matrix)
                .refused(Main.USAGE, "is also an input", "--scale");
        Run text = learn("--method", "agop(full)").worked();
        assertTrue(text.out().contains("the model looks at"), text.out());
        assertTrue(text.out().contains("none: --matrix FILE writes the learned matrix"), text.out());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gaussian | auto | column",
                "gaussian | orthogonal | one",
                "gaussian | structured | column",
                "laplacian | quasi | column",
                "cauchy | fourier(phase) | column",
                "matern(nu=1.5) | auto | one",
                "skewed-chi2(c=0.1) | auto | column",
                "exp-chi2 | auto | one",
                "gaussian[0:1] + 0.5*laplacian[1:3] | auto | column"
            })
    void theKernelGivenBackToTrainMakesTheSameModel(String kernel, String map, String per) throws IOException {
        waves = waves(120);
        Path learned = folder.resolve("learned.bochner");
        Run run = learn(
                        "--kernel",
                        kernel,
                        "--map",
                        map,
                        "--per",
                        per,
                        "--iterations",
                        3,
                        "--seed",
                        3,
                        "--objective",
                        "gcv",
                        "--model",
                        learned,
                        "--json")
                .worked();
        assertTrainsTheSame(run, learned, waves);
    }

    /** The printed command makes a model with the predictions of the learned one. */
    private void assertTrainsTheSame(Run run, Path learned, Object... data) {
        List<String> again =
                words(Objects.requireNonNull(run.json().get("again")).toString());
        assertEquals(List.of("bochner", "train"), again.subList(0, 2));
        Path trained = folder.resolve("trained.bochner");
        List<Object> arguments = new ArrayList<>(again.subList(1, again.size()));
        arguments.addAll(List.of("--model", trained));
        Run.here(arguments.toArray()).worked();
        assertEquals(predictions(learned, data), predictions(trained, data));
    }

    private static List<String> predictions(Path model, Object... data) {
        List<Object> arguments = new ArrayList<>(List.of("predict", model));
        arguments.addAll(Arrays.asList(data));
        return Run.here(arguments.toArray()).worked().lines();
    }

    @Test
    void theCommandHasEachFlagOnce() throws IOException {
        Path learned = folder.resolve("learned.bochner");
        Path rings = Rings.csv(folder.resolve("rings.csv"), 200);
        Object[] flags = {
            "learn-kernel",
            rings,
            "--features",
            20,
            "--iterations",
            1,
            "--class-weight",
            "inner=2",
            "--class-weight",
            "outer=1",
            "--model",
            learned,
            "--json"
        };
        Run weighted = Run.here(flags).worked();
        assertEquals(5, String.valueOf(weighted.json().get("again")).split("inner=2|outer=1|class-weight", -1).length);
        assertTrainsTheSame(weighted, learned, rings, "--scores");

        Path one = Rings.write(folder.resolve("a.csv"), "", 200, i -> Rings.x(i, 0) + "");
        Path two = Rings.write(folder.resolve("b.csv"), "", 200, i -> Rings.x(i, 1) + "");
        Object[] channels = {"--channel", "u=" + one, "--channel", "v=" + two, "--label", "none"};
        List<Object> joined = new ArrayList<>(List.of("learn-kernel"));
        joined.addAll(Arrays.asList(channels));
        joined.addAll(List.of("--labels", Rings.labels(folder.resolve("y.txt"), 200)));
        joined.addAll(List.of("--features", 20, "--iterations", 1, "--model", learned, "--json"));
        assertTrainsTheSame(Run.here(joined.toArray()).worked(), learned, channels);
    }

    @Test
    void theCommandChoosesAPenaltyAsTheModelDid() throws IOException {
        Path learned = folder.resolve("learned.bochner");
        Path rings = Rings.csv(folder.resolve("rings.csv"), 200);
        Run run = Run.here(
                        "learn-kernel",
                        rings,
                        "--features",
                        20,
                        "--iterations",
                        1,
                        "--learner",
                        "softmax",
                        "--validation",
                        0.1,
                        "--model",
                        learned,
                        "--json")
                .worked();
        assertTrainsTheSame(run, learned, rings, "--probabilities");
    }

    @Test
    void l1DropsColumnsByName() {
        Run run = learn("--scale-l1", 0.02, "--json").worked();
        assertTrue(run.list("dropped").contains("nothing"), run.out());
        assertFalse(run.list("dropped").contains("much"), run.out());
        assertTrue(String.valueOf(run.json().get("kernel")).contains("2:3=Infinity"), run.out());
    }

    @Test
    void blocksShareALengthScale() {
        Run run = learn("--per", "block", "--blocks", "0:1,1:3", "--iterations", 2, "--json")
                .worked();
        assertEquals(2, run.list("scales").size());
        run = learn("--per", "one", "--iterations", 2, "--json").worked();
        assertEquals(1, run.list("scales").size());
        Map<?, ?> lengths = (Map<?, ?>) Objects.requireNonNull(run.json().get("frequencyLengths"));
        assertTrue(((Number) Objects.requireNonNull(lengths.get("used"))).doubleValue() > 0);
    }

    @Test
    void frequenciesMoveByThemselves() {
        Run run = learn("--per", "frequency", "--iterations", 3, "--json").worked();
        assertEquals(0, run.list("scales").size());
        assertEquals(3, run.list("frequencies").size());
        assertEquals(null, run.json().get("again"));
    }

    @Nested
    class TextAndPictures {
        @Test
        void showLengthScalesByName() throws IOException {
            Path plot = folder.resolve("scales.svg");
            Run run = learn("--plot", plot, "--scale-l1", 0.02).worked();
            assertTrue(run.out().contains("plot       " + plot), run.out());
            assertTrue(run.out().contains("dropped (") && run.out().contains("nothing"), run.out());
            String svg = Files.readString(plot);
            for (String text : List.of(
                    ">much<",
                    ">nothing (dropped)<",
                    ">initial<",
                    ">learned<",
                    ">objective<",
                    ">learned, weighted by use<")) {
                assertTrue(svg.contains(text), text);
            }
        }

        @Test
        void showHowFrequenciesAreDistributed() throws IOException {
            Path plot = folder.resolve("frequencies.svg");
            Run run = learn("--plot", plot, "--per", "frequency", "--iterations", 2)
                    .worked();
            assertTrue(run.out().contains("of 30 frequencies"), run.out());
            String svg = Files.readString(plot);
            for (String text : List.of(
                    ">lengths of the frequencies<",
                    ">frequencies of much<",
                    ">as drawn<",
                    ">learned, weighted by use<")) {
                assertTrue(svg.contains(text), text);
            }
        }
    }

    @Nested
    class GoingOn {
        @SuppressWarnings("NullAway.Init") // made before each test
        private Path model;

        @BeforeEach
        void nameTheModel() {
            model = folder.resolve("m.bochner");
        }

        @Test
        void beginsWhereTheModelEnded() {
            Run first = learn("--iterations", 2, "--model", model, "--json").worked();
            Run next = learn("--resume", model, "--json").worked();
            assertTrue(next.err().contains("continuing from " + model + ": gaussian(sigma="), next.err());
            assertEquals(first.json().get("kernel"), next.json().get("startKernel"));
            assertEquals(model.toString(), next.json().get("resumed"));
            // The penalty is found anew from a start of its own, so that the beginning is near, not at, the end before.
            assertTrue(next.number("before") < 1.1 * first.number("after"), first.out() + next.out());
            assertTrue(next.number("after") <= first.number("after"), first.out() + next.out());
        }

        @Test
        void takesSeedAndMapFromTheModel() {
            learn("--iterations", 1, "--map", "orthogonal", "--seed", 4, "--model", model)
                    .worked();
            Run next = learn("--resume", model, "--iterations", 1, "--model", model, "--json")
                    .worked();
            assertFalse(next.err().contains("was trained on"), next.err());
            assertTrainsTheSame(next, model, waves);
        }

        @Test
        void printsNoCommandForFeaturesThatNoKernelSpells() throws IOException {
            // Without noise, length-scales alone reach the rounding error, and no frequency moves.
            waves = Rings.write(
                    folder.resolve("noisy.csv"),
                    "much,little,height",
                    500,
                    i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + (Math.sin(12 * Rings.x(i, 0)) + noise(7 * i)));
            learn("--iterations", 1, "--per", "frequency", "--model", model).worked();
            Run moved = learn("--resume", model, "--iterations", 1).worked();
            assertTrue(moved.out().matches("(?s).*again +none: the features of .*"), moved.out());

            learn("--iterations", 1, "--model", model).worked();
            Path small = folder.resolve("small.bochner");
            Run.here("prune", model, waves, "--keep", 0.5, "--output", small).worked();
            Run pruned = Run.here(
                            "learn-kernel", waves, "--resume", small, "--iterations", 1, "--model", model, "--json")
                    .worked();
            assertTrue(pruned.json().containsKey("again"));
            assertEquals(null, pruned.json().get("again"));
            Run inspected = Run.here("inspect", model).worked();
            assertTrue(inspected.out().contains("15 of 30 projections"), inspected.out());
        }

        @Test
        void notesRowsThatAreNotThoseOfTheModel() throws IOException {
            learn("--iterations", 0, "--holdout", 0.2, "--model", model).worked();
            Run same = learn("--iterations", 0, "--holdout", 0.2, "--resume", model)
                    .worked();
            assertFalse(same.err().contains("was trained on"), same.err());
            Run share = learn("--iterations", 0, "--holdout", 0.3, "--resume", model)
                    .worked();
            assertTrue(share.err().contains("another selection of these rows"), share.err());
            Run files = Run.here("learn-kernel", waves(400), "--iterations", 0, "--holdout", 0.2, "--resume", model)
                    .worked();
            assertTrue(files.err().contains("trained on other files"), files.err());
        }

        @Test
        void isRefusedWithWhatDoesNotFit() throws IOException {
            learn("--iterations", 0, "--model", model).worked();
            learn("--resume", model, "--kernel", "laplacian").refused(Main.USAGE, "gaussian", "not laplacian");
            Run.here("learn-kernel", waves, "--resume", model, "--features", 100)
                    .refused(Main.USAGE, "features of the model is 60, not 100");
            learn("--resume", model, "--seed", 2).refused(Main.USAGE, "--seed 1");
            learn("--resume", waves).refused(Main.FAILED, "waves500.csv");
            learn("--resume", folder.resolve("nowhere")).refused(Main.FAILED, "nowhere");
            Path rings = Rings.csv(folder.resolve("rings.csv"), 40);
            Run.here("learn-kernel", rings, "--resume", model).refused(Main.USAGE, "'much'", "'x'");
            Path other = Rings.write(
                    folder.resolve("other.csv"), "much,height", 40, i -> Rings.x(i, 0) + "," + Rings.height(i));
            Run.here("learn-kernel", other, "--resume", model).refused(Main.FAILED, "other columns");
        }

        @Test
        void keepsTheBestWhenInterrupted() throws IOException, InterruptedException {
            Path rows = waves(3000);
            Path printed = folder.resolve("printed.json");
            List<String> command = Run.commandLine(
                    List.of(),
                    "learn-kernel",
                    rows,
                    "--features",
                    100,
                    "--tolerance",
                    0,
                    "--iterations",
                    100_000,
                    "--scale-l2",
                    1e-9,
                    "--no-sample",
                    "--per",
                    "frequency",
                    "--monitor",
                    "--json",
                    "--model",
                    model);
            Process process =
                    new ProcessBuilder(command).redirectOutput(printed.toFile()).start();
            try (BufferedReader err =
                    new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
                String line = err.readLine();
                while (line != null && !line.contains("iteration 2")) {
                    line = err.readLine();
                }
                assertTrue(process.toHandle().destroy());
                // The rest must be read, or the process waits for its reader.
                while (err.readLine() != null) {}
                assertTrue(process.waitFor(1, TimeUnit.MINUTES));
            }
            assertNotEquals(Main.WORKED, process.exitValue(), "as the signal says");
            Run kept = new Run(Main.WORKED, Files.readString(printed), "");
            assertTrue(kept.list("steps").size() >= 3, kept.out());
            assertFalse(anyTemporary());

            Run next = Run.here(
                            "learn-kernel",
                            rows,
                            "--resume",
                            model,
                            "--no-sample",
                            "--iterations",
                            1,
                            "--per",
                            "frequency",
                            "--json")
                    .worked();
            assertTrue(next.number("after") <= 1.01 * kept.number("after"), next.out());
        }

        private boolean anyTemporary() throws IOException {
            try (Stream<Path> files = Files.list(folder)) {
                return files.anyMatch(file -> file.toString().endsWith(".tmp"));
            }
        }
    }

    /** What {@link BadInputTest} is for the others. */
    @Nested
    class Refuses {
        private void refused(int code, Object[] flags, String... texts) {
            List<Object> arguments = new ArrayList<>(Arrays.asList(flags));
            Path model = folder.resolve("m.bochner");
            arguments.addAll(List.of("--model", model));
            learn(arguments.toArray()).refused(code, texts);
            assertFalse(Files.exists(model));
        }

        private Object[] flags(Object... flags) {
            return flags;
        }

        @Test
        void kernelsWithoutAScale() {
            refused(Main.USAGE, flags("--kernel", "polynomial(degree=2)"), "no scale that can be learned", "gaussian");
            refused(Main.USAGE, flags("--kernel", "arc-cosine"), "no scale that can be learned");
            for (String kernel : List.of("linear", "chi2", "hellinger")) {
                Run.here("learn-kernel", waves, "--kernel", kernel)
                        .refused(Main.USAGE, kernel, "no scale that can be learned");
            }
        }

        @Test
        void kernelsWithoutRandomGridsBeforeAnySearch() {
            refused(Main.USAGE, flags("--map", "binning", "--kernel", "gaussian"), "laplacian");
        }

        @Test
        void frequenciesThatCannotMoveOneByOne() {
            refused(Main.USAGE, flags("--per", "frequency", "--map", "structured"), "one by one", "orthogonal");
            refused(Main.USAGE, flags("--per", "frequency", "--scale-l1", 0.1), "--scale-l2", "--per column");
        }

        @Test
        void unknownWordsWithAHint() {
            refused(Main.USAGE, flags("--per", "colum"), "'colum'", "'column'");
            refused(Main.USAGE, flags("--method", "agob"), "'agob'", "'agop'");
            refused(Main.USAGE, flags("--method", "agop", "--per", "one"), "per column");
            refused(Main.USAGE, flags("--method", "agop", "--scale-l1", 0.1), "--method 'gradient(start=agop)'");
            refused(Main.USAGE, flags("--method", "agop", "--map", "none"), "--features");
            refused(Main.USAGE, flags("--method", "agop(full)", "--map", "structured"), "--method agop");
            refused(Main.USAGE, flags("--method", "gradient(start=agop(full))"), "linear(file=M.csv)");
            refused(Main.USAGE, flags("--matrix", folder.resolve("M.csv")), "--method 'agop(full)'");
            refused(Main.USAGE, flags("--objective", "validate"), "'validate'", "'validation'");
            refused(Main.USAGE, flags("--objective", "cv(fold=3)"), "fold");
            refused(Main.USAGE, flags("--kernel", "gausian"), "gausian", "gaussian");
        }

        @Test
        void numbersOutOfRange() {
            refused(Main.USAGE, flags("--scale-l1", -1), "--scale-l1", "at least 0", "-1");
            refused(Main.USAGE, flags("--scale-l2", "NaN"), "--scale-l2", "NaN");
            refused(Main.USAGE, flags("--iterations", -1), "--iterations", "-1");
            refused(Main.USAGE, flags("--tolerance", -1), "--tolerance", "-1");
            refused(Main.USAGE, flags("--objective", "cv(folds=1)"), "folds", "2");
            refused(Main.USAGE, flags("--objective", "validation(share=1.5)"), "share", "1.5");
        }

        @Test
        void blocksThatDoNotPartTheColumns() {
            for (String[] each : new String[][] {
                {"0:2,1:3", "column 1", "0:2"},
                {"0:1,2:3", "column 1 is in none", "1:2"},
                {"1:3", "column 0 is in none"},
                {"0:1", "columns 1 to 2 are in none"},
                {"0:4", "exceeds the data", "3 columns"},
                {"0:1,1:1,1:3", "1:1 has no columns"},
                {"3:1", "3:1 has no columns"},
                {"0-3", "0-3", "0:64,64:128"},
                {"0:1,,1:3", "empty"},
                {"little", "no channel 'little'"}
            }) {
                refused(
                        Main.USAGE,
                        flags("--per", "block", "--blocks", each[0]),
                        Arrays.copyOfRange(each, 1, each.length));
            }
            refused(Main.USAGE, flags("--blocks", "0:3"), "--per block");
        }

        @Test
        void rowsThatCannotBeJudgedBy() throws IOException {
            refused(Main.FAILED, flags("--objective", "validation(share=0.00001)"), "another share");
            Path few = Rings.csv(folder.resolve("few.csv"), 4);
            Run.here("learn-kernel", few, "--objective", "cv(folds=50)").refused(Main.FAILED, "fewer folds");
        }

        @Test
        void rowsWithoutLabelsOrOfOneClass() throws IOException {
            Path none = Rings.npy(folder.resolve("rings.npy"), 40);
            Run.here("learn-kernel", none).refused(Main.FAILED, "rings.npy", "no labels", "--labels FILE");
            Path one = Rings.write(folder.resolve("one.csv"), "x,y", 40, i -> Rings.x(i, 0) + ",a");
            Run.here("learn-kernel", one).refused(Main.FAILED, "one.csv", "one class");
        }

        @Test
        void valuesThatAreMissing() throws IOException {
            Path gap = Files.writeString(folder.resolve("gap.csv"), "a,b,y\n1,2,p\n3,NaN,q\n");
            Run.here("learn-kernel", gap).refused(Main.FAILED, "gap.csv:3: column 'b'", "--missing mean");
        }

        @Test
        void badTestRowsWithoutTouchingTheModel() throws IOException {
            Path kept = Files.writeString(folder.resolve("old.bochner"), "old");
            Path bad = Files.writeString(
                    folder.resolve("bad.csv"), "much,little,nothing,height\n0.1,0.2,0.3,0.4\n0.1,0.2,x,0.4\n");
            learn("--iterations", 0, "--test", bad, "--model", kept).refused(Main.FAILED, "bad.csv:3");
            assertEquals("old", Files.readString(kept));
        }

        @Test
        void tooFewRows() throws IOException {
            waves = Files.writeString(folder.resolve("two.csv"), "a,y\n0.1,0.2\n0.3,0.4\n");
            String message = "too few rows: 2 rows have a weight above 0, and a fold has none of them; give more rows";
            learn("--task", "regress", "--method", "agop").refused(Main.FAILED, message);
            Run.here("learn-kernel", waves, "--task", "regress", "--map", "none")
                    .refused(Main.FAILED, message);
        }

        @Test
        void matrixFilesThatNoScalingCanName() {
            // The data do not exist: the name is refused before they are looked for.
            waves = folder.resolve("none.csv");
            for (String name : List.of("a then b.csv", "a\"b.csv", "a\nb.csv")) {
                learn("--method", "agop(full)", "--matrix", folder.resolve(name))
                        .refused(Main.USAGE, "--matrix ", "rename the file");
            }
        }

        @Test
        void filesThatWouldBeLost() {
            learn("--model", waves).refused(Main.USAGE, "is also an input");
            learn("--plot", waves).refused(Main.USAGE, "is also an input");
            learn("--plot", folder.resolve("picture.gif")).refused(Main.FAILED, ".svg or .png");
        }
    }
}
