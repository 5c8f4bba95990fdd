package org.bochner.stats;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Precision;

/**
 * The statistics of one block of rows, as a worker computes them before they are merged into the totals.
 *
 * <p>The block is centred on its own mean before its Gram matrix is taken, in the precision of the features: features
 * that share a large common part would otherwise lose their variance to cancellation. The mean is rounded to that
 * precision first, and the little that rounding leaves is carried along, so that nothing is lost.
 *
 * <p>Classes are never expanded: a class is a sum over its rows.
 *
 * <p>Cost: rows·D² multiplications for the Gram matrix, rows·D·(2 + outputs) for the rest. Memory: D² + rows·D numbers
 * in the features' precision. Threads: not safe; each worker has its own.
 */
public final class BlockGram {
    private final Labels labels;
    private final ClassWeights classWeights;
    private final FeatureBlock block;
    private final Moments moments;
    private final double[] residual;
    private double[] weights = new double[0];
    private long mapNanos;
    private long gramNanos;

    public BlockGram(int features, Labels labels, ClassWeights classWeights, Precision precision) {
        this.labels = labels;
        this.classWeights = classWeights;
        block = FeatureBlock.of(precision, features);
        moments = new Moments(features, Moments.targets(labels));
        residual = new double[features];
    }

    /** Maps the rows and takes their statistics. */
    public void collect(FeatureMap map, RowBlock rows) {
        Require.sameSize("BlockGram", "features", map.outputDimension(), block.features());
        long start = System.nanoTime();
        moments.clear();
        weigh(rows);
        if (moments.weight == 0) {
            return;
        }
        averageTargets(rows);
        block.fill(map, rows);
        long mapped = System.nanoTime();
        centre(rows.rows());
        addProducts(rows);
        block.gram();
        mapNanos = mapped - start;
        gramNanos = System.nanoTime() - mapped;
    }

    /** How long mapping the last block took. */
    public long mapNanos() {
        return mapNanos;
    }

    /** How long the statistics of the last block took. */
    public long gramNanos() {
        return gramNanos;
    }

    private void weigh(RowBlock rows) {
        if (weights.length < rows.rows()) {
            weights = new double[rows.rows()];
        }
        for (int i = 0; i < rows.rows(); i++) {
            double weight = rows.weight(i);
            if (labels instanceof Labels.Classes) {
                weight *= classWeights.factor((int) rows.target(i, 0));
            }
            weights[i] = Require.notNegative("row " + (rows.firstRow() + i), "weight", weight);
            moments.weight += weight;
        }
        moments.rows = rows.rows();
    }

    private void averageTargets(RowBlock rows) {
        for (int i = 0; i < rows.rows(); i++) {
            double share = weights[i] / moments.weight;
            if (labels instanceof Labels.Classes) {
                moments.targetMean[(int) rows.target(i, 0)] += share;
            } else {
                for (int t = 0; t < labels.width(); t++) {
                    moments.targetMean[t] += share * rows.target(i, t);
                }
            }
        }
    }

    private void centre(int rows) {
        for (int i = 0; i < rows; i++) {
            block.addRow(i, weights[i] / moments.weight, moments.mean, 0);
        }
        block.subtract(moments.mean);
    }

    private void addProducts(RowBlock rows) {
        int features = block.features();
        Arrays.fill(residual, 0);
        for (int i = 0; i < rows.rows(); i++) {
            double weight = weights[i];
            block.addRow(i, weight, residual, 0);
            if (labels instanceof Labels.Classes) {
                int label = (int) rows.target(i, 0);
                block.addRow(i, weight, moments.cross, label * features);
            } else {
                for (int t = 0; t < labels.width(); t++) {
                    double target = rows.target(i, t) - moments.targetMean[t];
                    moments.targetScatter[t] += weight * target * target;
                    block.addRow(i, weight * target, moments.cross, t * features);
                }
            }
            if (weight != 1) {
                block.scaleRow(i, Math.sqrt(weight));
            }
        }
        if (labels instanceof Labels.Classes) {
            // The target of a class is its indicator, 1 or 0: centre what was summed over the ones.
            for (int c = 0; c < moments.targets; c++) {
                double share = moments.targetMean[c];
                moments.targetScatter[c] = moments.weight * share * (1 - share);
                for (int j = 0; j < features; j++) {
                    moments.cross[c * features + j] -= share * residual[j];
                }
            }
        }
        for (int j = 0; j < features; j++) {
            moments.mean[j] += residual[j] / moments.weight;
        }
    }

    /** Merges this block into totals. */
    void mergeInto(Moments total, double[] scatter, double[] delta) {
        double factor = total.merge(moments, delta);
        if (moments.weight == 0) {
            return;
        }
        for (int i = 0; i < block.features(); i++) {
            block.addGram(i, scatter, factor * delta[i], delta, -residual[i] / moments.weight, residual);
        }
    }
}
