package org.bochner.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelModel;
import org.bochner.model.TrainingReport;
import org.bochner.tune.TuningResult;
import org.jspecify.annotations.Nullable;

/**
 * The results of a search.
 *
 * @param classes true if the metric is a share of rows, printed in percent
 * @param again the command that trains the best machine again, or one for each member of an average
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
        List<String> again,
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
        return error(classes, trial.error(), trial.standardError());
    }

    private String error(double error, double standardError) {
        return error(classes, error, standardError);
    }

    private static String error(boolean classes, double error, double standardError) {
        if (Double.isNaN(error)) {
            return "-";
        }
        String text = Text.error(classes, error);
        if (Double.isNaN(standardError)) {
            return text;
        }
        return text + " ± " + (classes ? Text.of("%.2f", 100 * standardError) : Text.of("%.2g", standardError));
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
        TuningResult.Average average = result.average();
        if (average != null) {
            table.line(
                    Text.count(++rank) + " *",
                    "average",
                    error(average.error(), average.standardError()),
                    Double.isNaN(average.relative()) ? "-" : Text.of("%.4f", average.relative()),
                    Text.count(average.rows()),
                    "-",
                    "trials "
                            + average.members().stream()
                                    .map(member -> name(member.trial()).replace("trial ", ""))
                                    .collect(Collectors.joining(", ")),
                    "-",
                    "-",
                    "-",
                    "-");
        }
        for (TuningResult.Trial trial : result.leaderboard()) {
            if (trial.failure() != null) {
                continue;
            }
            boolean constant = trial.isConstant();
            table.line(
                    Text.count(++rank) + (average == null && trial.equals(result.winner()) ? " *" : ""),
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
                .add("gain", gain());
        if (average == null) {
            facts.add("kernel", report.kernel())
                    .add("map", report.map() + ", " + trained.map().outputDimension() + " features")
                    .add("scaling", trained.scaler())
                    .add("learner", report.learner());
        } else {
            facts.add(
                    "average",
                    "%s machines, %s %s on %s held-out rows; the best machine alone has %s on them",
                    Text.count(average.members().size()),
                    result.metric(),
                    error(average.error(), average.standardError()),
                    Text.count(average.testedRows()),
                    Text.error(classes, average.single()));
        }
        facts.add("trained", "%.1f s", result.trainSeconds());
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
        for (int m = 0; m < again.size(); m++) {
            facts.add(again.size() == 1 ? "again" : "again " + (m + 1), again.get(m));
        }
        return table.toString() + System.lineSeparator() + facts + MemberFindings.text(trained);
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
        TuningResult.Average average = result.average();
        map.put("average", average == null ? null : toMap(average));
        if (average == null) {
            map.put("kernel", report.kernel().toString());
            map.put("map", report.map().toString());
            map.put("features", trained.map().outputDimension());
            map.put("scaling", trained.scaler().scaling().toString());
            map.put("learner", report.learner().toString());
            map.put("lambda", report.chosen().lambda());
        }
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
        map.put("again", average == null ? again.get(0) : again);
        map.put("notes", session.notes(result.notes()));
        return map;
    }

    private Map<String, @Nullable Object> toMap(TuningResult.Average average) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("error", average.error());
        map.put("standardError", average.standardError());
        map.put("relative", average.relative());
        map.put("singleError", average.single());
        map.put("rows", average.rows());
        map.put("testedRows", average.testedRows());
        map.put(
                "trials",
                average.members().stream()
                        .map(member -> member.trial().number())
                        .toList());
        map.put("members", MemberFindings.json(result.trained().model().members()));
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
