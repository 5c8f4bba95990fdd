package org.bochner.cli;

import java.nio.file.Path;
import java.util.List;
import org.bochner.base.AtomicFile;
import org.bochner.cli.plot.Chart;
import org.bochner.data.ColumnRange;
import org.bochner.data.DataFiles;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.model.Evaluation;
import org.bochner.numeric.LinearAlgebra;
import org.bochner.numeric.Workers;
import org.bochner.tune.LearnedSum;
import org.bochner.tune.MultipleKernels;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Learns the weights of channels, each with a kernel of its own. */
@Command(
        name = "mkl",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Weigh channels of columns, each with its kernel.",
        customSynopsis = {
            "bochner mkl DATA --channels 'a=0:76,b=76:292,...' [--kernel K]",
            "                   [--norm 1|P|average] [--loss LOSS] [--features D]",
            "                   [--holdout SHARE | --test DATA] [--model FILE] [OPTION]..."
        },
        description = {
            "",
            "Multiple kernel learning: finds the weights d of the sum of the channels' kernels, d_1*k_1 + d_2*k_2 + ...,"
                    + " together with a model, at one strength of the penalty after another, and takes the strength that does"
                    + " best in cross-validation. With --norm 1 channels that are of no use get the weight 0, and are not in"
                    + " the model. The square loss needs one pass over the rows for all of it.",
            "",
            "The learned kernel is an ordinary one: train takes its spelling. Ctrl-C ends the path with the best so far."
        },
        footerHeading = "%nJSON%n",
        footer = {
            "  data, rows, columns, norm, loss, folds, channels: [{name, from, to, kernel,",
            "  features, weight, share, norm}], kernel (their weighted sum), learner (with",
            "  which train learns the kernel to the same kind of model), lambda, path:",
            "  [{lambda, l2, loss (in cross-validation), standardError, active, weights,",
            "  converged}], chosen (an index), map, features, modelFeatures, scaling,",
            "  precision, seed, threads; after a test testRows and error (a fraction),",
            "  accuracy, unseenClassRows, or rmse, mae, r2; readSeconds, prepareSeconds,",
            "  mapSeconds, solveSeconds, peakMemoryBytes, model, notes.",
            "",
            "Examples",
            "  bochner mkl views.csv --channels 'shape=0:76,colour=76:292' --holdout 0.2",
            "  bochner mkl --channel shape=a.csv --channel colour=b.csv --labels y.csv",
            "              --kernel 'shape=gaussian,colour=exp-chi2' --plot weights.svg"
        })
final class MklCommand extends Subcommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "DATA",
            description = "LIBSVM, CSV, NPY, NPZ or IDX file, compressed or not.")
    @Reads
    private @Nullable String data;

    @Option(names = "--model", paramLabel = "FILE", description = "Save the model here.")
    @Writes
    private @Nullable Path model;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "Draw the weights of the channels, and how they came in, as .svg or .png.")
    @Writes
    private @Nullable Path plot;

    @ArgGroup(validate = false, heading = ChannelFlags.HEADING)
    private ChannelFlags channelFlags = new ChannelFlags();

    @ArgGroup(validate = false, heading = TestFlags.HEADING)
    private TestFlags testFlags = new TestFlags();

    @ArgGroup(validate = false, heading = ReadingFlags.HEADING)
    private DataFlags dataFlags = new DataFlags();

    @ArgGroup(validate = false, heading = RunFlags.HEADING)
    private ResultFlags run = new ResultFlags();

    @Override
    public Integer call() {
        DataOptions options = channelFlags.reading(dataFlags.options(data));
        List<ColumnRange> given = channelFlags.given(dataFlags.hasChannels());
        channelFlags.before(given, options.channels().keySet().stream().toList());
        Workers workers = run.workers();
        DataOptions testOptions = testFlags.options(dataFlags, options, channelFlags.positive());
        checkOutputs();

        Talk talk = talk(run);
        LinearAlgebra.preload();
        long began = System.nanoTime();
        FileSource source = DataFiles.open(options);
        double readSeconds = (System.nanoTime() - began) * 1e-9;
        TrainCommand.say(source, talk);
        TestFlags.Split split = testFlags.split(source, testOptions, channelFlags.seed());
        MultipleKernels recipe = channelFlags.recipe(
                channelFlags.known(source), source.encoding().columnRanges());

        try (Interruption interruption = new Interruption(talk)) {
            TrainingTalk progress = new TrainingTalk(talk, TrainingTalk.Lines.NONE, out(), interruption);
            // A map that does not fit the kernels, which the data may have to complete first, is wrong usage.
            LearnedSum learned = UsageException.orUsage(() -> recipe.fit(split.training(), workers, progress));
            Evaluation evaluation =
                    split.testing() == null ? null : Evaluation.of(learned.model(), split.testing(), workers, talk);
            if (model != null) {
                learned.model().save(model);
            }
            talk.clear();
            learned.notes().forEach(talk::say);
            MklFindings findings = new MklFindings(recipe, learned, evaluation, model);
            if (run.json()) {
                printJson(findings.toMap(source, channelFlags.seed(), workers, readSeconds));
            } else {
                out().print(findings.text(testFlags.holdsOut()));
                hint(evaluation, talk);
            }
            if (plot != null) {
                MklPlot.of(recipe, learned).write(plot);
            }
            out().flush();
        }
        return Main.WORKED;
    }

    private void checkOutputs() {
        if (model != null) {
            AtomicFile.checkWritable(model);
        }
        if (plot != null) {
            Path file = plot;
            UsageException.orUsage(() -> {
                Chart.checkWritable(file);
                return file;
            });
        }
    }

    private void hint(@Nullable Evaluation evaluation, Talk talk) {
        out().flush();
        if (evaluation == null) {
            talk.say("Add --holdout 0.2 or --test FILE to see how well it does on rows it was not trained on.");
        }
        if (model == null) {
            talk.say("Nothing was saved; add --model FILE to keep the model.");
        }
    }
}
