package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Principal components and discriminant axes on the command line. */
class ComponentsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Path data;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Path unlabelled;

    private Path model() {
        return folder.resolve("m.bochner");
    }

    /** Writes 60 rows of three classes on a circle, with labels and without. */
    @BeforeEach
    void writeRows() throws IOException {
        List<String> labelled = new ArrayList<>(List.of("x,y,class"));
        List<String> rows = new ArrayList<>(List.of("x,y"));
        for (int i = 0; i < 60; i++) {
            double angle = i / 10.0;
            String row = Math.cos(angle) * (1 + i % 4) + "," + Math.sin(angle) * (1 + i % 5);
            rows.add(row);
            labelled.add(row + "," + List.of("red", "green", "blue").get(i / 20));
        }
        data = Files.write(folder.resolve("rows.csv"), labelled);
        unlabelled = Files.write(folder.resolve("plain.csv"), rows);
    }

    @Test
    void componentsOfATableWithoutLabelsAreWrittenAndAppliedToOtherRows() throws IOException {
        Path scores = folder.resolve("scores.csv");
        Run run = Run.here(
                        "transform",
                        unlabelled,
                        "--label",
                        "none",
                        "--kernel",
                        "gaussian(sigma=2)",
                        "--features",
                        50,
                        "--pca",
                        2,
                        "--save",
                        model(),
                        "--output",
                        scores)
                .worked();
        assertTrue(run.out().startsWith("component"), run.out());
        assertTrue(run.out().contains("pc2"), run.out());
        List<String> lines = Files.readAllLines(scores);
        assertEquals("pc1,pc2", lines.get(0));
        assertEquals(61, lines.size());
        Path again = folder.resolve("again.csv");
        Run json = Run.here("transform", unlabelled, "--model", model(), "--output", again, "--json")
                .worked();
        assertEquals(2, json.number("features"));
        assertTrue(json.out().contains("\"totalShare\""), json.out());
        assertEquals(lines, Files.readAllLines(again));
        String inspected = Run.here("inspect", model()).worked().out();
        assertEquals(
                1,
                inspected.lines().filter(line -> line.contains("components  ")).count(),
                inspected);
        assertTrue(inspected.lines().anyMatch(line -> line.matches("features +50")), inspected);
        assertTrue(Run.here("inspect", model(), "--json").worked().out().contains("\"project\""));
    }

    @Test
    void aModelOfComponentsPredictsNothing() {
        Run.here(
                        "transform",
                        data,
                        "--kernel",
                        "gaussian(sigma=2)",
                        "--pca",
                        "90%",
                        "--save",
                        model(),
                        "--output",
                        folder.resolve("s.npy"))
                .worked();
        Run.here("predict", model(), data).refused(1, "predicts nothing", "transform");
        Run.here("evaluate", model(), data).refused(1, "predicts nothing");
        Run.here("prune", model(), data, "--keep", 0.5).refused(1, "predicts nothing");
        Run.here("train", data, "--start", model()).refused(2, "predicts nothing");
    }

    @Test
    void axesOfADiscriminantAnalysisAreWritten() throws IOException {
        Run.here(
                        "train",
                        data,
                        "--kernel",
                        "gaussian(sigma=2)",
                        "--features",
                        50,
                        "--learner",
                        "lda",
                        "--model",
                        model())
                .worked();
        Path axes = folder.resolve("axes.csv");
        Run run = Run.here("transform", data, "--model", model(), "--axes", "--output", axes)
                .worked();
        assertTrue(run.out().contains("100.00%"), run.out());
        assertEquals("ld1,ld2,label", Files.readAllLines(axes).get(0));
        String inspected = Run.here("inspect", model()).worked().out();
        assertTrue(inspected.contains("discriminant axes"), inspected);
        assertTrue(inspected.contains("shrinkage"), inspected);
    }

    @Test
    void wrongFlagsAreRefused() {
        Path out = folder.resolve("out.csv");
        Run.here("transform", data, "--axes", "--output", out).refused(2, "--axes needs --model");
        Run.here("transform", data, "--save", model(), "--output", out).refused(2, "--save needs --pca");
        Run.here("transform", data, "--pca", "0", "--output", out).refused(2, "components");
        Run.here("transform", data, "--pca", "2", "--save", out, "--output", out)
                .refused(2, "out.csv");
        Run.here("train", data, "--kernel", "gaussian(sigma=2)", "--learner", "ridge", "--model", model())
                .worked();
        Run.here("transform", data, "--model", model(), "--axes", "--output", out)
                .refused(2, "no discriminant axes", "lda");
        Run.here("transform", data, "--model", model(), "--pca", "2", "--output", out)
                .refused(2, "--model sets");
        assertFalse(Files.exists(out));
    }
}
