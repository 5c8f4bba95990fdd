package org.bochner.kernel;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Require;
import org.bochner.base.RowException;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.data.RowSource;
import org.jspecify.annotations.Nullable;

/**
 * A kernel as it was spelled, in which scales may be left out for the data to give: {@code gaussian},
 * {@code 0.5*laplacian[0:64] + exp-chi2(gamma=2)[64:128]}. Its {@code toString} is its spelling.
 *
 * <p>A missing sigma becomes the median distance between rows, in the columns and after the warp of its term; a missing
 * gamma or beta becomes one over the mean distance.
 *
 * <p>Threads: safe; a recipe is an immutable value.
 */
public final class KernelRecipe {
    /** One term: {@code factor * family(parameters) @ warp [from:to]}; what is absent is null, absent columns are all. */
    record Term(
            @Nullable Double factor,
            KernelFamily family,
            Spelling spelling,
            @Nullable Warp warp,
            @Nullable Columns columns) {

        /** Whether the family's scale was left out, for the data to give. */
        boolean missing() {
            return family.scale().isPresent() && !spelling.has(family.scale().get());
        }

        /** The term with the given scale. */
        Term with(double scale) {
            Spelling complete = spelling.with(family.scale().orElseThrow(), Spelling.print(scale));
            return new Term(factor, family, complete, warp, columns);
        }

        /** The kernel; nothing may be missing. */
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
            if (columns != null) {
                kernel = new ChannelKernel(kernel, columns.from, columns.to);
            }
            return factor == null ? kernel : new ScaledKernel(factor, kernel);
        }

        @Override
        public String toString() {
            if (!missing()) {
                return kernel().toString();
            }
            return (factor == null ? "" : Spelling.print(factor) + "*")
                    + spelling
                    + (warp == null ? "" : "@" + warp)
                    + (columns == null ? "" : columns);
        }
    }

    /** Columns from (inclusive) to (exclusive). */
    record Columns(int from, int to) {
        @Override
        public String toString() {
            return "[" + from + ":" + to + "]";
        }
    }

    private final List<Term> terms;

    KernelRecipe(List<Term> terms) {
        this.terms = List.copyOf(terms);
    }

    /** Whether a scale is missing, so that {@link #fit} must measure it. */
    public boolean needsData() {
        return terms.stream().anyMatch(Term::missing);
    }

    /** The kernel with 1 for every scale that is missing: for questions whose answers do not depend on it. */
    public Kernel withUnitScales() {
        return sum(terms.stream().map(term -> unitScale(term).kernel()).toList());
    }

    /** Whether the kernel takes any values; those of histograms and warped ones do not, and want the data as they are. */
    public boolean takesAnyValue() {
        return withUnitScales().takesAnyValue();
    }

    /** The kernel, where nothing is missing. */
    public Kernel complete() {
        for (Term term : terms) {
            if (term.missing()) {
                String name = term.family.name();
                String scale = term.family.scale().orElseThrow();
                throw new SpellingException("kernel '" + this + "': " + name + " has no " + scale + "; write it, as in "
                        + name + "(" + scale + "=1), or take it from data");
            }
        }
        return sum(terms.stream().map(Term::kernel).toList());
    }

    /** Fails, naming the source and the term, where the rows are narrower than the columns that the kernel names. */
    public void requireColumns(RowSource source) {
        for (Term term : terms) {
            int needed = unitScale(term).kernel().minimumColumns();
            if (needed > source.columns()) {
                throw DataException.in(
                        source.name(),
                        "has " + source.columns() + " columns; the kernel " + term + " needs " + needed
                                + " columns; name columns within " + new Columns(0, source.columns())
                                + ", which count from 0 and leave 'to' out");
            }
        }
    }

    /**
     * The kernel with what is missing measured on the sample, rounded to four digits. Fails where the sample is narrower
     * than the columns that the kernel names.
     */
    public Kernel fit(RowSample sample) {
        List<Kernel> kernels = new ArrayList<>();
        for (Term term : terms) {
            int needed = unitScale(term).kernel().minimumColumns();
            Require.that(
                    needed <= sample.columns(),
                    "kernel '" + this + "'",
                    term + " needs " + needed + " columns, the data has " + sample.columns());
            kernels.add((term.missing() ? term.with(measured(term, sample)) : term).kernel());
        }
        return sum(kernels);
    }

    /** The term with some scale, to ask what does not depend on it. */
    private static Term unitScale(Term term) {
        return term.missing() ? term.with(1) : term;
    }

    private static double measured(Term term, RowSample sample) {
        Columns columns = term.columns;
        RowSample rows = columns == null ? sample : sample.columns(columns.from, columns.to);
        try {
            double scale = term.family.measure(term.spelling, rows, term.warp);
            return new BigDecimal(scale).round(new MathContext(4)).doubleValue();
        } catch (RowException e) {
            throw e;
        } catch (BochnerException e) {
            String scale = term.family.scale().orElseThrow();
            throw new BochnerException(
                    e.getMessage() + "; no " + scale + " of " + term + " can be taken from them: give it, as in "
                            + term.with(1),
                    e);
        }
    }

    private static Kernel sum(List<Kernel> kernels) {
        return kernels.size() == 1 ? kernels.get(0) : new SumKernel(kernels);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KernelRecipe that && toString().equals(that.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    @Override
    public String toString() {
        return terms.stream().map(Term::toString).collect(Collectors.joining(" + "));
    }
}
