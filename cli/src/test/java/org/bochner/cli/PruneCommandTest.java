package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Models trained on 600 rows of the rings with 50 frequencies. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PruneCommandTest {
    private static final int ROWS = 600;

    private final Path folder;
    private final Path data;
    private final Path test;
    private final Path model;
    private final Path small;

    PruneCommandTest(@TempDir Path folder) {
        this.folder = folder;
        data = folder.resolve("rings.csv");
        test = folder.resolve("test.csv");
        model = folder.resolve("rings.bochner");
        small = folder.resolve("small.bochner");
    }

    @BeforeAll
    void train() throws IOException {
        Rings.csv(data, ROWS);
        Rings.write(
                test,
                "x,y,where",
                300,
                i -> Rings.x(i + ROWS, 0) + "," + Rings.x(i + ROWS, 1) + "," + Rings.label(i + ROWS));
        Run.here("train", data, "--kernel", "gaussian(sigma=0.3)", "--features", 100, "--model", model)
                .worked();
    }

    private Run prune(Object... more) {
        List<Object> arguments = new ArrayList<>(List.of("prune", model, data));
        arguments.addAll(Arrays.asList(more));
        return Run.here(arguments.toArray());
    }

    private static double number(@Nullable Object object, String key) {
        Object value = assertInstanceOf(Map.class, object).get(key);
        return assertInstanceOf(Number.class, value, key).doubleValue();
    }

    private static double error(Path model, Path data) {
        return Run.here("evaluate", model, data, "--json").worked().number("error");
    }

    @Nested
    class Keep {
        @Test
        void savesAModelOfThatShareOfTheProjections() {
            Run run = prune("--keep", 0.25, "--test", test, "--output", small).worked();
            assertEquals("", run.err());
            List<String> lines = run.lines();
            assertTrue(lines.get(0).matches("share +projections +features +file +speed +error +loss"), run.out());
            assertTrue(lines.get(1).matches("1\\.000 +50 +100 .* 1\\.0x .*\\+0\\.00"), run.out());
            // 0.25 of 50 is 12.5, and halves round to even.
            assertTrue(lines.get(lines.size() - 2).matches("0\\.240 +12 +24 .* <"), run.out());
            assertTrue(run.out().contains("12 of 50 projections, measured on " + test), run.out());
            Run inspected = Run.here("inspect", small).worked();
            assertTrue(inspected.out().contains("12 of 50 projections"), inspected.out());
        }

        @Test
        void saysTheErrorThatEvaluateSays() throws IOException {
            Run run = prune("--keep", "20%", "--test", test, "--output", small, "--json")
                    .worked();
            Map<?, ?> json = run.json();
            assertEquals("projections", json.get("unit"));
            assertEquals(50, run.number("units"));
            assertEquals(10, number(json.get("chosen"), "units"));
            assertEquals(error(small, test), number(json.get("chosen"), "error"));
            Object whole = run.list("sizes").get(0);
            assertEquals(error(model, test), number(whole, "error"));
            assertEquals(
                    number(json.get("chosen"), "error") - number(whole, "error"),
                    number(json.get("chosen"), "loss"),
                    1e-12);
            assertEquals((double) Files.size(small), number(json.get("chosen"), "bytes"));
            assertTrue(run.number("lambda") > 0 && run.number("pruneSeconds") > 0);
        }

        /** The error is that of a model without the rows held out; the model is then fitted to all. */
        @Test
        void holdsRowsOutByDefaultAndFitsToAllInTheEnd() throws IOException {
            Run run = prune("--keep", 0.5, "--output", small, "--json").worked();
            assertEquals("rows held out", run.json().get("test"));
            double rows = number(run.json().get("chosen"), "rows");
            // A fifth of 600, within five standard deviations of a binomial.
            assertEquals(120, rows, 5 * Math.sqrt(600 * 0.2 * 0.8));
            byte[] bytes = Files.readAllBytes(small);
            prune("--keep", 0.5, "--output", small, "--holdout", 0.2, "--seed", 1, "--threads", 1)
                    .worked();
            assertArrayEquals(bytes, Files.readAllBytes(small));
            assertTrue(error(small, data) < 0.05);
        }

        @Test
        void ofEverythingIsTheModel() {
            prune("--keep", 1, "--test", test, "--output", small).worked();
            assertEquals(error(model, test), error(small, test));
        }

        @Test
        void keepsAtLeastOneProjection() {
            Run run = prune("--keep", 1e-6, "--json").worked();
            assertEquals(1, number(run.json().get("chosen"), "units"));
        }

        @Test
        void remindsThatNothingWasSaved() {
            assertTrue(prune("--keep", 0.5).worked().err().contains("--output FILE"));
            assertEquals("", prune("--keep", 0.5, "--quiet").worked().err());
        }
    }

    @Nested
    class MaxLoss {
        @Test
        void takesTheSmallestSizeWithinIt() {
            Run run = prune("--max-loss", "2%", "--test", test, "--output", small, "--json")
                    .worked();
            Object chosen = run.json().get("chosen");
            assertTrue(number(chosen, "loss") <= 0.02 && number(chosen, "units") < 50, run.out());
            assertEquals(error(small, test), number(chosen, "error"));
            for (Object size : run.list("sizes")) {
                assertTrue(number(size, "units") >= number(chosen, "units") || number(size, "loss") > 0.02, run.out());
            }
        }

        @Test
        void isAShareOfTheErrorForNumbers() throws IOException {
            Path heights = Rings.write(
                    folder.resolve("heights.csv"),
                    "x,y,height",
                    ROWS,
                    i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + Rings.height(i));
            Path regression = folder.resolve("heights.bochner");
            Run.here(
                            "train",
                            heights,
                            "--task",
                            "regress",
                            "--kernel",
                            "gaussian(sigma=0.3)",
                            "--features",
                            100,
                            "--model",
                            regression)
                    .worked();
            Run run = Run.here("prune", regression, heights, "--max-loss", "50%", "--json")
                    .worked();
            Object whole = run.list("sizes").get(0);
            Object chosen = run.json().get("chosen");
            assertTrue(number(chosen, "units") < 50, run.out());
            assertEquals(number(chosen, "rmse") / number(whole, "rmse") - 1, number(chosen, "loss"), 1e-12);
            assertTrue(number(chosen, "loss") <= 0.5, run.out());
            Run text = Run.here("prune", regression, heights, "--keep", 0.5).worked();
            assertTrue(text.out().contains("rmse") && text.out().contains("+0.00%"), text.out());
        }
    }

    @Test
    void drawsErrorAndSpeed() throws IOException {
        Path svg = folder.resolve("sizes.svg");
        prune("--keep", 0.2, "--plot", svg).worked();
        String picture = Files.readString(svg);
        for (String text : List.of("projections kept", "error, percent", "speed of prediction", "chosen")) {
            assertTrue(picture.contains(text), text);
        }
    }

    @Test
    void namesTheKeysOfItsJson() {
        String help = Run.here("help", "prune").worked().out();
        for (Object key : prune("--keep", 0.5, "--json").worked().json().keySet()) {
            assertTrue(help.contains(key.toString()), () -> key + " is not in the help");
        }
    }

    @Nested
    class Refuses {
        @Test
        void dataOfOtherColumns() throws IOException {
            Path wide = Files.writeString(folder.resolve("wide.csv"), "x,y,z,where\n1,2,3,inner\n1,2,3,outer\n");
            Run.here("prune", model, wide, "--keep", 0.5).refused(Main.FAILED, "wide.csv:1", "'z'");
        }

        @Test
        void dataWithoutLabels() throws IOException {
            Path bare = Files.writeString(folder.resolve("bare.csv"), "x,y\n1,2\n2,1\n");
            Run.here("prune", model, bare, "--keep", 0.5).refused(Main.FAILED, "bare.csv", "no labels", "--labels");
            prune("--keep", 0.5, "--test", bare).refused(Main.FAILED, "bare.csv", "no labels", "--test-labels");
        }

        @Test
        void aClassThatTrainingDidNotHave() throws IOException {
            Path other = Files.writeString(
                    folder.resolve("other.csv"), "x,y,where\n0,0,inner\n1,1,outer\n0.5,0.5,middle\n1,0,outer\n");
            Run.here("prune", model, other, "--keep", 0.5, "--test", test).refused(Main.FAILED, "other.csv:4: ");
        }

        @Test
        void toReplaceWhatItReads() throws IOException {
            byte[] before = Files.readAllBytes(data);
            prune("--keep", 0.5, "--output", data).refused(Main.USAGE, "--output", "is also an input");
            prune("--keep", 0.5, "--test", test, "--output", test).refused(Main.USAGE, "is also an input");
            prune("--keep", 0.5, "--output", folder.resolve("./rings.bochner")).refused(Main.USAGE, "--output");
            assertArrayEquals(before, Files.readAllBytes(data));
        }

        @Test
        void modelsThatAreNone() {
            Run.here("prune", data, data, "--keep", 0.5).refused(Main.FAILED, "rings.csv");
            Run.here("prune", folder.resolve("nowhere"), data, "--keep", 0.5)
                    .refused(Main.FAILED, "nowhere", "no such model file");
        }
    }
}
