package org.bochner.cli;

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
import java.util.Objects;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Intervals and sets of classes, as the command prints them. */
class UncertaintyCommandTest {
    private static final String[] SMALL = {"--features", "40", "--kernel", "gaussian(sigma=1)"};

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    private Path numbers;

    @SuppressWarnings("NullAway.Init") // before each test
    private Path classes;

    @SuppressWarnings("NullAway.Init") // before each test
    private Path model;

    @BeforeEach
    void write() throws IOException {
        RandomStream stream = new Seed(1).stream();
        StringBuilder rows = new StringBuilder("a,b,y,z\n");
        StringBuilder named = new StringBuilder("a,b,kind\n");
        for (int i = 0; i < 300; i++) {
            double a = 2 * stream.nextUniform() - 1;
            double b = 2 * stream.nextUniform() - 1;
            double noise = stream.nextUniform() - 0.5;
            rows.append(a)
                    .append(',')
                    .append(b)
                    .append(',')
                    .append(a + b * b + noise)
                    .append(',');
            rows.append(10 * (a - b + noise)).append('\n');
            String kind = a + noise < -0.3 ? "low|er" : a + noise < 0.3 ? "mid" : "up\\per";
            named.append(a).append(',').append(b).append(',').append(kind).append('\n');
        }
        numbers = Files.writeString(folder.resolve("numbers.csv"), rows);
        classes = Files.writeString(folder.resolve("classes.csv"), named);
        model = folder.resolve("m.bochner");
    }

    private Run train(Path data, String... more) {
        List<Object> words = new ArrayList<>(List.of("train", data, "--model", model));
        words.addAll(List.of(SMALL));
        words.addAll(List.of(more));
        return Run.here(words.toArray());
    }

    @Test
    void intervalsStandBesideNumbers() {
        train(numbers, "--ignore", "z", "--label", "y", "--uncertainty", "conformal")
                .worked();
        List<String> plain = Run.here("predict", model, numbers).worked().lines();
        List<String> lines = Run.here("predict", model, numbers, "--intervals", "0.9")
                .worked()
                .lines();
        assertEquals("prediction,lower,upper", lines.get(0));
        assertEquals(301, lines.size());
        for (int i = 0; i < 300; i++) {
            String[] cells = lines.get(i + 1).split(",", -1);
            assertEquals(plain.get(i), cells[0]);
            assertTrue(Double.parseDouble(cells[1]) < Double.parseDouble(cells[0]));
            assertTrue(Double.parseDouble(cells[0]) < Double.parseDouble(cells[2]));
        }
        assertEquals(
                lines,
                Run.here("predict", model, numbers, "--intervals", "90%")
                        .worked()
                        .lines());
    }

    @Test
    void severalTargetsHaveThreeColumnsEach() throws IOException {
        train(numbers, "--label", "y,z", "--uncertainty", "gaussian").worked();
        List<String> lines = Run.here("predict", model, numbers, "--intervals", "0.5")
                .worked()
                .lines();
        assertEquals("y,y_lower,y_upper,z,z_lower,z_upper", lines.get(0));
        Path json = folder.resolve("p.ndjson");
        Run.here("predict", model, numbers, "--intervals", "0.5", "--output", json)
                .worked();
        String first = Files.readAllLines(json).get(0);
        assertTrue(
                first.matches("\\{\"prediction\":\\{\"y\":.*\"lower\":\\{\"y\":.*,\"z\":.*\"upper\":\\{\"y\":.*"),
                first);
        Run evaluated = Run.here("evaluate", model, numbers, "--intervals", "0.5,0.9", "--json")
                .worked();
        List<?> found = evaluated.list("intervals");
        assertEquals(4, found.size());
        assertEquals(
                List.of("name", "level", "coverage", "meanWidth"), List.copyOf(((Map<?, ?>) found.get(0)).keySet()));
    }

    @Test
    void setsStandBesideClasses() throws IOException {
        train(classes, "--uncertainty", "conformal(share=0.3)").worked();
        List<String> lines = Run.here("predict", model, classes, "--intervals", "0.95")
                .worked()
                .lines();
        assertEquals("prediction,set", lines.get(0));
        assertTrue(lines.stream().anyMatch(line -> line.endsWith(",low\\|er|mid")), lines.toString());
        assertTrue(lines.stream().anyMatch(line -> line.endsWith("up\\\\per")), lines.toString());
        Path json = folder.resolve("p.ndjson");
        Run.here("predict", model, classes, "--intervals", "0.95", "--output", json)
                .worked();
        assertTrue(Files.readString(json).contains("\"set\":[\"low|er\",\"mid\"]"));
        Run evaluated = Run.here("evaluate", model, classes, "--intervals", "0.9", "--json")
                .worked();
        assertEquals(1, evaluated.list("sets").size());
        assertTrue(Run.here("evaluate", model, classes, "--intervals", "0.9")
                .worked()
                .out()
                .contains("mean size"));
    }

