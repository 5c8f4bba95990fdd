package org.bochner.kernel.additive;

import org.bochner.base.Require;
import org.bochner.kernel.HomogeneousKernel;

/**
 * The histogram intersection kernel {@code Σₗ min(xₗ, yₗ)}. Its squared distance is the l₁ distance.
 *
 * <p>K(λ) = exp(−|λ|/2), with the density (2/π) / (1 + 4ω²).
 */
public record Intersection(double degree) implements HomogeneousKernel {
    public Intersection {
        Require.positive("intersection", "degree", degree);
    }

    @Override
    public String name() {
        return "intersection";
    }

    @Override
    public double atRatio(double ratio) {
        return ratio;
    }

    @Override
    public double distanceAtRatio(double ratio) {
        return 1 - ratio;
    }

    @Override
    public double slope(double x, double y) {
        if (degree != 1) {
            return HomogeneousKernel.super.slope(x, y);
        }
        // At the kink the mean of both sides, which is half the derivative of κ(y, y), as for smooth kernels.
        return x == y ? 0.5 : y < x ? 1 : 0;
    }

    @Override
    public double density(double omega) {
        return 2 / Math.PI / (1 + 4 * omega * omega);
    }

    @Override
    public Intersection withDegree(double degree) {
        return new Intersection(degree);
    }

    @Override
    public String toString() {
        return HomogeneousKernel.spell(name(), degree);
    }
}
