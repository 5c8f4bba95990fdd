package org.bochner.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.bochner.base.Escape;
import org.bochner.base.Note;
import org.bochner.data.DataFiles;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Labels;
import org.bochner.model.CrossValidation;
import org.bochner.model.KernelMachine;
import org.bochner.numeric.LinearAlgebra;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Estimates the error of a machine by cross-validation. */
@Command(
        name = "cv",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Estimate the error of a machine by cross-validation.",
        customSynopsis = {
            "bochner cv DATA [--folds K] [--repeats R] [--group COLUMN]",
            "                  [--kernel K] [--map M] [--features D] [--scale S]",
            "                  [--learner L] [--json] [OPTION]..."
        },
        description = {
            "",
            "Divides the rows into K folds, and tests on each fold a model that was trained on all others. The scaling,"
                    + " bandwidths, the map and the penalty are found anew for every fold, from its training rows alone."
                    + " Only the categories of text columns, and the means that --missing mean fills in, come from the"
                    + " whole file. No model is saved. The machine is described by the flags of train.",
            "",
            "Prints one line per fold, the mean error of the folds, and its standard error: the standard deviation of the"
                    + " K errors divided by sqrt(K). With repeats, the variance is averaged over them: repeats test on the"
                    + " same rows again, and make the standard error steadier but not smaller. For classes, the binomial"
                    + " standard error sqrt(e (1 - e) / rows) stands beside it. Training sets overlap; both are"
                    + " approximate.",
            "",
            "A hash of the seed and the row number, or the group, decides which fold a row is in. Folds are not stratified"
                    + " by class: with few rows of a class, a fold may have none."
        },
        footerHeading = "%nJSON%n",
        footer = {
            "  data, rows, columns, task, kernel, map, learner, scaling, seed, folds, repeats;",
            "  results: [{repeat, fold, trainRows, testRows, error, or rmse, mae and r2}], both",
            "  counted from 1; the means error (a fraction), or rmse, mae and r2;",
            "  standardDeviation, standardError, for classes binomialStandardError; threads,",
            "  seconds, peakMemoryBytes, notes.",
            "",
            "Examples",
            "  bochner cv digits.csv",
            "  bochner cv digits.csv --folds 10 --repeats 3 --learner 'svm(C=1)'",
            "  bochner cv visits.csv --group patient --label outcome --json"
        })
