package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.learn.linear.LinearModel;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.FeatureTile;
import org.bochner.stats.WeightMatrix;

/**
 * The iterates of {@link StochasticGradient} for one step size: z, the weighted average x of all z, and y between z and
 * x, the point of the gradients.
 */
final class StochasticTrial {
    /** The share of the average x in y. */
    private static final double AVERAGE_SHARE = 0.9;

    /** The loss at the average is measured on every n-th batch. */
    private static final int MEASURED = 2;

    private final Objective objective;
    private final FeatureSource source;
    private final Regularizer regularizer;
    private final int features;
    private final int outputs;
    private final double[] mean;
    private final boolean tied;
    /** The step size of each output. */
    private final double[] longest;
    /** The square of the constant feature that belongs to the intercept. */
    private final double constant;

    /** z: weights and intercepts. */
    private final double[] iterate;
    /** x, the average of all iterates. */
    final double[] average;
    /** y. */
    private final double[] middle;

    private final WeightMatrix weights;
    private final double[] gradient;
    /** The average of all gradients; empty if the penalty is smooth. */
    final double[] averageGradient;

    private double[] scores = new double[0];
    private double[] coefficients = new double[0];
    private final double[] losses;
    private final double[] rowLosses;
    private final double[] coefficientSums;

    private long steps;
    private boolean finite = true;
    /** Progressive losses since the last roll, and between the two before. */
    private final double[] recent;

    private final double[] earlier;
    private double recentWeight;
    private double earlierWeight;

    StochasticTrial(Objective objective, Regularizer regularizer, double[] longest, double constant, double[] from) {
        this.objective = objective;
        this.regularizer = regularizer;
        this.longest = longest;
        this.constant = constant;
        source = objective.source();
        features = objective.features();
        outputs = objective.outputs();
        mean = source.mean();
        tied = objective.joint() || regularizer.joint();
        weights = new WeightMatrix(features, outputs);
        gradient = new double[features * outputs];
        losses = new double[outputs];
        rowLosses = new double[outputs];
        coefficientSums = new double[outputs];
        recent = new double[outputs];
        earlier = new double[outputs];
        iterate = from.clone();
        average = from.clone();
        middle = from.clone();
        averageGradient = new double[regularizer.smooth() ? 0 : gradient.length];
    }

    boolean finite() {
        return finite;
    }

    /** Discards all progressive losses. */
    void forget() {
        roll();
        roll();
    }

    /** Discards the progressive losses from before the last roll. */
    void roll() {
        System.arraycopy(recent, 0, earlier, 0, outputs);
        Arrays.fill(recent, 0);
        earlierWeight = recentWeight;
        recentWeight = 0;
    }

    /** Returns the estimated objective of all outputs together. */
    double value() {
        double sum = regularizer.value(average, features, outputs);
        for (int o = 0; o < outputs; o++) {
            sum += loss(o);
        }
        return finite ? sum : Double.POSITIVE_INFINITY;
    }

    double value(int output) {
        double value = loss(output) + regularizer.separable(average, features, outputs, output);
        return finite ? value : Double.POSITIVE_INFINITY;
    }

    private double loss(int output) {
        return (recent[output] + earlier[output]) / (recentWeight + earlierWeight) * source.totalRowWeight();
    }

    void step(FeatureTile batch, double batchWeight) {
        if (!finite) {
            return;
        }
        if (steps++ % MEASURED == 0) {
            score(batch, average);
            takeSlopes(batch);
            measure(batch);
        }
        score(batch, middle);
        takeSlopes(batch);
        Arrays.fill(gradient, 0);
        batch.addTransposed(coefficients, outputs, gradient);
        for (int j = 0; j < features; j++) {
            for (int o = 0; o < outputs; o++) {
                int at = j * outputs + o;
                gradient[at] = (gradient[at] - mean[j] * coefficientSums[o]) / batchWeight;
            }
        }
        double[] lengths = lengths(batchWeight);
        move(lengths, batchWeight);
        regularizer.shrink(iterate, features, outputs, scaled(lengths));
        takeAverages();
    }

    private void score(FeatureTile batch, double[] at) {
        int length = batch.rows() * outputs;
        if (scores.length < length) {
            scores = new double[length];
            coefficients = new double[length];
        }
        weights.set(at);
        double[] offsets = LinearModel.uncentre(Arrays.copyOfRange(at, gradient.length, at.length), at, mean);
        batch.multiply(weights, scores);
        for (int i = 0; i < length; i++) {
            scores[i] += offsets[i % outputs];
        }
    }

    /** Computes the slopes of the losses times the row weights, their sums, and the losses. */
    private void takeSlopes(FeatureTile batch) {
        Arrays.fill(losses, 0);
        Arrays.fill(coefficientSums, 0);
        for (int i = 0; i < batch.rows(); i++) {
            objective.slopes(batch, i, scores, rowLosses, coefficients);
            Vectors.add(batch.rowWeight(i), rowLosses, losses);
            for (int at = i * outputs; at < (i + 1) * outputs; at++) {
                coefficients[at] *= batch.rowWeight(i);
                coefficientSums[at % outputs] += coefficients[at];
            }
        }
        for (double loss : losses) {
            finite &= loss < Double.POSITIVE_INFINITY;
        }
    }

    private void measure(FeatureTile batch) {
        for (int i = 0; i < batch.rows(); i++) {
            recentWeight += batch.rowWeight(i);
        }
        Vectors.add(1, losses, recent);
    }

    /** Returns the lengths of this step, one per output. */
    private double[] lengths(double batchWeight) {
        double[] squares = new double[outputs];
        for (int at = 0; at < gradient.length; at++) {
            squares[at % outputs] += gradient[at] * gradient[at];
        }
        double[] lengths = new double[outputs];
        double allLosses = 0;
        double allSquares = 0;
        for (int o = 0; o < outputs; o++) {
            double slope = coefficientSums[o] / batchWeight;
            squares[o] += constant * slope * slope;
            allLosses += losses[o];
            allSquares += squares[o];
        }
        for (int o = 0; o < outputs; o++) {
            double loss = (tied ? allLosses : losses[o]) / batchWeight;
            double square = tied ? allSquares : squares[o];
            lengths[o] = loss < longest[o] * square ? loss / square : longest[o];
            finite &= square < Double.POSITIVE_INFINITY;
        }
        return lengths;
    }

    private void move(double[] lengths, double batchWeight) {
        for (int at = 0; at < gradient.length; at++) {
            iterate[at] -= lengths[at % outputs] * gradient[at];
        }
        for (int o = 0; o < outputs; o++) {
            iterate[gradient.length + o] -= lengths[o] * constant * coefficientSums[o] / batchWeight;
        }
    }

    /** Returns the step lengths for the penalty, which is relative to the total row weight. */
    private double[] scaled(double[] lengths) {
        double total = source.totalRowWeight();
        return Arrays.stream(lengths).map(length -> length / total).toArray();
    }

    private void takeAverages() {
        double share = 2.0 / (steps + 1);
        for (int at = 0; at < iterate.length; at++) {
            average[at] += share * (iterate[at] - average[at]);
            middle[at] = iterate[at] + AVERAGE_SHARE * (average[at] - iterate[at]);
        }
        for (int at = 0; at < averageGradient.length; at++) {
            averageGradient[at] += share * (gradient[at] - averageGradient[at]);
        }
    }
}
