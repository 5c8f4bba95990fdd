package org.bochner.data;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.function.IntPredicate;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Spelling;

/**
 * Sums of the targets per category and fold, and the smoothed means that follow from them.
 *
 * <p>The mean of a category with n rows and the sum s of their targets is (s + m·μ)/(n + m), where μ is the mean over all
 * rows and m the smoothing; μ is then subtracted. A smoothing that is not given is estimated by a one-way analysis of
 * variance: m = σ²/τ², where σ² is the variance within categories and τ² the variance between their true means. It is infinite
 * if the categories differ no more than chance explains, and all results are then 0. Row weights count as numbers of rows in n, s
 * and a given m; an estimated m is proportional to them, so that results do not depend on their scale.
 *
 * <p>Threads: not safe; belongs to one pass.
 */
final class TargetSums {
    private final MeanColumns columns;
    private final int folds;
    private final boolean classes;
    private final int targets;
    /**
     * The numbers that are subtracted from the targets, which keeps the digits of targets far from 0: the targets of the first
     * row with a weight above 0.
     */
    private final double[] shifts;

    private boolean shifted;
    /** The rows per fold with a weight above 0. */
    private final long[] counts;

    /** The weights per fold and code. */
    private final double[][] weights;
    /** The sums per fold, code and target. */
    private final double[][] sums;
    /** The sums of squares per fold and target. */
    private final double[][] squares;

    /** The largest absolute value of a shifted target, per target. */
    private final double[] largest;

    TargetSums(MeanColumns columns, int folds, Labels labels) {
        this.columns = columns;
        this.folds = folds;
        classes = labels instanceof Labels.Classes && columns.count() > 1;
        targets = columns.count();
        shifts = new double[targets];
        shifted = !(labels instanceof Labels.Numbers);
        counts = new long[folds];
        weights = new double[folds][columns.codes() + 1];
        sums = new double[folds][(columns.codes() + 1) * targets];
        squares = new double[folds][targets];
        largest = new double[targets];
    }

    /** Returns the approximate number of bytes of the sums and means. */
    static double bytesNeeded(MeanColumns columns, int folds) {
        return 8.0 * (columns.codes() + 1) * (columns.count() + 1) * (2.0 * folds + 2);
    }

    /** Adds a row. */
    void add(RowBlock rows, int row, int fold) {
        double weight = rows.rowWeight(row);
        if (weight == 0 || Double.isNaN(rows.target(row, 0))) {
            return;
        }
        int code = columns.code(rows, row);
        counts[fold]++;
        weights[fold][code] += weight;
        if (classes) {
            add(fold, code, (int) rows.target(row, 0), weight, 1);
            return;
        }
        if (!shifted) {
            Arrays.setAll(shifts, j -> rows.target(row, j));
            shifted = true;
        }
        for (int j = 0; j < targets; j++) {
            add(fold, code, j, weight, rows.target(row, j) - shifts[j]);
        }
    }

    private void add(int fold, int code, int j, double weight, double target) {
        sums[fold][code * targets + j] += weight * target;
        squares[fold][j] += weight * target * target;
        largest[j] = Math.max(largest[j], Math.abs(target));
    }

    /** Returns the number of folds that have rows with a weight above 0. */
    int foldsWithRows() {
        return (int) Arrays.stream(counts).filter(count -> count > 0).count();
    }

    /** Returns the share of the rows whose category has rows in several folds, so that they have a mean of other folds. */
    double knownShare() {
        double all = 0;
        double known = 0;
        for (int code = 1; code <= columns.codes(); code++) {
            double total = 0;
            int filled = 0;
            for (double[] ofFold : weights) {
                total += ofFold[code];
                filled += ofFold[code] > 0 ? 1 : 0;
            }
            all += total;
            known += filled > 1 ? total : 0;
        }
        return all > 0 ? known / all : 0;
    }

    /** Returns the means over all rows, code by code from 1, minus the mean of all. */
    double[] means() {
        return means(fold -> true);
    }