final class CvCommand extends Subcommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "DATA",
            description =
                    "LIBSVM, CSV, NPY, NPZ or IDX file, compressed or not; - is stdin, which is copied to a temporary file.")
    @Reads
    private @Nullable String data;

    @Option(names = "--folds", paramLabel = "K", description = "Number of folds. [default: 5]")
    private int folds = 5;

    @Option(
            names = "--repeats",
            paramLabel = "R",
            description = "Number of times the rows are divided into folds, each time differently. [default: 1]")
    private int repeats = 1;

    @ArgGroup(validate = false, heading = MachineFlags.HEADING)
    private MachineFlags machineFlags = new MachineFlags();

    @ArgGroup(validate = false, heading = LearningFlags.HEADING)
    private LearningFlags learningFlags = new LearningFlags();

    @ArgGroup(validate = false, heading = ReadingFlags.HEADING)
    private DataFlags dataFlags = new DataFlags();

    @ArgGroup(validate = false, heading = RunFlags.HEADING)
    private ResultFlags run = new ResultFlags();

    @Override
    public Integer call() {
        DataOptions options = machineFlags.reading(dataFlags.options(data));
        Workers workers = run.workers();
        if (folds < 2) {
            throw new UsageException("--folds must be at least 2, got " + folds);
        }
        if (repeats < 1) {
            throw new UsageException("--repeats must be at least 1, got " + repeats);
        }
        learningFlags.apply(machineFlags.before(options)).requireMemory(workers);
        Talk talk = talk(run);
        LinearAlgebra.preload();
        FileSource source = DataFiles.open(options);
        TrainCommand.say(source, talk);
        List<Note> notes = notes(source);
        notes.forEach(talk::say);
        KernelMachine machine = learningFlags.apply(machineFlags.automatic(source));
        long start = System.nanoTime();
        CrossValidation result = UsageException.orUsage(() ->
                CrossValidation.of(machine, source, folds, repeats, new Seed(machineFlags.seed()), workers, talk));
        double seconds = (System.nanoTime() - start) * 1e-9;
        talk.clear();
        if (run.json()) {
            printJson(toMap(source, result, workers, seconds, notes));
        } else {
            out().print(text(source, result));
        }
        return Main.WORKED;
    }

    /** What should be known of the folds before their errors are believed. */
    private List<Note> notes(FileSource source) {
        List<Long> counts = source.classCounts();
        long few = counts.stream().filter(rows -> rows < 2L * folds).count();
        if (few == 0 || !(source.labels() instanceof Labels.Classes classes)) {
            return List.of();
        }
        long least = Collections.min(counts);
        return List.of(new Note(
                Note.Kind.DATA,
                String.format(
                        Locale.ROOT,
                        "%,d class%s fewer than %d rows for %d folds ('%s' has %,d); a fold may train or test without rows of one of these classes",
                        few,
                        few == 1 ? " has" : "es have",
                        2 * folds,
                        folds,
                        Escape.line(classes.names().get(counts.indexOf(least))),
                        least)));
    }

    private static String text(FileSource source, CrossValidation result) {
        boolean classes = source.labels() instanceof Labels.Classes;
        Table table = new Table();
        table.line("fold", "trained on", "tested on", classes ? "error" : "rmse");
        for (CrossValidation.Fold fold : result.results()) {
            table.line(
                    (result.repeats() > 1 ? (fold.repeat() + 1) + "." : "") + (fold.fold() + 1),
                    String.format(Locale.ROOT, "%,d", fold.trainRows()),
                    String.format(Locale.ROOT, "%,d", fold.testRows()),
                    shown(classes, fold.error()));
        }
        Facts facts = new Facts();
        facts.add(classes ? "error" : "rmse", shown(classes, result.error()));
        facts.add(
                "standard error",
                shown(classes, result.standardError())
                        + (classes ? " (binomial " + shown(true, result.binomialStandardError()) + ")" : ""));
        if (!classes) {
            facts.add("mae", shown(false, result.mae()));
            facts.add("r2", String.format(Locale.ROOT, "%.4f", result.r2()));
        }
        return table.toString() + facts;
    }

    private static String shown(boolean classes, double error) {
        return classes ? String.format(Locale.ROOT, "%.2f%%", 100 * error) : String.format(Locale.ROOT, "%.5g", error);
    }

    private Map<String, Object> toMap(
            FileSource source, CrossValidation result, Workers workers, double seconds, List<Note> notes) {
        boolean classes = source.labels() instanceof Labels.Classes;
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("data", source.name());
        map.put("rows", result.rows());
        map.put("columns", source.columns());
        map.put("task", classes ? "classify" : "regress");
        map.put("kernel", machineFlags.kernel());
        map.put("map", machineFlags.map());
        map.put("learner", learningFlags.learner().toString());
        map.put("scaling", machineFlags.scale() == null ? "auto" : machineFlags.scale());
        map.put("seed", machineFlags.seed());
        map.put("folds", folds);
        map.put("repeats", repeats);
        List<Map<String, Object>> lines = new ArrayList<>();
        for (CrossValidation.Fold fold : result.results()) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("repeat", fold.repeat() + 1);
            line.put("fold", fold.fold() + 1);
            line.put("trainRows", fold.trainRows());
            line.put("testRows", fold.testRows());
            putErrors(line, classes, fold.error(), fold.mae(), fold.r2());
            lines.add(line);
        }
        map.put("results", lines);
        putErrors(map, classes, result.error(), result.mae(), result.r2());
        map.put("standardDeviation", result.standardDeviation());
        map.put("standardError", result.standardError());
        if (classes) {
            map.put("binomialStandardError", result.binomialStandardError());
        }
        map.put("threads", workers.threads());
        map.put("seconds", seconds);
        map.put("peakMemoryBytes", Memory.peakBytes());
        map.put("notes", SettingFlags.texts(TrainCommand.notes(source, notes)));
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
