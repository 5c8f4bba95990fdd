package org.bochner.tune.channels;

import java.util.Arrays;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.OutputMoments;
import org.bochner.stats.GramStatistics;

/**
 * The statistics of the square loss on some rows: both triangles of the centred scatter H of the features, the
 * products c with the targets, the targets' squares, and the means. Targets of classes are ±1, with one output per
 * class, or one output for two classes.
 *
 * <p>Memory: D² numbers, which every {@link #load} overwrites. Threads: not safe.
 */
public final class ChannelStatistics {
    private final int features;
    private final double[] scatter;
    private GramStatistics rows;
    private OutputMoments targets;

    public ChannelStatistics(GramStatistics rows) {
        features = rows.features();
        scatter = new double[Math.multiplyExact(features, features)];
        this.rows = rows;
        targets = OutputMoments.of(rows);
    }

    /** Loads the sums over the rows of some statistics. */
    public void load(GramStatistics others) {
        rows = others;
        targets = OutputMoments.of(others);
        others.copyWholeScatter(scatter);
    }

    int features() {
        return features;
    }

    int outputs() {
        return targets.means().length;
    }

    public double totalRowWeight() {
        return rows.totalRowWeight();
    }

    /** H, all of it, row-major; shared. */
    public double[] scatter() {
        return scatter;
    }

    /** c, D×outputs, row-major; shared. */
    public double[] cross() {
        return targets.cross();
    }

    /** Returns Σ w (y − ȳ)² over all outputs: twice the objective of a constant prediction. */
    public double totalSquares() {
        return Arrays.stream(targets.squares()).sum();
    }

    /** Returns the model with given weights of centred features, D×outputs, row-major. */
    LinearModel model(double[] weights) {
        double[] intercepts = LinearModel.uncentre(targets.means().clone(), weights, rows.mean());
        return new LinearModel(features, outputs(), weights, intercepts);
    }
}
