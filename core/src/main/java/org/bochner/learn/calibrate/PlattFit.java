package org.bochner.learn.calibrate;

import org.bochner.learn.linear.Loss;
import org.bochner.numeric.optimise.Vectors;

/**
 * Fits the slope a ≥ 0 and offset b of σ(a·s + b) for one output: minimises Σ w (softplus(t) − y·t) with t = a·s + b.
 *
 * <p>The targets y are Platt's, (n₊ + 1)/(n₊ + 2) for the n₊ rows of the class and 1/(n₋ + 2) for the other rows. They
 * lie strictly between 0 and 1, so slope and offset are finite even if the scores separate the rows. Scores are
 * standardised first; Newton steps on the two numbers are halved until the sum falls, which happens because it is
 * convex.
 *
 * <p>If the scores are constant or fall with the class, the slope is 0 and the probability is the share of the class.
 */
final class PlattFit {
    private static final int MOST_STEPS = 100;
    /** Tolerance of the gradient, which is a mean over rows. */
    private static final double TOLERANCE = 1e-10;
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
            double constant = offset;
            iterate();
            if (slope > 0) {
                offset -= slope * mean / spread;
                slope /= spread;
            } else {
                slope = 0;
                offset = constant;
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

    private void iterate() {
        double value = value(slope, offset);
        for (int step = 0; step < MOST_STEPS; step++) {
            double slopeGradient = 0;
            double offsetGradient = 0;
            // Keeps the Hessian positive definite if all probabilities are 0 or 1.
            double slopeCurvature = 1e-12;
            double offsetCurvature = 1e-12;
            double both = 0;
            for (int i = 0; i < scores.length; i++) {
                double x = (scores[i] - mean) / spread;
                double p = Loss.sigmoid(slope * x + offset);
                double gradient = weights[i] / totalWeight * (p - targets[i]);
                double curvature = weights[i] / totalWeight * p * (1 - p);
                slopeGradient += gradient * x;
                offsetGradient += gradient;
                slopeCurvature += curvature * x * x;
                offsetCurvature += curvature;
                both += curvature * x;
            }
            if (Math.abs(slopeGradient) < TOLERANCE && Math.abs(offsetGradient) < TOLERANCE) {
                return;
            }
            double determinant = slopeCurvature * offsetCurvature - both * both;
            double slopeStep = -(offsetCurvature * slopeGradient - both * offsetGradient) / determinant;
            double offsetStep = -(slopeCurvature * offsetGradient - both * slopeGradient) / determinant;
            double descent = slopeGradient * slopeStep + offsetGradient * offsetStep;
            double size = 1;
            double next = value(slope + slopeStep, offset + offsetStep);
            while (!(next <= value + 1e-4 * size * descent)) {
                size /= 2;
                if (size < 1e-10) {
                    return;
                }
                next = value(slope + size * slopeStep, offset + size * offsetStep);
            }
            slope += size * slopeStep;
            offset += size * offsetStep;
            value = next;
        }
    }

    private double value(double a, double b) {
        double sum = 0;
        for (int i = 0; i < scores.length; i++) {
            double t = a * (scores[i] - mean) / spread + b;
            sum += weights[i] / totalWeight * (Loss.softplus(t) - targets[i] * t);
        }
        return sum;
    }
}
