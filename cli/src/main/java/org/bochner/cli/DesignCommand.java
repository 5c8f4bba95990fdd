package org.bochner.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Notes;
import org.bochner.base.Spelling;
import org.bochner.cli.plot.Chart;
import org.bochner.data.ColumnRange;
import org.bochner.data.DataFiles;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.design.Design;
import org.bochner.design.Designs;
import org.bochner.design.Form;
import org.bochner.design.Norm;
import org.bochner.design.Plan;
import org.bochner.design.Target;
import org.bochner.kernel.ComposedKernel;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.RowSample.ValueRange;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.DesignRival;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Designs the smallest map of an error, or the most exact of a size, by linear programming. */
@Command(
        name = "design",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Design the smallest feature map for an error, by linear programming.",
        customSynopsis = {
            "bochner design --kernel K (--dimension D | --max-error E)",
            "                      [DATA | --domain LOW:HIGH[,LOW:HIGH...] | --universal]",
            "                      [--json] [--plot FILE] [OPTION]..."
        },
        description = {
            "",
            "Finds frequencies and weights whose cosines come nearest to the kernel, on the range of values of DATA or of"
                    + " a --domain: the least error of a dimension, or the least dimension of an error. Prints them with"
                    + " the error on a fine grid, the bound below which no weights on these frequencies come, the map to"
                    + " use, and other maps of the same dimension.",
            "",
            "For kernels of the ratio of two values (chi2, intersection, jensen-shannon), whose map is that of every"
                    + " column; and for shift-invariant kernels, such as gaussian, periodic and products of these, of 1 to"
                    + " 3 columns. One column takes a second or two, several columns up to some minutes."
        },
        footerHeading = "%nJSON%n",
        footer = {
            "  kernel, data (its name, or null), columns, domain: [[low, high]] (null for a",
            "  period, and for every ratio), universal, dimension, error, errorAtHighest (of",
            "  ratios with a range, absolute; else null), bound (null where there is none),",
            "  norm, weight, form, search, gridPoints, frequencies: [[one a column]],",
            "  weights, features (of each term), map (null where no map has this design),",
            "  comparison: [{map, features, error, errorAtHighest, times (its error over",
            "  the design's)}], seconds, notes.",
            "",
            "Examples",
            "  bochner design --kernel chi2 --domain 1:255 --dimension 5",
            "  bochner design --kernel chi2 --universal --max-error 0.001",
            "  bochner design --kernel chi2 --error relative --dimension 7 words.libsvm",
            "  bochner design --kernel 'gaussian(sigma=0.3)' --domain 0:1 --max-error 0.01",
            "  bochner design --kernel 'gaussian(sigma=0.3)' --domain 0:1,0:2 \\",
            "      --dimension 31 --plot positions.svg",
            "  bochner design --kernel 'periodic(width=0.5)' --dimension 7"
        })
final class DesignCommand extends Subcommand {
    @Parameters(arity = "0..1", paramLabel = "DATA", description = "Rows whose range of values is taken; - is stdin.")
    @Reads
    private @Nullable String data;

    @Option(
            names = "--kernel",
            paramLabel = "K",
            completionCandidates = Words.KernelNames.class,
            required = true,
            description = "The kernel.")
    @SuppressWarnings("NullAway.Init") // picocli fills it
    private String kernel;

    @Option(
            names = "--dimension",
            paramLabel = "D",
            description = "At most so many features: of a column for kernels of ratios, altogether for others.")
    private @Nullable Integer dimension;

    @Option(names = "--max-error", paramLabel = "E", description = "The smallest design with an error of at most this.")
    private @Nullable Double maxError;

    @Option(
            names = "--domain",
            paramLabel = "LOW:HIGH",
            description =
                    "The range of the values. For kernels of ratios one interval, LOW above 0; for others one a column,"
                            + " with commas between, or one for all --columns. Columns with a period need none.")
    private @Nullable String domain;

    @Option(
            names = "--universal",
            description = "For kernels of ratios: the error holds whatever the values; the default without a range.")
    private boolean universal;

    @Option(
            names = "--error",
            paramLabel = "absolute|relative",
            completionCandidates = Words.Weights.class,
            description = "Which error: absolute by default, for kernels of ratios as a share of the largest value.")
    private ErrorKind weight = ErrorKind.ABSOLUTE;

    @Option(
            names = "--norm",
            paramLabel = "largest|mean",
            completionCandidates = Words.Norms.class,
            description = "What of the errors over the range is made small: the largest by default.")
    private Norm norm = Norm.LARGEST;

    @Option(
            names = "--search",
            paramLabel = "continuous|discrete|greedy",
            completionCandidates = Words.Searches.class,
            description =
                    "Any frequencies (the default); multiples of --spacing, or those of the pool; or, in several columns,"
                            + " the largest products of the columns' designs, without a linear program.")
    private Plan.@Nullable Search search;

    @Option(
            names = "--spacing",
            paramLabel = "S",
            description =
                    "With --search discrete in one column: frequencies are multiples of this. By default, an eighth of"
                            + " the first harmonic of the range.")
    private @Nullable Double spacing;

