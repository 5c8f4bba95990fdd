package org.bochner.kernel;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.base.row.RowException;
import org.bochner.data.ColumnRange;
import org.bochner.data.RowSource;
import org.bochner.kernel.columns.Columns;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.composed.ProductKernel;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.kernel.composed.SkewedKernel;
import org.bochner.kernel.composed.SumKernel;
import org.bochner.kernel.composed.WarpedKernel;
import org.jspecify.annotations.Nullable;

/**
 * A parsed kernel whose scales may be missing, to be measured on the data: {@code gaussian}, {@code 0.5*laplacian[0:64]
 * + exp-chi2(gamma=2)[64:128]}, {@code gaussian[0:2] * periodic(width=0.5)[2:3]}. Its {@code toString} is its spelling.
 *
 * <p>A missing sigma becomes the median distance between rows, in the columns and after the warp of its kernel; a
 * missing gamma or beta becomes one over the mean distance, and a missing sigma of a kernel of a distance of histograms
 * the mean distance. Scales may also be given up to a factor, {@code laplacian(sigma=~[0:2=1, 2:5=3])}: the missing factor
 * counts as a missing scale, which is measured as 1.
 *
 * <p>Threads: safe; immutable.
 */
public final class KernelRecipe {
    /**
     * One kernel of a term: {@code family(parameters) @ warp [from:to]}. Absent components are null; absent columns
     * mean all.
     *
     * @param relative the scale if the spelling gives it up to a factor
     */
    record Part(
            KernelFamily family,
            Spelling spelling,
            @Nullable RelativeScale relative,
            @Nullable Warp warp,
            @Nullable Columns columns) {
        /** Creates a part from its spelling. */
        static Part of(KernelFamily family, Spelling spelling, @Nullable Warp warp, @Nullable Columns columns) {
            return new Part(family, spelling, RelativeScale.of(family, spelling), warp, columns);
        }

        /** Returns true if the scale of the family, or a factor of it, is missing. */
        boolean missing() {
            return relative != null
                    || family.scale().filter(scale -> !spelling.has(scale)).isPresent();
        }

        /** Returns the part with the given scale, or with the given factor of a relative scale. */
        Part with(double scale) {
            Spelling complete = relative == null
                    ? spelling.with(family.scale().orElseThrow(), Spelling.print(scale))
                    : relative.complete(spelling, ratio -> rounded(scale * ratio, RELATIVE_DIGITS));
            return new Part(family, complete, null, warp, columns);
        }

        /** Returns the part with its scale up to a factor; the part itself if its family has no scale. */
        Part withOpenFactor() {
            return family.scale().isEmpty() || missing()
                    ? this
                    : of(family, RelativeScale.open(spelling, family.scale().get()), warp, columns);
        }

        /** Returns the part with the given columns. */
        Part in(Columns range) {
            return new Part(family, spelling, relative, warp, range);
        }

        /** Returns the part with 1 for a missing scale or factor, for questions that do not depend on the scale. */
        Part withUnitScale() {
            return missing() ? with(1) : this;
        }

        /** Returns the kernel; no scale may be missing. */
        Kernel kernel() {
            Kernel kernel = family.kernel(spelling);
            if (warp != null) {
                if (!(kernel instanceof ShiftInvariantKernel shiftInvariant)) {
                    throw new SpellingException(
                            "kernel '" + spelling + "@" + warp + "': only shift-invariant kernels, such as gaussian or"
                                    + " laplacian, take warped values; leave '@" + warp + "' out");
                }
                kernel = WarpedKernel.of(shiftInvariant, warp);
            }
            return columns == null ? kernel : new ChannelKernel(kernel, columns.from(), columns.to());
        }

        /** Returns the kernel as a factor of a product whose columns start at the given one. */
        ProductKernel.Factor factor(int start) {
            Kernel kernel = warp == null ? family.kernel(spelling) : kernel();
            if (!(kernel instanceof ShiftInvariantKernel shiftInvariant)) {
                throw new SpellingException(
                        family.name() + (warp == null ? "" : "@" + warp)
                                + " cannot be a factor of a product: factors are shift-invariant kernels"
                                + " without a warp, such as gaussian, matern or periodic; take one of these, or add it with '+'");
            }
            Columns own = Objects.requireNonNull(columns, "columns");
            return new ProductKernel.Factor(shiftInvariant, own.from() - start, own.to() - start);
        }

        @Override
        public String toString() {
            return spelling + (warp == null ? "" : "@" + warp) + (columns == null ? "" : columns);
        }
    }

