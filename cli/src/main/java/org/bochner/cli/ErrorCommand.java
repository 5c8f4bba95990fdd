package org.bochner.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.bochner.base.Spelling;
import org.bochner.data.DataFiles;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.map.MapErrorReport;
import org.bochner.map.MapRecipe;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.None;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scaling;
import org.bochner.scale.ScalingBuffer;
import org.bochner.scale.Scalings;
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
            "                     [--features D] [--json] [OPTION]..."
        },
        description = {
            "",
            "Compares inner products of features with exact kernel values, on pairs of rows sampled from DATA or drawn"
                    + " evenly from a --domain: the largest, root-mean-square, mean and 99th-percentile error, overall"
                    + " and by the range of the exact value. Without --features, a table for several sizes."
        },
        footerHeading = "%nJSON%n",
        footer = {
            "  kernel, map, rows, reports: [{features, pairs, max, rms, mean, percentile99,",
            "  low and high (of the exact value), expectedRms (of independent draws),",
            "  ranges: [{low, high, pairs, max, rms, mean, percentile99}]}].",
            "",
            "Examples",
            "  bochner error --kernel 'gaussian(sigma=20)' --features 1000 digits.csv",
            "  bochner error --kernel 'laplacian(sigma=1)' --domain 0:1 --columns 8"
        })
final class ErrorCommand extends Subcommand {
    private static final int SAMPLED_ROWS = 1000;
    private static final int PAIRS = 20_000;
    private static final int[] SIZES = {128, 256, 512, 1024, 2048, 4096};

    @Parameters(arity = "0..1", paramLabel = "DATA", description = "The rows; - is stdin.")
    private @Nullable String data;

    @Option(names = "--kernel", paramLabel = "K", description = "The kernel; gaussian by default.")
    private String kernel = "gaussian";

    @Option(names = "--map", paramLabel = "M", description = "The feature map; fourier by default.")
    private String map = "fourier";

    @Option(names = "--features", paramLabel = "D", description = "How many features; several sizes by default.")
    private @Nullable Integer features;

    @Option(names = "--scale", paramLabel = "S", description = "How to scale the rows first; none by default.")
    private String scale = "none";

    @Option(
            names = "--domain",
            paramLabel = "LOW:HIGH",
            description = "Rows drawn evenly from this interval in every column, instead of DATA; --columns says how"
                    + " many (1 by default).")
    private @Nullable String domain;

    @Option(names = "--seed", paramLabel = "N", description = "Where randomness starts; 1 by default.")
    private long seed = 1;

    @ArgGroup(validate = false, heading = ReadingFlags.HEADING)
    private DataFlags dataFlags = new DataFlags();

    @ArgGroup(validate = false, heading = RunFlags.HEADING)
    private ResultFlags run = new ResultFlags();

    @Override
    public Integer call() {
        boolean given = data != null || dataFlags.hasChannels();
        if (given == (domain != null)) {
            throw new UsageException("give DATA or --domain LOW:HIGH, one of them");
        }
        DataOptions options = given ? dataFlags.options(data) : null;
        Spelled spelled = new Spelled(kernel, scale);
        KernelRecipe recipe = kernel(spelled.before(options));
        MapRecipe mapRecipe = Recipes.map(map, features == null ? SIZES[0] : features);
        // What is misspelled is found before the data are read.
        Scaling unused = scaling(spelled.before(options));
        Workers workers = run.workers();
        double[][] rows;
        Kernel fitted;
        Talk talk = talk(run);
        if (options == null) {
            rows = draw(Objects.requireNonNull(domain), Math.max(1, dataFlags.columns()));
            fitted = UsageException.orUsage(recipe::complete);
        } else {
            FileSource source = DataFiles.open(options);
            recipe = kernel(spelled.in(source));
            recipe.requireColumns(source);
            Scaler scaler = scaling(spelled.in(source)).fit(source, workers);
            ScalingBuffer buffer = new ScalingBuffer();
            RowSample sample = RowSample.of(
                    source, block -> scaler.apply(block, buffer), SAMPLED_ROWS, new Seed(seed).derive("sample"));
            fitted = recipe.fit(sample);
            if (recipe.needsData()) {
                talk.say("note: bandwidth taken from the data: " + fitted);
            }
            rows = new double[sample.rows()][];
            for (int i = 0; i < rows.length; i++) {
                rows[i] = sample.row(i);
            }
        }
        List<MapErrorReport> reports = new ArrayList<>();
        int columns = rows[0].length;
        for (int size : features == null ? SIZES : new int[] {features}) {
            reports.add(MapErrorReport.measure(
                    UsageException.orUsage(() -> mapRecipe.build(fitted, columns, size, new Seed(seed).derive("map"))),
                    rows,
                    PAIRS,
                    new Seed(seed)));
        }
        if (run.json()) {
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("kernel", fitted.toString());
            result.put("map", mapRecipe.toString());
            result.put("rows", rows.length);
            result.put("reports", reports.stream().map(ErrorCommand::toMap).toList());
            printJson(result);
        } else {
            print(fitted, mapRecipe, reports);
        }
        return 0;
    }

