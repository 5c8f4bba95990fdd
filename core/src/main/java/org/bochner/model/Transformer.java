package org.bochner.model;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.bochner.base.BochnerException;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.ScoreAxes;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.ComponentMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.stats.FeaturePass;

/**
 * A fitted scaling followed by a feature map: a model without its linear functions.
 *
 * <p>Threads: safe; immutable.
 *
 * @param scaler the scaling
 * @param map the feature map
 */
public record Transformer(Scaler scaler, FeatureMap map) {
    /** The largest number of features per block, 64 MiB; the number per row is not limited. */
    private static final int BLOCK_VALUES = 1 << 24;

    /** Returns the transformer whose features are the coordinates of rows along discriminant axes. */
    static Transformer ofAxes(Transformer features, ScoreAxes axes, LinearModel linear) {
        LinearModel coordinates = axes.of(linear);
        double[] offsets = new double[axes.count()];
        Arrays.setAll(offsets, a -> -coordinates.intercept(a));
        double[] variances = axes.variances();
        ComponentMap.Basis basis = new ComponentMap.Basis(coordinates.features(), coordinates.weights(), offsets);
        double total = Arrays.stream(variances).sum();
        return new Transformer(features.scaler, new ComponentMap(features.map, basis, variances, total));
    }

    /**
     * Returns the variance of each feature, descending, in a new array, if the features are principal components or
     * discriminant axes: the variance of the training rows, or that of the class means. The array is empty for other
     * features.
     */
    public double[] variances() {
        return map instanceof ComponentMap projected ? projected.variances() : new double[0];
    }

    /** Returns the number of features from which principal components or discriminant axes are computed; else that of the map. */
    public int projectedFeatures() {
        return map instanceof ComponentMap projected ? projected.map().outputDimension() : map.outputDimension();
    }

    /**
     * Returns the share of the variance that each feature has, in a new array, if the features are principal components
     * or discriminant axes; empty for other features. The shares of all components together are 1.
     */
    public double[] varianceShares() {
        double[] shares = variances();
        double total = map instanceof ComponentMap projected ? projected.totalVariance() : 1;
        Arrays.setAll(shares, c -> shares[c] / total);
        return shares;
    }

    /**
     * Maps every row of a source in parallel and returns the number of rows. The sink receives blocks of features,
     * with the rows' targets and weights, one at a time and in order; blocks are reused after it returns. Sparse rows
     * have sparse features if the map keeps sparsity. If the rows have set ids, the sink receives one row per set: the
     * means of the features of its rows.
     */
    public long transform(RowSource source, Workers workers, Progress progress, Consumer<RowBlock> sink) {
        if (source.columns() != map.inputDimension()) {
            throw new BochnerException(
                    source.name() + ": has " + source.columns() + " columns; the map needs " + map.inputDimension());
        }
        long[] rows = new long[1];
        int blockRows = Math.max(1, Math.min(FeaturePass.TILE_ROWS, BLOCK_VALUES / map.outputDimension()));
        // Components are differences of large numbers, so they are computed in float64 and rounded at the end.
        Precision precision = map instanceof ComponentMap ? Precision.FLOAT64 : Precision.FLOAT32;
        new FeaturePass(source.bySet(), scaler, List.of(map), precision, true, workers)
                .setTileRows(blockRows)
                .run(Object::new, (block, none) -> block.entries(), (done, none) -> {
                    sink.accept(done.last().asRows());
                    rows[0] = done.rows();
                    progress.report("mapping", rows[0], done.fraction());
                });
        return rows[0];
    }
}