    /**
     * One term of a sum: {@code factor * part * part …}; an absent factor is null.
     *
     * @param parts one part, or the factors of a product by ascending column; none if the kernel was given
     * @param given the kernel if it was given as an object
     */
    record Term(
            @Nullable Double factor,
            List<Part> parts,
            @Nullable Kernel given) {
        Term {
            parts = List.copyOf(parts);
        }

        Term(@Nullable Double factor, List<Part> parts) {
            this(factor, parts, null);
        }

        /** Returns true if a scale is missing. */
        boolean missing() {
            return parts.stream().anyMatch(Part::missing);
        }

        /** Returns the term with changed parts. */
        Term map(UnaryOperator<Part> function) {
            return new Term(factor, parts.stream().map(function).toList(), given);
        }

        /** Returns the term with 1 for missing scales, for questions that do not depend on them. */
        Term withUnitScales() {
            return map(Part::withUnitScale);
        }

        /** Returns the kernel; no scale may be missing. */
        Kernel kernel() {
            if (given != null) {
                return given;
            }
            Kernel kernel = parts.size() == 1 ? parts.get(0).kernel() : product();
            return factor == null ? kernel : new ScaledKernel(factor, kernel);
        }

        /** Returns the term with all its columns in a range; it must be a single kernel without columns. */
        Term in(Columns range) {
            boolean single =
                    factor == null && parts.size() <= 1 && parts.stream().allMatch(part -> part.columns == null);
            Require.that(single, "channels", "'" + this + "' must be one kernel without a factor and without columns");
            return given == null
                    ? map(part -> part.in(range))
                    : new Term(null, List.of(), ChannelKernel.of(given, range.from(), range.to()));
        }

        private Kernel product() {
            int from = Objects.requireNonNull(parts.get(0).columns, "columns").from();
            ProductKernel product = new ProductKernel(
                    parts.stream().map(part -> part.factor(from)).toList());
            return ChannelKernel.of(product, from, from + product.columns());
        }

        @Override
        public String toString() {
            if (!missing()) {
                return kernel().toString();
            }
            return (factor == null ? "" : Spelling.print(factor) + "*")
                    + parts.stream().map(Part::toString).collect(Collectors.joining(" * "));
        }
    }

    /** The significant digits of measured scales. */
    private static final int DIGITS = 4;

    /** The significant digits of relative scales, which were learned, times their factor. */
    private static final int RELATIVE_DIGITS = 5;

    private final List<Term> terms;

    KernelRecipe(List<Term> terms) {
        this.terms = List.copyOf(terms);
    }

    /**
     * Returns the recipe of a kernel object, in which no scale is missing.
     *
     * <p>The kernel needs no family and no parser. A model with it can be saved; {@code KernelModel.load} needs a
     * {@link KernelFamily} that reads the kernel's {@code toString}.
     */
    public static KernelRecipe of(Kernel kernel) {
        return new KernelRecipe(List.of(new Term(null, List.of(), kernel)));
    }

    /** Returns true if all terms were parsed. The spelling of a kernel that was given as an object may not parse. */
    public boolean isSpelled() {
        return terms.stream().allMatch(term -> term.given == null);
    }

    /** Returns this kernel with a missing factor of each scale. A kernel that was given as an object keeps its scales. */
    public KernelRecipe withOpenFactors() {
        return new KernelRecipe(
                terms.stream().map(term -> term.map(Part::withOpenFactor)).toList());
    }

