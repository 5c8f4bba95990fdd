package org.bochner.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.bochner.base.AtomicFile;
import org.bochner.base.Notes;
import org.bochner.base.Spelling;
import org.bochner.cli.plot.Chart;
import org.bochner.data.DataFiles;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.RowSample;
import org.bochner.map.MapRecipe;
import org.bochner.map.MapStudy;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures how far a map's inner products are from its kernel. */
@Command(
        name = "error",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Measure how far a feature map is from its kernel.",
        customSynopsis = {
            "bochner error (DATA | --domain LOW:HIGH) [--kernel K] [--map M]",
            "                     [--features D | --max-error E] [--json] [--csv FILE]",
            "                     [--plot FILE] [OPTION]..."
        },
        description = {
            "",
            "Compares inner products of features with exact kernel values, on pairs of rows sampled from DATA or drawn"
                    + " from a --domain: the largest, root-mean-square, mean and 99th-percentile error, absolute and"
                    + " relative to the exact value (where that is not 0), with what theory says beside it.",
            "",
            "A map in one size (--features, or an order, terms or bins in its spelling) is shown at length: by the range"
                    + " of the exact value, and for kernels that are sums over the columns, such as chi2, by the"
                    + " magnitudes of the values. A map whose size is left open is shown in several. All maps of such a"
                    + " kernel are compared at the same size."
        },
        footerHeading = "%nJSON%n",
        footer = {
            "  kernel, map, rows, notes, reports: [{map, features, width (features a column),",
            "  low and high (of the exact value), pairs, max, rms, mean, percentile99,",
            "  relative: {pairs, max, rms, mean, percentile99}, expectedRms (of independent",
            "  draws), of which fourierRms and additiveRms; boundRms, boundMax (null where",
            "  there is none), ranges: [{low, high, pairs, max, ...}],",
            "  inputRanges: [{low, high, otherLow, otherHigh, pairs, max, ...}]}],",
            "  comparison: [{map, features, ...}], suggestion: {wanted, measure, map,",
            "  features, error, reached, measured, flags}.",
            "",
            "Examples",
            "  bochner error --kernel 'gaussian(sigma=20)' --features 1000 digits.csv",
            "  bochner error --kernel 'laplacian(sigma=1)' --domain 0:1 --columns 8",
            "  bochner error --kernel chi2 --domain 1e-4:1 --plot chi2.svg",
            "  bochner error --kernel chi2 --map 'sampled(order=2)' words.libsvm",
            "  bochner error --kernel exp-chi2 --max-error 0.02 --scale unit-l1 words.libsvm"
        })
final class ErrorCommand extends Subcommand {
    private static final int DRAWN_ROWS = 1000;

    @Parameters(arity = "0..1", paramLabel = "DATA", description = "The rows; - is stdin.")
    @Reads
    private @Nullable String data;

    @Option(
            names = "--kernel",
            paramLabel = "K",
            completionCandidates = Words.KernelNames.class,
            description = "The kernel; gaussian by default.")
    private String kernel = "gaussian";

    @Option(
            names = "--map",
            paramLabel = "M",
            completionCandidates = Words.MapNames.class,
            description = "The feature map; auto by default.")
    private String map = "auto";

    @Option(names = "--features", paramLabel = "D", description = "How many features; several sizes by default.")
    private @Nullable Integer features;

    @Option(
            names = "--max-error",
            paramLabel = "E",
            description = "Suggest the smallest map whose error is at most this, with the flags that make it.")
    private @Nullable Double maxError;

    @Option(
            names = "--measure",
            paramLabel = "rms|max|mean|percentile99",
            completionCandidates = Words.Measures.class,
            description = "Which error --max-error is about; rms by default.")
    private @Nullable ErrorMeasure measure;

    @Option(
            names = "--scale",
            paramLabel = "S",
            completionCandidates = Words.ScalingNames.class,
            description = "How to scale the rows first. By default as train does.")
    private @Nullable String scale;

    @Option(
            names = "--domain",
            paramLabel = "LOW:HIGH",
            description =
                    "Rows drawn from this interval in every column, instead of DATA; --columns says how many (1 by"
                            + " default). Evenly; but for kernels of histograms, where LOW is above 0, all magnitudes are as"
                            + " frequent.")
    private @Nullable String domain;

