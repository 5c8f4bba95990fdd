package org.bochner.cli;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import org.bochner.base.AtomicFile;
import org.bochner.data.DataOptions;
import org.bochner.data.Encoding;
import org.bochner.data.SurveyedSource;
import org.bochner.model.KernelModel;
import org.bochner.model.PredictionWriter;
import org.bochner.model.Progress;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Predicts every row of a file. */
@Command(
        name = "predict",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Predict every row of a file.",
        customSynopsis = {
            "bochner predict MODEL DATA [--scores | --probabilities | --intervals LEVEL]",
            "                       [--copy COLUMN,...] [--output FILE] [OPTION]..."
        },
        description = {
            "",
            "Prints one line per row: the class or the number; several numbers are separated by commas. A model that was"
                    + " trained with --set prints one line per set, as CSV with a header and the id of the set first."
                    + " Control characters in class names are escaped as \\n and \\t. DATA is read once, as the"
                    + " training data were read, and may be a pipe. Labels in DATA are ignored.",
            "",
            "With --scores, --probabilities, --intervals or --copy the output is CSV with a header. The name of FILE sets the format"
                    + " too: .csv and .tsv are tables with a header, .ndjson and .jsonl have one JSON object per row."
        })
final class PredictCommand extends Subcommand {
    @Parameters(index = "0", paramLabel = "MODEL", description = "A model that train saved.")
    @SuppressWarnings("NullAway.Init") // picocli fills it
    @Reads
    private String modelPath;

    @Parameters(index = "1", arity = "0..1", paramLabel = "DATA", description = "The rows; - is stdin.")
    @Reads
    private @Nullable String data;

    @Option(
            names = "--scores",
            description =
                    "Print scores instead of predictions: one per class, separated by commas, after a line of class"
                            + " names. Two classes have one score, which is positive for the second class; only its"
                            + " name is printed.")
    private boolean scores;

    @Option(
            names = "--probabilities",
            description =
                    "Print probabilities instead of predictions: one per class, in the order of inspect, separated"
                            + " by commas, after a line of class names. The predicted class has the largest"
                            + " probability.")
    private boolean probabilities;

    @Option(
            names = "--intervals",
            paramLabel = "LEVEL",
            converter = Words.Levels.class,
            description =
                    "Print an interval beside each number, in the columns lower and upper: it contains the actual number"
                            + " with the probability LEVEL, such as 0.9. For classes, print a set of classes that contains the"
                            + " actual class with this probability. The model must be trained with --uncertainty.")
    private @Nullable Double level;

    @Option(
            names = "--copy",
            paramLabel = "COLUMN",
            split = ",",
            description = "Copy these columns of DATA, by name or index, to the start of each line. They may be columns"
                    + " that the training data did not have.")
    private List<String> copied = new ArrayList<>();

    @Option(
            names = "--digits",
            paramLabel = "N",
            description = "Print numbers with at most N significant digits. [default: 6 for probabilities; for other"
                    + " numbers, as many as needed to read them back unchanged]")
    private @Nullable Integer digits;

    @Option(names = "--no-header", description = "Leave out the line of column names.")
    private boolean headless;

    @Option(names = "--output", paramLabel = "FILE", description = "Write to this file instead of stdout.")
    @Writes
    private @Nullable String output;

    @ArgGroup(validate = false, heading = ReadingFlags.HEADING)
    private ModelDataFlags dataFlags = new ModelDataFlags();

    @ArgGroup(validate = false, heading = RunFlags.HEADING)
    private RunFlags run = new RunFlags();

    @Override
    public Integer call() {
        DataOptions options = dataFlags.options(data);
        Workers workers = run.workers();
        if (scores && probabilities) {
            throw new UsageException("give either --scores or --probabilities, not both");
        }
        if (level != null && (scores || probabilities)) {
            throw new UsageException(
                    "--intervals stands beside predictions; remove " + (scores ? "--scores" : "--probabilities"));
        }
        if (digits != null && digits < 1) {
            throw new UsageException("--digits must be at least 1, got " + digits);
        }
        if (new HashSet<>(copied).size() < copied.size()) {
            throw new UsageException("--copy names a column twice: " + String.join(",", copied));
        }
        KernelModel model = dataFlags.load(platform(), modelPath, data);
        List<String> columns = new ArrayList<>(copied);
        model.encoding()
                .flatMap(Encoding::setColumn)
                .filter(set -> !copied.contains(set))
                .ifPresent(set -> columns.add(0, set));
        PredictionForm form = form(model);
        // Fails, before DATA is read, if the model cannot predict in this form.
        PredictionWriter unused = writer(model, form);
        Talk talk = talk(run);
        SurveyedSource source = dataFlags
                .open(platform(), model, options.withCarried(columns), talk)
                .withoutLabels();
        PredictionForm carrying = form.withCarried(source.carriedNames());
        PredictionWriter writer = writer(model, carrying);
        if (output != null && platform().predict(model, source, carrying, output, workers, talk)) {
            talk.clear();
        } else if (output == null) {
            try {
                write(source, writer, out(), workers, talk);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        } else {
            try (AtomicFile file = AtomicFile.create(Path.of(output))) {
                Writer out = new OutputStreamWriter(file.stream(), StandardCharsets.UTF_8);
                write(source, writer, out, workers, talk);
                out.flush();
                file.commit();
            } catch (IOException e) {
                throw AtomicFile.unwritable(output, e);
            }
        }
        talk.clear();
        talk.say(source.notes());
        Results.warn(model, level == null ? List.of() : List.of(level), talk);
        return Main.WORKED;
    }

    private PredictionWriter writer(KernelModel model, PredictionForm form) {
        return Results.named(modelPath, () -> form.writer(model));
    }

    private PredictionForm form(KernelModel model) {
        PredictionForm.Values values = scores
                ? PredictionForm.Values.SCORES
                : probabilities ? PredictionForm.Values.PROBABILITIES : PredictionForm.Values.PREDICTIONS;
        return new PredictionForm(values, layout(model.ofSets()), level, !headless, digits, List.of());
    }

    private PredictionForm.Layout layout(boolean sets) {
        String name = output == null ? "" : output.toLowerCase(Locale.ROOT);
        if (name.endsWith(".ndjson") || name.endsWith(".jsonl")) {
            return PredictionForm.Layout.JSON_LINES;
        }
        if (name.endsWith(".tsv")) {
            return PredictionForm.Layout.TSV;
        }
        boolean table = sets || scores || probabilities || level != null || !copied.isEmpty() || name.endsWith(".csv");
        return table ? PredictionForm.Layout.CSV : PredictionForm.Layout.LINES;
    }

    private static void write(SurveyedSource source, PredictionWriter writer, Writer out, Workers workers, Talk talk)
            throws IOException {
        Progress progress = (stage, rows, fraction) -> {
            // Stdout is checked after every block, so that a closed pipe or a full disk ends the run.
            if (out instanceof PrintWriter printer && printer.checkError()) {
                throw new OutputException();
            }
            talk.report(stage, rows, fraction);
        };
        writer.write(source, workers, progress, out);
    }
}