    /**
     * Returns the sum of kernels, each of the columns of its own channel, such as {@code gaussian[0:2] + chi2[2:6]}.
     *
     * @param kernels single kernels without columns, one per channel
     */
    public static KernelRecipe ofChannels(List<KernelRecipe> kernels, List<ColumnRange> channels) {
        Require.sameSize("channels", "count of kernels", kernels.size(), channels.size());
        List<Term> terms = new ArrayList<>();
        for (int c = 0; c < channels.size(); c++) {
            Columns range = new Columns(channels.get(c).from(), channels.get(c).to());
            kernels.get(c).terms.forEach(term -> terms.add(term.in(range)));
        }
        return new KernelRecipe(terms);
    }

    /** Returns true if a scale is missing, so that {@link #fit} must measure it. */
    public boolean needsData() {
        return incomplete().findAny().isPresent();
    }

    /**
     * Returns, for each missing scale in the order of the spelling, true if it is a length and false if it is an
     * inverse length.
     */
    public List<Boolean> openLengths() {
        return incomplete().map(part -> part.family.scaleIsLength()).toList();
    }

    /** Returns the parts without a scale, in the order of the spelling. */
    private Stream<Part> incomplete() {
        return terms.stream().flatMap(term -> term.parts.stream()).filter(Part::missing);
    }

    /** Returns the kernel with 1 for every missing scale, for questions that do not depend on the scales. */
    public Kernel withUnitScales() {
        return sum(terms.stream().map(term -> term.withUnitScales().kernel()).toList());
    }

    /** Returns the kernels of the sum by their spellings in the recipe, with 1 for every missing scale. */
    private Map<String, Kernel> unitTerms() {
        Map<String, Kernel> kernels = new LinkedHashMap<>();
        terms.forEach(term -> kernels.put(term.toString(), term.withUnitScales().kernel()));
        return kernels;
    }

    /**
     * Returns true if the kernel takes any value. Kernels of histograms and of warped values do not; they need unscaled
     * data.
     */
    public boolean takesAnyValue() {
        return withUnitScales().takesAnyValue();
    }

    /** Returns true if columns may be shifted and scaled freely; values with a period may not. */
    public boolean takesAnyUnit() {
        return withUnitScales().takesAnyUnit();
    }

    /** Returns the kernel if no scale is missing; fails otherwise. */
    public Kernel complete() {
        incomplete().findFirst().ifPresent(part -> {
            String name = part.family.name();
            String scale = part.family.scale().orElseThrow();
            throw new SpellingException("kernel '" + this + "': " + name + " has no " + scale + "; write it, as in "
                    + name + "(" + scale + "=1), or take it from data");
        });
        return sum(terms.stream().map(Term::kernel).toList());
    }

    /** Fails, with the source and the term in the message, if the rows have fewer columns than the kernel names. */
    public void requireColumns(RowSource source) {
        unitTerms().forEach((term, kernel) -> {
            int needed = kernel.minimumColumns();
            if (needed > source.columns()) {
                throw DataException.in(
                        source.name(),
                        "has " + source.columns() + " columns; the kernel " + term + " needs " + needed
                                + " columns; name columns within " + new Columns(0, source.columns())
                                + ", which count from 0 and leave 'to' out");
            }
        });
    }

    /**
     * Returns the kernel with the missing scales measured on the sample, rounded to four digits. Fails if the sample
     * has fewer columns than the kernel names.
     */
    public Kernel fit(RowSample sample) {
        return withScales(measure(sample));
    }

    /**
     * Measures the missing scales on the sample: one number per missing scale, in the order of the spelling. Fails if
     * the sample has fewer columns than the kernel names.
     */
    public double[] measure(RowSample sample) {
        unitTerms()
                .forEach((term, kernel) -> Require.that(
                        kernel.minimumColumns() <= sample.columns(),
                        "kernel '" + this + "': " + term + " needs " + kernel.minimumColumns()
                                + " columns, the data has " + sample.columns()));
        return incomplete().mapToDouble(part -> measured(part, sample)).toArray();
    }

