package org.bochner.kernel.additive;

import org.bochner.base.Require;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.SeparableKernel;

/**
 * Hellinger's kernel {@code Σₗ √(xₗyₗ)}, also known as Bhattacharyya's. Its map is exact, the square root of every
 * value, and its squared distance is {@code Σₗ (√xₗ − √yₗ)²}.
 *
 * <p>K(λ) = 1: all its frequencies are 0.
 */
public record Hellinger(double degree) implements HomogeneousKernel, SeparableKernel {
    public Hellinger {
        Require.positive("hellinger", "degree", degree);
    }

    @Override
    public String name() {
        return "hellinger";
    }

    @Override
    public double atRatio(double ratio) {
        return Math.sqrt(ratio);
    }

    @Override
    public double distanceAtRatio(double ratio) {
        double difference = (1 - ratio) / (1 + Math.sqrt(ratio));
        return difference * difference;
    }

    @Override
    public double density(double omega) {
        return omega == 0 ? Double.POSITIVE_INFINITY : 0;
    }

    @Override
    public double feature(double x) {
        requireValue(x, 0);
        return degree == 1 ? Math.sqrt(x) : Math.pow(x, degree / 2);
    }

    @Override
    public double scalar(double x, double y) {
        return feature(x) * feature(y);
    }

    @Override
    public double slope(double x, double y) {
        if (x == 0) {
            return 0;
        }
        double value = Math.max(y, 1e-6 * x);
        return feature(x) * degree / 2 * feature(value) / value;
    }

    @Override
    public Hellinger withDegree(double degree) {
        return new Hellinger(degree);
    }

    @Override
    public String toString() {
        return HomogeneousKernel.spell(name(), degree);
    }
}
