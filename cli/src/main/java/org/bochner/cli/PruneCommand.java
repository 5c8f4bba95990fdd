package org.bochner.cli;

import java.nio.file.Path;
import org.bochner.base.AtomicFile;
import org.bochner.base.DataException;
import org.bochner.base.Spelling;
import org.bochner.cli.plot.Chart;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.data.Labels;
import org.bochner.data.RowSource;
import org.bochner.model.KernelModel;
import org.bochner.model.PrunedModel;
import org.bochner.model.Pruning;
import org.bochner.model.PruningPath;
import org.bochner.model.PruningStudy;
import org.bochner.numeric.LinearAlgebra;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a model smaller and faster. */
@Command(
        name = "prune",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Make a model smaller and faster: leave out what it can do without.",
        customSynopsis = {
            "bochner prune MODEL DATA (--keep SHARE | --max-loss PERCENT)",
            "                     [--output FILE] [--test DATA | --holdout SHARE] [--json]",
            "                     [--plot FILE] [OPTION]..."
        },
        description = {
            "",
            "Leaves out of the model's map the projections (a frequency with its cosine and its sine; a column, where the"
                    + " kernel is a sum over the columns) that cost the least to do without, and finds the weights of the"
                    + " others anew by ridge regression on DATA: the training rows, or others like them.",
            "",
            "Prints the size, speed and error of the model in several sizes, from the whole down to the one that was"
                    + " chosen, on rows held out from DATA or on a --test file. Where rows are held out, the whole model"
                    + " is re-fitted without them too, because it may have been trained on them; what is saved is then"
                    + " re-fitted on all of DATA."
        },
        footerHeading = "%nJSON%n",
        footer = {
            "  model, data, test, unit (what was left out: projections, columns, features),",
            "  units (of the whole model), sizes: [{share, units, features, bytes, speed (times",
            "  that of the whole model), rows, error (a fraction) or rmse, loss}], chosen: the",
            "  one of them that was taken, lambda, pruneSeconds, peakMemoryBytes, output.",
            "",
            "Examples",
            "  bochner prune a9a.bochner a9a --keep 0.25 --test a9a.t --output small.bochner",
            "  bochner prune digits.bochner digits.csv --max-loss 0.5%% --output small.bochner",
            "  bochner prune digits.bochner digits.csv --keep 10%% --plot sizes.svg"
        })
final class PruneCommand extends Subcommand {
    private static final double DEFAULT_HOLDOUT = 0.2;

