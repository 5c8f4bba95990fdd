package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands compile and curves, with an intersection machine of 200 rows of three columns. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CompileCommandTest {
    private static final int ROWS = 200;
    private static final String LIBSVM = """
            svm_type c_svc
            kernel_type intersection
            nr_class 2
            total_sv 3
            rho 0.25
            label 1 -1
            nr_sv 1 2
            SV
            1.5 1:2 3:1
            -1 1:0.5 2:3
            -0.5 3:4
            """;

    private final Path folder;
    private final Path data;
    private final Path model;

    CompileCommandTest(@TempDir Path folder) {
        this.folder = folder;
        data = folder.resolve("rows.csv");
        model = folder.resolve("svm.bochner");
    }

    @BeforeAll
    void train() throws IOException {
        Rings.write(data, "a,b,c,kind", ROWS, i -> {
            int a = i * 7 % 16;
            int b = i * 5 % 11;
            return a + "," + b + "," + i % 3 + "," + (a + 2 * Math.abs(b - 5) > 12 ? "yes" : "no");
        });
        Run.here("train", data, "--kernel", "intersection", "--map", "none", "--learner", "svm(C=1)", "--model", model)
                .worked();
    }

    private double[] scores(Path of) {
        return Run.here("predict", of, data, "--scores").worked().lines().stream()
                .skip(1)
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    @Nested
    class Compile {
        @Test
        void exactCurvesHaveTheScoresOfTheModel() {
            Path fast = folder.resolve("exact.bochner");
            Run run = Run.here("compile", model, data, "--form", "exact", "--output", fast, "--json")
                    .worked();
            assertEquals("", run.err());
            assertEquals(3, run.number("curves"));
            assertEquals(1, run.number("agreement"));
            // The features of the original model are float32, of values up to 16 in three columns.
            assertTrue(run.number("maxError") < 1e-3 * run.number("scoreDeviation"), run.out());
            assertArrayEquals(scores(model), scores(fast), 1e-3);
            assertTrue(Run.here("inspect", fast).worked().out().contains("3 curves, exact"));
            assertEquals("", Run.here("evaluate", fast, data).worked().err());
        }

        @Test
        void linearCurvesNeedNoDataAndSayTheirError() {
            Path fast = folder.resolve("linear.bochner");
            Run run =
                    Run.here("compile", model, "--knots", 300, "--output", fast).worked();
            assertTrue(run.out().contains("3 of 3 columns, 1 output, linear"), run.out());
            assertTrue(run.out().contains("of one curve between its knots"), run.out());
            assertTrue(run.out().contains("saved to  " + fast), run.out());
        }

        @Test
        void modelsOfMapsNeedData() {
            Path chi2 = folder.resolve("chi2.bochner");
            Run.here("train", data, "--kernel", "chi2", "--map", "sampled(order=2)", "--scale", "none", "--model", chi2)
                    .worked();
            Path fast = folder.resolve("none.bochner");
            Run refused = Run.here("compile", chi2, "--output", fast).refused(Main.FAILED);
            assertTrue(refused.err().contains("give rows of the training data"), refused.err());
            assertFalse(Files.exists(fast));
            Run run = Run.here("compile", chi2, data, "--knots", 2000, "--output", fast, "--json")
                    .worked();
            assertTrue(run.number("relativeError") < 0.01, run.out());
        }

        @Test
        void kernelsOfSeveralColumnsAreRefused() {
            Path gaussian = folder.resolve("gaussian.bochner");
            Run.here("train", data, "--kernel", "gaussian(sigma=1)", "--features", 20, "--model", gaussian)
                    .worked();
            Path fast = folder.resolve("refused.bochner");
            Run run = Run.here("compile", gaussian, data, "--output", fast).refused(Main.FAILED);
            assertTrue(run.err().contains("compares several columns together; --kernel intersection"), run.err());
            assertFalse(Files.exists(fast));
        }

        /** Both rows have the same values in column c, and different ones in a and b. */
        @Test
        void constantColumnsAreNamed() throws IOException {
            Path few = Files.writeString(folder.resolve("few.csv"), "a,b,c\n1,2,1\n3,4,1\n");
            Run run = Run.here("compile", model, few, "--output", folder.resolve("few.bochner"))
                    .worked();
            assertTrue(run.err().contains("1 of 3 columns with a curve are constant in DATA"), run.err());
            Run json = Run.here("compile", model, data, "--json", "--output", folder.resolve("all.bochner"))
                    .worked();
            assertFalse(json.err().contains("constant"), json.err());
            assertTrue(json.out().replace(" ", "").contains("\"constantColumns\":0"), json.out());
        }

        @Test
        void compiledModelsAreNeitherCompiledNorPrunedAgain() {
            Path fast = folder.resolve("once.bochner");
            Run.here("compile", model, "--output", fast).worked();
            Path again = folder.resolve("twice.bochner");
            Run run = Run.here("compile", fast, "--output", again).refused(Main.FAILED);
            assertTrue(run.err().contains("is compiled already"), run.err());
            Run pruned = Run.here("prune", fast, data, "--keep", 0.5).refused(Main.FAILED);
            assertTrue(pruned.err().contains("prune the model, then compile it"), pruned.err());
        }

        @Test
        void modelsOfComponentsPredictNothing() {
            Path components = folder.resolve("components.bochner");
            Run.here(
                            "transform",
                            data,
                            "--kernel",
                            "linear",
                            "--map",
                            "exact",
                            "--pca",
                            2,
                            "--save",
                            components,
                            "--output",
                            folder.resolve("components.csv"))
                    .worked();
            Run run = Run.here("compile", components, data, "--output", folder.resolve("p.bochner"))
                    .refused(Main.FAILED);
            assertTrue(run.err().contains("predicts nothing"), run.err());
            assertFalse(Files.exists(folder.resolve("p.bochner")));
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                --knots 1                 | --knots must be between 2 and 1000000, got 1
                --form exact --knots 9    | --form exact has its own knots; leave --knots out
                --form cubic              | invalid value for option '--form'
                """)
        void wrongFlagsAreRefused(String flags, String message) {
            List<Object> arguments = new ArrayList<>(List.of("compile", model));
            arguments.addAll(List.of(flags.trim().split(" ")));
            Run run = Run.here(arguments.toArray());
            assertEquals(Main.USAGE, run.code());
            assertTrue(run.err().contains(message), run.err());
        }

        @Test
        void theModelIsNotOverwritten() {
            Run run = Run.here("compile", model, "--output", model);
            assertEquals(Main.USAGE, run.code());
            assertTrue(run.err().contains("is also an input"), run.err());
        }
    }

    @Nested
    class Libsvm {
        @Test
        void modelFilesPredictAndCompile() throws IOException {
            Path text = Files.writeString(folder.resolve("libsvm.model"), LIBSVM);
            Path rows = Files.writeString(folder.resolve("rows.svm"), "1 1:1 2:5\n-1 3:2\n-1 1:9 2:9 3:9\n");
            Path fast = folder.resolve("libsvm.bochner");
            Run.here("compile", text, rows, "--form", "exact", "--output", fast).worked();
            // f = Σ c·min − ρ: 1.5·1 − 0.5 − 3 − 0.25; 1.5·1 − 0.5·2 − 0.25; 1.5·3 − 3.5 − 2 − 0.25.
            for (Path of : List.of(text, fast)) {
                Run run = Run.here("predict", of, rows, "--scores").worked();
                assertEquals(List.of("1", "-2.25", "0.25", "-1.25"), run.lines());
                assertEquals(
                        List.of("-1", "1", "-1"),
                        Run.here("predict", of, rows).worked().lines());
            }
        }

        @Test
        void columnsBeyondTheSupportVectorsCanBeAdded() throws IOException {
            Path text = Files.writeString(folder.resolve("narrow.model"), LIBSVM);
            Path rows = Files.writeString(folder.resolve("wide.svm"), "1 1:1 2:5 5:3\n");
            Run refused = Run.here("predict", text, rows).refused(Main.FAILED);
            assertTrue(
                    refused.err()
                            .contains("wide.svm:1: column 5: the support vectors of the model have indices up to 3;"
                                    + " --columns N widens the model to N columns; here N must be at least 5"),
                    refused.err());
            Path fast = folder.resolve("wide.bochner");
            Run.here("compile", text, rows, "--columns", 5, "--form", "exact", "--output", fast)
                    .worked();
            Run predicted =
                    Run.here("predict", text, rows, "--columns", 5, "--scores").worked();
            assertEquals(List.of("1", "-2.25"), predicted.lines());
            assertEquals(
                    predicted.lines(),
                    Run.here("predict", fast, rows, "--scores").worked().lines());
        }

        @Test
        void inspectTellsOnlyWhatTheFileHolds() throws IOException {
            Path text = Files.writeString(folder.resolve("inspect.model"), LIBSVM);
            List<String> lines = Run.here("inspect", text).worked().lines().stream()
                    .map(line -> line.replaceAll(" +", " "))
                    .toList();
            assertEquals(
                    List.of(
                            "predicts 2 classes: -1, 1",
                            "columns 3",
                            "made from a LIBSVM model file, which does not tell how it was trained",
                            "support vectors 3",
                            "kernel intersection",
                            "intercept -0.25 (rho or -rho)",
                            "probabilities none"),
                    lines);
            String json = Run.here("inspect", text, "--json").worked().out().replace(" ", "");
            assertTrue(json.contains("\"training\":null"), json);
            assertTrue(json.contains("\"madeFrom\":\"libsvm\""), json);
        }

        @ParameterizedTest
        @ValueSource(strings = {"rbf", "polynomial"})
        void kernelsOfSeveralColumnsAreRefused(String kernel) throws IOException {
            Path text = Files.writeString(
                    folder.resolve(kernel + ".model"),
                    LIBSVM.replace("intersection", kernel + "\ngamma 0.5\ndegree 2\ncoef0 1"));
            Path fast = folder.resolve(kernel + ".bochner");
            Run run = Run.here("compile", text, "--output", fast).refused(Main.FAILED);
            assertTrue(run.err().contains("compares several columns together"), run.err());
            assertFalse(Files.exists(fast));
        }
    }

    @Nested
    class Curves {
        @Test
        void areOrderedByImportance() throws IOException {
            Path csv = folder.resolve("curves.csv");
            Path svg = folder.resolve("curves.svg");
            Run run = Run.here("curves", model, data, "--output", csv, "--plot", svg)
                    .worked();
            List<String> lines = run.lines();
            assertTrue(lines.get(0).matches("column +importance +from +to +lowest +highest"), run.out());
            // The label depends on a and b alone.
            assertTrue(lines.get(3).startsWith("c "), run.out());
            assertTrue(lines.get(4).contains("over 200 rows"), run.out());
            List<String> written = Files.readAllLines(csv);
            assertEquals("column,value,yes", written.get(0));
            // The intercept, then 100 knots per column.
            assertTrue(written.get(1).matches("\\(intercept\\),,-?[0-9.E-]+"), written.get(1));
            assertEquals(2 + 3 * 100, written.size());
            assertTrue(lines.get(5).startsWith("intercept: "), run.out());
            assertTrue(Files.readString(svg).contains("contribution"));
        }

        /** A panel has a label of its vertical axis. */
        @Test
        void atMostSixtyArePlotted() throws IOException {
            StringBuilder vector = new StringBuilder("1");
            for (int j = 1; j <= 70; j++) {
                vector.append(' ').append(j).append(':').append(j);
            }
            Path text =
                    Files.writeString(folder.resolve("many.model"), LIBSVM.replace("1.5 1:2 3:1", vector.toString()));
            Path svg = folder.resolve("many.svg");
            Run run = Run.here("curves", text, "--top", 65, "--plot", svg).worked();
            assertTrue(run.err().contains("Plotted the first 60 of 65 curves."), run.err());
            assertEquals(61, Files.readString(svg).split(">contribution<", -1).length);
        }

        @Test
        void theInterceptIsThatOfLibsvm() throws IOException {
            Path text = Files.writeString(folder.resolve("rho.model"), LIBSVM);
            Run run = Run.here("curves", text).worked();
            assertTrue(run.out().endsWith("intercept: -0.2500\n"), run.out());
        }

        @Test
        void ofSomeColumns() {
            Run run = Run.here("curves", model, "--column", "b", "--json").worked();
            assertTrue(run.out().contains("\"column\" : \"b\"") || run.out().contains("\"column\": \"b\""), run.out());
            assertFalse(run.out().contains("\"column\": \"a\""), run.out());
            Run unknown = Run.here("curves", model, "--column", "d");
            assertEquals(Main.USAGE, unknown.code());
            assertTrue(unknown.err().contains("no curve of 'd'"), unknown.err());
        }
    }
}