    @ParameterizedTest
    @CsvSource({"conformal, conformal(folds=5)", "conformal(share=0.2), conformal(share=0.2)", "gaussian, gaussian"})
    void trainAndInspectShowTheUncertainty(String recipe, String printed) {
        Run trained =
                train(numbers, "--ignore", "z", "--label", "y", "--uncertainty", recipe, "--holdout", "0.3", "--json");
        Map<?, ?> uncertainty =
                (Map<?, ?>) Objects.requireNonNull(trained.worked().json().get("uncertainty"));
        assertEquals(printed, uncertainty.get("recipe"));
        assertEquals(3, trained.list("intervals").size());
        assertTrue(Run.here("inspect", model).worked().out().contains("uncertainty"));
        assertEquals(
                uncertainty,
                Run.here("inspect", model, "--json").worked().json().get("uncertainty"));
        Run text = train(numbers, "--ignore", "z", "--label", "y", "--uncertainty", recipe, "--holdout", "0.3");
        assertTrue(text.worked().out().contains("95% intervals"), text.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "-0.5", "NaN", "x", "100%"})
    void refusesLevelsThatAreNoProbabilities(String level) {
        train(numbers, "--ignore", "z", "--label", "y", "--uncertainty", "conformal")
                .worked();
        Run run = Run.here("predict", model, numbers, "--intervals", level);
        assertEquals(2, run.code(), run.err());
        assertTrue(run.err().contains("--intervals"), run.err());
        assertEquals(
                2,
                Run.here("evaluate", model, numbers, "--intervals", "0.9," + level)
                        .code());
    }

    @Test
    void aModelWithoutUncertaintySaysWhatToDo() {
        train(numbers, "--ignore", "z", "--label", "y").worked();
        for (String command : List.of("predict", "evaluate")) {
            Run run = Run.here(command, model, numbers, "--intervals", "0.9");
            assertEquals(1, run.code());
            assertTrue(run.err().contains("--uncertainty conformal"), run.err());
            assertEquals("", run.out());
        }
    }

    @Test
    void wrongUsageHasExitCodeTwo() {
        Run unknown = train(numbers, "--ignore", "z", "--label", "y", "--uncertainty", "conformall");
        assertEquals(2, unknown.code());
        assertTrue(unknown.err().contains("did you mean 'conformal'"), unknown.err());
        train(classes, "--uncertainty", "conformal").worked();
        assertEquals(
                2,
                Run.here("predict", model, classes, "--intervals", "0.9", "--scores")
                        .code());
        Run gaussian = train(classes, "--uncertainty", "gaussian");
        assertEquals(1, gaussian.code());
        assertTrue(gaussian.err().contains("--uncertainty conformal"), gaussian.err());
    }

    @Test
    void tooFewErrorsForALevelAreSaidAndGiveInfiniteIntervals() throws IOException {
        Path few = Files.writeString(
                folder.resolve("few.csv"),
                String.join("\n", Files.readAllLines(numbers).subList(0, 16)) + "\n");
        Run trained = train(few, "--ignore", "z", "--label", "y", "--uncertainty", "conformal(folds=2)");
        assertTrue(trained.worked().err().contains("15 held-out rows"), trained.err());
        Run run = Run.here("predict", model, few, "--intervals", "0.95");
        assertTrue(run.worked().err().contains("intervals are infinite"), run.err());
        assertTrue(run.lines().get(1).endsWith(",-Infinity,Infinity"), run.out());
        assertFalse(run.out().contains("NaN"));
        Run json = Run.here("evaluate", model, few, "--intervals", "0.95", "--json");
        Map<?, ?> found = (Map<?, ?>) json.worked().list("intervals").get(0);
        assertEquals(1.0, found.get("coverage"));
        assertEquals(null, found.get("meanWidth"));
    }

    @Test
    void prunedModelsSayThatTheUncertaintyIsDropped() {
        train(numbers, "--ignore", "z", "--label", "y", "--uncertainty", "conformal")
                .worked();
        Path pruned = folder.resolve("p.bochner");
        Run run = Run.here("prune", model, numbers, "--keep", "50%", "--output", pruned);
        assertTrue(run.worked().err().contains("the pruned model has no uncertainty"), run.err());
        assertEquals(
                1, Run.here("predict", pruned, numbers, "--intervals", "0.9").code());
    }

    /** The command as a process: the same command gives the same bytes. */
    @Test
    void theSameCommandGivesTheSameBytes() throws IOException {
        train(numbers, "--ignore", "z", "--label", "y", "--uncertainty", "conformal(share=0.3)", "--threads", "1")
                .worked();
        byte[] first = Files.readAllBytes(model);
        Run.process(
                        "train",
                        numbers,
                        "--ignore",
                        "z",
                        "--label",
                        "y",
                        "--uncertainty",
                        "conformal(share=0.3)",
                        "--threads",
                        "2",
                        SMALL[0],
                        SMALL[1],
                        SMALL[2],
                        SMALL[3],
                        "--model",
                        model)
                .worked();
        assertTrue(Arrays.equals(first, Files.readAllBytes(model)));
    }
}
