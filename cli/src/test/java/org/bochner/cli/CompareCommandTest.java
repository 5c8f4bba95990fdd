package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    /** Runs a comparison with a given bandwidth, because choosing one takes most of the time of small fits. */
    private static Run compare(Path data, Object... flags) {
        List<Object> words =
                new ArrayList<>(List.of("compare", data, "--kernel", "gaussian(sigma=0.3)", "--threads", 1));
        words.addAll(Arrays.asList(flags));
        return Run.here(words.toArray());
    }

    private Path rings() throws IOException {
        return Rings.csv(folder.resolve("rings.csv"), 300);
    }

    @Test
    void printsATableAndARecommendation() throws IOException {
        Path plot = folder.resolve("compare.svg");
        List<String> lines = compare(rings(), "--features", "10,60", "--peers", "none", "--plot", plot)
                .worked()
                .lines();
        assertTrue(lines.get(0).startsWith("method ") && lines.get(0).contains("error"), lines.get(0));
        assertTrue(lines.get(1).startsWith("constant "), lines.get(1));
        assertTrue(lines.get(2).startsWith("linear "), lines.get(2));
        assertTrue(lines.get(3).startsWith("default map 10 "), lines.get(3));
        assertTrue(lines.get(5).startsWith("landmarks 10 "), lines.get(5));
        assertTrue(lines.stream().anyMatch(line -> line.startsWith("Recommended: ")), lines.toString());
        assertTrue(
                lines.get(lines.size() - 1).contains("bochner train ")
                        && lines.get(lines.size() - 1).contains("--kernel 'gaussian(sigma=0.3)'"),
                lines.toString());
        assertTrue(Files.readString(plot).contains("landmarks"));
    }

    @Test
    void jsonHasStableKeys() throws IOException {
        Run run =
                compare(rings(), "--features", 30, "--peers", "none", "--json").worked();
        assertEquals(
                List.of(
                        "data",
                        "rows",
                        "testRows",
                        "columns",
                        "task",
                        "kernel",
                        "seed",
                        "seeds",
                        "peers",
                        "methods",
                        "interrupted",
                        "best",
                        "recommended",
                        "recommendation",
                        "threads",
                        "seconds",
                        "peakMemoryBytes",
                        "notes"),
                List.copyOf(run.json().keySet()));
        assertEquals(300, run.number("rows") + run.number("testRows"));
        Map<?, ?> linear = (Map<?, ?>) run.list("methods").get(1);
        assertEquals(
                Set.of(
                        "name",
                        "kind",
                        "features",
                        "rows",
                        "error",
                        "standardError",
                        "fitSeconds",
                        "heapBytes",
                        "predictSecondsPerRow",
                        "modelBytes"),
                linear.keySet());
        double error = Run.number(linear, "error");
        assertEquals(
                Math.sqrt(error * (1 - error) / run.number("testRows")), Run.number(linear, "standardError"), 1e-12);
        Map<?, ?> landmarks = (Map<?, ?>) run.list("methods").get(3);
        assertTrue(Run.number(landmarks, "error") < error / 2, run.out());
        assertNotEquals("linear", run.json().get("recommended"), run.out());
    }

    @Test
    void ofNumbersHasTheRmseOnTestRows() throws IOException {
        Path train = Rings.write(
                folder.resolve("train.csv"),
                "x,y,height",
                200,
                i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + Rings.height(i));
        Path test = Rings.write(
                folder.resolve("test.csv"),
                "x,y,height",
                100,
                i -> Rings.x(i + 200, 0) + "," + Rings.x(i + 200, 1) + "," + Rings.height(i + 200));
        Run run = compare(
                        train,
                        "--test",
                        test,
                        "--task",
                        "regress",
                        "--features",
                        50,
                        "--seeds",
                        2,
                        "--peers",
                        "none",
                        "--json")
                .worked();
        assertEquals(200, run.number("rows"));
        assertEquals(100, run.number("testRows"));
        assertEquals(2, run.number("seeds"));
        double constant = Run.number(run.list("methods").get(0), "rmse");
        double map = Run.number(run.list("methods").get(2), "rmse");
        assertTrue(map < constant / 4, run.out());
    }

    @Test
    void sizesAboveTheRowsAreLeftOutOfTheDefaults() throws IOException {
        Run run = compare(rings(), "--peers", "none", "--json").worked();
        assertEquals(
                List.of("constant", "linear", "default map 250", "landmarks 250", "exact"),
                run.list("methods").stream()
                        .map(method -> ((Map<?, ?>) method).get("name"))
                        .toList());
    }

    @Test
    void saysHowToGetPeers() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        Run run = compare(rings(), "--features", 10, "--peers", empty).worked();
        assertTrue(run.err().contains("no peers were found") && run.err().contains("mvn "), run.err());
    }

    @Test
    void refusesBadInput() throws IOException {
        Path rings = rings();
        compare(rings, "--features", "10,x").refused(Main.USAGE, "--features", "250,1000,4000", "10,x");
        compare(rings, "--features", "0").refused(Main.USAGE, "--features", "at least 1");
        compare(rings, "--seeds", 0).refused(Main.USAGE, "--seeds must be at least 1");
        compare(rings, "--peers", folder.resolve("none-such")).refused(Main.USAGE, "--peers", "is not a folder");
        compare(rings, "--label", "none", "--peers", "none").refused(Main.FAILED, "has no labels");
        Path one = Rings.write(folder.resolve("one.csv"), "x,y,where", 60, i -> Rings.x(i, 0) + ",1,here");
        compare(one, "--task", "classify", "--peers", "none").refused(Main.FAILED, "one class");
        Path few = Rings.csv(folder.resolve("few.csv"), 9);
        compare(few, "--peers", "none").refused(Main.FAILED, "to train on", "at least 10");
    }
}
