package org.bochner.tune.channels;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.jspecify.annotations.Nullable;

/**
 * Block-ℓ1 by Newton's method on the weights of the kernels: the least over d ≥ 0 of
 *
 * <pre>  J(d) = value(d) + Σⱼ dⱼ,     value(d) = min over w of Σⱼ |wⱼ|²/(2dⱼ) + L(w)/l2,</pre>
 *
 * which is the minimum of {@code L(w) + λ·Σⱼ|wⱼ|} divided by l2, with λ = √2·l2 and dⱼ = |wⱼ|/√2. J is convex and smooth up
 * to the bound, where a channel is left out exactly if its derivative there is positive.
 *
 * <p>A step is a projected one (Bertsekas, 1982, doi:10.1137/0320018) over the few weights of channels, and costs one
 * ridge regression. Measured on mfeat (6 channels of 500 features, 1402 rows, 10 classes): 1.4 s of processor time a
 * strength, where descent by blocks of weights takes 8.
 *
 * <p>It ends where no derivative is larger than the tolerance, those that point out of the bound aside; the derivative at
 * the bound without any fit is 1.
 */
public final class BlockNewton {
    private static final int ITERATIONS = 60;
    private static final int HALVINGS = 16;

    /** Gains below this part of the value are lost in its rounding. */
    private static final double ROUNDING = 1e-13;

    private static final Workers ALONE = new Workers(1);

    private final Function<double[], ChannelRidge> ridge;
    private double[] weights;
    private ChannelRidge solution;
    private double value;
    private int iterations;

    /**
     * A problem.
     *
     * @param ridge the ridge regression with given kernel weights; it is valid until the next one
     * @param start kernel weights to begin at
     */
    BlockNewton(Function<double[], ChannelRidge> ridge, double[] start) {
        this.ridge = ridge;
        weights = start.clone();
        solution = ridge.apply(weights);
        value = value(solution, weights);
    }

    private static double value(ChannelRidge of, double[] weights) {
        return of.value() + Arrays.stream(weights).sum();
    }

    /** Goes down to a tolerance, or as far as it can, and says how far the end is from the optimum. */
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

    double[] weights() {
        return weights;
    }

    ChannelRidge solution() {
        return solution;
    }

    /** J: the objective L + λ·Σ|wⱼ|, divided by l2. */
    double value() {
        return value;
    }

    private double slope(int channel) {
        return 1 - solution.squaredSlope(channel) / 2;
    }

    private double residual() {
        double most = 0;
        for (int c = 0; c < weights.length; c++) {
            double slope = slope(c);
            most = Math.max(most, weights[c] > 0 ? Math.abs(slope) : -slope);
        }
        return most;
    }

    private boolean step() {
        int[] free = IntStream.range(0, weights.length)
                .filter(c -> weights[c] > 0 || slope(c) < 0)
                .toArray();
        double[] slopes = Arrays.stream(free).mapToDouble(this::slope).toArray();
        double[] curvature = solution.curvature(free);
        double[] direction = newton(slopes, curvature);
        return (direction != null && search(free, slopes, direction))
                || search(free, slopes, diagonal(slopes, curvature));
    }

    /** −C⁻¹·slopes; null where the curvature is not positive. */
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

    /** Goes along a direction, bent at the bound, as far as the value falls enough; says whether it did. */
    private boolean search(int[] free, double[] slopes, double[] direction) {
        double length = 1;
        for (int halving = 0; halving < HALVINGS; halving++, length /= 2) {
            double[] next = weights.clone();
            double expected = 0;
            for (int k = 0; k < free.length; k++) {
                double to = Math.max(0, weights[free[k]] + length * direction[k]);
                expected += slopes[k] * (to - weights[free[k]]);
                next[free[k]] = to;
            }
            if (!(expected < 0)) {
                continue;
            }
            if (-expected < ROUNDING * Math.abs(value)) {
                break;
            }
            ChannelRidge tried = ridge.apply(next);
            double reached = value(tried, next);
            if (reached <= value + 1e-4 * expected) {
                weights = next;
                solution = tried;
                value = reached;
                return true;
            }
        }
        // The factor of the last point tried lies where that of this one was.
        solution = ridge.apply(weights);
        return false;
    }
}
