package org.bochner.tune.scales;

import org.bochner.map.FeatureMap;
import org.bochner.map.MapGradient;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;
import org.bochner.stats.FeatureBlock;
import org.bochner.stats.WeightMatrix;
import org.bochner.tune.folds.FoldedRows;
import org.bochner.tune.folds.ScoredRows;

/**
 * The value of a criterion of features, with the data for its derivatives. The derivatives by the features are linear
 * combinations of few columns: with the scores S = Z·columns of the features Z of a tile, {@code ∂value/∂Z =
 * coefficients(S)·columnsᵀ}. The derivatives by the parameters take one pass, which maps the rows again, because that is
 * cheaper than keeping their features.
 *
 * @param columns one row per feature
 * @param coefficients replaces scores by coefficients
 * @param rows the rows, with the features of the map
 */
public record FeatureResult(
        double value,
        double penaltySlope,
        double lambda,
        WeightMatrix columns,
        Coefficients coefficients,
        ScoredRows rows)
        implements CriterionResult {
    /** The coefficients of the columns, row by row. */
    @FunctionalInterface
    public interface Coefficients {
        /**
         * Replaces the scores of a tile by its coefficients.
         *
         * @param scores rows×columns, row-major
         */
        void replace(FoldedRows.Tile tile, double[] scores);
    }

    @Override
    public double[] slopes(FeatureMap map, ParameterKind kind) {
        MapParameters own = map.parameters(kind);
        MapGradient total = own.gradient();
        rows.pass(
                columns,
                () -> new Slopes(own.gradient(), rows.block()),
                (tile, features, scores, slopes) -> {
                    coefficients.replace(tile, scores);
                    slopes.cotangents.fill(tile.rows().rows(), scores, columns);
                    features.addTo(slopes.gradient, tile.rows(), slopes.cotangents);
                },
                slopes -> slopes.gradient.moveInto(total));
        return total.values();
    }

    /** The derivatives of one worker. */
    private record Slopes(MapGradient gradient, FeatureBlock cotangents) {}
}