    @Option(
            names = "--form",
            paramLabel = "projection|modulation",
            completionCandidates = Words.Forms.class,
            description =
                    "In several columns, terms are cosines of a sum or products of cosines; by default products where"
                            + " the kernel allows them.")
    private @Nullable Form form;

    @Option(
            names = "--pool",
            paramLabel = "product|polar",
            completionCandidates = Words.Pools.class,
            description =
                    "In several columns, where frequencies come from at first: the columns' designs (the default), or"
                            + " directions and lengths.")
    private Plan.@Nullable Pool pool;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "Draw the signature, what the design makes of it, and the error: .svg or .png.")
    @Writes
    private @Nullable Path plot;

    @Option(
            names = "--scale",
            paramLabel = "S",
            completionCandidates = Words.ScalingNames.class,
            description = "How to scale the rows first. By default as train does.")
    private @Nullable String scale;

    @Option(names = "--seed", paramLabel = "N", description = "Where the sample of rows starts; 1 by default.")
    private long seed = 1;

    @ArgGroup(validate = false, heading = ReadingFlags.HEADING)
    private DataFlags dataFlags = new DataFlags();

    @ArgGroup(validate = false, heading = RunFlags.HEADING)
    private ResultFlags run = new ResultFlags();

    /** A subject, and the DATA whose range it has. */
    private record Found(DesignSubject subject, Optional<String> where) {}

    @Override
    public Integer call() {
        checkFlags();
        DataOptions options = hasData() ? dataFlags.options(data) : null;
        Spelled spelled = new Spelled(kernel, scale);
        // What is misspelled or has no design is found before the data are read.
        KernelRecipe recipe = Recipes.kernel(spelled.before(options));
        Kernel unused = requireDesignable(recipe.withUnitScales());
        Recipes.requireScaling(spelled.before(options));
        Notes notes = new Notes();
        Found found = options == null
                ? new Found(fromDomain(UsageException.orUsage(recipe::complete)), Optional.empty())
                : fromData(options, spelled, notes);
        Plan plan = plan(found.subject.domain().size());
        Talk talk = talk(run);
        talk.say(notes.list());
        DesignFindings findings = find(found, plan, notes, talk);
        if (plot != null) {
            DesignPlot.of(findings).write(plot);
        }
        if (run.json()) {
            printJson(DesignJson.of(findings));
        } else {
            out().print(DesignText.of(findings));
        }
        return 0;
    }

    private boolean hasData() {
        return data != null || dataFlags.hasChannels();
    }

    private boolean relative() {
        return weight == ErrorKind.RELATIVE;
    }

    private void checkFlags() {
        if ((dimension == null) == (maxError == null)) {
            throw new UsageException("give --dimension D for the least error, or --max-error E for the least dimension,"
                    + " one of them");
        }
        if (dimension != null && dimension < 1) {
            throw new UsageException("--dimension must be at least 1, got " + dimension);
        }
        if (maxError != null && !(maxError > 0 && maxError < Double.POSITIVE_INFINITY)) {
            throw new UsageException("--max-error must be positive, got " + Spelling.print(maxError));
        }
        if ((hasData() ? 1 : 0) + (domain != null ? 1 : 0) + (universal ? 1 : 0) > 1) {
            throw new UsageException("give DATA, --domain LOW:HIGH or --universal, one of them: each says the range");
        }
        if (!hasData() && scale != null) {
            throw new UsageException("--scale is for DATA; with --domain, give the interval of the scaled values");
        }
        if (spacing != null && search != Plan.Search.DISCRETE) {
            throw new UsageException("--spacing says which frequencies --search discrete chooses from; give that too");
        }
        if (spacing != null && !(spacing > 0 && spacing < Double.POSITIVE_INFINITY)) {
            throw new UsageException("--spacing must be positive, got " + Spelling.print(spacing));
        }
        if (plot != null) {
            Chart.checkWritable(plot);
        }
    }

    private Plan plan(int columns) {
        if (columns == 1) {
            requireSeveral("--form", form != null);
            requireSeveral("--pool", pool != null);
            requireSeveral("--search greedy", search == Plan.Search.GREEDY);
        } else if (spacing != null) {
            throw new UsageException("--spacing is for one column; in several, the pool has the columns' designs");
        }
        Plan.Pool pools = pool == null ? Plan.Pool.PRODUCT : pool;
        Plan.Search searched = search == null ? Plan.Search.CONTINUOUS : search;
        return UsageException.orUsage(() -> new Plan(norm, form, pools, searched, spacing == null ? 0 : spacing));
    }

    private static void requireSeveral(String flag, boolean given) {
        if (given) {
            throw new UsageException(flag + " is for designs of several columns, and this is one of one; leave it out");
        }
    }

    private DesignSubject fromDomain(Kernel complete) {
        Kernel designable = requireDesignable(complete);
        List<Interval> intervals = domain == null ? List.of() : Interval.parseAll(domain);
        if (designable instanceof HomogeneousKernel ratios) {
            if (dataFlags.columns() > 0) {
                throw new UsageException("--columns: every column of " + ratios + " has the same map; leave it out");
            }
            return RatioSubject.of(ratios, intervals, relative());
        }
        requireBounded(designable);
        int columns = complete instanceof ComposedKernel
                ? Kernels.columns(complete, 0).to()
                        - Kernels.columns(complete, 0).from()
                : dataFlags.columns();
        return DifferenceSubject.of((ShiftInvariantKernel) designable, intervals, columns, relative());
    }

    private static Kernel requireDesignable(Kernel kernel) {
        try {
            return Designs.requireDesignable(kernel);
        } catch (BochnerException e) {
            throw (UsageException) new UsageException(SettingFlags.message(e)).initCause(e);
        }
    }

    private void requireBounded(Kernel differences) {
        if (universal) {
            throw new UsageException("--universal is for kernels of ratios, such as chi2; " + differences
                    + " depends on the difference, so give --domain LOW:HIGH, or DATA");
        }
    }

    private Found fromData(DataOptions options, Spelled spelled, Notes notes) {
        FileSource source = DataFiles.open(options);
        notes.addAll(source.notes());
        KernelRecipe recipe = Recipes.kernel(spelled.in(source));
        recipe.requireColumns(source);
        Kernel anyScale = recipe.withUnitScales();
        ColumnRange range = Kernels.columns(anyScale, source.columns());
        boolean ratios = requireDesignable(anyScale) instanceof HomogeneousKernel;
        if (!ratios) {
            DifferenceSubject.requireColumns(range.to() - range.from());
        }
        KernelRows rows = KernelRows.read(source, spelled, new Seed(seed), run.workers(), notes);
        Kernel designable = requireDesignable(rows.kernel());
        if (designable instanceof HomogeneousKernel homogeneous) {
            ValueRange values = rows.sample().range(range.from(), range.to());
            return found(source, new RatioSubject(homogeneous, Optional.of(interval(values, source)), relative()));
        }
        List<Interval> intervals = new ArrayList<>();
        ShiftInvariantKernel differences = (ShiftInvariantKernel) designable;
        for (int l = range.from(); l < range.to(); l++) {
            // Columns with a period have all of it.
            if (differences.period(l - range.from()) == Double.POSITIVE_INFINITY) {
                intervals.add(interval(rows.sample(), l, source));
            }
        }
        return found(source, DifferenceSubject.of(differences, intervals, range.to() - range.from(), relative()));
    }

    private static Interval interval(RowSample sample, int column, FileSource source) {
        return sample.interval(column)
                .filter(range -> range.low() < range.high())
                .map(range -> new Interval(shortest(range.low()), shortest(range.high())))
                .orElseThrow(() -> DataException.in(
                        source.name(),
                        "column " + column + " has the same value in all rows, so no range of differences can be taken"
                                + " from it; give --domain, or leave the column out"));
    }

    /** Values are float32: the shortest decimal that is one, for people to read and paste. */
    private static double shortest(double value) {
        return Double.parseDouble(Float.toString((float) value));
    }

    private static Found found(FileSource source, DesignSubject subject) {
        return new Found(subject, Optional.of(source.name()));
    }

    private static Interval interval(ValueRange range, FileSource source) {
        if (!(range.smallest() < range.largest())) {
            throw DataException.in(
                    source.name(),
                    range.known()
                            ? "all positive values are " + Spelling.print((float) range.largest())
                                    + ", so their ratio is always 1; give --domain LOW:HIGH or --universal instead"
                            : "no value is positive, so there is no range; give --domain LOW:HIGH or --universal"
                                    + " instead");
        }
        return new Interval(shortest(range.smallest()), shortest(range.largest()));
    }

    private DesignFindings find(Found found, Plan plan, Notes notes, Talk talk) {
        Target target = UsageException.orUsage(found.subject::target);
        if (target.axes().size() > 1) {
            talk.say("designing in " + target.axes().size() + " columns, which takes seconds to minutes ...");
        }
        talk.report("designing", 0, Double.NaN);
        long start = System.nanoTime();
        Design design = design(target, plan, talk);
        double seconds = (System.nanoTime() - start) * 1e-9;
        talk.report("comparing", 0, Double.NaN);
        int asked = dimension == null ? design.dimension() : dimension;
        List<DesignRival> rivals = found.subject.rivals(design, asked);
        talk.clear();
        return new DesignFindings(found.subject, found.where, asked, design, seconds, rivals, notes.list());
    }

    /** What fails here was asked too much of, and something else must be asked for. */
    private Design design(Target target, Plan plan, Talk talk) {
        try {
            return dimension != null
                    ? Designs.ofDimension(target, plan, dimension)
                    : Designs.ofError(
                            target,
                            plan,
                            maxError == null ? Double.NaN : maxError,
                            tried -> talk.say(String.format(
                                    Locale.ROOT, "%d features err by %.3g", tried.dimension(), tried.error())));
        } catch (BochnerException | IllegalArgumentException e) {
            throw (UsageException) new UsageException(String.valueOf(e.getMessage())).initCause(e);
        }
    }
}
