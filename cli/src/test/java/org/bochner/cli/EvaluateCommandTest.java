package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What evaluate prints of classes and numbers. */
class EvaluateCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    private Path model(Path data, Object... flags) {
        Path model = folder.resolve("m.bochner");
        Object[] all = new Object[flags.length + 6];
        System.arraycopy(new Object[] {"train", data, "--features", 16, "--model", model}, 0, all, 0, 6);
        System.arraycopy(flags, 0, all, 6, flags.length);
        Run.here(all).worked();
        return model;
    }

    @Test
    void classesHaveAConfusionMatrixThatAddsUp() throws IOException {
        Path rings = Rings.csv(folder.resolve("rings.csv"), 300);
        Path model = model(rings);
        Run run = Run.here("evaluate", model, rings, "--json").worked();
        double total = 0;
        double wrong = 0;
        for (Object pair : run.list("confusion")) {
            Map<?, ?> line = (Map<?, ?>) pair;
            double rows = Run.number(line, "rows");
            total += rows;
            wrong += Objects.equals(line.get("actual"), line.get("predicted")) ? 0 : rows;
        }
        assertEquals(300, total);
        assertEquals(run.number("error"), wrong / total, 1e-12);
        for (String key : List.of("auc", "macroRecall", "macroPrecision", "macroF1")) {
            assertTrue(run.number(key) > 0.5 && run.number(key) <= 1, key + " " + run.number(key));
        }
        Map<?, ?> inner = (Map<?, ?>) run.list("classes").get(0);
        double recall = Run.number(inner, "recall");
        double precision = Run.number(inner, "precision");
        assertEquals(2 * recall * precision / (recall + precision), Run.number(inner, "f1"), 1e-12);
        assertEquals(run.number("auc"), Run.number(inner, "auc"));
        String text = Run.here("evaluate", model, rings).worked().out();
        assertTrue(text.contains("actual \\ predicted  inner  outer"), text);
        assertTrue(text.contains("F1") && text.contains("AUC 0.9"), text);
    }

    @Test
    void timesARowOnRequest() throws IOException {
        Path rings = Rings.csv(folder.resolve("rings.csv"), 300);
        Path model = model(rings, "--kernel", "gaussian(sigma=1)");
        assertTrue(!Run.here("evaluate", model, rings, "--json").worked().out().contains("microsecondsPerRow"));
        double few =
                Run.here("evaluate", model, rings, "--time", "--json").worked().number("microsecondsPerRow");
        String text = Run.here("evaluate", model, rings, "--time").worked().out();
        assertTrue(text.contains("microseconds of CPU time per row"), text);
        Run.here("evaluate", model, "-", "--time").refused(Main.USAGE, "--time reads DATA twice");
        Path large = folder.resolve("large.bochner");
        Run.here("train", rings, "--kernel", "gaussian(sigma=1)", "--features", 1024, "--model", large)
                .worked();
        double many =
                Run.here("evaluate", large, rings, "--time", "--json").worked().number("microsecondsPerRow");
        assertTrue(few > 0 && few < many, few + " microseconds for 16 features, " + many + " for 1024");
    }

    @Test
    void numbersHaveASummaryOfResiduals() throws IOException {
        Path data = Rings.write(
                folder.resolve("heights.csv"),
                "x,y,height",
                200,
                i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + (5 + Rings.height(i)));
        Path model = model(data, "--task", "regress");
        Run run = Run.here("evaluate", model, data, "--json").worked();
        Map<?, ?> residuals = (Map<?, ?>) run.list("residuals").get(0);
        double mean = Run.number(residuals, "mean");
        double sd = Run.number(residuals, "standardDeviation");
        assertEquals(run.number("rmse"), Math.sqrt(mean * mean + sd * sd), 1e-9);
        double last = Double.NEGATIVE_INFINITY;
        for (String key : List.of("q05", "q25", "median", "q75", "q95", "maxAbsolute")) {
            double value = Run.number(residuals, key);
            assertTrue(value >= last, key);
            last = value;
        }
        assertTrue(Run.number(residuals, "mape") < 0.2);
        String text = Run.here("evaluate", model, data).worked().out();
        assertTrue(text.contains("residuals") && text.contains("height"), text);
    }
}
