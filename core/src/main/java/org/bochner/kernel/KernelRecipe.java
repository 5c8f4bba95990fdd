package org.bochner.kernel;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.bochner.base.DataException;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.data.RowSource;
import org.jspecify.annotations.Nullable;

/**
 * A kernel as it was spelled, in which bandwidths may be left out for the data to give: {@code gaussian},
 * {@code 0.5*laplacian[0:64] + gaussian(sigma=2)[64:128]}. Its {@code toString} is its spelling.
 *
 * <p>A missing sigma becomes the median distance between rows, in the columns and after the warp of its term.
 *
 * <p>Threads: safe; a recipe is an immutable value.
 */
public final class KernelRecipe {
    /** One term: {@code factor * family(parameters) @ warp [from:to]}; what is absent is null, absent columns are all. */
    record Term(
            @Nullable Double factor,
            KernelFamily family,
            Spelling spelling,
            @Nullable Bandwidth sigma,
            @Nullable Warp warp,
            @Nullable Columns columns) {

        /** The term with the given bandwidth. */
        Kernel withSigma(Bandwidth bandwidth) {
            ShiftInvariantKernel base = family.kernel(spelling, bandwidth);
            Kernel kernel = warp == null ? base : new WarpedKernel(base, warp);
            if (columns != null) {
                kernel = new ChannelKernel(kernel, columns.from, columns.to);
            }
            return factor == null ? kernel : new ScaledKernel(factor, kernel);
        }

        @Override
        public String toString() {
            if (sigma != null) {
                return withSigma(sigma).toString();
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

    /** Whether a bandwidth is missing, so that {@link #fit} must measure it. */
    public boolean needsData() {
        return terms.stream().anyMatch(term -> term.sigma == null);
    }

    /** Whether a term warps its values, which then must lie in the warp's domain. */
    public boolean warps() {
        return terms.stream().anyMatch(term -> term.warp != null);
    }

    /** The kernel, where nothing is missing. */
    public Kernel complete() {
        List<Kernel> kernels = new ArrayList<>();
        for (Term term : terms) {
            if (term.sigma == null) {
                throw new SpellingException("kernel '" + this + "': " + term.family.name()
                        + " has no bandwidth; write it, as in " + term.family.name()
                        + "(sigma=1), or take it from data");
            }
            kernels.add(term.withSigma(term.sigma));
        }
        return sum(kernels);
    }

    /** Fails, naming the source and the term, where the rows are narrower than the columns that the kernel names. */
    public void requireColumns(RowSource source) {
        for (Term term : terms) {
            int needed = term.withSigma(term.sigma == null ? Bandwidth.of(1) : term.sigma)
                    .minimumColumns();
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
            Kernel kernel = term.withSigma(term.sigma == null ? Bandwidth.of(1) : term.sigma);
            Require.that(
                    kernel.minimumColumns() <= sample.columns(),
                    "kernel '" + this + "'",
                    term + " needs " + kernel.minimumColumns() + " columns, the data has " + sample.columns());
            kernels.add(term.sigma != null ? kernel : term.withSigma(Bandwidth.of(measured(term, sample))));
        }
        return sum(kernels);
    }

    private static double measured(Term term, RowSample sample) {
        Columns columns = term.columns == null ? new Columns(0, sample.columns()) : term.columns;
        double median = sample.medianDistance(term.family.distance(), columns.from, columns.to, term.warp);
        return new BigDecimal(median).round(new MathContext(4)).doubleValue();
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
