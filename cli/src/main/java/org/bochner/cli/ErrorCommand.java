package org.bochner.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.bochner.base.AtomicFile;
import org.bochner.base.Notes;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.RowSample;
import org.bochner.map.MapRecipe;
import org.bochner.map.MapStudy;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how far a map's inner products are from its kernel. */
@Command(
        name = "error",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Measure the approximation error of a feature map.",
        customSynopsis = {
            "bochner error (DATA | --domain LOW:HIGH) [--kernel K] [--map M]",
            "                     [--features D | --max-error E] [--json] [--csv FILE]",
            "                     [--plot FILE] [OPTION]..."
        },
        description = {
            "",
            "Compares inner products of features with exact kernel values, on pairs of rows sampled from DATA or drawn"
                    + " from a --domain. Prints the largest, root-mean-square, mean and 99th-percentile error, absolute and"
                    + " relative to the exact value (where it is not 0), and the values that theory predicts.",
            "",
            "A map of one size (given by --features, or by an order, terms or bins in its spelling) is"
                    + " reported in detail: by the range of the exact kernel value, and for kernels that are sums over"
                    + " columns, such as chi2, by the magnitudes of the values. A map without a size is reported for"
                    + " several sizes. For kernels that are sums over columns, all maps are compared at the same"
                    + " number of features per column."
        })
final class ErrorCommand extends DataCommand {
    @Mixin
    private MapFlags mapFlags = new MapFlags();

    @Option(
            names = "--max-error",
            paramLabel = "E",
            description = "Find the smallest map whose error is at most E, and print its flags.")
    private @Nullable Double maxError;

    @Option(
            names = "--measure",
            paramLabel = "rms|max|mean|percentile99",
            completionCandidates = Words.Measures.class,
            description = "The error that --max-error limits. [default: rms]")
    private @Nullable ErrorMeasure measure;

    @Option(
            names = "--domain",
            paramLabel = "LOW:HIGH",
            description = "Draw random rows from this interval instead of reading DATA; --columns sets the number of"
                    + " columns. Values are uniform; for kernels of histograms with LOW above 0 they are log-uniform."
                    + " [default number of columns: 1]")
    private @Nullable String domain;

    @Option(
            names = "--csv",
            paramLabel = "FILE",
            description = "Write the errors to this file too, one line per map, size and range.")
    @Writes
    private @Nullable Path csv;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "Plot the error against the size, and the kernel with its approximation, as .svg or .png.")
    @Writes(picture = true)
    private @Nullable Path plot;

    /** Rows, where they come from, and the kernel with all its scales. */
    private record Rows(RowSample sample, String where, Kernel kernel) {}

    @Override
    public Integer call() {
        checkFlags();
        DataOptions options = domain == null ? options() : null;
        Spelled spelled = mapFlags.spelled();
        // Misspellings are found before the data are read.
        KernelRecipe recipe = Recipes.kernel(spelled.before(options));
        Recipes.requireScaling(spelled.before(options));
        Integer features = mapFlags.features();
        String map = mapFlags.map();
        MapRecipe mapRecipe = Recipes.map(map, features);
        Notes notes = new Notes();
        Rows rows = options == null ? draw(recipe) : sample(options, spelled, notes);
        MapStudy study = MapStudy.prepare(rows.kernel, rows.sample, MapStudy.DEFAULT_PAIRS, new Seed(mapFlags.seed()));
        List<MapStudy.Entry> entries = UsageException.orUsage(() -> features == null
                ? study.sizes(map, notes)
                : List.of(study.measure(mapRecipe, OptionalInt.of(features), notes)));
        ErrorFindings findings = new ErrorFindings(
                rows.kernel,
                entries.size() == 1 ? entries.get(0).recipe().toString() : map,
                rows.sample,
                rows.where,
                notes.list(),
                entries,
                study.comparison(entries),
                suggestion(study));
        talk(run()).say(notes.list());
        AtomicFile.together(() -> {
            if (csv != null) {
                ErrorCsv.write(csv, findings);
            }
            if (plot != null) {
                ErrorPlot.of(findings, entries.size() > 1 ? entries : study.allSizes(map))
                        .write(plot);
            }
        });
        if (run().json()) {
            printJson(ErrorJson.of(findings));
        } else {
            out().print(ErrorText.of(findings));
        }
        return Main.WORKED;
    }

    private void checkFlags() {
        if (hasData() == (domain != null)) {
            throw new UsageException("give either DATA or --domain LOW:HIGH");
        }
        if (domain != null && mapFlags.scales()) {
            throw new UsageException("--scale is for DATA; with --domain, give the interval of the scaled values");
        }
        if (mapFlags.features() != null && maxError != null) {
            throw new UsageException(
                    "give either --features (measures one size) or --max-error (finds a size), not both");
        }
        if (measure != null && maxError == null) {
            throw new UsageException("--measure needs --max-error; add --max-error E");
        }
        requirePositive("--max-error", maxError);
    }

    private Rows sample(DataOptions options, Spelled spelled, Notes notes) {
        FileSource source = FileSource.open(options);
        notes.addAll(source.notes());
        KernelMachine.KernelFit fit = Recipes.machine(spelled.in(source), "auto", null, mapFlags.seed())
                .fitKernel(source, run().workers(), Progress.NONE, notes);
        return new Rows(fit.rows(), "of " + source.name(), fit.kernel());
    }

    private Rows draw(KernelRecipe recipe) {
        RowSample.Interval interval = Words.interval(Objects.requireNonNull(domain));
        Kernel complete = UsageException.orUsage(recipe::complete);
        int columns =
                Math.max(complete.minimumColumns(), Math.max(1, dataFlags().columns()));
        RowSample rows = UsageException.in(
                "--domain", () -> RowSample.drawn(complete, interval, columns, new Seed(mapFlags.seed())));
        return new Rows(
                rows,
                RowSample.drawsMagnitudes(complete, interval)
                        ? "drawn log-uniformly from " + domain
                        : "drawn uniformly from " + domain,
                complete);
    }

    private Optional<ErrorFindings.Wanted> suggestion(MapStudy study) {
        if (maxError == null) {
            return Optional.empty();
        }
        ErrorMeasure wanted = measure == null ? ErrorMeasure.RMS : measure;
        return Optional.of(
                new ErrorFindings.Wanted(wanted, maxError, study.suggest(mapFlags.map(), wanted::of, maxError)));
    }
}