    @Option(
            names = "--csv",
            paramLabel = "FILE",
            description = "Write the errors to this file too, a line for each map, size and range.")
    @Writes
    private @Nullable Path csv;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description =
                    "Draw the error against the size, and the kernel with what the map makes of it: .svg or .png.")
    @Writes
    private @Nullable Path plot;

    @Option(names = "--seed", paramLabel = "N", description = "Where randomness starts; 1 by default.")
    private long seed = 1;

    @ArgGroup(validate = false, heading = ReadingFlags.HEADING)
    private DataFlags dataFlags = new DataFlags();

    @ArgGroup(validate = false, heading = RunFlags.HEADING)
    private ResultFlags run = new ResultFlags();

    /** Rows, where they are from, and the kernel with the scales that they may have given. */
    private record Rows(RowSample sample, String where, Kernel kernel) {}

    @Override
    public Integer call() {
        checkFlags();
        DataOptions options = domain == null ? dataFlags.options(data) : null;
        Spelled spelled = new Spelled(kernel, scale);
        // What is misspelled is found before the data are read.
        KernelRecipe recipe = Recipes.kernel(spelled.before(options));
        Recipes.requireScaling(spelled.before(options));
        MapRecipe mapRecipe = Recipes.map(map, features);
        Workers workers = run.workers();
        Notes notes = new Notes();
        Rows rows = options == null
                ? draw(Objects.requireNonNull(domain), recipe)
                : sample(options, spelled, workers, notes);
        MapStudy study = new MapStudy(rows.kernel, rows.sample, MapStudy.DEFAULT_PAIRS, new Seed(seed));
        List<MapStudy.Entry> entries = UsageException.orUsage(() -> features == null
                ? study.sizes(map, notes::choice)
                : List.of(study.measure(mapRecipe, OptionalInt.of(features), notes::choice)));
        ErrorFindings findings = new ErrorFindings(
                rows.kernel,
                entries.size() == 1 ? entries.get(0).recipe().toString() : map,
                rows.sample,
                rows.where,
                notes.list(),
                entries,
                study.comparison(entries),
                suggestion(study));
        Talk talk = talk(run);
        talk.say(notes.list());
        if (csv != null) {
            ErrorCsv.write(csv, findings);
        }
        if (plot != null) {
            List<MapStudy.Entry> sizes = entries.size() > 1 ? entries : study.allSizes(map);
            ErrorPlot.of(findings, sizes).write(plot);
        }
        if (run.json()) {
            printJson(ErrorJson.of(findings));
        } else {
            out().print(ErrorText.of(findings));
        }
        return 0;
    }

    private void checkFlags() {
        boolean given = data != null || dataFlags.hasChannels();
        if (given == (domain != null)) {
            throw new UsageException("give DATA or --domain LOW:HIGH, one of them");
        }
        if (domain != null && scale != null) {
            throw new UsageException("--scale is for DATA; with --domain, give the interval of the scaled values");
        }
        if (features != null && maxError != null) {
            throw new UsageException("give --features to measure one size, or --max-error to look for one, not both");
        }
        if (measure != null && maxError == null) {
            throw new UsageException("--measure says which error --max-error is about; give --max-error E too");
        }
        if (maxError != null && !(maxError > 0 && maxError < Double.POSITIVE_INFINITY)) {
            throw new UsageException("--max-error must be positive, got " + Spelling.print(maxError));
        }
        if (csv != null) {
            AtomicFile.checkWritable(csv);
        }
        if (plot != null) {
            Chart.checkWritable(plot);
        }
    }

    private Rows sample(DataOptions options, Spelled spelled, Workers workers, Notes notes) {
        FileSource source = DataFiles.open(options);
        notes.addAll(source.notes());
        KernelRows rows = KernelRows.read(source, spelled, new Seed(seed), workers, notes);
        return new Rows(rows.sample(), "of " + source.name(), rows.kernel());
    }

    private Rows draw(String domain, KernelRecipe recipe) {
        Interval interval = Interval.parse(domain);
        Kernel complete = UsageException.orUsage(recipe::complete);
        int columns = Math.max(complete.minimumColumns(), Math.max(1, dataFlags.columns()));
        for (int l = 0; l < columns; l++) {
            interval.requireIn(complete, l);
        }
        Seed stage = new Seed(seed).derive("domain");
        if (interval.low() > 0 && !complete.takesAnyValue()) {
            return new Rows(
                    RowSample.evenMagnitudes(DRAWN_ROWS, columns, interval.low(), interval.high(), stage),
                    "drawn from " + domain + ", all magnitudes as frequent",
                    complete);
        }
        return new Rows(
                RowSample.even(DRAWN_ROWS, columns, interval.low(), interval.high(), stage),
                "drawn evenly from " + domain,
                complete);
    }

    private Optional<ErrorFindings.Wanted> suggestion(MapStudy study) {
        if (maxError == null) {
            return Optional.empty();
        }
        ErrorMeasure wanted = measure == null ? ErrorMeasure.RMS : measure;
        return Optional.of(new ErrorFindings.Wanted(wanted, maxError, study.suggest(map, wanted::of, maxError)));
    }
}
