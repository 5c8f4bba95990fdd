package org.bochner.map.binning;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.composed.ProductKernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.kernel.shift.Laplacian;
import org.bochner.kernel.shift.Stable;
import org.bochner.random.RandomStream;
import org.bochner.random.law.Samplers;

/**
 * The distribution of the bins of a random grid in the columns of one factor of a kernel. Two rows share their bins in these
 * columns with the probability k(x, y), where k is the factor.
 */
sealed interface GridLaw {
    /** With smaller indices of stable kernels, many rates exceed the largest number, and different values share a bin. */
    double SMALLEST_INDEX = 0.2;

    /** Products with float32 values stay finite. */
    double LARGEST_RATE = 1e200;

    /** Returns the first column. */
    int from();

    /** Returns the column after the last. */
    int to();

    /**
     * Draws the bins of a grid.
     *
     * @param rates receives 1/width per column, at {@code at} + column; 0 for a column that the grid ignores
     * @param shifts receives the shifts
     */
    void draw(RandomStream stream, double[] rates, double[] shifts, int at);

    /** Returns the laws of a term of a kernel in a number of columns; empty if the term has no random grids. */
    static Optional<List<GridLaw>> of(Kernel term, int columns) {
        List<GridLaw> laws = new ArrayList<>();
        return add(term, 0, columns, laws) ? Optional.of(laws) : Optional.empty();
    }

    private static boolean add(Kernel kernel, int from, int to, List<GridLaw> laws) {
        if (kernel instanceof ScaledKernel scaled) {
            return add(scaled.kernel(), from, to, laws);
        }
        if (kernel instanceof ChannelKernel channel) {
            return add(channel.kernel(), from + channel.from(), from + channel.to(), laws);
        }
        if (kernel instanceof ProductKernel product) {
            boolean all = true;
            for (ProductKernel.Factor factor : product.factors()) {
                int start = from + factor.from();
                int end = from + factor.to();
                if (factor.kernel() instanceof Gaussian gaussian) {
                    laws.add(new OfFlags(start, end, gaussian.sigma()));
                } else {
                    all &= add(factor.kernel(), start, end, laws);
                }
            }
            return all;
        }
        if (kernel instanceof Laplacian laplacian) {
            laws.add(new OfStable(from, to, 1, 1, laplacian.sigma()));
        } else if (kernel instanceof Stable stable && stable.p() <= 1 && stable.q() >= SMALLEST_INDEX) {
            laws.add(new OfStable(from, to, stable.p(), stable.q(), stable.sigma()));
        } else {
            return false;
        }
        return true;
    }

    /**
     * The kernel exp(−(Σₗ |δₗ/σₗ|^p)^(q/p)) with 0 &lt; q ≤ p ≤ 1; Laplacian for p = q = 1. It is the mean of
     * {@code ∏ₗ exp(−|δₗ|·s^(1/p)·rₗ/σₗ)} over positive stable numbers s, with index q/p, one per grid, and r, with index p, one
     * per column. For a width from Gamma(2, σ), two values fall into one bin with probability E max(0, 1 − |δ|/width) =
     * exp(−|δ|/σ).
     */
    record OfStable(int from, int to, double p, double q, Bandwidth sigma) implements GridLaw {
        @Override
        public void draw(RandomStream stream, double[] rates, double[] shifts, int at) {
            double common = p == q ? 0 : Samplers.logPositiveStable(stream, q / p) / p;
            for (int l = from; l < to; l++) {
                double own = p == 1 ? 0 : Samplers.logPositiveStable(stream, p);
                // The sum of two exponential numbers has the distribution Gamma(2, 1).
                double width = -StrictMath.log(stream.nextUniform()) - StrictMath.log(stream.nextUniform());
                double shift = stream.nextUniform();
                double length = sigma.at(l - from);
                boolean ignored = length == Double.POSITIVE_INFINITY;
                double rate = StrictMath.exp(common + own) / (width * length);
                rates[at + l] = ignored ? 0 : Math.min(LARGEST_RATE, rate);
                shifts[at + l] = ignored ? 0 : shift;
            }
        }
    }

    /**
     * The Gaussian kernel of columns of zeros and ones, such as one-hot encoded categories: ∏ₗ exp(−1/(2σₗ²)) over the columns l
     * in which two rows differ. This is the probability that a grid ignores all these columns, each by itself.
     */
    record OfFlags(int from, int to, Bandwidth sigma) implements GridLaw {
        @Override
        public void draw(RandomStream stream, double[] rates, double[] shifts, int at) {
            for (int l = from; l < to; l++) {
                double scaled = 1 / sigma.at(l - from);
                double ignored = StrictMath.exp(-0.5 * scaled * scaled);
                // The bin of 0 is 0, and that of 1 is 1 or, if the column is ignored, 0.
                rates[at + l] = stream.nextUniform() < ignored ? 0 : 1;
                shifts[at + l] = 0;
            }
        }
    }
}
