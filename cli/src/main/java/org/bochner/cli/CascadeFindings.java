package org.bochner.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.model.CascadeStage;
import org.bochner.model.Evaluation;
import org.jspecify.annotations.Nullable;

/** Prints the stages of a cascade: the rows that they decide, their errors and their times. */
final class CascadeFindings {
    private CascadeFindings() {}

    /** Returns a table with one line per stage, and one line for the cascade. */
    static String table(List<CascadeStage> stages) {
        boolean timed = stages.stream().noneMatch(stage -> Double.isNaN(stage.microseconds()));
        Table table = new Table();
        List<String> head =
                new ArrayList<>(List.of("stage", "features", "sure from", "decides", "error there", "error alone"));
        if (timed) {
            head.add("us per " + unit(stages));
        }
        table.line(head.toArray(String[]::new));
        for (int s = 0; s < stages.size(); s++) {
            CascadeStage stage = stages.get(s);
            List<String> line = new ArrayList<>(List.of(
                    (s + 1) + " " + name(stage),
                    Text.count(stage.model().map().outputDimension()),
                    s == stages.size() - 1 ? "-" : Text.of("%.4f", stage.threshold()),
                    percent(stage.share()),
                    percent(stage.error()),
                    percent(stage.errorAlone())));
            if (timed) {
                line.add(Text.of("%.2f", stage.microseconds()));
            }
            table.line(line.toArray(String[]::new));
        }
        List<String> whole = new ArrayList<>(List.of("cascade", "", "", percent(1), percent(error(stages)), ""));
        if (timed) {
            whole.add(Text.of("%.2f", microseconds(stages)));
        }
        table.line(whole.toArray(String[]::new));
        String last = Text.of(
                "The cascade needs %.1f%% of the time of its last stage. Times are those of blocks of %ss.%n",
                100 * relativeTime(stages), unit(stages));
        String slow = relativeTime(stages) > 1 ? "It is slower than the last stage alone, which has its error.\n" : "";
        return table + (timed ? last + slow : "");
    }

    /** Returns the table of test rows with its title; empty without test rows. */
    static String ofTest(@Nullable Evaluation evaluation) {
        return evaluation == null
                ? ""
                : Text.of("%nStages, on %s of the test:%n", Text.count(evaluation.rows(), unit(evaluation.stages())))
                        + table(evaluation.stages());
    }

    /** Returns the word for an object that the stages decide: row or set. */
    static String unit(List<CascadeStage> stages) {
        return stages.get(0).model().ofSets() ? "set" : "row";
    }

    private static String name(CascadeStage stage) {
        String kernel = stage.model().map().kernel().toString();
        return kernel.length() <= 40 ? kernel : kernel.substring(0, 37) + "...";
    }

    /** Returns the fields of a cascade for JSON. */
    static Map<String, @Nullable Object> json(List<CascadeStage> stages) {
        List<Map<String, @Nullable Object>> lines = new ArrayList<>();
        for (CascadeStage stage : stages) {
            Map<String, @Nullable Object> line = new LinkedHashMap<>();
            line.put("kernel", stage.model().map().kernel().toString());
            line.put("map", stage.model().training().map().toString());
            line.put("features", stage.model().map().outputDimension());
            line.put("scaling", stage.model().scaler().toString());
            line.put("learner", stage.model().training().fittedLearner().toString());
            line.put("threshold", stage.threshold());
            line.put("decided", stage.decided());
            line.put("share", known(stage.share()));
            line.put("error", known(stage.error()));
            line.put("errorAlone", known(stage.errorAlone()));
            line.put("microsecondsPerRow", known(stage.microseconds()));
            lines.add(line);
        }
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("rows", stages.get(0).rows());
        map.put("error", known(error(stages)));
        map.put("microsecondsPerRow", known(microseconds(stages)));
        map.put("relativeTime", known(relativeTime(stages)));
        map.put("stages", lines);
        return map;
    }

    private static double error(List<CascadeStage> stages) {
        return (double) stages.stream().mapToLong(CascadeStage::wrong).sum()
                / stages.get(0).rows();
    }

    /** Returns the mean time per row: each stage works for the rows that the stages before it leave. */
    private static double microseconds(List<CascadeStage> stages) {
        double total = 0;
        double left = 1;
        for (CascadeStage stage : stages) {
            total += left * stage.microseconds();
            left -= stage.share();
        }
        return total;
    }

    private static double relativeTime(List<CascadeStage> stages) {
        return microseconds(stages) / stages.get(stages.size() - 1).microseconds();
    }

    private static @Nullable Double known(double value) {
        return Double.isFinite(value) ? value : null;
    }

    private static String percent(double share) {
        return Double.isNaN(share) ? "-" : Text.of("%.2f%%", 100 * share);
    }
}
