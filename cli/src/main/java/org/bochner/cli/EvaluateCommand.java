package org.bochner.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.data.DataOptions;
import org.bochner.data.Labels;
import org.bochner.data.SurveyedSource;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelModel;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares a model's predictions with the labels of a file. */
@Command(
        name = "evaluate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Compare a model's predictions with the labels of a file.",
        customSynopsis = {
            "bochner evaluate MODEL DATA [--top K] [--intervals LEVEL,...] [--time]",
            "                        [--json] [OPTION]..."
        },
        description = {
            "",
            "For classification, prints the error, one line per class, the means over all classes, and the"
                    + " confusion matrix. Recall is the share of the rows of a class that are predicted as that class,"
                    + " precision the share of the rows predicted as a class that belong to it, F1 their harmonic"
                    + " mean, and AUC the area under the ROC curve of the class against all others. With more than 40"
                    + " classes, the 20 with the smallest recall are shown; with more than 20 classes, the 10 most"
                    + " confused pairs instead of the matrix. --json has all numbers. If the model has probabilities,"
                    + " one more line shows their log loss, Brier score and calibration error. If the calibration of the"
                    + " scores can change the order of the classes (quantile, platt, isotonic), two lines show the"
                    + " error, the top-5 error (or top-K, by --top) and the mean rank of the row's class, with and"
                    + " without the calibration. For a cascade, a second"
                    + " table has the rows that each stage decides, its error on them and on all rows, and the CPU time"
                    + " in which it predicts a row.",
            "",
            "For regression, prints rmse, mae, r2 and a summary of the residuals (actual - predicted): mean,"
                    + " standard deviation, quantiles, the largest absolute residual, and mape (the mean of |residual"
                    + " / actual|, if no actual number is 0).",
            "",
            "DATA is read once, as the training data were read. A row of a class that training did not have"
                    + " counts as a wrong prediction. AUC uses the weights of the rows; the other measures count each"
                    + " row once. AUC and quantiles are exact up to 2,097,152 residuals or scores (rows times classes;"
                    + " rows, for two classes); beyond that, values within 0.8%% of each other count as equal."
        })
final class EvaluateCommand extends Subcommand {
    @Parameters(index = "0", paramLabel = "MODEL", description = "A model that train saved.")
    @SuppressWarnings("NullAway.Init") // picocli fills it
    @Reads
    private String modelPath;

    @Parameters(index = "1", arity = "0..1", paramLabel = "DATA", description = "Rows with labels; - is stdin.")
    @Reads
    private @Nullable String data;

    @Option(
            names = "--top",
            paramLabel = "K",
            description = "Also report the top-K error: the share of rows whose class is not among the K most likely"
                    + " classes. The model must have more than K classes.")
    private int top = 1;

    @Option(
            names = "--time",
            description = "Also report the CPU time in which one thread predicts a row, for rows in memory. A cascade"
                    + " reports the times of its stages without this flag.")
    private boolean time;

    @Option(
            names = "--intervals",
            paramLabel = "LEVEL",
            split = ",",
            converter = Words.Levels.class,
            description =
                    "Also report how often intervals of these levels, such as 0.8,0.9,0.95, contain the actual number,"
                            + " and their mean width; for classes, how often sets contain the class, and their mean size. The model"
                            + " must be trained with --uncertainty.")
    private List<Double> levels = new ArrayList<>();

    @ArgGroup(validate = false, heading = ReadingFlags.HEADING)
    private ModelDataFlags dataFlags = new ModelDataFlags();

    @ArgGroup(validate = false, heading = RunFlags.HEADING)
    private ResultFlags run = new ResultFlags();

    @Override
    public Integer call() {
        DataOptions options = dataFlags.options(data);
        Workers workers = run.workers();
        if (top < 1) {
            throw new UsageException("--top must be at least 1, got " + top);
        }
        KernelModel model = dataFlags.load(platform(), modelPath, data);
        checkTop(model.labels());
        if (!levels.isEmpty()) {
            // Fails, before DATA is read, if the model has no uncertainty.
            double unused = Results.named(modelPath, model::highestLevel);
        }
        if (time && "-".equals(data)) {
            throw new UsageException("--time reads DATA twice; give a file instead of -");
        }
        Talk talk = talk(run);
        SurveyedSource source = dataFlags.open(platform(), model, options, talk);
        long start = System.nanoTime();
        Evaluation evaluation = Evaluation.of(
                model,
                source,
                workers,
                talk,
                top,
                levels.stream().mapToDouble(level -> level).toArray());
        double seconds = (System.nanoTime() - start) * 1e-9;
        boolean timed = time && evaluation.stages().isEmpty();
        double microseconds = timed ? Evaluation.microsecondsPerRow(model, source) : Double.NaN;
        talk.clear();
        talk.say(source.notes());
        Results.warn(model, levels, talk);
        if (run.json()) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("model", modelPath);
            map.put("data", source.name());
            map.putAll(evaluation.toMap());
            map.putAll(evaluation.details());
            if (!evaluation.stages().isEmpty()) {
                map.put("cascade", CascadeFindings.json(evaluation.stages()));
            }
            if (timed) {
                map.put("microsecondsPerRow", microseconds);
            }
            map.put("predictSeconds", seconds);
            map.put("peakMemoryBytes", Memory.peakBytes());
            printJson(map);
        } else {
            out().print(Results.table(evaluation));
            if (timed) {
                out().println();
                out().println(Text.of("%.3g microseconds of CPU time per row", microseconds));
            }
            if (!evaluation.stages().isEmpty()) {
                out().println();
                out().print(CascadeFindings.table(evaluation.stages()));
            }
        }
        return 0;
    }

    private void checkTop(Labels labels) {
        boolean given = given("--top") != null;
        if (given
                && top >= (labels instanceof Labels.Numbers ? 1 : 2)
                && !(labels instanceof Labels.Classes classes && classes.names().size() > top)) {
            throw new UsageException("--top " + top + ": "
                    + (labels instanceof Labels.Classes classes
                            ? "the model has only " + classes.names().size() + " classes"
                            : "the model predicts numbers, not classes"));
        }
    }
}
