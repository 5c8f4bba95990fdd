package org.bochner.stats;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.numeric.optimise.Vectors;

/**
 * The statistics of one block of rows, which a worker computes before they are merged into the totals. The rows come
 * in tiles whose features stay in cache while they are used.
 *
 * <p>All sums are taken about the mean of the first tile. Without this shift, features with a large common part would
 * lose their variance to cancellation in float32. The remaining mean is tracked in float64 and corrected at the end,
 * which gives the statistics about the block's own mean.
 *
 * <p>Class indicators are never stored as columns: the products of a class are a sum over its rows.
 *
 * <p>Cost: rows·D² multiplications for the Gram matrix, rows·D·(2 + outputs) for the rest. Memory: D² numbers and one
 * tile in the features' precision. Threads: not safe; each worker has its own.
 */
public final class BlockGram {
    private final Labels labels;
    private final RowWeights rowWeights;
    private final int features;
    private final GramSum products = new GramSum();
    private final Moments moments;
    private final double[] targetShift;
    /** Σ w (z − shift); the shift is in moments.mean until the block is finished. */
    private final double[] residual;

    private double[] weights = new double[0];
    private boolean finished;
    private long gramNanos;

    public BlockGram(int features, Labels labels, ClassWeights classWeights) {
        this.labels = labels;
        this.features = features;
        rowWeights = new RowWeights(labels, classWeights);
        moments = new Moments(features, Statistics.targets(labels));
        targetShift = new double[moments.targets];
        residual = new double[features];
    }

    /** Resets the statistics for the next block. */
    public void clear() {
        moments.clear();
        Arrays.fill(targetShift, 0);
        Arrays.fill(residual, 0);
        finished = false;
        gramNanos = 0;
    }

    /**
     * Adds the statistics of a tile and overwrites its features. If all rows have weight 0, no features are computed.
     *
     * @param map the index of the map whose features are added
     */
    public void add(MappedRows mapped, int map) {
        Require.that(!finished, "BlockGram", "was merged already; clear it first");
        RowBlock rows = mapped.rows();
        double weight = weigh(rows);
        moments.rows += rows.rows();
        if (weight == 0) {
            return;
        }
        FeatureBlock tile = mapped.features(map);
        Require.sameSize("BlockGram", "features", tile.features(), features);
        long start = System.nanoTime();
        boolean first = moments.weight == 0;
        moments.weight += weight;
        if (first) {
            shift(rows, tile);
        }
        addProducts(rows, tile);
        tile.addToGram(products, first);
        gramNanos += System.nanoTime() - start;
    }

    private double weigh(RowBlock rows) {
        if (weights.length < rows.rows()) {
            weights = new double[rows.rows()];
        }
        double total = 0;
        for (int i = 0; i < rows.rows(); i++) {
            double weight = rowWeights.weight(rows, i);
            weights[i] = weight;
            total += weight;
            moments.weighedRows += weight > 0 ? 1 : 0;
        }
        return total;
    }

    /** Takes the weighted means of the first tile as the shifts. */
    private void shift(RowBlock rows, FeatureBlock tile) {
        for (int i = 0; i < rows.rows(); i++) {
            double share = weights[i] / moments.weight;
            tile.addRow(i, share, moments.mean, 0);
            if (labels instanceof Labels.Numbers) {
                for (int t = 0; t < moments.targets; t++) {
                    targetShift[t] += share * rows.target(i, t);
                }
            }
        }
        tile.round(moments.mean, products);
    }

    /** Shifts, multiplies with the targets and weights each row while it is in cache. */
    private void addProducts(RowBlock rows, FeatureBlock tile) {
        for (int i = 0; i < rows.rows(); i++) {
            double weight = weights[i];
            tile.subtract(i, products);
            if (labels instanceof Labels.Classes) {
                // The target of a class is its 0/1 indicator, which equals its own square.
                int label = (int) rows.target(i, 0);
                moments.targetMean[label] += weight;
                moments.targetScatter[label] += weight;
                tile.addRow(i, weight, moments.cross, label * features);
            } else {
                tile.addRow(i, weight, residual, 0);
                for (int t = 0; t < moments.targets; t++) {
                    double target = rows.target(i, t) - targetShift[t];
                    moments.targetMean[t] += weight * target;
                    moments.targetScatter[t] += weight * target * target;
                    tile.addRow(i, weight * target, moments.cross, t * features);
                }
            }
            if (weight != 1) {
                tile.scaleRow(i, Math.sqrt(weight));
            }
        }
    }

    /** Turns sums about the shifts into moments about the means. */
    private void finish() {
        if (labels instanceof Labels.Classes) {
            // Every row has one class: the sum over all rows is the sum of the classes' sums.
            for (int c = 0; c < moments.targets; c++) {
                Vectors.add(1, moments.cross, c * features, residual, 0, features);
            }
        }
        for (int t = 0; t < moments.targets; t++) {
            double sum = moments.targetMean[t];
            double mean = sum / moments.weight;
            moments.targetScatter[t] -= sum * mean;
            moments.targetMean[t] = targetShift[t] + mean;
            Vectors.add(-mean, residual, 0, moments.cross, t * features, features);
        }
        for (int j = 0; j < features; j++) {
            moments.mean[j] += residual[j] / moments.weight;
        }
        finished = true;
    }

    /** Merges this block into totals. */
    void mergeInto(Moments total, double[] scatter, double[] delta) {
        if (moments.weight == 0) {
            total.merge(moments, delta);
            return;
        }
        if (!finished) {
            finish();
        }
        double factor = total.merge(moments, delta);
        for (int i = 0; i < features; i++) {
            double left = factor * delta[i];
            products.addRow(i, features, scatter, left, delta, -residual[i] / moments.weight, residual);
        }
    }

    /** Returns the time spent on the statistics of this block, in nanoseconds. */
    public long gramNanos() {
        return gramNanos;
    }
}
