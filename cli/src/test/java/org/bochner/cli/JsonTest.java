package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What scripts rely on: the keys of the JSON objects, and what they mean. */
class JsonTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    private static void assertTimesAndMemory(Run run) {
        double fit = run.number("fitSeconds");
        for (String part : List.of("mapSeconds", "gramSeconds", "solveSeconds")) {
            double seconds = run.number(part);
            assertTrue(seconds >= 0 && seconds <= fit, () -> part + " " + seconds + " of " + fit);
        }
        assertTrue(run.number("readSeconds") >= 0);
        assertTrue(run.number("peakMemoryBytes") > 1e6, run.out());
        assertTrue(run.number("memoryNeededBytes") > 0, run.out());
    }

    @Test
    void ofTrainingOnClasses() {
        Path model = folder.resolve("m.bochner");
        Run run = Run.here(
                        "train",
                        Run.DIGITS,
                        "--holdout",
                        0.2,
                        "--scale",
                        "none",
                        "--features",
                        200,
                        "--model",
                        model,
                        "--json")
                .worked();
        assertEquals(1797, run.number("rows") + run.number("testRows"));
        assertEquals(64, run.number("columns"));
        assertEquals(200, run.number("features"));
        assertEquals("classify", run.json().get("task"));
        assertEquals(10, run.list("classes").size());
        // 200 features of the digits err on some 3%; one in ten is the answer of nobody who has learned.
        assertTrue(run.number("error") < 0.1, run.out());
        assertEquals(1, run.number("error") + run.number("accuracy"), 1e-12);
        assertEquals(model.toString(), run.json().get("model"));
        assertTrue(run.number("lambda") > 0);
        assertTrue(run.list("lambdaPath").size() > 1, run.out());
        assertTimesAndMemory(run);
    }

    @Test
    void ofTrainingAndEvaluatingOnNumbers() throws IOException {
        Path model = folder.resolve("m.bochner");
        Path data = Rings.write(
                folder.resolve("heights.csv"),
                "x,y,height",
                200,
                i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + Rings.height(i));
        Run run = Run.here("train", data, "--test", data, "--features", 20, "--model", model, "--json")
                .worked();
        assertEquals("regress", run.json().get("task"));
        assertTrue(run.number("rmse") > 0 && run.number("mae") > 0 && run.number("r2") <= 1, run.out());
        assertTimesAndMemory(run);
        Run evaluated = Run.here("evaluate", model, data, "--json").worked();
        assertEquals(run.number("rmse"), evaluated.number("rmse"));
        assertEquals(200, evaluated.number("rows"));
        assertTrue(evaluated.number("predictSeconds") >= 0 && evaluated.number("peakMemoryBytes") > 1e6);
    }

    @Test
    void ofEvaluatingClassesTellsEachOfThem() throws IOException {
        Path model = folder.resolve("m.bochner");
        Path data = Rings.csv(folder.resolve("rings.csv"), 200);
        Run.here("train", data, "--features", 40, "--model", model).worked();
        Run run = Run.here("evaluate", model, data, "--json").worked();
        assertEquals(2, run.list("classes").size());
        double rows = 0;
        for (Object line : run.list("classes")) {
            Map<?, ?> score = (Map<?, ?>) line;
            assertEquals(List.of("class", "rows", "recall", "precision", "f1", "auc"), List.copyOf(score.keySet()));
            rows += ((Number) score.values().toArray()[1]).doubleValue();
        }
        assertEquals(200, rows);
    }

    @Test
    void ofAnErrorMeasurementHasAReportForEachSize() {
        Run run = Run.here("error", "--domain", "0:1", "--columns", 3, "--kernel", "gaussian(sigma=1)", "--json")
                .worked();
        assertEquals("gaussian(sigma=1)", run.json().get("kernel"));
        assertEquals(6, run.list("reports").size());
    }
}
