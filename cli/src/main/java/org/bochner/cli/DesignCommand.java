package org.bochner.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.bochner.base.Notes;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.design.Design;
import org.bochner.design.DesignProblem;
import org.bochner.design.Form;
import org.bochner.design.Norm;
import org.bochner.design.Plan;
import org.bochner.design.Pool;
import org.bochner.design.Search;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.RowSample;
import org.bochner.map.DesignRival;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Designs the smallest map for an error, or the most accurate map of a size, by linear programming. */
@Command(
        name = "design",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Design the smallest feature map for a given error, by linear programming.",
        customSynopsis = {
            "bochner design --kernel K (--dimension D | --max-error E)",
            "                      [DATA | --domain LOW:HIGH[,LOW:HIGH...] | --universal]",
            "                      [--json] [--plot FILE] [OPTION]..."
        },
        description = {
            "",
            "Finds frequencies and weights of cosines that approximate the kernel on the range of values of"
                    + " DATA or of a --domain: the least error for a dimension, or the least dimension for an error."
                    + " Prints the frequencies and weights, the error on a fine grid, a lower bound of the error for"
                    + " any weights on these frequencies, the --map that makes this design, and the errors of other"
                    + " maps of the same dimension.",
            "",
            "Designs exist for kernels of the ratio of two values (chi2, intersection, jensen-shannon), which have"
                    + " the same"
                    + " map for every column, and for shift-invariant kernels of 1 to 3 columns, such as gaussian, periodic"
                    + " and their products. One column takes a second or two, several columns up to some minutes."
                    + " Designs are kept for later runs; the environment variable BOCHNER_DESIGNS names the folder, or off."
        })
final class DesignCommand extends DataCommand {
    @Option(
            names = "--kernel",
            paramLabel = "K",
            completionCandidates = Words.KernelNames.class,
            required = true,
            description = "Kernel to approximate.")
    @SuppressWarnings("NullAway.Init") // picocli fills it
    private String kernel;

    @Option(
            names = "--dimension",
            paramLabel = "D",
            description = "Find the least error with at most D features: per column for kernels of ratios, in total for"
                    + " others.")
    private @Nullable Integer dimension;

    @Option(names = "--max-error", paramLabel = "E", description = "Find the smallest design whose error is at most E.")
    private @Nullable Double maxError;

    @Option(
            names = "--domain",
            paramLabel = "LOW:HIGH",
            description =
                    "Range of the values. For kernels of ratios one interval with LOW above 0; for others one"
                            + " interval per column, separated by commas, or one for all --columns. Periodic columns need none.")
    private @Nullable String domain;

    @Option(
            names = "--universal",
            description =
                    "For kernels of ratios: minimise the error over all values. This is the default without DATA and"
                            + " --domain.")
    private boolean universal;

    @Option(
            names = "--error",
            paramLabel = "absolute|relative",
            completionCandidates = Words.Weights.class,
            description = "Type of error to minimise. Absolute errors of kernels of ratios are fractions of the largest"
                    + " value. [default: absolute]")
    private ErrorKind weight = ErrorKind.ABSOLUTE;

    @Option(
            names = "--norm",
            paramLabel = "largest|mean",
            completionCandidates = Words.Norms.class,
            description = "Minimise the largest or the mean error over the range. [default: largest]")
    private Norm norm = Norm.LARGEST;

    @Option(
            names = "--search",
            paramLabel = "continuous|discrete|greedy",
            completionCandidates = Words.Searches.class,
            description = "How frequencies are chosen: any (continuous); multiples of --spacing or those of the pool"
                    + " (discrete); or, for several columns, the products of the columns' designs with the largest weights,"
                    + " without a linear program (greedy). [default: continuous]")
    private @Nullable Search search;

    @Option(
            names = "--spacing",
            paramLabel = "S",
            description =
                    "With --search discrete in one column, use multiples of this frequency. [default: an eighth of"
                            + " the first harmonic of the range]")
    private @Nullable Double spacing;

    @Option(
            names = "--form",
            paramLabel = "projection|modulation",
            completionCandidates = Words.Forms.class,
            description = "For several columns, make each term a cosine of a sum (projection) or a product of cosines"
                    + " (modulation). [default: modulation if the kernel allows it]")
    private @Nullable Form form;

