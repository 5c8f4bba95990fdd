package org.bochner.cli;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.bochner.base.AtomicFile;
import org.bochner.base.BochnerException;
import org.bochner.base.Spelling;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.model.KernelModel;
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
            "bochner predict MODEL DATA [--scores | --probabilities] [--output FILE]",
            "                       [OPTION]..."
        },
        description = {
            "",
            "Prints one line a row: the class or the number; with several numbers, commas between them. DATA is read"
                    + " once, as the training data were, so that a pipe will do; labels in it are not looked at."
        },
        footerHeading = "%nExamples%n",
        footer = {
            "  bochner predict digits.bochner new.csv --output digits.txt",
            "  zcat new.csv.gz | bochner predict digits.bochner - --scores",
            "  bochner predict digits.bochner new.csv --probabilities"
        })
final class PredictCommand extends Subcommand {
    @Parameters(index = "0", paramLabel = "MODEL", description = "A model that train saved.")
    @SuppressWarnings("NullAway.Init") // picocli fills it
    @Reads
    private Path modelPath;

    @Parameters(index = "1", arity = "0..1", paramLabel = "DATA", description = "The rows; - is stdin.")
    @Reads
    private @Nullable String data;

    @Option(
            names = "--scores",
            description = "Print the scores instead: one a class, commas between; for two classes one, positive for the"
                    + " second.")
    private boolean scores;

    @Option(
            names = "--probabilities",
            description =
                    "Print the probabilities instead: one a class, in the order of inspect, commas between. The class that is"
                            + " printed without this flag has the largest.")
    private boolean probabilities;

    @Option(names = "--output", paramLabel = "FILE", description = "Write here instead of to stdout.")
    @Writes
    private @Nullable Path output;

    @ArgGroup(validate = false, heading = ReadingFlags.HEADING)
    private ModelDataFlags dataFlags = new ModelDataFlags();

    @ArgGroup(validate = false, heading = RunFlags.HEADING)
    private RunFlags run = new RunFlags();

    @Override
    public Integer call() {
        DataOptions options = dataFlags.options(data);
        Workers workers = run.workers();
        if (scores && probabilities) {
            throw new UsageException("--scores and --probabilities exclude each other");
        }
        if (output != null) {
            AtomicFile.checkWritable(output);
        }
        KernelModel model = KernelModel.load(modelPath);
        if (probabilities && model.calibration().isEmpty()) {
            throw new BochnerException(modelPath + ": "
                    + (model.labels() instanceof Labels.Numbers
                            ? "the model predicts numbers, which have no probabilities"
                            : "the model has no probabilities; train it with --calibrate platt, temperature or isotonic, or"
                                    + " with a logistic learner; --scores prints what it has"));
        }
        FileSource source = dataFlags.open(model, options).withoutLabels();
        Talk talk = talk(run);
        if (output == null) {
            write(model, source, out(), workers, talk);
        } else {
            try (AtomicFile file = AtomicFile.create(output)) {
                Writer out = new OutputStreamWriter(file.stream(), StandardCharsets.UTF_8);
                write(model, source, out, workers, talk);
                out.flush();
                file.commit();
            } catch (UncheckedIOException e) {
                throw AtomicFile.unwritable(output.toString(), Objects.requireNonNull(e.getCause()));
            } catch (IOException e) {
                throw AtomicFile.unwritable(output.toString(), e);
            }
        }
        talk.clear();
        return Main.WORKED;
    }

    private void write(KernelModel model, FileSource source, Writer out, Workers workers, Talk talk) {
        model.score(source, workers, talk, (RowBlock rows, double[] values) -> {
            try {
                writeBlock(model, rows.rows(), values, out);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            // Stdout is asked after every block, so that a reader who has seen enough, or a full disk, ends the run.
            if (out instanceof PrintWriter printer && printer.checkError()) {
                throw new OutputException();
            }
        });
    }

    private void writeBlock(KernelModel model, int rows, double[] values, Writer out) throws IOException {
        List<String> names = model.labels() instanceof Labels.Classes classes ? classes.names() : List.of();
        int outputs = model.linear().outputs();
        double[] chances = new double[probabilities ? rows * names.size() : 0];
        if (probabilities) {
            model.probabilities(values, rows, chances);
        }
        for (int i = 0; i < rows; i++) {
            if (probabilities) {
                for (int c = 0; c < names.size(); c++) {
                    out.write(c == 0 ? "" : ",");
                    // In full, so that the largest is that of the class even where others are near it.
                    out.write(Spelling.print(chances[i * names.size() + c]));
                }
            } else if (names.isEmpty() || scores) {
                for (int o = 0; o < outputs; o++) {
                    out.write(o == 0 ? "" : ",");
                    out.write(Spelling.print((float) values[i * outputs + o]));
                }
            } else {
                out.write(names.get(model.classOf(values, i)));
            }
            out.write('\n');
        }
    }
}
