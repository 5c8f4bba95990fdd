package org.bochner.tune.folds;

import java.util.ArrayList;
import java.util.List;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Precision;
import org.bochner.stats.BlockGram;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.MappedRows;

/** Sums up the products of features in one pass over the rows, fold by fold. */
public final class FoldStatistics {
    private FoldStatistics() {}

    private record Bench(MappedRows rows, BlockGram gram) {}

    /** Returns the sums of each fold. */
    public static List<GramAccumulator> of(
            FoldedRows rows, FeatureMap map, ClassWeights classWeights, Precision precision) {
        int features = map.outputDimension();
        List<GramAccumulator> folds = new ArrayList<>();
        for (int f = 0; f < rows.folds(); f++) {
            folds.add(new GramAccumulator(features, rows.labels()));
        }
        rows.pass(
                () -> new Bench(new MappedRows(map, precision), new BlockGram(features, rows.labels(), classWeights)),
                (tile, bench) -> bench.gram.add(bench.rows.take(tile.rows()), 0),
                (tile, bench) -> {
                    folds.get(tile.fold()).add(bench.gram);
                    bench.gram.clear();
                });
        return folds;
    }
}
