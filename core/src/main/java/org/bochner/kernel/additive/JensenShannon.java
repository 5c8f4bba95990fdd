package org.bochner.kernel.additive;

import org.bochner.base.Require;
import org.bochner.kernel.HomogeneousKernel;

/**
 * The Jensen-Shannon kernel of histograms, {@code ½ Σₗ xₗ log₂((xₗ + yₗ)/xₗ) + yₗ log₂((xₗ + yₗ)/yₗ)}. For histograms
 * that sum to 1 it is 1 minus their Jensen-Shannon divergence in bits; its squared distance is twice that divergence.
 *
 * <p>K has the density sech(πω) / (ln 2 · (1 + 4ω²)).
 */
public record JensenShannon(double degree) implements HomogeneousKernel {
    private static final double LOG_2 = Math.log(2);

    public JensenShannon {
        Require.positive("jensen-shannon", "degree", degree);
    }

    @Override
    public String name() {
        return "jensen-shannon";
    }

    @Override
    public double atRatio(double ratio) {
        return (Math.log1p(ratio) + ratio * (Math.log1p(ratio) - Math.log(ratio))) / (2 * LOG_2);
    }

    @Override
    public double distanceAtRatio(double ratio) {
        // With u = (1 − r)/(1 + r) it is [(1 + u) log(1 + u) + (1 − u) log(1 − u)] / (1 + u), which is u² + u⁴/6 + …
        // near 0. 1 − u = 2r/(1 + r) is not computed as the difference, which is 0 for small ratios and has no finite
        // logarithm.
        double u = (1 - ratio) / (1 + ratio);
        double rest = 2 * ratio / (1 + ratio);
        double square = u * u;
        double sum = u < 0.05
                ? square * (1 + square * (1.0 / 6 + square * (1.0 / 15 + square * (1.0 / 28 + square / 45))))
                : (1 + u) * Math.log1p(u) + rest * Math.log(rest);
        return sum / (LOG_2 * (1 + u));
    }

    @Override
    public double slope(double x, double y) {
        return degree == 1 && x > 0
                ? Math.log1p(x / Math.max(y, 1e-6 * x)) / (2 * LOG_2)
                : HomogeneousKernel.super.slope(x, y);
    }

    @Override
    public double density(double omega) {
        return 1 / (Math.cosh(Math.PI * omega) * LOG_2 * (1 + 4 * omega * omega));
    }

    @Override
    public JensenShannon withDegree(double degree) {
        return new JensenShannon(degree);
    }

    @Override
    public String toString() {
        return HomogeneousKernel.spell(name(), degree);
    }
}
