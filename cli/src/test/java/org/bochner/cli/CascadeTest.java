package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cascades from the command line, of points of which a band is hard to tell apart by a line. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CascadeTest {
    private static final String STAGES = "linear, scale=standard | gaussian(sigma=0.2), features=60";

    private final Path folder;
    private final Path data;
    private final Path test;
    private final Path model;

    CascadeTest(@TempDir Path folder) {
        this.folder = folder;
        data = folder.resolve("points.csv");
        test = folder.resolve("test.csv");
        model = folder.resolve("cascade.bochner");
    }

    private static String line(int i) {
        boolean upper = Rings.x(i, 1) > 0.5 + 0.15 * Math.sin(9 * Rings.x(i, 0));
        return Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + (upper ? "up" : "down");
    }

    @BeforeAll
    void train() throws IOException {
        Rings.write(data, "x,y,side", 500, CascadeTest::line);
        Rings.write(test, "x,y,side", 200, i -> line(i + 500));
        Run.here("train", data, "--cascade", STAGES, "--max-loss", "1%", "--model", model)
                .worked();
    }

    private static Map<?, ?> cascade(Run run, String key) {
        return Run.object(run.json(), key);
    }

    private static List<?> stages(Map<?, ?> cascade) {
        return assertInstanceOf(List.class, cascade.get("stages"));
    }

    private static double number(@Nullable Object stage, String key) {
        return assertInstanceOf(Number.class, assertInstanceOf(Map.class, stage).get(key), key)
                .doubleValue();
    }

    @Test
    void trainReportsEachStage() {
        Run run = Run.here("train", data, "--cascade", STAGES, "--max-loss", "1%", "--test", test)
                .worked();
        assertTrue(run.out().contains("last stage  gaussian(sigma=0.2)"), run.out());
        assertTrue(run.out().contains("Stages, on 500 rows held out in training:"), run.out());
        assertTrue(run.out().contains("Stages, on 200 rows of the test:"), run.out());
        assertTrue(run.out().contains("1 linear "), run.out());
        assertTrue(run.out().contains("% of the time of its last stage."), run.out());

        Run json = Run.here("train", data, "--cascade", STAGES, "--max-loss", "1%", "--test", test, "--json")
                .worked();
        Map<?, ?> heldOut = cascade(json, "cascade");
        assertEquals(500, number(heldOut, "rows"));
        assertEquals(2, stages(heldOut).size());
        double share = 0;
        for (Object stage : stages(heldOut)) {
            share += number(stage, "share");
            assertTrue(number(stage, "microsecondsPerRow") > 0);
        }
        assertEquals(1, share, 1e-12);
        Map<?, ?> tested = cascade(json, "testCascade");
        assertEquals(200, number(tested, "rows"));
        assertEquals(json.number("error"), number(tested, "error"), 1e-12);
        assertTrue(number(tested, "relativeTime") > 0);
    }

    @Test
    void evaluateAndInspectShowTheStages() {
        Run run = Run.here("evaluate", model, test).worked();
        assertTrue(run.out().matches("(?s).*stage +features +sure from +decides.*us per row.*"), run.out());
        Run json = Run.here("evaluate", model, test, "--json").worked();
        assertEquals(json.number("error"), number(cascade(json, "cascade"), "error"), 1e-12);
        assertTrue(json.number("logLoss") > 0);

        Run inspected = Run.here("inspect", model).worked();
        assertTrue(inspected.out().contains("Counts of 500 held-out rows:"), inspected.out());
        assertFalse(inspected.out().contains("us per row"), inspected.out());
        Map<?, ?> cascade = cascade(Run.here("inspect", model, "--json").worked(), "cascade");
        assertEquals(
                "linear", assertInstanceOf(Map.class, stages(cascade).get(0)).get("kernel"));
        double threshold = number(stages(cascade).get(0), "threshold");
        assertTrue(threshold >= 0.5 && threshold <= 1, "threshold " + threshold);
        assertEquals(0, number(stages(cascade).get(1), "threshold"));
    }

    @Test
    void predictAndEvaluateAgree() throws IOException {
        List<String> predicted = Run.here("predict", model, test).worked().lines();
        List<String> lines = Files.readAllLines(test);
        int header = predicted.size() - 200;
        long wrong = 0;
        for (int i = 0; i < 200; i++) {
            wrong += lines.get(i + 1).endsWith("," + predicted.get(i + header)) ? 0 : 1;
        }
        Run evaluated = Run.here("evaluate", model, test, "--json").worked();
        assertEquals(evaluated.number("error"), wrong / 200.0, 1e-12);
        Run probabilities = Run.here("predict", model, test, "--probabilities").worked();
        assertTrue(probabilities.out().contains("up"), probabilities.out());
    }

    @Test
    void autoChoosesTheStages() {
        Map<?, ?> cascade = cascade(
                Run.here("train", data, "--cascade", "auto", "--features", 100, "--json")
                        .worked(),
                "cascade");
        Object last = stages(cascade).get(stages(cascade).size() - 1);
        assertTrue(
                String.valueOf(assertInstanceOf(Map.class, last).get("kernel")).startsWith("gaussian"));
        assertEquals(100, number(last, "features"));
    }

    @Test
    void autoAvoidsKernelsThatTheScalingExcludes() {
        Run run = Run.here("train", data, "--cascade", "auto", "--scale", "standard", "--features", 50, "--json")
                .worked();
        assertTrue(String.valueOf(run.json().get("kernel")).startsWith("gaussian"), run.out());
    }

    @Test
    void savedModelsBecomeACascade() {
        Path first = folder.resolve("first.bochner");
        Path last = folder.resolve("last.bochner");
        Path both = folder.resolve("both.bochner");
        Run.here("train", data, "--kernel", "linear", "--scale", "standard", "--model", first)
                .worked();
        Run.here("train", data, "--kernel", "gaussian(sigma=0.2)", "--features", 60, "--model", last)
                .worked();
        Run run = Run.here("train", test, "--stage", first, "--stage", last, "--model", both, "--json")
                .worked();
        assertEquals(200, number(cascade(run, "cascade"), "rows"));
        assertEquals(2, stages(cascade(run, "cascade")).size());
        Run evaluated = Run.here("evaluate", both, data, "--json").worked();
        Run alone = Run.here("evaluate", last, data, "--json").worked();
        assertEquals(
                alone.number("error"),
                number(stages(cascade(evaluated, "cascade")).get(1), "errorAlone"),
                1e-12);
        Run text = Run.here("train", test, "--stage", first, "--stage", last, "--holdout", 0.3)
                .worked();
        assertTrue(text.out().contains("of the test:"), text.out());
    }

    @Test
    void savedModelsThatDisagree() throws IOException {
        Path first = folder.resolve("other.bochner");
        Path none = folder.resolve("nothing.bochner");
        Path renamed = folder.resolve("renamed.csv");
        Files.writeString(renamed, Files.readString(data).replace("up", "above"));
        Run.here("train", renamed, "--kernel", "linear", "--model", first).worked();
        Path last = folder.resolve("known.bochner");
        Run.here("train", data, "--kernel", "linear", "--model", last).worked();
        Run run = Run.here("train", test, "--stage", first, "--stage", last, "--model", none);
        assertEquals(1, run.code(), run.err());
        assertTrue(run.err().contains("stage 1 of the cascade has other classes than the last stage"), run.err());
        assertTrue(run.err().contains("train all stages on the same data"), run.err());
        assertFalse(Files.exists(none));
        assertEquals(2, Run.here("train", test, "--stage", first).code());
        assertEquals(
                2,
                Run.here("train", test, "--stage", first, "--stage", last, "--learner", "svm")
                        .code());
        assertEquals(
                2,
                Run.here("train", test, "--stage", first, "--stage", last, "--model", last)
                        .code());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--balanced",
                "--class-weight=up=2",
                "--kernel=linear",
                "--learner=svm",
                "--bandwidth=median",
                "--map=auto",
                "--precision=double",
                "--validation=0.1",
                "--memory=1G",
                "--cascade=auto",
                "--calibrate=platt",
                "--monitor",
                "--seed=3"
            })
    void flagsWithoutEffectOnSavedModels(String flag) {
        Run run = Run.here("train", test, "--stage", model, "--stage", model, flag);
        assertEquals(2, run.code(), run.err());
        int value = flag.indexOf('=');
        assertTrue(run.err().contains(value < 0 ? flag : flag.substring(0, value)), run.err());
    }

    @Test
    void seedOfSavedModelsDeterminesTheRowsThatAreHeldOut() {
        Path first = folder.resolve("seed-first.bochner");
        Path last = folder.resolve("seed-last.bochner");
        Run.here("train", data, "--kernel", "linear", "--model", first).worked();
        Run.here("train", data, "--kernel", "gaussian(sigma=0.2)", "--features", 60, "--model", last)
                .worked();
        Run.here("train", test, "--stage", first, "--stage", last, "--holdout", 0.3, "--seed", 3)
                .worked();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "linear; needs at least two stages",
                "linear | ; a stage has no kernel",
                "linear | gausian; gaussian",
                "linear | gaussian, colour=red; colour",
                "linear | gaussian, features=many; features must be a whole number",
                "linear | gaussian, features=0; features must be at least 1",
                "linear | gaussian, map=fourrier; fourier",
                "linear | gaussian, learner=svn; svm",
                "linear | gaussian, map=; needs one value for map",
                "linear | gaussian(; bracket"
            })
    void wrongStages(String stages, String message) {
        Path none = folder.resolve("none.bochner");
        Run run = Run.here("train", data, "--cascade", stages, "--model", none);
        assertEquals(2, run.code(), run.err());
        assertTrue(run.err().contains(message), run.err());
        assertFalse(Files.exists(none));
    }

    @Test
    void flagsThatExcludeACascade() {
        for (String flag : List.of("--kernel=linear", "--start=" + model, "--pca=3", "--landmarks=" + data)) {
            Run run = Run.here("train", data, "--cascade", "auto", flag);
            assertEquals(2, run.code(), run.err());
            assertTrue(run.err().contains("exclude each other"), run.err());
        }
        assertEquals(2, Run.here("train", data, "--max-loss", "1%").code());
        assertEquals(
                2,
                Run.here("train", data, "--cascade", "auto", "--max-loss", "1").code());
    }

    @Test
    void whatACascadeCannotDo() {
        Run regress = Run.here("train", data, "--label", "y", "--ignore", "side", "--cascade", STAGES);
        assertEquals(1, regress.code(), regress.err());
        assertTrue(regress.err().contains("a cascade predicts classes"), regress.err());
        Run pruned = Run.here("prune", model, data, "--keep", 0.5);
        assertEquals(1, pruned.code());
        assertTrue(pruned.err().contains("this model is a cascade of 2 stages"), pruned.err());
        Run transformed = Run.here("transform", data, "--model", model, "--output", folder.resolve("t.csv"));
        assertEquals(2, transformed.code());
        assertTrue(transformed.err().contains("is a cascade"), transformed.err());
        assertEquals(2, Run.here("train", data, "--start", model).code());
    }
}
