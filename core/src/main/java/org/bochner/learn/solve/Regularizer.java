package org.bochner.learn.solve;

import java.util.Arrays;
import java.util.List;
import org.bochner.base.Require;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.numeric.optimise.Vectors;
import org.jspecify.annotations.Nullable;

/**
 * The penalty {@code R(β) = l1·|β|₁ + l2/2·|β|² + group·Σ_g √size_g·|β_g|₂}. A group is a set of features and contains
 * their weights for all outputs, so the penalty drops a feature for all outputs or for none. The size of a group is its
 * number of features. Intercepts are not penalised.
 *
 * <p>Weights are the first D×outputs numbers of an array, row-major; the numbers after them (intercepts) are neither
 * read nor changed.
 *
 * @param l1 strength of the penalty that sets single weights to zero
 * @param l2 strength of the squared penalty
 * @param group strength of the penalty that sets whole groups to zero
 * @param groups the groups; null if {@code group} is 0
 */
record Regularizer(
        double l1, double l2, double group, @Nullable FeatureGroups groups) {
    Regularizer {
        Require.notNegative("penalty", "l1", l1);
        Require.notNegative("penalty", "l2", l2);
        Require.notNegative("penalty", "group", group);
        Require.that(group == 0 || groups != null, "penalty", "groups must be given where they are penalised");
        groups = group > 0 ? groups : null;
    }

    static Regularizer squared(double l2) {
        return new Regularizer(0, l2, 0, null);
    }

    /** Returns true if the penalty is differentiable everywhere. */
    boolean smooth() {
        return l1 == 0 && group == 0;
    }

    /** Returns true if the penalty couples the outputs. */
    boolean joint() {
        return group > 0;
    }

    /** Fails unless the groups cover the given number of features. */
    void requireFeatures(int features) {
        if (groups != null) {
            Require.sameSize("penalty", "features in groups", groups.features(), features);
        }
    }

    /** Returns R(β). */
    double value(double[] weights, int features, int outputs) {
        double value = 0;
        for (int o = 0; o < outputs; o++) {
            value += separable(weights, features, outputs, o);
        }
        if (groups != null) {
            value += Vectors.dot(groupFactors(groups), norms(groups, weights, outputs));
        }
        return value;
    }

    /** Returns the terms of R(β) that depend on one output alone: all but the group norms. */
    double separable(double[] weights, int features, int outputs, int output) {
        double sizes = 0;
        double squares = 0;
        for (int at = output; at < features * outputs; at += outputs) {
            sizes += Math.abs(weights[at]);
            squares += weights[at] * weights[at];
        }
        return l1 * sizes + l2 / 2 * squares;
    }

    /**
     * Applies the proximal operator in place: β becomes the v with the least {@code |v − β|²/(2t) + R(v)}. The
     * operators of the terms compose in this order: soft thresholds, groups, squares.
     *
     * @param steps t, one per output; all equal if the penalty couples the outputs ({@link #joint})
     */
    void shrink(double[] weights, int features, int outputs, double[] steps) {
        soften(weights, features, outputs, steps);
        for (int at = 0; at < features * outputs; at++) {
            weights[at] /= 1 + steps[at % outputs] * l2;
        }
    }

    /** Applies the proximal operator of l1 and group, without l2, in place. */
    void soften(double[] weights, int features, int outputs, double[] steps) {
        if (l1 > 0) {
            for (int at = 0; at < features * outputs; at++) {
                weights[at] = soft(weights[at], steps[at % outputs] * l1);
            }
        }
        if (groups != null) {
            double[] norms = norms(groups, weights, outputs);
            double[] factors = groupFactors(groups);
            for (int at = 0; at < features * outputs; at++) {
                int g = groups.of(at / outputs);
                weights[at] *= shrinkage(norms[g], steps[0] * factors[g]);
            }
        }
    }

    /** Returns sign(v)·max(|v| − t, 0), never −0. */
    static double soft(double v, double t) {
        return v > t ? v - t : v < -t ? v + t : 0;
    }

    /** Returns the factor that reduces the norm of a vector by t, or 0 if the norm is at most t. */
    static double shrinkage(double norm, double t) {
        return norm > t ? 1 - t / norm : 0;
    }

    /**
     * Replaces the gradient of a loss by the minimum-norm subgradient of loss + R, which is 0 where β is optimal and
     * whose size measures the distance from the optimum.
     */
    void subgradient(double[] weights, double[] gradient, int features, int outputs) {
        for (int at = 0; at < features * outputs; at++) {
            double w = weights[at];
            gradient[at] = w == 0 ? soft(gradient[at], l1) : gradient[at] + l1 * Math.signum(w) + l2 * w;
        }
        if (groups != null) {
            double[] norms = norms(groups, weights, outputs);
            double[] slopes = norms(groups, gradient, outputs);
            double[] factors = groupFactors(groups);
            for (int at = 0; at < features * outputs; at++) {
                int g = groups.of(at / outputs);
                if (norms[g] > 0) {
                    gradient[at] += factors[g] * weights[at] / norms[g];
                } else {
                    gradient[at] *= shrinkage(slopes[g], factors[g]);
                }
            }
        }
    }

    /**
     * Returns the least factor on l1 and group for which zero weights are optimal, which is the start of a path.
     * Infinite if l1 and group are 0, unless the gradient is 0.
     *
     * @param gradient the gradient of the loss at zero weights
     */
    double largest(double[] gradient, int features, int outputs) {
        if (groups != null) {
            double largest = 0;
            double[] factors = groupFactors(groups);
            List<int[]> members = groups.members();
            for (int g = 0; g < factors.length; g++) {
                double[] slopes = entries(members.get(g), gradient, outputs);
                largest = Math.max(largest, largestOf(slopes, factors[g]));
            }
            return largest;
        }
        double most = 0;
        for (int at = 0; at < features * outputs; at++) {
            most = Math.max(most, Math.abs(gradient[at]));
        }
        return most == 0 ? 0 : most / l1;
    }

    /**
     * Returns the largest {@code θ·linear − R*(θ·products)} for θ from 0 to 1, where R* is the conjugate of R. If dual
     * variables have these products with the centred features and the value {@code linear} without a penalty, this is a
     * lower bound of the minimum of loss + R.
     *
     * <p>R* is |soften(x)|²/(2·l2); without l2 it is 0 where zero weights are optimal and infinite elsewhere.
     */
    double dualValue(double linear, double[] products, int features, int outputs) {
        if (l2 == 0) {
            return linear / Math.max(1, largest(products, features, outputs));
        }
        double low = 0;
        double high = 1;
        // The derivative falls with θ.
        double theta = dualSlope(linear, products, 1, features, outputs) >= 0 ? 1 : Double.NaN;
        while (Double.isNaN(theta)) {
            double middle = low + (high - low) / 2;
            if (high - low < 1e-9) {
                theta = middle;
            } else if (dualSlope(linear, products, middle, features, outputs) < 0) {
                high = middle;
            } else {
                low = middle;
            }
        }
        double[] softened = softened(products, theta, features, outputs);
        return theta * linear - Vectors.dot(softened, softened) / (2 * l2);
    }

    private double dualSlope(double linear, double[] products, double theta, int features, int outputs) {
        return linear - Vectors.dot(products, softened(products, theta, features, outputs)) / l2;
    }

    private double[] softened(double[] products, double theta, int features, int outputs) {
        double[] softened = new double[features * outputs];
        Arrays.setAll(softened, at -> theta * products[at]);
        double[] steps = new double[outputs];
        Arrays.fill(steps, 1);
        soften(softened, features, outputs, steps);
        return softened;
    }

    private static double[] entries(int[] members, double[] gradient, int outputs) {
        double[] entries = new double[members.length * outputs];
        for (int k = 0; k < members.length; k++) {
            System.arraycopy(gradient, members[k] * outputs, entries, k * outputs, outputs);
        }
        return entries;
    }

    /** Returns the least x with |soft(slopes, x·l1)| ≤ x·factor. */
    private double largestOf(double[] slopes, double factor) {
        double norm = excess(slopes, 0);
        if (l1 == 0 || norm == 0) {
            return norm / factor;
        }
        double low = 0;
        double high = norm / factor;
        for (double middle = high / 2; middle > low && middle < high; middle = low + (high - low) / 2) {
            if (excess(slopes, middle * l1) > middle * factor) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    private static double excess(double[] slopes, double threshold) {
        double sum = 0;
        for (double slope : slopes) {
            double over = soft(slope, threshold);
            sum += over * over;
        }
        return Math.sqrt(sum);
    }

    /** Returns the norm of the weights of each group, over all outputs. */
    private static double[] norms(FeatureGroups groups, double[] weights, int outputs) {
        double[] norms = new double[groups.count()];
        for (int at = 0; at < groups.features() * outputs; at++) {
            norms[groups.of(at / outputs)] += weights[at] * weights[at];
        }
        return Arrays.stream(norms).map(Math::sqrt).toArray();
    }

    /** Returns the factor of each group's norm in the penalty: group·√size. */
    double[] groupFactors(FeatureGroups of) {
        return Arrays.stream(of.sizes())
                .mapToDouble(size -> group * Math.sqrt(size))
                .toArray();
    }
}
