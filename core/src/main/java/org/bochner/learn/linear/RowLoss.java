package org.bochner.learn.linear;

import org.bochner.data.Labels;
import org.bochner.data.RowBlock;

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
    private final boolean joint;
    private final Loss.PerScore perScore;

    public RowLoss(Loss loss, Labels labels) {
        outputs = OutputCoding.of(labels);
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

    /** Returns the loss of a row whose scores begin at index {@code at}. */
    public double value(RowBlock rows, int row, double[] scores, int at) {
        if (joint()) {
            return softmax(scores, at, outputs(), (int) rows.target(row, 0));
        }
        double sum = 0;
        for (int o = 0; o < outputs(); o++) {
            sum += perScore.value(scores[at + o], outputs.target(rows, row, o));
        }
        return sum;
    }

    /** Replaces the scores by the derivatives of the loss. */
    public void slopes(RowBlock rows, int row, double[] scores, int at) {
        if (joint()) {
            shares(scores, at, outputs(), scores, at);
            scores[at + (int) rows.target(row, 0)] -= 1;
            return;
        }
        for (int o = 0; o < outputs(); o++) {
            scores[at + o] = perScore.slope(scores[at + o], outputs.target(rows, row, o));
        }
    }

    /** Replaces a direction by its product with the Hessian. */
    public void curve(RowBlock rows, int row, double[] scores, int at, double[] direction, int from) {
        int count = outputs();
        if (!joint()) {
            for (int o = 0; o < count; o++) {
                direction[from + o] *= perScore.curvature(scores[at + o], outputs.target(rows, row, o));
            }
            return;
        }
        double[] share = new double[count];
        shares(scores, at, count, share, 0);
        double average = 0;
        for (int o = 0; o < count; o++) {
            average += share[o] * direction[from + o];
        }
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

    /** Writes exp(fₒ)/Σ exp(f); the arrays may be one. */
    public static void shares(double[] scores, int from, int count, double[] shares, int to) {
        double most = most(scores, from, count);
        double total = 0;
        for (int o = 0; o < count; o++) {
            shares[to + o] = Math.exp(scores[from + o] - most);
            total += shares[to + o];
        }
        for (int o = 0; o < count; o++) {
            shares[to + o] /= total;
        }
    }

    private static double most(double[] scores, int from, int count) {
        double most = scores[from];
        for (int o = 1; o < count; o++) {
            most = Math.max(most, scores[from + o]);
        }
        return most;
    }
}
