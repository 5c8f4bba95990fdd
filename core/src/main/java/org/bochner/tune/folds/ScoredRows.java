package org.bochner.tune.folds;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bochner.data.Labels;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.stats.FeatureBlock;
import org.bochner.stats.WeightMatrix;

/**
 * Rows with the features of a map and the scores of linear functions. Every pass maps the rows again.
 *
 * <p>Threads: not safe; each pass is parallel by itself.
 */
public record ScoredRows(FoldedRows rows, FeatureMap map, Precision precision) {
    /** The work on one tile. */
    public interface Work<S> {
        /**
         * Adds a tile to a sum.
         *
         * @param scores features·columns, rows×columns, row-major; further entries have no meaning, and all may be
         *     overwritten
         */
        void add(FoldedRows.Tile tile, FeatureBlock features, double[] scores, S sum);
    }

    public Labels labels() {
        return rows.labels();
    }

    public Workers workers() {
        return rows.workers();
    }

    /** Returns a block for derivatives by the features. */
    public FeatureBlock block() {
        return FeatureBlock.of(precision, map.outputDimension());
    }

    /**
     * Passes over all tiles.
     *
     * @param columns the linear functions
     * @param sums creates the sum of one worker
     * @param work runs in parallel
     * @param inTurn moves the sum of a tile to the total and clears it; runs in the order of the tiles
     */
    public <S> void pass(WeightMatrix columns, Supplier<S> sums, Work<S> work, Consumer<S> inTurn) {
        rows.pass(
                () -> new Bench<>(block(), sums.get()),
                (tile, bench) -> bench.add(tile, columns, work),
                (tile, bench) -> inTurn.accept(bench.sum));
    }

    private final class Bench<S> {
        private final FeatureBlock features;
        private final S sum;
        private double[] scores = new double[0];

        Bench(FeatureBlock features, S sum) {
            this.features = features;
            this.sum = sum;
        }

        void add(FoldedRows.Tile tile, WeightMatrix columns, Work<S> work) {
            int size = tile.rows().rows() * columns.outputs();
            if (scores.length < size) {
                scores = new double[size];
            }
            features.fill(map, tile.rows());
            features.multiply(columns, scores);
            work.add(tile, features, scores, sum);
        }
    }
}
