package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.FeatureTile;

/**
 * The targets and weights of all rows, and the best intercepts for given scores. Solvers in the dual keep them beside
 * one dual variable per row and output.
 *
 * <p>Scores and variables are rows×outputs numbers, row-major.
 *
 * <p>Threads: safe to read.
 */
final class DualTargets {
    private final FeatureSource source;
    private final Loss.PerScore loss;
    private final OutputCoding coding;
    private final int outputs;
    private final int targetWidth;
    private final double[] targets;
    private final double[] weights;

    /** Reads targets and weights in one pass. */
    DualTargets(Objective objective) {
        source = objective.source();
        loss = objective.perScore();
        coding = OutputCoding.of(source.labels());
        outputs = coding.count();
        targetWidth = source.labels().targets();
        int rows = (int) source.rows();
        targets = new double[rows * targetWidth];
        weights = new double[rows];
        source.forEachTile(this::read);
    }

    private void read(FeatureTile tile) {
        int first = (int) tile.firstRow();
        for (int i = 0; i < tile.rows(); i++) {
            weights[first + i] = tile.rowWeight(i);
            for (int t = 0; t < targetWidth; t++) {
                targets[(first + i) * targetWidth + t] = tile.target(i, t);
            }
        }
    }

    double target(int row, int output) {
        return coding.classes() ? coding.sign(targets[row], output) : targets[row * targetWidth + output];
    }

    double weight(int row) {
        return weights[row];
    }

    /** Returns Σ w·ℓ(score + intercept) of one output. */
    double value(double[] scores, int output, double intercept) {
        double value = 0;
        for (int i = 0; i < weights.length; i++) {
            value += weights[i] * loss.value(scores[i * outputs + output] + intercept, target(i, output));
        }
        return value;
    }

    /** Returns the zero of the loss's derivative by the intercept, which is monotone, by bisection. */
    double bestIntercept(double[] scores, int output, double guess) {
        double step = 0x1p-10 * Math.max(spread(output), 0x1p-40 * Math.abs(guess));
        double low = guess - step;
        double high = guess + step;
        while (slope(scores, output, low) > 0) {
            high = low;
            step *= 4;
            low -= step;
        }
        while (slope(scores, output, high) < 0) {
            low = high;
            step *= 4;
            high += step;
        }
        double enough = 1e-10 * Math.max(high - low, Math.abs(low) + Math.abs(high));
        while (high - low > enough) {
            double middle = low + (high - low) / 2;
            if (slope(scores, output, middle) < 0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    private double slope(double[] scores, int output, double intercept) {
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += weights[i] * loss.slope(scores[i * outputs + output] + intercept, target(i, output));
        }
        return sum;
    }

    /** Returns a length scale for scores: 1 for classes, the mean absolute deviation of the targets for numbers. */
    double spread(int output) {
        if (coding.classes()) {
            return 1;
        }
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += weights[i] * Math.abs(target(i, output) - source.targetMean(output));
        }
        return Math.max(sum / source.totalRowWeight(), Double.MIN_NORMAL);
    }

    /**
     * Returns the best intercept of one output for zero weights, and writes dual variables per unit of row weight for
     * which zero weights have no duality gap: their weighted sum is 0, and each is the negative of a derivative of the
     * loss at the intercept. Rows with a kink there share the rest of the sum evenly.
     */
    double constant(int output, DualLoss dual, double[] variables) {
        // A kink at y − ε, where the derivative rises to 0, and one at y + ε, where it rises from 0. The hinge has one.
        double[] kinks = new double[2 * weights.length];
        int count = 0;
        double slope = 0;
        for (int i = 0; i < weights.length; i++) {
            double target = target(i, output);
            if (weights[i] > 0 && dual.upper(target, 1) > 0) {
                kinks[count++] = target - dual.epsilon();
                slope -= weights[i];
            }
            if (weights[i] > 0 && dual.lower(target, 1) < 0) {
                kinks[count++] = target + dual.epsilon();
            }
        }
        if (count == 0) {
            return 0;
        }
        Arrays.sort(kinks, 0, count);
        // The first kink beyond which the derivative is not negative, by bisection.
        int low = 0;
        int high = count - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            Rises rises = rises(output, dual, kinks[middle]);
            if (slope + rises.before + rises.at >= 0) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Rises rises = rises(output, dual, kinks[low]);
        share(output, dual, kinks[low], Math.min(1, -(slope + rises.before) / rises.at), variables);
        return kinks[low];
    }

    /** How much the derivative of the loss by the intercept rises at kinks before an intercept, and at it. */
    private record Rises(double before, double at) {}

    private Rises rises(int output, DualLoss dual, double intercept) {
        double before = 0;
        double at = 0;
        for (int i = 0; i < weights.length; i++) {
            double target = target(i, output);
            double first = target - dual.epsilon();
            double second = target + dual.epsilon();
            boolean hasFirst = dual.upper(target, 1) > 0;
            boolean hasSecond = dual.lower(target, 1) < 0;
            before += hasFirst && first < intercept ? weights[i] : 0;
            before += hasSecond && second < intercept ? weights[i] : 0;
            at += hasFirst && first == intercept ? weights[i] : 0;
            at += hasSecond && second == intercept ? weights[i] : 0;
        }
        return new Rises(before, at);
    }

    /** Writes the variables at an intercept, where each kink has made a share of its rise. */
    private void share(int output, DualLoss dual, double intercept, double share, double[] variables) {
        for (int i = 0; i < weights.length; i++) {
            double target = target(i, output);
            double low = dual.lower(target, 1) < 0 ? -passed(target + dual.epsilon(), intercept, share) : 0;
            double high = dual.upper(target, 1) > 0 ? 1 - passed(target - dual.epsilon(), intercept, share) : 0;
            variables[i * outputs + output] = weights[i] > 0 ? low + high : 0;
        }
    }

    private static double passed(double kink, double intercept, double share) {
        return kink < intercept ? 1 : kink > intercept ? 0 : share;
    }

    /**
     * Returns one factor in [0, 1] for positive variables of an output and one for negative ones, with which the
     * weighted sum of the variables, given per unit of row weight, is 0.
     */
    double[] balance(double[] variables, int output) {
        double above = 0;
        double below = 0;
        for (int i = 0; i < weights.length; i++) {
            double variable = weights[i] * variables[i * outputs + output];
            above += Math.max(0, variable);
            below -= Math.min(0, variable);
        }
        double least = Math.min(above, below);
        return new double[] {above > 0 ? least / above : 0, below > 0 ? least / below : 0};
    }

    /** Returns Σ w(βy − ε|β|) of balanced variables of an output. */
    double dualValue(double[] variables, int output, DualLoss dual, double[] balance) {
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            double variable = variables[i * outputs + output];
            double balanced = variable * balance[variable > 0 ? 0 : 1];
            sum += weights[i] * (balanced * target(i, output) - dual.epsilon() * Math.abs(balanced));
        }
        return sum;
    }

    /** Returns new variables or scores, all 0. */
    double[] zeros() {
        return new double[weights.length * outputs];
    }
}
