package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bochner.base.Json;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Learners, their flags and the path along a penalty, as the command has them. */
class LearnersTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    private Path rings;

    @BeforeEach
    void writeRings() throws IOException {
        rings = Rings.csv(folder.resolve("rings.csv"), 400);
    }

    private Run train(Object... more) {
        Object[] arguments = new Object[more.length + 6];
        Object[] first = {"train", rings, "--holdout", 0.25, "--features", 60};
        System.arraycopy(first, 0, arguments, 0, first.length);
        System.arraycopy(more, 0, arguments, first.length, more.length);
        return Run.here(arguments);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ridge(lambda=0.1)",
                "svm(C=1)",
                "logistic(l1=0.01)",
                "group-lasso(lambda=0.5)",
                "softmax(l2=0.1)",
                "svm(C=1, loss=squared-hinge)",
                "svm(group=0.1)",
                "svr(l1=0.1)",
                "ridge(lambda=0.1, solver=cg)",
                "logistic(C=1, solver=stream)"
            })
    void everyLearnerTellsRingsApart(String learner) {
        Map<?, ?> result = train("--learner", learner, "--json").worked().json();
        assertTrue(number(result, "error") < 0.05, learner + ": " + result.get("error"));
        Map<?, ?> solver = (Map<?, ?>) Objects.requireNonNull(result.get("solver"));
        assertTrue((int) number(solver, "iterations") >= 1);
        assertTrue(Double.isFinite(number(solver, "objective")));
    }

    /** An array holds the inner products of 46,340 rows or features at most, whatever the memory is. */
    @Test
    void sparseRowsAndFeaturesTooManyForAMatrixAreLearnedByConjugateGradients() throws IOException {
        int count = 46_400;
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < count; i++) {
            int kind = i % 2;
            lines.append(kind).append(' ').append(1 + kind).append(":1 ").append(3 + (long) i * 7919 % count);
            lines.append(":1\n");
        }
        Path data = Files.writeString(folder.resolve("wide.libsvm"), lines);
        Run run = Run.here("train", data, "--kernel", "linear", "--scale", "none", "--task", "classify", "--test", data)
                .worked();
        String note = "ridge was solved by conjugate gradients, up to a relative residual of 0.01, because the inner"
                + " products of 46400 rows are more than the 2^31 numbers an array can hold; lambda was chosen on rows"
                + " set aside; --learner 'ridge(lambda=auto, tolerance=1e-4)' is closer";
        assertTrue(run.err().contains(note), run.err());
        assertTrue(run.out().contains("error 0.00%"), run.out());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--learner;ridge(lambda=-1)|lambda must be at least 0",
                "--learner;svm(C=0)|C must be above 0",
                "--learner;svm(l1=1, solver=dual)|l2 alone",
                "--learner;logistik|did you mean 'logistic'",
                "--learner;group-lasso(lambda=1, groups=[0:30, 20:60])|must not overlap",
                "--learner;group-lasso(lambda=1, groups=[0:30, 30:59])|feature 59 is in no group",
                "--class-weight;outer|CLASS=WEIGHT",
                "--class-weight;outer=heavy|must be a number",
                "--validation;1.5|strictly between 0 and 1",
                "--patience;3|--validation",
                "--memory;lots|such as 500M or 2G",
                "--unlabelled;x.csv|--pca",
                "--pca;0|1 or more",
                "--calibrate;plat|did you mean 'platt'",
            })
    void wrongUsageIsExplained(String flags, String part) {
        Object[] split = flags.split(";", -1);
        train(split).refused(2, part);
    }

    @Test
    void whatDataCannotDoIsExplained() {
        assertFails("tells classes apart", "--learner", "svm(C=1)", "--task", "regress", "--label", 0);
        train("--pca", 61).refused(2, "61 components were asked for, and there are 60");
        train("--class-weight", "outer=1e308").refused(2, "must lie strictly between");
        assertFails("has no class 'middle'", "--class-weight", "middle=2");
        Run.here("train", rings, "--learner", "logistic(l2=0)", "--kernel", "gaussian(sigma=0.3)", "--features", 400)
                .refused(1, "perfectly separable");
    }

    private void assertFails(String part, Object... flags) {
        train(flags).refused(1, part);
    }

    @Test
    void unlabelledRowsWithOtherColumnsAreRefused() throws IOException {
        Path other = Files.writeString(folder.resolve("other.csv"), "1,2,3,4\n5,6,7,8\n");
        train("--pca", 20, "--unlabelled", other).refused(1, "other.csv");
        train("--pca", 20, "--unlabelled", rings).worked();
    }

    @Test
    void aSolverThatDidNotConvergeSaysSoAndTheModelKnows() {
        Path model = folder.resolve("m.bochner");
        Run run = train("--learner", "svm(C=1000, iterations=2)", "--model", model)
                .worked();
        assertTrue(run.err().contains("did not converge"), run.err());
        String inspected = Run.here("inspect", model).worked().out();
        assertTrue(inspected.contains("the number of iterations was used up"), inspected);
    }

    @Test
    void monitoringIsALineAnIterationAndJsonLinesBeforeTheResult() throws IOException {
        Run text = train("--learner", "logistic(C=10)", "--validation", 0.2, "--monitor")
                .worked();
        assertTrue(text.err().contains("iteration 1: objective"), text.err());
        assertTrue(text.err().contains("validation error"), text.err());
        List<String> lines = train("--learner", "logistic(C=10)", "--validation", 0.2, "--monitor", "--json")
                .worked()
                .lines();
        assertTrue(lines.size() >= 2);
        for (int i = 0; i + 1 < lines.size(); i++) {
            Map<?, ?> line = object(lines.get(i));
            assertEquals(i + 1, (int) number(line, "iteration"));
            assertTrue(number(line, "validationError") >= 0);
        }
        assertTrue(object(lines.get(lines.size() - 1)).containsKey("error"));
    }

    /** Where a penalty is chosen on rows set aside and the model then learns from all rows, no rows are left to test on. */
    @Test
    void theLastFitIsNotTestedOnRowsThatItLearnsFrom() throws IOException {
        for (String learner : List.of("softmax", "logistic(l2=auto)")) {
            List<String> lines =
                    train("--learner", learner, "--monitor", "--json").worked().lines();
            String last = String.valueOf(object(lines.get(lines.size() - 2)).get("learner"));
            int tested = 0;
            for (String line : lines.subList(0, lines.size() - 1)) {
                Map<?, ?> iteration = object(line);
                boolean refit = last.equals(iteration.get("learner"));
                assertEquals(refit, iteration.get("validationError") == null, line);
                tested += refit ? 0 : 1;
            }
            assertTrue(tested > 0, "penalties are compared on rows set aside");
            List<String> asked = train("--learner", learner, "--validation", 0.2, "--monitor", "--json")
                    .worked()
                    .lines();
            assertTrue(number(object(asked.get(asked.size() - 2)), "validationError") >= 0);
        }
    }

    private static double number(Map<?, ?> object, String key) {
        return ((Number) Objects.requireNonNull(object.get(key), key)).doubleValue();
    }

    private static Map<?, ?> object(String line) throws IOException {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        return (Map<?, ?>) Objects.requireNonNull(Json.read(bytes, 0, bytes.length));
    }

    /** A process that is told to end while it solves ends with what it has. */
    @Test
    void anInterruptedSolverKeepsItsModel() throws IOException, InterruptedException {
        Path model = folder.resolve("kept.bochner");
        List<String> command = Run.commandLine(
                List.of(),
                "train",
                rings,
                "--features",
                200,
                "--learner",
                "svm(C=1e9, iterations=100000000, tolerance=1e-12)",
                "--monitor",
                "--json",
                "--model",
                model);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            assertTrue(object(Objects.requireNonNull(out.readLine())).containsKey("iteration"));
            // By its handle: the process itself would close its streams first.
            process.toHandle().destroy();
            // The rest must be read, or the process waits for its reader.
            String last = "";
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                last = line;
            }
            assertEquals(true, object(last).get("interrupted"), last);
            assertTrue(process.waitFor(1, TimeUnit.MINUTES));
        }
        String inspected = Run.here("inspect", model).worked().out();
        assertTrue(inspected.contains("interrupted"), inspected);
    }

    @Test
    void aStartTakesTheMapOver() {
        Path first = folder.resolve("first.bochner");
        Path second = folder.resolve("second.bochner");
        train("--learner", "logistic(C=1)", "--model", first, "--seed", 5).worked();
        Run again = train("--learner", "logistic(C=1)", "--start", first, "--model", second, "--seed", 5, "--json")
                .worked();
        Map<?, ?> solver = (Map<?, ?>) Objects.requireNonNull(again.json().get("solver"));
        assertTrue((int) number(solver, "iterations") <= 2, solver.toString());
        assertEquals(
                Run.here("predict", first, rings).worked().lines(),
                Run.here("predict", second, rings).worked().lines());
    }

    @Test
    void aStartRefusesFlagsThatTheModelContradicts() {
        Path first = folder.resolve("first.bochner");
        Path second = folder.resolve("second.bochner");
        train("--learner", "logistic(C=1)", "--kernel", "gaussian(sigma=0.4)", "--seed", 5, "--model", first)
                .worked();
        for (Object[] flag : new Object[][] {
            {"--kernel", "laplacian"},
            {"--kernel", "gaussian(sigma=3)"},
            {"--map", "orthogonal"},
            {"--scale", "min-max"},
            {"--seed", 7},
            {"--bandwidth", "median"}
        }) {
            train("--learner", "logistic(C=1)", "--start", first, flag[0], flag[1])
                    .refused(Main.USAGE, "--start " + first);
        }
        Run.here("train", rings, "--start", first, "--features", 500).refused(Main.USAGE, "is 60, not 500");
        train("--learner", "logistic(C=1)", "--start", first, "--model", second).worked();
        String inspected = Run.here("inspect", second).worked().out();
        assertTrue(inspected.matches("(?s).*kernel asked for +gaussian\\(sigma=0.4\\).*"), inspected);
        assertTrue(inspected.matches("(?s).*seed +5\\R.*"), inspected);
    }

    @Test
    void aStartRefusesColumnsInAnotherOrder() throws IOException {
        Path data = folder.resolve("ab.csv");
        Path swapped = folder.resolve("ba.csv");
        Path model = folder.resolve("ab.bochner");
        StringBuilder rows = new StringBuilder("a,b,y\n");
        for (int i = 0; i < 40; i++) {
            rows.append(i % 7).append(',').append(i % 5).append(i % 2 == 0 ? ",yes\n" : ",no\n");
        }
        Files.writeString(data, rows);
        Files.writeString(swapped, rows.toString().replace("a,b,y", "b,a,y"));
        Run.here("train", data, "--learner", "logistic(C=1)", "--model", model).worked();
        Run.here("train", data, "--learner", "logistic(C=1)", "--start", model).worked();
        Run.here("train", swapped, "--learner", "logistic(C=1)", "--start", model)
                .refused(Main.USAGE, "--start", "column 0 is 'b'", "'a'");
    }

    @Test
    void calibratedModelsPrintProbabilities() {
        Path model = folder.resolve("m.bochner");
        train("--calibrate", "platt(folds=3)", "--model", model).worked();
        assertTrue(Run.here("predict", model, rings, "--probabilities")
                .worked()
                .lines()
                .get(1)
                .contains(","));
        train("--learner", "logistic(C=1)", "--model", model).worked();
        assertTrue(Run.here("predict", model, rings, "--probabilities")
                .worked()
                .lines()
                .get(1)
                .contains(","));
    }

    @Test
    void thePathShowsErrorAndSize() {
        Path plot = folder.resolve("path.svg");
        Run text = Run.here(
                        "path",
                        rings,
                        "--holdout",
                        0.25,
                        "--features",
                        60,
                        "--learner",
                        "group-lasso",
                        "--steps",
                        6,
                        "--plot",
                        plot)
                .worked();
        assertEquals(7, text.lines().size(), text.out());
        assertTrue(text.lines().get(0).startsWith("lambda"), text.out());
        assertTrue(Files.exists(plot));
        Map<?, ?> json = Run.here(
                        "path",
                        rings,
                        "--holdout",
                        0.25,
                        "--features",
                        60,
                        "--learner",
                        "logistic(l1=auto)",
                        "--steps",
                        5,
                        "--json")
                .worked()
                .json();
        List<?> steps = (List<?>) Objects.requireNonNull(json.get("steps"));
        assertEquals(5, steps.size());
        assertEquals(0, (int) number((Map<?, ?>) steps.get(0), "nonZeroFeatures"));
        assertTrue(number((Map<?, ?>) steps.get(4), "error") < 0.5);
        Run.here("path", rings, "--learner", "lasso").refused(2, "--holdout");
    }

    @Test
    void timeBeforeTheFitIsForChoicesOnlyIfThereWereAny() {
        String given = train("--kernel", "gaussian(sigma=1)", "--learner", "ridge(lambda=1)")
                .worked()
                .out();
        assertTrue(given.contains("s to fit the scaling and the map"), given);
        String chosen = train("--learner", "ridge(lambda=1)").worked().out();
        assertTrue(chosen.contains("s to choose scaling, scales and map"), chosen);
    }

    @Test
    void notesHaveNumbersOfFewDigits() {
        String notes = train("--kernel", "gaussian(sigma=1)", "--learner", "ridge(lambda=1e-9)")
                .worked()
                .err();
        Matcher note = Pattern.compile("lambda=1E-9 is below (\\S+), where").matcher(notes);
        assertTrue(note.find(), notes);
        assertTrue(new BigDecimal(note.group(1)).stripTrailingZeros().precision() <= 4, notes);
    }

    /** A penalty that leaves no weight: the note and the table agree. */
    @ParameterizedTest
    @ValueSource(strings = {"svm(l1=1e300)", "svm(l1=1e3)", "logistic(l1=1e300)"})
    void aPenaltyThatLeavesNoWeightIsSaidToPredictAConstant(String learner) throws IOException {
        Path data = Rings.csv(folder.resolve("constant.csv"), 60);
        Run run = Run.here("train", data, "--kernel", "gaussian(sigma=1)", "--features", 30, "--learner", learner)
                .worked();
        assertTrue(run.out().contains("0 of 30 features have non-zero weights"), run.out());
        assertTrue(
                run.err().contains("0 of 15 projections have weights: the model predicts the same for every row"),
                run.err());
    }
}
