package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TuneCommandTest {
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private Path heights;

    @SuppressWarnings("NullAway.Init")
    private Path model;

    @BeforeEach
    void write() throws IOException {
        heights = Rings.write(
                folder.resolve("heights.csv"),
                "x,y,height",
                60,
                i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + Rings.height(i));
        model = folder.resolve("m.bochner");
    }

    private Run tune(Object... arguments) {
        List<Object> all = new ArrayList<>(List.of("tune", heights, "--task", "regress"));
        all.addAll(List.of(arguments));
        return Run.here(all.toArray());
    }

    @Test
    void againTrainsTheSameModel() throws IOException {
        // One trial is the default; with three, the best one has learned scales.
        for (int trials : new int[] {1, 3}) {
            Run run = tune("--trials", trials, "--holdout", 0.2, "--model", model, "--json")
                    .worked();
            assertEquals(trials, run.number("trials"));
            assertEquals(trials + 2, run.list("leaderboard").size());
            assertEquals(60, run.number("rows") + run.number("testRows"));
            assertTrue(run.number("rmse") < 0.3, run.out());
            assertEquals(model.toString(), run.json().get("model"));
            byte[] expected = Files.readAllBytes(model);
            List<Object> words = new ArrayList<>();
            Matcher matcher = WORD.matcher(String.valueOf(run.json().get("again")));
            while (matcher.find()) {
                words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
            }
            assertEquals("bochner", words.remove(0));
            words.addAll(List.of("--model", model, "--json"));
            Run again = Run.here(words.toArray()).worked();
            assertEquals(run.number("rmse"), again.number("rmse"), 1e-9);
            if (trials == 1) {
                assertArrayEquals(expected, Files.readAllBytes(model));
            }
        }
    }

    @Test
    void printsATableWithTheConstantAndTheLinearModel() {
        Run run = tune("--trials", 1).worked();
        assertTrue(run.out().startsWith("rank"), run.out());
        assertTrue(run.lines().stream().anyMatch(line -> line.contains("linear  ")), run.out());
        assertTrue(run.lines().stream().anyMatch(line -> line.contains("constant ")), run.out());
        assertTrue(run.out().contains("again"), run.out());
        assertTrue(run.err().contains("best so far: "), run.err());
    }

    @Test
    void resumesALog() throws IOException {
        Path log = folder.resolve("log.jsonl");
        Run first = tune("--trials", 1, "--log", log, "--json").worked();
        assertEquals(0, first.number("reusedTests"));
        tune("--trials", 1, "--log", log).refused(Main.FAILED, "log.jsonl", "exists");
        Run more = tune("--trials", 2, "--resume", log, "--json").worked();
        assertEquals(15, more.number("reusedTests"));
        tune("--resume", log, "--seed", 2).refused(Main.FAILED, "another search", "seed");
        tune("--resume", log, "--log", folder.resolve("b")).refused(Main.USAGE, "--log");
        Path withoutX = folder.resolve("without-x.jsonl");
        tune("--trials", 1, "--ignore", "x", "--log", withoutX).worked();
        tune("--trials", 1, "--ignore", "y", "--resume", withoutX)
                .refused(Main.FAILED, "another search", "other columns");
        tune("--resume", heights).refused(Main.FAILED, "no log");
        assertTrue(Files.readString(heights).startsWith("x,y,height"));
    }

    @Test
    void refusesWrongFlags() {
        for (String budget : List.of("0s", "-5m", "5x", "5", "m", "")) {
            tune("--budget", budget).refused(Main.USAGE, "--budget");
        }
        tune("--trials", 0).refused(Main.USAGE, "--trials");
        tune("--metric", "error").refused(Main.USAGE, "--metric", "rmse");
        tune("--metric", "auc").refused(Main.USAGE, "--metric", "auc");
        tune("--log", heights).refused(Main.USAGE, "also an input");
        tune("--log", model, "--model", model).refused(Main.USAGE, "same file");
        tune("--model", heights).refused(Main.USAGE, "also an input");
        tune("--scale", "huge").refused(Main.USAGE, "huge");
        assertEquals(Duration.ofSeconds(90), SearchFlags.time("1.5m"));
        assertThrows(UsageException.class, () -> SearchFlags.time("1d"));
    }

    @Test
    void keepsTheResultIfTheModelOrTheTestRowsFail() throws IOException {
        Path test = Files.writeString(folder.resolve("test.csv"), "x,y,height\n0.1,0.2,0.3\n0.1,oops,0.3\n");
        Run run = tune("--trials", 1, "--test", test, "--model", model);
        assertEquals(Main.FAILED, run.code());
        assertTrue(run.err().contains("test.csv:3"), run.err());
        assertTrue(run.out().contains("again"), run.out());
        assertTrue(Files.exists(model));
    }

    @Test
    void averagesMachines() throws IOException {
        // A wave of one column, for one length-scale per column, and steps of the other.
        heights = Rings.write(folder.resolve("mixed.csv"), "x,y,height", 200, i -> {
            double x = 2 * (i * 0.6180339887 % 1) - 1;
            double y = 2 * (i * 0.7548776662 % 1) - 1;
            return x + "," + y + "," + (2 * Math.sin(8 * x) + Math.floor(2 * y));
        });
        Run run = tune("--trials", 4, "--ensemble", "--model", model, "--json").worked();
        Map<?, ?> average = (Map<?, ?>) Objects.requireNonNull(run.json().get("average"), run.out());
        List<?> members = (List<?>) Objects.requireNonNull(average.get("members"));
        assertTrue(members.size() >= 2, run.out());
        assertTrue(number(average, "error") < number(average, "singleError"), run.out());
        assertEquals(members.size(), run.list("again").size());
        byte[] expected = Files.readAllBytes(model);
        Run again = tune("--trials", 4, "--ensemble", "--model", model).worked();
        assertArrayEquals(expected, Files.readAllBytes(model));
        assertTrue(again.out().startsWith("rank"), again.out());
        assertTrue(again.lines().get(1).matches("1 \\* +average .*"), again.out());
        assertTrue(again.out().contains("again 1 ") && again.out().contains("Members:"), again.out());
        assertFalse(Run.here("evaluate", model, heights).worked().out().isEmpty());
    }

    private static double number(Map<?, ?> fields, String key) {
        return ((Number) Objects.requireNonNull(fields.get(key))).doubleValue();
    }

    /** Waits for a line of a running command that contains a text. */
    private static void await(BufferedReader lines, String text) throws IOException {
        String line = lines.readLine();
        while (line != null && !line.contains(text)) {
            line = lines.readLine();
        }
    }

    @Test
    void aKilledSearchIsResumedWithTheSameModel() throws IOException, InterruptedException {
        Path log = folder.resolve("log.jsonl");
        Object[] flags = {"--trials", 5, "--ensemble", "--model", model};
        tune(flags).worked();
        byte[] expected = Files.readAllBytes(model);
        Files.delete(model);
        List<Object> arguments = new ArrayList<>(List.of("tune", heights, "--task", "regress", "--log", log));
        arguments.addAll(List.of(flags));
        Process process = new ProcessBuilder(Run.commandLine(List.of(), arguments.toArray()))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader err =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            // The first one is the linear model.
            await(err, "best so far");
            process.destroyForcibly();
            assertTrue(process.waitFor(1, TimeUnit.MINUTES));
        }
        assertFalse(Files.exists(model));
        Run resumed = tune("--resume", log, "--trials", 5, "--ensemble", "--model", model, "--json")
                .worked();
        assertTrue(resumed.number("reusedTests") > 0, resumed.out());
        assertArrayEquals(expected, Files.readAllBytes(model));
    }

    @Test
    void keepsTheBestWhenInterrupted() throws IOException, InterruptedException {
        Path printed = folder.resolve("printed.json");
        List<String> command = Run.commandLine(
                List.of(), "tune", heights, "--task", "regress", "--trials", 100_000, "--json", "--model", model);
        Process process =
                new ProcessBuilder(command).redirectOutput(printed.toFile()).start();
        try (BufferedReader err =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            // The first one is the linear model.
            await(err, "best so far");
            assertTrue(process.toHandle().destroy());
            // The rest must be read, or the process waits for its reader.
            while (err.readLine() != null) {}
            assertTrue(process.waitFor(1, TimeUnit.MINUTES));
        }
        assertNotEquals(Main.WORKED, process.exitValue(), "as the signal says");
        Run kept = new Run(Main.WORKED, Files.readString(printed), "");
        assertTrue(String.valueOf(kept.json().get("end")).contains("interrupted"), kept.out());
        assertTrue(Files.exists(model));
        assertFalse(Run.here("evaluate", model, heights).worked().out().isEmpty());
    }
}
