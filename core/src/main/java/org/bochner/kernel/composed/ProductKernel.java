package org.bochner.kernel.composed;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bochner.base.Require;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Spectrum;
import org.bochner.kernel.columns.Columns;

/**
 * A product of shift-invariant kernels, each of columns of its own, such as position times orientation: {@code
 * gaussian(sigma=0.3)[0:2] * periodic(period=6.283185307179586, width=0.5)[2:3]}. Rows are similar if they are similar
 * in every factor.
 *
 * <p>The product is shift-invariant, and the frequencies of its factors are independent. The columns of the factors
 * follow each other from column 0 without a gap; values after the last column are ignored. A product of later columns
 * is the {@link ChannelKernel} of a product that starts at 0.
 *
 * @param factors at least two, by ascending column after any input order; each with one length-scale or the fewest
 *     column ranges
 */
public record ProductKernel(List<Factor> factors) implements ShiftInvariantKernel {
    private static final String OWNER = "product";

    /** A kernel of the columns from (inclusive) to (exclusive). */
    public record Factor(ShiftInvariantKernel kernel, int from, int to) {
        public Factor {
            Require.that(from >= 0 && to > from, OWNER, "the columns " + new Columns(from, to) + " must not be empty");
            Require.that(!(kernel instanceof ProductKernel), OWNER, "write nested products as one");
            Bandwidth sigma = kernel.sigma();
            Require.that(
                    sigma.uniform() || sigma.columns() == to - from,
                    OWNER + ": the column ranges of " + kernel + " cover " + sigma.columns() + " columns, "
                            + new Columns(from, to) + " has " + (to - from));
            kernel = kernel.withSigma(sigma.part(0, to - from));
        }

        private Columns columns() {
            return new Columns(from, to);
        }

        private Factor withSigma(Bandwidth ofProduct) {
            return new Factor(kernel.withSigma(ofProduct.part(from, to)), from, to);
        }

        private Factor behind(int columns) {
            return new Factor(kernel, from + columns, to + columns);
        }

        @Override
        public String toString() {
            return kernel + "[" + from + ":" + to + "]";
        }
    }

    public ProductKernel {
        factors = factors.stream().sorted(Comparator.comparingInt(Factor::from)).toList();
        Require.that(factors.size() >= 2, OWNER, "needs at least two factors");
        problem(factors.stream().map(Factor::columns).toList()).ifPresent(problem -> {
            throw new IllegalArgumentException(OWNER + ": " + problem);
        });
        int first = factors.get(0).from;
        Require.that(
                first == 0,
                OWNER + ": the columns must start at 0, got " + first
                        + "; for later ones take the channel of a product");
    }

    /**
     * Returns what is wrong with the columns of factors, in ascending order, and how to correct it; empty if they are
     * valid.
     */
    public static Optional<String> problem(List<Columns> ordered) {
        for (int f = 1; f < ordered.size(); f++) {
            Columns left = ordered.get(f - 1);
            Columns right = ordered.get(f);
            if (right.from() < left.to()) {
                return Optional.of("the factors of " + left + " and " + right + " share the columns "
                        + new Columns(right.from(), Math.min(left.to(), right.to()))
                        + "; every factor of a product has columns of its own, so let one end where the other starts");
            }
            if (right.from() > left.to()) {
                Columns missing = new Columns(left.to(), right.from());
                return Optional.of("no factor has the columns " + missing
                        + "; the factors of a product follow each other without a gap, so give them one, such as gaussian"
                        + missing + ", or put the columns of the factors side by side in the data");
            }
        }
        return Optional.empty();
    }

    /** Returns the number of columns that the factors cover. */
    public int columns() {
        return factors.get(factors.size() - 1).to;
    }

    @Override
    public double atOffset(double[] delta) {
        // Not by Require.that: spelling the kernel for every value costs a hundred times the value.
        if (delta.length < columns()) {
            throw new IllegalArgumentException(
                    this + ": needs " + columns() + " columns, the rows have " + delta.length);
        }
        double product = 1;
        for (Factor factor : factors) {
            product *= factor.kernel.atOffset(Arrays.copyOfRange(delta, factor.from, factor.to));
        }
        return product;
    }

    @Override
    public double slope(double[] delta, double[] out) {
        Arrays.fill(out, 0, delta.length, 1);
        Arrays.fill(out, columns(), delta.length, 0);
        double product = 1;
        for (Factor factor : factors) {
            double[] part = new double[factor.to - factor.from];
            double value = factor.kernel.slope(Arrays.copyOfRange(delta, factor.from, factor.to), part);
            product *= value;
            for (int l = 0; l < columns(); l++) {
                out[l] *= l >= factor.from && l < factor.to ? part[l - factor.from] : value;
            }
        }
        return product;
    }

    @Override
    public boolean decreases() {
        return factors.stream().allMatch(factor -> factor.kernel.decreases());
    }

    @Override
    public Spectrum spectrum() {
        return new ProductSpectrum(factors);
    }

    /** Returns one length-scale for all columns if they are equal, or the fewest column ranges. */
    @Override
    public Bandwidth sigma() {
        double[] sigmas = new double[columns()];
        for (Factor factor : factors) {
            double[] part = factor.kernel.sigma().toArray(factor.to - factor.from);
            System.arraycopy(part, 0, sigmas, factor.from, part.length);
        }
        return Bandwidth.ofColumns(sigmas);
    }

    @Override
    public ProductKernel withSigma(Bandwidth sigma) {
        return new ProductKernel(
                factors.stream().map(factor -> factor.withSigma(sigma)).toList());
    }

    @Override
    public double period(int column) {
        return factorOf(column)
                .map(factor -> factor.kernel.period(column - factor.from))
                .orElse(Double.POSITIVE_INFINITY);
    }

    @Override
    public void requireValue(double x, int column) {
        factorOf(column).ifPresent(factor -> factor.kernel.requireValue(x, column - factor.from));
    }

    private Optional<Factor> factorOf(int column) {
        return factors.stream().filter(factor -> column < factor.to).findFirst();
    }

    @Override
    public boolean takesAnyValue() {
        return factors.stream().allMatch(factor -> factor.kernel.takesAnyValue());
    }

    @Override
    public boolean takesAnyUnit() {
        return factors.stream().allMatch(factor -> factor.kernel.takesAnyUnit());
    }

    @Override
    public int minimumColumns() {
        return columns();
    }

    /** Returns the spelling of the product with the given number of columns before its first. */
    String behind(int columns) {
        return factors.stream().map(factor -> factor.behind(columns).toString()).collect(Collectors.joining(" * "));
    }

    @Override
    public String toString() {
        return behind(0);
    }
}
