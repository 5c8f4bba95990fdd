package org.bochner.learn.solve;

import java.util.List;
import org.bochner.base.Require;
import org.bochner.map.layout.FeatureGroups;
import org.jspecify.annotations.Nullable;

/**
 * What large weights cost: {@code R(β) = l1·|β|₁ + l2/2·|β|² + group·Σ_g √size_g·|β_g|₂}. The groups are of features, and
 * reach over all outputs: a feature is of use to some output, or dropped for all of them. A group's size is the number of
 * its features. Intercepts cost nothing.
 *
 * <p>Weights are D×outputs, row-major, the first numbers of an array; what comes after them (intercepts) is neither
 * looked at nor changed.
 *
 * @param l1 makes single weights zero
 * @param l2 keeps weights small
 * @param group makes whole groups of weights zero
 * @param groups the groups; null where group is 0
 */
record Regularizer(
        double l1, double l2, double group, @Nullable FeatureGroups groups) {
    Regularizer {
        Require.notNegative("penalty", "l1", l1);
        Require.notNegative("penalty", "l2", l2);
        Require.notNegative("penalty", "group", group);
        Require.that(group == 0 || groups != null, "penalty", "groups must be given where they are penalised");
    }

    static Regularizer squared(double l2) {
        return new Regularizer(0, l2, 0, null);
    }

    /** Whether it has a derivative everywhere. */
    boolean smooth() {
        return l1 == 0 && group == 0;
    }

    /** Whether it ties outputs together. */
    boolean joint() {
        return group > 0;
    }

    /** The same groups and l2, with the strengths that make zeros multiplied by a factor: a point of a path. */
    Regularizer scaled(double factor) {
        return new Regularizer(factor * l1, l2, factor * group, groups);
    }

    /** Fails unless the groups are of so many features. */
    void requireFeatures(int features) {
        if (groups != null && group > 0) {
            Require.sameSize("penalty", "features in groups", groups.features(), features);
        }
    }

    /** R(β). */
    double value(double[] weights, int features, int outputs) {
        double value = 0;
        for (int o = 0; o < outputs; o++) {
            value += separable(weights, features, outputs, o);
        }
        if (groups != null && group > 0) {
            double[] norms = norms(groups, weights, outputs);
            double[] factors = groupFactors(groups);
            for (int g = 0; g < norms.length; g++) {
                value += factors[g] * norms[g];
            }
        }
        return value;
    }

    /** The part of R(β) that is one output's alone: all but the groups'. */
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
     * The proximal operator, in place: β becomes the v with the least {@code |v − β|²/(2t) + R(v)}. Soft thresholds,
     * then groups, then squares: in this order the operators compose.
     *
     * @param steps t of each output; one and the same for all where the outputs are {@linkplain #joint tied}
     */
    void shrink(double[] weights, int features, int outputs, double[] steps) {
        soften(weights, features, outputs, steps);
        for (int at = 0; at < features * outputs; at++) {
            weights[at] /= 1 + steps[at % outputs] * l2;
        }
    }

    /** The proximal operator without the squares. */
    void soften(double[] weights, int features, int outputs, double[] steps) {
        if (l1 > 0) {
            for (int at = 0; at < features * outputs; at++) {
                weights[at] = soft(weights[at], steps[at % outputs] * l1);
            }
        }
        if (groups != null && group > 0) {
            double[] norms = norms(groups, weights, outputs);
            double[] factors = groupFactors(groups);
            for (int at = 0; at < features * outputs; at++) {
                int g = groups.of(at / outputs);
                weights[at] *= shrinkage(norms[g], steps[0] * factors[g]);
            }
        }
    }

    /** sign(v)·max(|v| − t, 0), and 0 for the rest, never −0. */
    static double soft(double v, double t) {
        return v > t ? v - t : v < -t ? v + t : 0;
    }

    /** What a vector of that norm is multiplied by when t is taken off its norm. */
    static double shrinkage(double norm, double t) {
        return norm > t ? 1 - t / norm : 0;
    }

    /**
     * Turns the gradient of a loss, in place, into the subgradient of loss + R that has the least norm: 0 where β is
     * optimal, so that its size says how far β is from there.
     */
    void subgradient(double[] weights, double[] gradient, int features, int outputs) {
        for (int at = 0; at < features * outputs; at++) {
            double w = weights[at];
            gradient[at] = w == 0 ? soft(gradient[at], l1) : gradient[at] + l1 * Math.signum(w) + l2 * w;
        }
        if (groups != null && group > 0) {
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
     * The least factor for l1 and group at which the weights 0 are optimal, from the gradient of the loss there: where
     * a path begins. Without l1 and group it is infinite, unless the gradient is 0.
     */
    double largest(double[] gradient, int features, int outputs) {
        if (groups != null && group > 0) {
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

    private static double[] entries(int[] members, double[] gradient, int outputs) {
        double[] entries = new double[members.length * outputs];
        for (int k = 0; k < members.length; k++) {
            System.arraycopy(gradient, members[k] * outputs, entries, k * outputs, outputs);
        }
        return entries;
    }

    /** The least x with |soft(slopes, x·l1)| ≤ x·factor. */
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

    /** The norm of each group's weights, over all outputs. */
    private static double[] norms(FeatureGroups groups, double[] weights, int outputs) {
        double[] norms = new double[groups.count()];
        for (int at = 0; at < groups.features() * outputs; at++) {
            norms[groups.of(at / outputs)] += weights[at] * weights[at];
        }
        for (int g = 0; g < norms.length; g++) {
            norms[g] = Math.sqrt(norms[g]);
        }
        return norms;
    }

    /** What each group's norm costs: group·√size. */
    double[] groupFactors(FeatureGroups of) {
        int[] sizes = of.sizes();
        double[] factors = new double[sizes.length];
        for (int g = 0; g < sizes.length; g++) {
            factors[g] = group * Math.sqrt(sizes[g]);
        }
        return factors;
    }
}
