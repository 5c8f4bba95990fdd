package org.bochner.learn.calibrate;

import java.util.Arrays;
import org.bochner.numeric.Workers;

/**
 * Fits the temperature T of softmax(s/T): minimises the mean of log Σₒ exp(βsₒ) − β·(τ·s) over β = 1/T. The targets τ
 * are 1 − ε for the class, plus ε spread over all classes, with ε = 1/(n + 2), which keeps T above 0 even if every row
 * is classified correctly.
 *
 * <p>The mean is convex in β. Newton steps with bisection find the root of its slope between 1e-4 and 1e4 times the
 * inverse spread of the scores; a root outside would mean that the scores are useless or differ by rounding only. Cost:
 * about ten passes over the scores. Results do not depend on the number of threads.
 */
final class TemperatureFit {
    private static final int PART_ROWS = 1024;
    private static final int MOST_STEPS = 100;
    private static final double WIDEST = 1e4;
    /** Relative tolerance of the temperature. */
    private static final double TOLERANCE = 1e-9;
    /** Differences of scores below this share of the largest are the rounding of float32. */
    private static final double LEAST_SPREAD = 1e-7;

    private final ScoreAccumulator rows;
    private final Workers workers;
    private final double smoothing;

    TemperatureFit(ScoreAccumulator rows, Workers workers) {
        rows.requireRows();
        this.rows = rows;
        this.workers = workers;
        smoothing = 1 / (rows.effectiveRows(row -> true) + 2);
    }

    /** Finds the temperature; 1 if all scores are equal. */
    double temperature() {
        double spread = spread();
        return spread > 0 ? spread / solve(spread) : 1;
    }

    /** Returns the root mean square of the scores minus their row means; 0 if they differ by rounding only. */
    private double spread() {
        double squares = 0;
        double largest = 0;
        double weight = 0;
        double[] scores = new double[rows.classes()];
        for (int i = 0; i < rows.rows(); i++) {
            copyScores(i, scores);
            double mean = mean(scores);
            double own = 0;
            for (double score : scores) {
                largest = Math.max(largest, Math.abs(score));
                own += (score - mean) * (score - mean);
            }
            squares += rows.weight(i) * own / scores.length;
            weight += rows.weight(i);
        }
        double spread = Math.sqrt(squares / weight);
        return spread > LEAST_SPREAD * largest ? spread : 0;
    }

    /** Copies the scores of a row, one per class; the first of two classes has the score 0. */
    private void copyScores(int row, double[] to) {
        if (rows.outputs() == 1) {
            to[0] = 0;
            to[1] = rows.score(row, 0);
            return;
        }
        for (int o = 0; o < to.length; o++) {
            to[o] = rows.score(row, o);
        }
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }

    /** Returns the β with slope 0, in units of 1/spread. */
    private double solve(double spread) {
        double low = 1 / WIDEST;
        double high = WIDEST;
        double beta = 1;
        for (int step = 0; step < MOST_STEPS; step++) {
            Slope at = slope(beta, spread);
            if (at.first > 0) {
                high = beta;
            } else {
                low = beta;
            }
            double next = beta - at.first / at.second;
            // Outside the bracket, bisection; the middle of a wide range is its geometric mean.
            if (!(next > low && next < high)) {
                next = Math.sqrt(low * high);
            }
            if (Math.abs(next - beta) <= TOLERANCE * beta) {
                return next;
            }
            beta = next;
        }
        return beta;
    }

    /** First and second derivative. */
    private record Slope(double first, double second) {
        Slope plus(Slope other) {
            return new Slope(first + other.first, second + other.second);
        }
    }

    private Slope slope(double beta, double spread) {
        Slope[] parts = new Slope[(rows.rows() + PART_ROWS - 1) / PART_ROWS];
        workers.each(parts.length, part -> {
            double[] scores = new double[rows.classes()];
            Slope sum = new Slope(0, 0);
            int end = Math.min(rows.rows(), (part + 1) * PART_ROWS);
            for (int i = part * PART_ROWS; i < end; i++) {
                copyScores(i, scores);
                sum = sum.plus(slope(i, scores, beta, spread));
            }
            parts[part] = sum;
        });
        return Arrays.stream(parts).reduce(new Slope(0, 0), Slope::plus);
    }

    /** Returns the derivatives of one row. */
    private Slope slope(int row, double[] scores, double beta, double spread) {
        double mean = mean(scores);
        double largest = Double.NEGATIVE_INFINITY;
        for (double score : scores) {
            largest = Math.max(largest, score);
        }
        double total = 0;
        double expected = 0;
        double squares = 0;
        for (double score : scores) {
            // Scores in units of the spread, less the largest of the row.
            double x = (score - largest) / spread;
            double e = Math.exp(beta * x);
            total += e;
            expected += e * x;
            squares += e * x * x;
        }
        expected /= total;
        double own =
                (1 - smoothing) * (scores[rows.label(row)] - largest) / spread + smoothing * (mean - largest) / spread;
        return new Slope(
                rows.weight(row) * (expected - own), rows.weight(row) * (squares / total - expected * expected));
    }
}
