package org.bochner.kernel.additive;

import org.bochner.base.Require;
import org.bochner.kernel.HomogeneousKernel;

/**
 * The χ² kernel of histograms, {@code Σₗ 2xₗyₗ / (xₗ + yₗ)}, with k(x, x) = Σ x.
 *
 * <p>Its squared distance is {@code Σₗ (xₗ − yₗ)² / (xₗ + yₗ)}. For histograms that sum to 1 the kernel is 1 minus half
 * of this distance. Other libraries call half of the distance χ², or the negative distance the kernel; docs/kernels.md
 * compares them.
 *
 * <p>K(λ) = sech(λ/2), with the density sech(πω).
 */
public record Chi2(double degree) implements HomogeneousKernel {
    public Chi2 {
        Require.positive("chi2", "degree", degree);
    }

    @Override
    public String name() {
        return "chi2";
    }

    @Override
    public double atRatio(double ratio) {
        return 2 * ratio / (1 + ratio);
    }

    @Override
    public double distanceAtRatio(double ratio) {
        return (1 - ratio) * (1 - ratio) / (1 + ratio);
    }

    @Override
    public double slope(double x, double y) {
        if (degree != 1) {
            return HomogeneousKernel.super.slope(x, y);
        }
        double share = x == 0 ? 0 : x / (x + y);
        return 2 * share * share;
    }

    @Override
    public double density(double omega) {
        return 1 / Math.cosh(Math.PI * omega);
    }

    @Override
    public Chi2 withDegree(double degree) {
        return new Chi2(degree);
    }

    @Override
    public String toString() {
        return HomogeneousKernel.spell(name(), degree);
    }
}
