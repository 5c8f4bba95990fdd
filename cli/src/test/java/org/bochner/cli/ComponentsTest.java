package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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

    private double[][] table(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .skip(1)
                .map(line -> Arrays.stream(line.split(",", -1))
                        .mapToDouble(Double::parseDouble)
                        .toArray())
                .toArray(double[][]::new);
    }

    private static void centre(double[][] rows) {
        for (int j = 0; j < rows[0].length; j++) {
            int column = j;
            double mean = Arrays.stream(rows)
                    .mapToDouble(row -> row[column])
                    .average()
                    .orElseThrow();
            for (double[] row : rows) {
                row[j] -= mean;
            }
        }
    }

    private static double covariance(double[][] centred, int a, int b) {
        return Arrays.stream(centred)
                .mapToDouble(row -> row[a] * row[b])
                .average()
                .orElseThrow();
    }

    /** Turns a symmetric matrix to diagonal form by plane rotations (Jacobi), and returns the columns of the rotation. */
    private static double[][] eigenvectors(double[][] a) {
        int n = a.length;
        double[][] v = new double[n][n];
        for (int j = 0; j < n; j++) {
            v[j][j] = 1;
        }
        for (int sweep = 0; sweep < 30; sweep++) {
            for (int p = 0; p < n; p++) {
                for (int q = p + 1; q < n; q++) {
                    double angle = 0.5 * Math.atan2(2 * a[p][q], a[q][q] - a[p][p]);
                    double cos = Math.cos(angle);
                    double sin = Math.sin(angle);
                    for (int i = 0; i < n; i++) {
                        rotate(a[i], p, q, cos, sin);
                        rotate(v[i], p, q, cos, sin);
                    }
                    for (int i = 0; i < n; i++) {
                        double first = a[p][i];
                        a[p][i] = cos * first - sin * a[q][i];
                        a[q][i] = sin * first + cos * a[q][i];
                    }
                }
            }
        }
        return v;
    }

    private static void rotate(double[] row, int p, int q, double cos, double sin) {
        double first = row[p];
        row[p] = cos * first - sin * row[q];
        row[q] = sin * first + cos * row[q];
    }

    @Test
    void writtenComponentsAreProjectionsOntoTheEigenvectorsOfTheCovariance() throws IOException {
        int kept = 4;
        Path features = folder.resolve("features.csv");
        Path scores = folder.resolve("scores.csv");
        List<Object> flags = List.of(
                "transform",
                unlabelled,
                "--label",
                "none",
                "--kernel",
                "gaussian(sigma=2)",
                "--features",
                8,
                "--output");
        Run.here(Stream.concat(flags.stream(), Stream.of(features)).toArray()).worked();
        Run run = Run.here(Stream.concat(flags.stream(), Stream.of(scores, "--pca", kept, "--json"))
                        .toArray())
                .worked();
        double[][] z = table(features);
        double[][] written = table(scores);
        centre(z);
        double[][] covariance = new double[8][8];
        for (int a = 0; a < 8; a++) {
            for (int b = 0; b < 8; b++) {
                covariance[a][b] = covariance(z, a, b);
            }
        }
        double total = IntStream.range(0, 8).mapToDouble(j -> covariance[j][j]).sum();
        double[][] vectors = eigenvectors(covariance);
        int[] order = IntStream.range(0, 8)
                .boxed()
                .sorted(Comparator.comparingDouble(j -> -covariance[j][j]))
                .mapToInt(j -> j)
                .toArray();
        // Features and components are written in float32, 6e-8 of values up to 1; eigenvalues are at least 0.03 apart.
        for (int c = 0; c < kept; c++) {
            int vector = order[c];
            double eigenvalue = covariance[vector][vector];
            assertEquals(eigenvalue, Run.number(run.list("components").get(c), "variance"), 1e-6);
            assertEquals(eigenvalue / total, Run.number(run.list("components").get(c), "share"), 1e-6);
            double[] projected = Arrays.stream(z)
                    .mapToDouble(row -> IntStream.range(0, 8)
                            .mapToDouble(j -> row[j] * vectors[j][vector])
                            .sum())
                    .toArray();
            double sign = Math.signum(projected[0] * written[0][c]);
            for (int i = 0; i < z.length; i++) {
                assertEquals(sign * projected[i], written[i][c], 1e-5, "row " + i + ", component " + c);
            }
        }
        centre(written);
        for (int a = 0; a < kept; a++) {
            for (int b = 0; b < a; b++) {
                assertEquals(0, covariance(written, a, b), 1e-6);
            }
        }
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
