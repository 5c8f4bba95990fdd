package org.bochner.tune.channels;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.jspecify.annotations.Nullable;

/**
 * Block-ℓ1 by Newton's method on the kernel weights: the minimum over d ≥ 0 of
 *
 * <pre>  J(d) = value(d) + Σⱼ dⱼ,     value(d) = min over w of Σⱼ |wⱼ|²/(2dⱼ) + L(w)/l2,</pre>
 *
 * It is the minimum of {@code L(w) + λ·Σⱼ|wⱼ|} divided by l2, with λ = √2·l2 and dⱼ = |wⱼ|/√2. J is convex and smooth
 * up to the limit d = 0. A channel is left out if and only if its derivative at the limit is positive.
 *
 * <p>A step is a projected Newton step (Bertsekas, 1982, doi:10.1137/0320018) over the few kernel weights, and costs
 * one ridge regression. Measured on mfeat (6 channels of 500 features, 1402 rows, 10 classes): 1.4 s of processor
 * time per penalty, where block coordinate descent takes 8 s.
 *
 * <p>It ends when no derivative is larger than the tolerance, except those that point beyond the limit. The
 * derivative at the limit is 1 if the other channels explain the targets.
 */
public final class BlockNewton {
    private static final int ITERATIONS = 60;
    private static final int HALVINGS = 16;

    /** Smaller relative gains are lost in rounding. */
    private static final double ROUNDING = 1e-13;

    private static final Workers ALONE = new Workers(1);

    private final Function<double[], ChannelRidge> ridge;
    private double[] kernelWeights;
    private ChannelRidge solution;
    private double value;
    private int iterations;

    /**
     * Creates a problem.
     *
     * @param ridge solves ridge regression with given kernel weights; a solution is valid until the next one
     * @param start the initial kernel weights
     */
    BlockNewton(Function<double[], ChannelRidge> ridge, double[] start) {
        this.ridge = ridge;
        kernelWeights = start.clone();
        solution = ridge.apply(kernelWeights);
        value = value(solution, kernelWeights);
    }

    private static double value(ChannelRidge of, double[] kernelWeights) {
        return of.value() + Arrays.stream(kernelWeights).sum();
    }

    /** Minimises to a tolerance, or as far as rounding allows; returns the residual. */
    double run(double tolerance) {
        double residual = residual();
        boolean moved = true;
        while (residual > tolerance && iterations < ITERATIONS && moved) {
            iterations++;
            moved = step();
            residual = residual();
        }
        return residual;
    }

    double[] kernelWeights() {
        return kernelWeights;
    }

    ChannelRidge solution() {
        return solution;
    }

    /** Returns J, the objective L + λ·Σ|wⱼ| divided by l2. */
    double value() {
        return value;
    }

    private double slope(int channel) {
        return 1 - solution.squaredSlope(channel) / 2;
    }

    private double residual() {
        return IntStream.range(0, kernelWeights.length)
                .mapToDouble(c -> kernelWeights[c] > 0 ? Math.abs(slope(c)) : Math.max(0, -slope(c)))
                .max()
                .orElse(0);
    }

    private boolean step() {
        int[] free = IntStream.range(0, kernelWeights.length)
                .filter(c -> kernelWeights[c] > 0 || slope(c) < 0)
                .toArray();
        double[] slopes = Arrays.stream(free).mapToDouble(this::slope).toArray();
        double[] curvature = solution.curvature(free);
        double[] direction = newton(slopes, curvature);
        return (direction != null && search(free, slopes, direction))
                || search(free, slopes, diagonal(slopes, curvature));
    }

    /** Returns −C⁻¹·slopes; null if the curvature is not positive definite. */
    private static double @Nullable [] newton(double[] slopes, double[] curvature) {
        double[] direction = Arrays.stream(slopes).map(slope -> -slope).toArray();
        try {
            Cholesky.factor(curvature.clone(), slopes.length, ALONE).solve(direction, 1);
            return direction;
        } catch (NotPositiveDefiniteException e) {
            return null;
        }
    }

    private static double[] diagonal(double[] slopes, double[] curvature) {
        double[] direction = new double[slopes.length];
        for (int k = 0; k < slopes.length; k++) {
            direction[k] = -slopes[k] / Math.max(curvature[k * (slopes.length + 1)], Double.MIN_NORMAL);
        }
        return direction;
    }

    /** Searches along a direction, projected to d ≥ 0; returns true if the value decreased enough. */
    private boolean search(int[] free, double[] slopes, double[] direction) {
        double length = 1;
        boolean overwritten = false;
        for (int halving = 0; halving < HALVINGS; halving++, length /= 2) {
            double[] next = kernelWeights.clone();
            double expected = 0;
            for (int k = 0; k < free.length; k++) {
                double to = Math.max(0, kernelWeights[free[k]] + length * direction[k]);
                expected += slopes[k] * (to - kernelWeights[free[k]]);
                next[free[k]] = to;
            }
            if (!(expected < 0)) {
                continue;
            }
            if (-expected < ROUNDING * Math.abs(value)) {
                break;
            }
            overwritten = true;
            ChannelRidge tried = ridge.apply(next);
            double reached = value(tried, next);
            if (reached <= value + 1e-4 * expected) {
                kernelWeights = next;
                solution = tried;
                value = reached;
                return true;
            }
        }
        if (overwritten) {
            // The last trial has overwritten the factor of this point.
            solution = ridge.apply(kernelWeights);
        }
        return false;
    }
}