    @Option(
            names = "--pool",
            paramLabel = "product|polar",
            completionCandidates = Words.Pools.class,
            description =
                    "For several columns, initial frequencies: products of the designs of the columns (product), or"
                            + " a grid of directions and lengths (polar). [default: product]")
    private @Nullable Pool pool;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description =
                    "Plot the kernel as a function of one difference or log-ratio, its approximation and the error,"
                            + " as .svg or .png.")
    @Writes(picture = true)
    private @Nullable Path plot;

    @Option(
            names = "--scale",
            paramLabel = "S",
            completionCandidates = Words.ScalingNames.class,
            description = "Scaling of the rows. [default: the scaling that train would choose]")
    @ReadsByScaling
    private @Nullable String scale;

    @Option(names = "--seed", paramLabel = "N", description = "Random seed of the sample of rows. [default: 1]")
    private long seed = 1;

    @Override
    public Integer call() {
        checkFlags();
        DataOptions options = hasData() ? options() : null;
        Spelled spelled = new Spelled(kernel, scale);
        // Mistakes that do not depend on the data are found before the data are read.
        KernelRecipe recipe = Recipes.kernel(spelled.before(options));
        Kernel unused = UsageException.unlessData(() -> DesignProblem.requireDesignable(recipe.withUnitScales()));
        Recipes.requireScaling(spelled.before(options));
        Notes notes = new Notes();
        FileSource source = options == null ? null : FileSource.open(options);
        DesignProblem problem = source == null ? fromDomain(recipe) : fromData(source, spelled, notes);
        Plan plan = plan(problem.columns());
        Talk talk = talk(run());
        talk.say(notes.list());
        DesignFindings findings = find(problem, Optional.ofNullable(source).map(FileSource::name), plan, notes, talk);
        if (plot != null) {
            DesignPlot.of(findings).write(plot);
        }
        if (run().json()) {
            printJson(DesignJson.of(findings));
        } else {
            out().print(DesignText.of(findings));
        }
        return Main.WORKED;
    }

    private boolean relative() {
        return weight == ErrorKind.RELATIVE;
    }

    private void checkFlags() {
        if ((dimension == null) == (maxError == null)) {
            throw new UsageException(
                    "give either --dimension D (finds the least error) or --max-error E (finds the least dimension)");
        }
        if (dimension != null) {
            requireAtLeast("--dimension", dimension, 1);
        }
        requirePositive("--max-error", maxError);
        if ((hasData() ? 1 : 0) + (domain != null ? 1 : 0) + (universal ? 1 : 0) > 1) {
            throw new UsageException(
                    "give only one of DATA, --domain LOW:HIGH and --universal: each sets the range of values");
        }
        if (!hasData() && scale != null) {
            throw new UsageException("--scale is for DATA; with --domain, give the interval of the scaled values");
        }
        if (spacing != null && search != Search.DISCRETE) {
            throw new UsageException("--spacing needs --search discrete; add --search discrete");
        }
        requirePositive("--spacing", spacing);
    }

    private Plan plan(int columns) {
        if (columns == 1) {
            requireSeveral("--form", form != null);
            requireSeveral("--pool", pool != null);
            requireSeveral("--search greedy", search == Search.GREEDY);
        } else if (spacing != null) {
            throw new UsageException(
                    "--spacing is for one column; for several, the pool has the frequencies of the columns' designs");
        }
        return UsageException.orUsage(() -> new Plan(
                norm,
                form,
                pool == null ? Pool.PRODUCT : pool,
                search == null ? Search.CONTINUOUS : search,
                spacing == null ? 0 : spacing));
    }

    private static void requireSeveral(String flag, boolean given) {
        if (given) {
            throw new UsageException(
                    flag + " is for designs of several columns, but this design has one column; remove the flag");
        }
    }

    private DesignProblem fromDomain(KernelRecipe recipe) {
        List<RowSample.Interval> intervals = domain == null ? List.of() : Words.intervals(domain);
        return UsageException.unlessData(() -> {
            Kernel complete = recipe.complete();
            if (universal && !DesignProblem.isOfRatios(complete)) {
                throw new UsageException(
                        "--universal is for kernels of ratios, such as chi2; give --domain LOW:HIGH, or DATA");
            }
            return DesignProblem.of(complete, intervals, dataFlags().columns(), relative());
        });
    }

    private DesignProblem fromData(FileSource source, Spelled spelled, Notes notes) {
        notes.addAll(source.notes());
        KernelRecipe recipe = Recipes.kernel(spelled.in(source));
        recipe.requireColumns(source);
        UsageException.unlessData(() -> {
            DesignProblem.requireColumns(recipe.withUnitScales(), source.columns());
            return recipe;
        });
        KernelMachine.KernelFit fit = Recipes.machine(spelled.in(source), "auto", null, seed)
                .fitKernel(source, run().workers(), Progress.NONE, notes);
        return UsageException.unlessData(() -> DesignProblem.of(fit.kernel(), fit.rows(), source.name(), relative()));
    }

    private DesignFindings find(DesignProblem problem, Optional<String> where, Plan plan, Notes notes, Talk talk) {
        if (problem.columns() > 1) {
            talk.say("designing for " + problem.columns() + " columns, which takes seconds to minutes ...");
        }
        talk.report("designing", 0, Double.NaN);
        long start = System.nanoTime();
        Design design = UsageException.unlessData(() -> dimension != null
                ? problem.ofDimension(plan, dimension, share -> talk.report("designing", 0, share))
                : problem.ofError(
                        plan,
                        Objects.requireNonNull(maxError),
                        tried -> talk.say(Text.of("error of %d features: %.3g", tried.dimension(), tried.error()))));
        double seconds = (System.nanoTime() - start) * 1e-9;
        talk.report("comparing", 0, Double.NaN);
        int asked = dimension == null ? design.dimension() : dimension;
        List<DesignRival> rivals = DesignRival.of(problem, design, asked);
        talk.clear();
        return new DesignFindings(problem, where, asked, design, seconds, rivals, notes.list());
    }
}
