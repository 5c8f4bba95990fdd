package org.bochner.learn.linear;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.bochner.data.Labels;
import org.bochner.numeric.optimise.Vectors;

/**
 * A {@link Loss} of rows with all their outputs, for given labels: a sum over the outputs, or for {@link Loss.Softmax}
 * with more than two classes −log of the class's share. The scores of a row are adjacent in an array.
 *
 * <p>Threads: safe; immutable.
 */
public final class RowLoss {
    /** Minimum distance of class shares from 0 and 1, which keeps their log odds finite. */
    private static final double LEAST_SHARE = 1e-6;

    private final OutputCoding outputs;
    private final int[] all;
    private final boolean joint;
    private final Loss.PerScore perScore;

    public RowLoss(Loss loss, Labels labels) {
        outputs = OutputCoding.of(labels);
        all = IntStream.range(0, outputs.count()).toArray();
        joint = loss instanceof Loss.Softmax && outputs.count() > 1;
        perScore = loss instanceof Loss.PerScore own ? own : Loss.Softmax.OF_TWO_CLASSES;
    }

    /** Returns the loss of single scores; unused if the outputs are {@link #joint}. */
    public Loss.PerScore perScore() {
        return perScore;
    }

    /** Returns the number of scores per row. */
    public int outputs() {
        return outputs.count();
    }

    /** Returns true if the loss couples the outputs, as softmax does. */
    public boolean joint() {
        return joint;
    }

    /**
     * Returns the best constant score where a formula gives it: the mean of numbers, the log odds of classes for the
     * logistic losses, the mean of ±1 for squares.
     *
     * @param targetMean the mean of the output's number, or the share of its class
     */
    public double intercept(double targetMean) {
        if (!outputs.classes()) {
            return targetMean;
        }
        double share = Math.max(LEAST_SHARE, Math.min(1 - LEAST_SHARE, targetMean));
        if (joint()) {
            return Math.log(share);
        }
        if (perScore instanceof Loss.Logistic) {
            return Math.log(share / (1 - share));
        }
        return perScore.smooth() ? 2 * targetMean - 1 : 0;
    }

    /** The targets of some rows: target t of a row. */
    @FunctionalInterface
    public interface Targets {
        double target(int row, int t);
    }

    private double target(Targets targets, int row, int output) {
        return outputs.classes() ? outputs.sign(targets.target(row, 0), output) : targets.target(row, output);
    }

    /** Returns the loss of a row whose scores begin at index {@code at}. */
    public double value(Targets targets, int row, double[] scores, int at) {
        double[] losses = new double[outputs()];
        values(targets, row, all, scores, at, losses);
        return Arrays.stream(losses).sum();
    }

    /**
     * Computes the losses of the chosen outputs of a row; if the outputs are {@link #joint}, the first loss is that of
     * all outputs.
     *
     * @param scores the scores of the chosen outputs, from index {@code at} on
     */
    public void values(Targets targets, int row, int[] chosen, double[] scores, int at, double[] losses) {
        if (joint()) {
            losses[0] = softmax(scores, at, chosen.length, (int) targets.target(row, 0));
            return;
        }
        for (int o = 0; o < chosen.length; o++) {
            losses[o] = perScore.value(scores[at + o], target(targets, row, chosen[o]));
        }
    }

    /** Replaces the scores by the derivatives of the loss. */
    public void slopes(Targets targets, int row, double[] scores, int at) {
        slopes(targets, row, all, scores, at, new double[outputs()], scores);
    }

    /**
     * Computes the {@linkplain #values losses} of the chosen outputs of a row, and their derivatives.
     *
     * @param slopes receives the derivatives from index {@code at} on; may be the array of the scores
     */
    public void slopes(
            Targets targets, int row, int[] chosen, double[] scores, int at, double[] losses, double[] slopes) {
        if (joint()) {
            int label = at + (int) targets.target(row, 0);
            double own = scores[label];
            losses[0] = shares(scores, at, chosen.length, slopes, at) - own;
            slopes[label] -= 1;
            return;
        }
        for (int o = 0; o < chosen.length; o++) {
            double target = target(targets, row, chosen[o]);
            double score = scores[at + o];
            losses[o] = perScore.value(score, target);
            slopes[at + o] = perScore.slope(score, target);
        }
    }

    /** Replaces a direction of all outputs by its product with the Hessian. */
    public void curve(Targets targets, int row, double[] scores, int at, double[] direction, int from) {
        curve(targets, row, all, scores, at, direction, from);
    }

    /** Replaces a direction of the chosen outputs by its product with the Hessian. */
    public void curve(Targets targets, int row, int[] chosen, double[] scores, int at, double[] direction, int from) {
        int count = chosen.length;
        if (!joint()) {
            for (int o = 0; o < count; o++) {
                direction[from + o] *= perScore.curvature(scores[at + o], target(targets, row, chosen[o]));
            }
            return;
        }
        double[] share = new double[count];
        shares(scores, at, count, share, 0);
        double average = Vectors.dot(share, 0, direction, from, count);
        for (int o = 0; o < count; o++) {
            direction[from + o] = share[o] * (direction[from + o] - average);
        }
    }

    /** Returns log Σ exp(fₒ) − f of the label. */
    public static double softmax(double[] scores, int from, int count, int label) {
        double most = most(scores, from, count);
        double total = 0;
        for (int o = 0; o < count; o++) {
            total += Math.exp(scores[from + o] - most);
        }
        return Math.log(total) + most - scores[from + label];
    }

    /** Writes exp(fₒ)/Σ exp(f) and returns log Σ exp(f); the arrays may be one. */
    public static double shares(double[] scores, int from, int count, double[] shares, int to) {
        double most = most(scores, from, count);
        double total = 0;
        for (int o = 0; o < count; o++) {
            shares[to + o] = Math.exp(scores[from + o] - most);
            total += shares[to + o];
        }
        for (int o = 0; o < count; o++) {
            shares[to + o] /= total;
        }
        return Math.log(total) + most;
    }

    private static double most(double[] scores, int from, int count) {
        double most = scores[from];
        for (int o = 1; o < count; o++) {
            most = Math.max(most, scores[from + o]);
        }
        return most;
    }
}