    private static KernelRecipe kernel(Spelled spelled) {
        return UsageException.orUsage(() -> Kernels.recipe(spelled.kernel()));
    }

    private static Scaling scaling(Spelled spelled) {
        String scale = spelled.scale();
        return scale == null ? new None() : UsageException.orUsage(() -> Scalings.parse(scale));
    }

    private double[][] draw(String domain, int columns) {
        List<String> bounds = UsageException.orUsage(() -> Spelling.splitTopLevel("--domain", domain, ':'));
        if (bounds.size() != 2) {
            throw new UsageException("--domain must be LOW:HIGH, got '" + domain + "'");
        }
        double low = UsageException.orUsage(() -> Spelling.toNumber("--domain", "LOW", bounds.get(0)));
        double high = UsageException.orUsage(() -> Spelling.toNumber("--domain", "HIGH", bounds.get(1)));
        if (!(low < high && Double.isFinite(high - low))) {
            throw new UsageException("--domain: LOW must be less than HIGH, got " + domain);
        }
        double[][] rows = new double[SAMPLED_ROWS][columns];
        RandomStream stream = new Seed(seed).derive("domain").stream();
        for (double[] row : rows) {
            for (int j = 0; j < columns; j++) {
                row[j] = low + (high - low) * stream.nextUniform();
            }
        }
        return rows;
    }

    private void print(Kernel kernel, MapRecipe map, List<MapErrorReport> reports) {
        out().println("|<phi(x), phi(y)> - k(x, y)| of " + map + " for " + kernel);
        out().println();
        Table sizes = new Table().line("features", "pairs", "max", "99%", "rms", "mean", "independent draws: rms");
        for (MapErrorReport report : reports) {
            MapErrorReport.Errors all = report.overall();
            sizes.line(
                    Integer.toString(report.features()),
                    Integer.toString(all.pairs()),
                    number(all.max()),
                    number(all.percentile99()),
                    number(all.rms()),
                    number(all.mean()),
                    number(report.expectedRms()));
        }
        out().print(sizes);
        if (reports.size() == 1) {
            out().println();
            Table ranges = new Table().line("k between", "pairs", "max", "99%", "rms", "mean");
            for (MapErrorReport.Errors range : reports.get(0).ranges()) {
                ranges.line(
                        String.format(Locale.ROOT, "%.3f and %.3f", range.low(), range.high()),
                        Integer.toString(range.pairs()),
                        number(range.max()),
                        number(range.percentile99()),
                        number(range.rms()),
                        number(range.mean()));
            }
            out().print(ranges);
        }
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.5f", value);
    }

    private static Map<String, Object> toMap(MapErrorReport report) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("features", report.features());
        map.putAll(toMap(report.overall()));
        map.put("expectedRms", report.expectedRms());
        map.put("ranges", report.ranges().stream().map(ErrorCommand::toMap).toList());
        return map;
    }

    private static Map<String, Object> toMap(MapErrorReport.Errors errors) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("low", errors.low());
        map.put("high", errors.high());
        map.put("pairs", errors.pairs());
        map.put("max", errors.max());
        map.put("rms", errors.rms());
        map.put("mean", errors.mean());
        map.put("percentile99", errors.percentile99());
        return map;
    }
}