    /**
     * Returns the kernel with these numbers, rounded to four digits, for the missing scales, in the order of the
     * spelling.
     */
    public Kernel withScales(double... scales) {
        int[] next = {0};
        List<Kernel> kernels = new ArrayList<>();
        for (Term term : terms) {
            kernels.add(term.map(part -> part.missing() ? part.with(rounded(scales[next[0]++], DIGITS)) : part)
                    .kernel());
        }
        Require.sameSize("kernel '" + this + "'", "missing scales", scales.length, next[0]);
        return sum(kernels);
    }

    private static double rounded(double scale, int digits) {
        return Double.isFinite(scale)
                ? new BigDecimal(scale).round(new MathContext(digits)).doubleValue()
                : scale;
    }

    private static double measured(Part part, RowSample sample) {
        if (part.relative != null) {
            return 1;
        }
        Columns columns = part.columns;
        RowSample rows = columns == null ? sample : sample.columns(columns.from(), columns.to());
        try {
            return part.family.measure(part.spelling, part.warp == null ? rows : rows.warped(part.warp));
        } catch (RowException | SpellingException e) {
            throw e;
        } catch (BochnerException e) {
            String scale = part.family.scale().orElseThrow();
            throw new BochnerException(
                    e.problem() + "; no " + scale + " of " + part + " can be taken from them",
                    e,
                    Stream.concat(e.remedies().stream(), Stream.of(Remedy.advice("give it, as in " + part.with(1))))
                            .toArray(Remedy[]::new));
        }
    }

    /** Returns true if a kernel has the families, warps and columns of this recipe, whatever its parameters are. */
    public boolean hasFamiliesOf(Kernel kernel) {
        return families(withUnitScales()).equals(families(kernel));
    }

    /** Returns the types of a kernel and of its parts, with their warps and columns but without their parameters. */
    private static List<Object> families(Kernel kernel) {
        if (kernel instanceof ScaledKernel scaled) {
            return families(scaled.kernel());
        }
        if (kernel instanceof ChannelKernel channel) {
            return List.of(families(channel.kernel()), channel.from(), channel.to());
        }
        if (kernel instanceof ProductKernel product) {
            return product.factors().stream()
                    .<Object>map(factor -> List.of(families(factor.kernel()), factor.from(), factor.to()))
                    .toList();
        }
        if (kernel instanceof SumKernel sum) {
            return sum.terms().stream().<Object>map(KernelRecipe::families).toList();
        }
        if (kernel instanceof RadialKernel radial) {
            return List.of(radial.profile().prefix(), radial.additive().getClass());
        }
        if (kernel instanceof SkewedKernel skewed) {
            return List.of(skewed.kind());
        }
        return kernel instanceof WarpedKernel warped
                ? List.of(families(warped.kernel()), warped.warp())
                : List.of(kernel.getClass());
    }

    private static Kernel sum(List<Kernel> kernels) {
        return kernels.size() == 1 ? kernels.get(0) : new SumKernel(kernels);
    }

    /** Returns true for a recipe of the same kernel that lacks the same scales. */
    @Override
    public boolean equals(Object other) {
        return other instanceof KernelRecipe that
                && withUnitScales().equals(that.withUnitScales())
                && missing().equals(that.missing());
    }

    @Override
    public int hashCode() {
        return withUnitScales().hashCode();
    }

    /** Returns, for each term that lacks a scale, which of its parts do; an empty list if no scale is missing. */
    private List<List<Boolean>> missing() {
        return !needsData()
                ? List.of()
                : terms.stream()
                        .map(term -> term.missing()
                                ? term.parts.stream().map(Part::missing).toList()
                                : List.<Boolean>of())
                        .toList();
    }

    @Override
    public String toString() {
        return terms.stream().map(Term::toString).collect(Collectors.joining(" + "));
    }
}