    /** Returns the means over the rows of all other folds, for each fold. */
    double[][] outOfFold() {
        double[][] means = new double[folds][];
        Arrays.setAll(means, own -> means(fold -> fold != own));
        return means;
    }

    /** Returns the means over the rows of some folds. Sums are added up anew, because differences of sums are not exact. */
    private double[] means(IntPredicate chosen) {
        double[] rows = new double[columns.codes() + 1];
        double[] totals = new double[rows.length * targets];
        double[] total = new double[targets];
        long count = 0;
        for (int fold = 0; fold < folds; fold++) {
            if (chosen.test(fold)) {
                addTo(rows, weights[fold]);
                addTo(totals, sums[fold]);
                addTo(total, squares[fold]);
                count += counts[fold];
            }
        }
        double[] means = new double[columns.codes() * targets];
        for (int j = 0; j < targets; j++) {
            double[] own = new double[rows.length];
            for (int code = 0; code < own.length; code++) {
                own[code] = totals[code * targets + j];
            }
            fill(rows, own, total[j], count, j, means);
        }
        return means;
    }

    private static void addTo(double[] sum, double[] other) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += other[i];
        }
    }

    /** Sets the means of one target. */
    private void fill(double[] rows, double[] totals, double square, long count, int j, double[] means) {
        double all = Arrays.stream(rows).sum();
        if (!(all > 0)) {
            return;
        }
        double mean = Arrays.stream(totals).sum() / all;
        if (largest[j] > 0 && largest[j] < Float.MIN_NORMAL) {
            throw tooSmall("no target differs from the first one by more than " + Spelling.print(largest[j]));
        }
        OptionalDouble given = columns.recipe().smoothing();
        double smoothing = given.isPresent() ? given.getAsDouble() : smoothing(rows, totals, square, count);
        double most = 0;
        for (int code = 1; code < rows.length; code++) {
            if (rows[code] > 0 && smoothing < Double.POSITIVE_INFINITY) {
                double value = (totals[code] - rows[code] * mean) / (rows[code] + smoothing);
                if (!(Math.abs(value) <= Float.MAX_VALUE)) {
                    throw new BochnerException(
                            "the means of the target per category of column '" + columns.name()
                                    + "' exceed 3.4e38 (float32)",
                            Remedy.advice("rescale the target"));
                }
                means[(code - 1) * targets + j] = value;
                most = Math.max(most, Math.abs(value));
            }
        }
        if (most > 0 && most < Float.MIN_NORMAL) {
            throw tooSmall("they are at most " + Spelling.print(most));
        }
    }

    private BochnerException tooSmall(String found) {
        return new BochnerException(
                "the means of the target per category of column '" + columns.name() + "' are below 1.2e-38 (float32): "
                        + found,
                Remedy.advice("rescale the target"));
    }

    /**
     * Returns the estimated smoothing: the variance within categories, relative to that between their true means.
     *
     * @param rows the weights per category
     * @param totals the sums of the targets per category
     * @param square the sum of the squares of all targets
     * @param count the number of rows
     */
    static double smoothing(double[] rows, double[] totals, double square, long count) {
        double all = Arrays.stream(rows).sum();
        double sum = Arrays.stream(totals).sum();
        double ofSquares = 0;
        double between = 0;
        int groups = 0;
        for (int code = 0; code < rows.length; code++) {
            if (rows[code] > 0) {
                // Squares of weights may underflow.
                ofSquares += rows[code] * (rows[code] / all);
                between += totals[code] * (totals[code] / rows[code]);
                groups++;
            }
        }
        double within = Math.max(0, square - between) / (count - groups);
        double size = (all - ofSquares) / (groups - 1);
        double variance = ((between - sum * (sum / all)) / (groups - 1) - within) / size;
        // All comparisons with NaN are false: without rows to estimate it from, the smoothing is infinite.
        return count > groups && variance > 0 ? within / variance : Double.POSITIVE_INFINITY;
    }
}
