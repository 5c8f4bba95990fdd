package org.bochner.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.base.Note;
import org.bochner.model.CrossValidation;
import org.bochner.model.KernelMachine;
import org.bochner.random.Seed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Estimates the error of a machine by cross-validation. */
@Command(
        name = "cv",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Estimate the error on new rows by k-fold cross-validation.",
        customSynopsis = {
            "bochner cv DATA [--folds K] [--repeats R] [--group COLUMN]",
            "                  [--kernel K] [--map M] [--features D] [--scale S]",
            "                  [--learner L] [--json] [OPTION]..."
        },
        description = {
            "",
            "Divides the rows into K folds, and tests on each fold a model that was trained on the other"
                    + " folds. Scaling, bandwidths, map and penalty are chosen again for each fold, from its training"
                    + " rows alone. Only the categories of text columns, and the means of --missing mean, come from"
                    + " the whole file. No model is saved. The flags for kernel, map, scaling and learner are those of"
                    + " train.",
            "",
            "Prints one line per fold, the mean error of the folds, and its standard error: the standard"
                    + " deviation of the K errors divided by sqrt(K). With --repeats, the variance is averaged over"
                    + " the repeats. Repeats test on the same rows again; they make the standard error more stable but"
                    + " not smaller. For classification, the binomial standard error sqrt(e (1 - e) / rows) is printed"
                    + " too. Both standard errors are approximate, because the training sets overlap.",
            "",
            "A hash of the seed and the row number (or the group) determines the fold of a row. Folds are"
                    + " not stratified by class: if a class has few rows, a fold may have none of them."
        })
final class CvCommand extends MachineCommand {
    @Option(names = "--folds", paramLabel = "K", description = "Number of folds. [default: 5]")
    private int folds = 5;

    @Option(
            names = "--repeats",
            paramLabel = "R",
            description = "Number of times the rows are divided into folds, each time differently. [default: 1]")
    private int repeats = 1;

    @Override
    public Integer call() {
        requireAtLeast("--folds", folds, 2);
        requireAtLeast("--repeats", repeats, 1);
        Session session = open(null);
        List<Note> notes = CrossValidation.notes(session.source(), folds);
        session.talk().say(notes);
        KernelMachine machine = machine(session.source());
        long start = System.nanoTime();
        CrossValidation result = UsageException.orUsage(() -> CrossValidation.of(
                machine,
                session.source(),
                folds,
                repeats,
                new Seed(machineFlags().seed()),
                session.workers(),
                session.talk()));
        double seconds = (System.nanoTime() - start) * 1e-9;
        session.talk().clear();
        if (run().json()) {
            printJson(toMap(session, result, seconds, notes));
        } else {
            out().print(text(session.classes(), result));
        }
        return Main.WORKED;
    }

    private static String text(boolean classes, CrossValidation result) {
        Table table = new Table().line("fold", "trained on", "tested on", classes ? "error" : "rmse");
        for (CrossValidation.Fold fold : result.results()) {
            table.line(
                    (result.repeats() > 1 ? (fold.repeat() + 1) + "." : "") + (fold.fold() + 1),
                    Text.count(fold.trainRows()),
                    Text.count(fold.testRows()),
                    Text.error(classes, fold.errorOrRmse()));
        }
        String binomial = classes ? " (binomial " + Text.error(true, result.binomialStandardError()) + ")" : "";
        Facts facts = new Facts()
                .add(classes ? "error" : "rmse", Text.error(classes, result.errorOrRmse()))
                .add("standard error", Text.error(classes, result.standardError()) + binomial);
        if (!classes) {
            facts.add("mae", "%.5g", result.mae()).add("r2", "%.4f", result.r2());
        }
        return table.toString() + facts;
    }

    private Map<String, Object> toMap(Session session, CrossValidation result, double seconds, List<Note> notes) {
        boolean classes = session.classes();
        String scale = machineFlags().scale();
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("data", session.source().name());
        map.put("rows", result.rows());
        map.put("columns", session.source().columns());
        map.put("task", session.task());
        map.put("kernel", machineFlags().kernel());
        map.put("map", machineFlags().map());
        map.put("learner", learningFlags().learner().toString());
        map.put("scaling", scale == null ? "auto" : scale);
        map.put("seed", machineFlags().seed());
        map.put("folds", folds);
        map.put("repeats", repeats);
        List<Map<String, Object>> lines = new ArrayList<>();
        for (CrossValidation.Fold fold : result.results()) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("repeat", fold.repeat() + 1);
            line.put("fold", fold.fold() + 1);
            line.put("trainRows", fold.trainRows());
            line.put("testRows", fold.testRows());
            putErrors(line, classes, fold.errorOrRmse(), fold.mae(), fold.r2());
            lines.add(line);
        }
        map.put("results", lines);
        putErrors(map, classes, result.errorOrRmse(), result.mae(), result.r2());
        map.put("standardDeviation", result.standardDeviation());
        map.put("standardError", result.standardError());
        if (classes) {
            map.put("binomialStandardError", result.binomialStandardError());
        }
        map.put("threads", session.workers().threads());
        map.put("seconds", seconds);
        map.put("peakMemoryBytes", Memory.peakBytes());
        map.put("notes", session.notes(notes));
        return map;
    }

    private static void putErrors(Map<String, Object> map, boolean classes, double error, double mae, double r2) {
        map.put(classes ? "error" : "rmse", error);
        if (!classes) {
            map.put("mae", mae);
            map.put("r2", r2);
        }
    }
}
