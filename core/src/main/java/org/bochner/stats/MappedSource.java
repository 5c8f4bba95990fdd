package org.bochner.stats;

import java.util.List;
import org.bochner.data.RowSource;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;

/** The rows of a source, how they become features, and how they are weighed. */
public record MappedSource(
        RowSource source,
        Scaler scaler,
        FeatureMap map,
        ClassWeights classWeights,
        Precision precision,
        Workers workers) {
    int features() {
        return map.outputDimension();
    }

    /** Returns true if the rows have sparse features. */
    boolean sparse() {
        return map.makesSparse() || (source.sparse() && map.keepsSparsity() && scaler.keepsZeros());
    }

    RowWeights rowWeights() {
        return new RowWeights(source.labels(), classWeights);
    }

    FeaturePass pass(boolean sparse, int tileRows) {
        return new FeaturePass(source, scaler, List.of(map), precision, sparse, workers).setTileRows(tileRows);
    }
}
