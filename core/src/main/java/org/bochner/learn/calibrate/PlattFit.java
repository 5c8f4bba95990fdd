package org.bochner.learn.calibrate;

import org.bochner.learn.linear.Loss;
import org.bochner.numeric.optimise.DescentOptions;
import org.bochner.numeric.optimise.Lbfgs;
import org.bochner.numeric.optimise.Vectors;

/**
 * Fits the slope a ≥ 0 and offset b of σ(a·s + b) for one output: minimises Σ w (softplus(t) − y·t) with t = a·s + b.
 *
 * <p>The targets y are Platt's, (n₊ + 1)/(n₊ + 2) for the n₊ rows of the class and 1/(n₋ + 2) for the other rows. They
 * lie strictly between 0 and 1, so slope and offset are finite even if the scores separate the rows. Scores are
 * standardised first; {@link Lbfgs} then finds the minimum of the convex sum.
 *
 * <p>If the scores are constant or fall with the class, the slope is 0 and the probability is the share of the class.
 */
final class PlattFit {
    /** The gradient, whose tolerance this is, is a mean over rows. */
    private static final DescentOptions OPTIONS =
            DescentOptions.withDefaults().withTolerance(0, 1).withGradientTolerance(1e-10);
    /** Standard deviations below this share of the largest score are the rounding of float32. */
    private static final double LEAST_SPREAD = 1e-7;

    private final float[] scores;
    private final double[] targets;
    private final double[] weights;
    private double totalWeight;
    private double mean;
    private double spread;
    private double slope;
    private double offset;

    /** Fits the function of one output. */
    PlattFit(ScoreAccumulator rows, int output) {
        rows.requireRows();
        scores = rows.column(output);
        targets = new double[scores.length];
        weights = new double[scores.length];
        double positives = rows.effectiveRows(output, true);
        double negatives = rows.effectiveRows(output, false);
        for (int i = 0; i < scores.length; i++) {
            weights[i] = rows.weight(i);
            targets[i] = rows.positive(i, output) ? (positives + 1) / (positives + 2) : 1 / (negatives + 2);
            totalWeight += weights[i];
        }
        double targetMean = Vectors.dot(weights, targets) / totalWeight;
        measureSpread();
        // The optimal offset for a slope of 0.
        offset = Math.log(targetMean / (1 - targetMean));
        if (spread > 0) {
            double[] best = new Lbfgs(OPTIONS).minimize(this::loss, 0, offset).point();
            if (best[0] > 0) {
                offset = best[1] - best[0] * mean / spread;
                slope = best[0] / spread;
            }
        }
    }

    double slope() {
        return slope;
    }

    double offset() {
        return offset;
    }

    private void measureSpread() {
        double largest = 0;
        for (int i = 0; i < scores.length; i++) {
            mean += weights[i] / totalWeight * scores[i];
            largest = Math.max(largest, Math.abs(scores[i]));
        }
        double squares = 0;
        for (int i = 0; i < scores.length; i++) {
            squares += weights[i] / totalWeight * (scores[i] - mean) * (scores[i] - mean);
        }
        spread = Math.sqrt(squares);
        if (!(spread > LEAST_SPREAD * largest)) {
            spread = 0;
        }
    }

    /** Returns the loss of a slope and an offset for standardised scores, and its gradient. */
    private double loss(double[] point, double[] gradient) {
        double sum = 0;
        for (int i = 0; i < scores.length; i++) {
            double x = (scores[i] - mean) / spread;
            double t = point[0] * x + point[1];
            double share = weights[i] / totalWeight;
            sum += share * (Loss.softplus(t) - targets[i] * t);
            gradient[0] += share * (Loss.sigmoid(t) - targets[i]) * x;
            gradient[1] += share * (Loss.sigmoid(t) - targets[i]);
        }
        return sum;
    }
}