    @Parameters(index = "0", paramLabel = "MODEL", description = "A model that train saved.")
    @SuppressWarnings("NullAway.Init") // picocli fills it
    @Reads
    private Path modelPath;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "DATA",
            description = "Rows with labels, which are read several times.")
    @Reads
    private @Nullable String data;

    @Option(
            names = "--keep",
            paramLabel = "SHARE",
            description = "Keep this share of the projections: 0.25 or 25%% is a quarter.")
    private @Nullable String keep;

    @Option(
            names = "--max-loss",
            paramLabel = "PERCENT",
            description =
                    "Keep as few as lose at most this against the whole model, as in 0.5%%: points of error for classes,"
                            + " a share of the rmse for numbers.")
    private @Nullable String maxLoss;

    @Option(names = "--output", paramLabel = "FILE", description = "Save the pruned model here.")
    @Writes
    private @Nullable Path output;

    @Option(names = "--plot", paramLabel = "FILE", description = "Draw error and speed against the size: .svg or .png.")
    @Writes
    private @Nullable Path plot;

    @Option(names = "--seed", paramLabel = "N", description = "Where the hold-out starts; 1 by default.")
    private long seed = 1;

    @ArgGroup(validate = false, heading = TestFlags.HEADING)
    private TestFlags testFlags = new TestFlags();

    @ArgGroup(validate = false, heading = ReadingFlags.HEADING)
    private ModelDataFlags dataFlags = new ModelDataFlags();

    @ArgGroup(validate = false, heading = RunFlags.HEADING)
    private ResultFlags run = new ResultFlags();

    /** The rows to fit to and those to measure on. */
    private record Split(RowSource fitted, RowSource tested, boolean heldOut) {}

    @Override
    public Integer call() {
        checkFlags();
        DataOptions options = readAgain("DATA", dataFlags.options(data));
        DataOptions tests = testFlags.options(dataFlags);
        DataOptions testOptions = tests == null ? null : readAgain("--test", tests);
        checkOutputs();
        Workers workers = run.workers();
        LinearAlgebra.preload();
        KernelModel model = KernelModel.load(modelPath);
        FileSource source = dataFlags.open(model, options);
        Split split = split(model, source, testOptions);
        Talk talk = talk(run);
        long start = System.nanoTime();
        int units = model.map().unitCount();
        int fewest = keep == null ? 1 : Math.max(1, (int) Math.rint(share() * units));
        Pruning pruning = Pruning.of(model, workers, talk);
        PruningPath path = pruning.fit(split.fitted, fewest, workers, talk);
        PruningStudy study =
                new PruningStudy(path, split.heldOut ? path.model(units) : model, split.tested, workers, talk);
        PrunedModel chosen = keep == null ? study.smallestWithin(loss()) : study.downTo(fewest);
        KernelModel pruned =
                split.heldOut ? pruning.keep(path.kept(chosen.units()), source, workers, talk) : chosen.model();
        if (output != null) {
            pruned.save(output);
        }
        PruneFindings findings = new PruneFindings(
                modelPath,
                model,
                source.name(),
                split.heldOut ? "rows held out" : split.tested.name(),
                study.measured(),
                chosen,
                pruned,
                output,
                (System.nanoTime() - start) * 1e-9);
        if (plot != null) {
            PrunePlot.of(findings).write(plot);
        }
        talk.clear();
        if (run.json()) {
            printJson(findings.toMap());
        } else {
            out().print(findings.table());
            out().flush();
            if (chosen.units() == units && keep == null) {
                talk.say("Nothing can be left out within that loss.");
            }
            if (output == null) {
                talk.say("Nothing was saved; add --output FILE to keep the pruned model.");
            }
        }
        return Main.WORKED;
    }

    private void checkFlags() {
        if ((keep == null) == (maxLoss == null)) {
            throw new UsageException("give --keep SHARE or --max-loss PERCENT, one of them");
        }
        if (keep != null && !(share() > 0 && share() <= 1)) {
            throw new UsageException("--keep must be above 0 and at most 1, got " + keep);
        }
        if (maxLoss != null && !(loss() >= 0 && loss() < Double.POSITIVE_INFINITY)) {
            throw new UsageException("--max-loss must be at least 0%, got " + maxLoss);
        }
    }

    /** The share to keep; NaN is none. */
    private double share() {
        return share("--keep", keep == null ? "" : keep);
    }

    /** The loss as a fraction. Without its sign it might be meant as either. */
    private double loss() {
        String text = maxLoss == null ? "" : maxLoss;
        if (!text.endsWith("%")) {
            throw new UsageException("--max-loss is a number of percent, as in 0.5%, got '" + text + "'");
        }
        return share("--max-loss", text);
    }

    private static double share(String flag, String text) {
        return UsageException.orUsage(() -> Spelling.toShare(flag, text));
    }

    private static DataOptions readAgain(String what, DataOptions options) {
        if (TestFlags.readsStandardInput(options)) {
            throw new UsageException(what + " is read several times, so it cannot be stdin (-); save it to a file");
        }
        return options;
    }

    private void checkOutputs() {
        if (output != null) {
            AtomicFile.checkWritable(output);
        }
        if (plot != null) {
            Chart.checkWritable(plot);
        }
    }

    private Split split(KernelModel model, FileSource source, @Nullable DataOptions testOptions) {
        requireLabels(source, "--label COLUMN or --labels FILE says where they are");
        if (testOptions != null) {
            FileSource tested = dataFlags.open(model, testOptions);
            requireLabels(tested, "--test-labels FILE names them");
            return new Split(source, tested, false);
        }
        Holdout holdout = Holdout.split(source, testFlags.holdout(DEFAULT_HOLDOUT), new Seed(seed));
        return new Split(holdout.train(), holdout.test(), true);
    }

    private static void requireLabels(FileSource source, String advice) {
        if (source.labels() instanceof Labels.None) {
            throw DataException.in(source.name(), "has no labels; " + advice);
        }
    }
}
