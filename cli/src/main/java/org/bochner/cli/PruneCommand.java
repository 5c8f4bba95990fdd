package org.bochner.cli;

import java.nio.file.Path;
import org.bochner.base.AtomicFile;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.model.KernelModel;
import org.bochner.model.Pruning;
import org.bochner.model.PruningResult;
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
        header = "Make a model smaller and faster by removing features.",
        customSynopsis = {
            "bochner prune MODEL DATA (--keep SHARE | --max-loss PERCENT)",
            "                     [--output FILE] [--test DATA | --holdout SHARE] [--json]",
            "                     [--plot FILE] [OPTION]..."
        },
        description = {
            "",
            "Removes the least useful projections from the model's map and refits the weights of the others"
                    + " on DATA, which should be the training rows or similar rows. A projection is a frequency with"
                    + " its cosine and its sine, or a column if the kernel is a sum over columns.",
            "",
            "Prints a table of several sizes of the model, from the whole model down to the chosen size,"
                    + " with speed and error on rows held out from DATA or on a --test file. If rows are held out, the"
                    + " whole model is refitted without them too, because it may have been trained on them. The saved"
                    + " model is fitted to all of DATA."
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
            description = "Rows with labels. The file is read several times.")
    @Reads
    private @Nullable String data;

    @Option(
            names = "--keep",
            paramLabel = "SHARE",
            converter = Words.Shares.class,
            description = "Keep this share of the projections, such as 0.25 or 25%%.")
    private @Nullable Double keep;

    @Option(
            names = "--max-loss",
            paramLabel = "PERCENT",
            description =
                    "Keep as few projections as possible with at most this loss compared with the whole model, such"
                            + " as 0.5%%: percentage points of error for classification, a share of the rmse for regression.")
    private @Nullable String maxLoss;

    @Option(names = "--output", paramLabel = "FILE", description = "Save the pruned model to this file.")
    @Writes
    private @Nullable Path output;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "Plot error and speed against the size, as .svg or .png.")
    @Writes(picture = true)
    private @Nullable Path plot;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the hold-out. [default: 1]")
    private long seed = 1;

    @ArgGroup(validate = false, heading = TestRowFlags.HEADING, order = 4)
    private TestRowFlags testFlags = new TestRowFlags();

    @ArgGroup(validate = false, heading = ReadingFlags.HEADING, order = 5)
    private ModelDataFlags dataFlags = new ModelDataFlags();

    @ArgGroup(validate = false, heading = RunFlags.HEADING, order = 6)
    private ResultFlags run = new ResultFlags();

    @Override
    public Integer call() {
        if ((keep == null) == (maxLoss == null)) {
            throw new UsageException("give either --keep SHARE or --max-loss PERCENT");
        }
        double loss = maxLoss == null ? 0 : loss(maxLoss);
        if (keep != null && !(keep > 0 && keep <= 1)) {
            throw new UsageException("--keep must be above 0 and at most 1, got " + Spelling.print(keep));
        }
        DataOptions options = readAgain("DATA", dataFlags.options(data));
        DataOptions tests = testFlags.options(dataFlags);
        DataOptions testOptions = tests == null ? null : readAgain("--test", tests);
        Workers workers = run.workers();
        LinearAlgebra.preload();
        KernelModel model = dataFlags.load(modelPath, data);
        FileSource source = labelled(model, options, Setting.LABELS_FILE);
        FileSource tested = testOptions == null ? null : labelled(model, testOptions, Setting.TEST_LABELS_FILE);
        Talk talk = talk(run);
        long start = System.nanoTime();
        Pruning whole = Pruning.of(model);
        Pruning pruning = keep == null ? whole.withMostLoss(loss) : whole.withShare(keep);
        PruningResult result = tested == null
                ? pruning.prune(source, testFlags.holdout(DEFAULT_HOLDOUT), new Seed(seed), workers, talk)
                : pruning.prune(source, tested, workers, talk);
        PruneFindings findings = AtomicFile.together(() -> {
            if (output != null) {
                result.model().save(output);
            }
            PruneFindings found = new PruneFindings(
                    modelPath,
                    source.name(),
                    tested == null ? (model.ofSets() ? "sets held out" : "rows held out") : tested.name(),
                    result,
                    output,
                    (System.nanoTime() - start) * 1e-9);
            if (plot != null) {
                PrunePlot.of(found).write(plot);
            }
            return found;
        });
        talk.clear();
        talk.say(result.notes());
        Results.sayDropped(model, "pruned", talk);
        if (run.json()) {
            printJson(findings.toMap());
            return Main.WORKED;
        }
        out().print(findings.table());
        out().flush();
        if (result.chosen().units() == result.units() && keep == null) {
            talk.say("No projection can be removed within the loss that --max-loss allows.");
        }
        if (output == null) {
            talk.say("The pruned model was not saved. Add --output FILE to save it.");
        }
        return Main.WORKED;
    }

    /** Returns the loss as a fraction. Without the percent sign, a number could mean a fraction or a percentage. */
    static double loss(String text) {
        if (!text.endsWith("%")) {
            throw new UsageException("--max-loss is a percentage, such as 0.5%, got '" + text + "'");
        }
        double loss = UsageException.orUsage(() -> Spelling.toShare("--max-loss", text));
        if (!(loss >= 0 && loss < Double.POSITIVE_INFINITY)) {
            throw new UsageException("--max-loss must be at least 0%, got " + text);
        }
        return loss;
    }

    private static DataOptions readAgain(String what, DataOptions options) {
        if (TestRowFlags.readsStandardInput(options)) {
            throw new UsageException(what + " is read several times, so it cannot be stdin (-); save it to a file");
        }
        return options;
    }

    /** Opens rows for the model; fails if they have no labels. */
    private FileSource labelled(KernelModel model, DataOptions options, Setting labels) {
        FileSource source = dataFlags.open(model, options);
        if (source.labels().targets() == 0) {
            throw DataException.in(source.name(), "has no labels", Remedy.set(labels, "names them"));
        }
        return source;
    }
}
