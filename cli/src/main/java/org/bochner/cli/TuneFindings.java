package org.bochner.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelModel;
import org.bochner.model.TrainingReport;
import org.bochner.tune.TuningResult;
import org.jspecify.annotations.Nullable;

/**
 * The results of a search.
 *
 * @param classes true if the metric is a share of rows, printed in percent
 * @param again the command that trains the best machine again
 * @param evaluation evaluation of the model; null without test rows
 * @param heldOut true if the test rows are held out from the data
 * @param log the log of the search; null for none
 * @param matrix the file of the learned matrix; null if it was not written
 * @param model the file of the model; null if it was not saved
 */
record TuneFindings(
        Session session,
        TuningResult result,
        boolean classes,
        String again,
        @Nullable Evaluation evaluation,
        boolean heldOut,
        @Nullable Path log,
        @Nullable Path matrix,
        @Nullable Path model) {
    private static final String OPEN = "chosen";

    /** Returns a trial's number, or what it is compared as. */
    static String name(TuningResult.Trial trial) {
        return trial.isConstant() ? "constant" : trial.isLinear() ? "linear" : "trial " + trial.number();
    }

    /** Returns the error of a trial with its standard error. */
    static String error(boolean classes, TuningResult.Trial trial) {
        if (Double.isNaN(trial.error())) {
            return "-";
        }
        String error = Text.error(classes, trial.error());
        if (Double.isNaN(trial.standardError())) {
            return error;
        }
        return error + " ± "
                + (classes ? Text.of("%.2f", 100 * trial.standardError()) : Text.of("%.2g", trial.standardError()));
    }

    /** Returns the settings of a trial in one line. */
    static String machine(TuningResult.Trial trial) {
        if (trial.isConstant()) {
            return "constant";
        }
        return "kernel " + kernel(trial) + ", map " + map(trial) + ", scaling " + scaling(trial) + ", "
                + trial.learner() + (trial.method() == null ? "" : ", scales by " + trial.method());
    }

    private static String kernel(TuningResult.Trial trial) {
        return trial.kernel() == null ? OPEN : trial.kernel();
    }

    private static String map(TuningResult.Trial trial) {
        return trial.features() == 0 ? trial.map() : trial.map() + " (" + Text.count(trial.features()) + ")";
    }

    private static String scaling(TuningResult.Trial trial) {
        return trial.scaling() == null ? OPEN : trial.scaling();
    }

    String text() {
        Table table = new Table()
                .line(
                        "rank",
                        "trial",
                        result.metric(),
                        "of constant",
                        "rows",
                        "s",
                        "kernel",
                        "map",
                        "scaling",
                        "learner",
                        "scales by");
        int rank = 0;
        for (TuningResult.Trial trial : result.leaderboard()) {
            if (trial.failure() != null) {
                continue;
            }
            boolean constant = trial.isConstant();
            table.line(
                    Text.count(++rank) + (trial.equals(result.winner()) ? " *" : ""),
                    name(trial).replace("trial ", ""),
                    error(classes, trial),
                    Double.isNaN(trial.relative()) ? "-" : Text.of("%.4f", trial.relative()),
                    Text.count(trial.rows()),
                    Text.of("%.1f", trial.seconds()),
                    constant ? "-" : kernel(trial),
                    constant ? "-" : map(trial),
                    constant ? "-" : scaling(trial),
                    constant ? "-" : trial.learner(),
                    trial.method() == null ? "-" : trial.method());
        }
        TrainingReport report = result.trained().report();
        KernelModel trained = result.trained().model();
        Facts facts = new Facts()
                .add("rows", Text.count(report.rows()))
                .add(
                        "searched",
                        "%s in %.1f s: %s",
                        Text.count(result.trials(), "machine"),
                        result.searchSeconds(),
                        result.end())
                .add(
                        "best",
                        name(result.winner()) + ", " + result.metric() + " "
                                + error(classes, result.winner()) + " on "
                                + Text.count(result.winner().testedRows())
                                + " held-out rows")
                .add("gain", gain())
                .add("kernel", report.kernel())
                .add("map", report.map() + ", " + trained.map().outputDimension() + " features")
                .add("scaling", trained.scaler())
                .add("learner", report.learner())
                .add("trained", "%.1f s", result.trainSeconds());
        if (evaluation != null) {
            facts.add(heldOut ? "holdout" : "test", Results.headline(evaluation));
        }
        if (log != null) {
            facts.add("log", log);
        }
        if (matrix != null) {
            facts.add("matrix", matrix);
        }
        if (model != null) {
            facts.add("model", model);
        }
        return table.toString() + System.lineSeparator() + facts.add("again", again);
    }

    private String gain() {
        if (Double.isNaN(result.gainOverLinear())) {
            return "the linear model was not tested";
        }
        String difference = classes
                ? Text.of("%.2f ± %.2f points", 100 * result.gainOverLinear(), 100 * result.gainStandardError())
                : Text.of("%.4g ± %.2g", result.gainOverLinear(), result.gainStandardError());
        return difference + " below the linear model"
                + (result.beatsLinear() ? "" : ", which is not more than one standard error");
    }

    Map<String, Object> toMap() {
        TrainingReport report = result.trained().report();
        KernelModel trained = result.trained().model();
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("data", session.source().name());
        map.put("rows", report.rows());
        map.put("columns", session.source().columns());
        map.put("task", session.task());
        map.put("metric", result.metric());
        map.put("trials", result.trials());
        map.put("end", result.end());
        map.put("reusedTests", result.reusedTests());
        map.put("leaderboard", leaderboard());
        map.put("best", toMap(result.winner()));
        map.put("gainOverLinear", result.gainOverLinear());
        map.put("gainStandardError", result.gainStandardError());
        map.put("betterThanLinear", result.beatsLinear());
        map.put("kernel", report.kernel().toString());
        map.put("map", report.map().toString());
        map.put("features", trained.map().outputDimension());
        map.put("scaling", trained.scaler().scaling().toString());
        map.put("learner", report.learner().toString());
        map.put("lambda", report.chosen().lambda());
        Results.addTo(map, evaluation);
        map.put("seed", trained.training().seed().value());
        map.put("threads", session.workers().threads());
        map.put("readSeconds", session.readSeconds());
        map.put("searchSeconds", result.searchSeconds());
        map.put("trainSeconds", result.trainSeconds());
        map.put("peakMemoryBytes", Memory.peakBytes());
        map.put("log", log == null ? null : log.toString());
        map.put("matrix", matrix == null ? null : matrix.toString());
        map.put("model", model == null ? null : model.toString());
        map.put("again", again);
        map.put("notes", session.notes(result.notes()));
        return map;
    }

    private List<Map<String, Object>> leaderboard() {
        List<Map<String, Object>> lines = new ArrayList<>();
        for (TuningResult.Trial trial : result.leaderboard()) {
            Map<String, @Nullable Object> line = new LinkedHashMap<>();
            line.put("rank", trial.failure() == null ? lines.size() + 1 : null);
            line.putAll(toMap(trial));
            lines.add(line);
        }
        return lines;
    }

    private static Map<String, Object> toMap(TuningResult.Trial trial) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("trial", trial.number());
        map.put("kernel", trial.kernel());
        map.put("map", trial.isConstant() ? null : trial.map());
        map.put("features", trial.features() == 0 ? null : trial.features());
        map.put("scaling", trial.isConstant() ? null : trial.scaling());
        map.put("learner", trial.isConstant() ? null : trial.learner());
        map.put("method", trial.method());
        map.put("rows", trial.rows());
        map.put("testedRows", trial.testedRows());
        map.put("error", trial.error());
        map.put("standardError", trial.standardError());
        map.put("relative", trial.relative());
        map.put("seconds", trial.seconds());
        map.put("failure", trial.failure());
        return map;
    }
}
