package org.bochner.model.evaluate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The area under the ROC curve of every class against all others: the probability that a row of the class has a
 * higher score than a row of another class, where a tie counts half. Rows are weighted.
 *
 * <p>Up to {@link #MOST_KEPT} scores are kept (rows times outputs, 8 bytes each), and the area is exact. Beyond that,
 * scores are counted in {@link ValueBins}, and scores of one bin count as ties.
 */
public final class ScoreRanks {
    /** The largest number of scores that are kept. */
    public static final int MOST_KEPT = 1 << 21;
    /** The largest number of classes for which areas are computed; bins take about 100 KB per class. */
    public static final int MOST_CLASSES = 1000;

    private final int classes;
    /** One for two classes, else one per class. */
    private final int outputs;

    private final int mostKept;
    private int rows;
    private double[] scores = new double[0];
    private int[] actual = new int[0];
    private double[] weights = new double[0];
    private boolean binned;
    private final List<ValueBins> positives = new ArrayList<>();
    private final List<ValueBins> negatives = new ArrayList<>();

    public ScoreRanks(int classes, int mostKept) {
        this.classes = classes;
        this.outputs = classes > MOST_CLASSES ? 0 : classes == 2 ? 1 : classes;
        this.mostKept = mostKept;
    }

    /**
     * Adds a row of a block of scores.
     *
     * @param width the number of scores per row of the block
     */
    public void add(double[] block, int row, int width, int label, double weight) {
        if (outputs == 0) {
            return;
        }
        if (!binned && (long) (rows + 1) * outputs > mostKept) {
            bin();
        }
        if (!binned) {
            reserve();
            actual[rows] = label;
            weights[rows] = weight;
        }
        for (int o = 0; o < outputs; o++) {
            // Two scores of two classes are compared by their difference. Adding 0 turns -0 into 0.
            double score =
                    outputs == 1 && width == 2 ? block[2 * row + 1] - block[2 * row] : block[row * width + o] + 0.0;
            if (binned) {
                count(o, score, label, weight);
            } else {
                scores[rows * outputs + o] = score;
            }
        }
        rows += binned ? 0 : 1;
    }

    private void reserve() {
        if (rows == actual.length) {
            int capacity = Math.max(1024, 2 * rows);
            actual = Arrays.copyOf(actual, capacity);
            weights = Arrays.copyOf(weights, capacity);
            scores = Arrays.copyOf(scores, capacity * outputs);
        }
    }

    /** Replaces the kept scores by bins. */
    private void bin() {
        for (int o = 0; o < outputs; o++) {
            positives.add(new ValueBins());
            negatives.add(new ValueBins());
            for (int i = 0; i < rows; i++) {
                count(o, scores[i * outputs + o], actual[i], weights[i]);
            }
        }
        binned = true;
        rows = 0;
        scores = new double[0];
        actual = new int[0];
        weights = new double[0];
    }

    private void count(int output, double score, int label, double weight) {
        (isPositive(output, label) ? positives : negatives).get(output).add(score, weight);
    }

    private boolean isPositive(int output, int label) {
        return label == (outputs == 1 ? 1 : output);
    }

    /** Returns the area of each class; NaN if all rows or no rows are of the class, or with too many classes. */
    public double[] areas() {
        double[] areas = new double[classes];
        Arrays.fill(areas, Double.NaN);
        for (int o = 0; o < outputs; o++) {
            areas[o] = binned ? binnedArea(o) : keptArea(o);
        }
        if (outputs == 1) {
            areas[1] = areas[0];
        }
        return areas;
    }

    private double keptArea(int output) {
        double[] sorted = new double[rows];
        for (int i = 0; i < rows; i++) {
            sorted[i] = scores[i * outputs + output];
        }
        Arrays.sort(sorted);
        int different = 0;
        for (int i = 0; i < rows; i++) {
            if (i == 0 || sorted[i] != sorted[different - 1]) {
                sorted[different++] = sorted[i];
            }
        }
        double[] positive = new double[different];
        double[] negative = new double[different];
        for (int i = 0; i < rows; i++) {
            int at = Arrays.binarySearch(sorted, 0, different, scores[i * outputs + output]);
            (isPositive(output, actual[i]) ? positive : negative)[at] += weights[i];
        }
        Area area = new Area();
        for (int k = 0; k < different; k++) {
            area.add(positive[k], negative[k]);
        }
        return area.value();
    }

    private double binnedArea(int output) {
        Area area = new Area();
        for (int bin = 0; bin < ValueBins.BINS; bin++) {
            area.add(positives.get(output).count(bin), negatives.get(output).count(bin));
        }
        return area.value();
    }

    /** Sums pairs of rows, score by score in ascending order. */
    private static final class Area {
        private double pairs;
        private double positives;
        private double negatives;

        void add(double positive, double negative) {
            pairs += positive * (negatives + negative / 2);
            positives += positive;
            negatives += negative;
        }

        double value() {
            return positives > 0 && negatives > 0 ? pairs / (positives * negatives) : Double.NaN;
        }
    }
}
