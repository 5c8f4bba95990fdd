package org.bochner.tune.scales;

import org.bochner.stats.WeightMatrix;
import org.bochner.tune.folds.FoldedRows;

/**
 * The value of a criterion at one map and one penalty, with what the derivatives by the features need. These
 * derivatives are linear combinations of few columns: with the scores S = Z·columns of the features Z of a tile,
 * {@code ∂value/∂Z = coefficients(S)·columnsᵀ}.
 *
 * @param value the criterion, relative to that of a constant prediction; infinite or NaN if it cannot be computed
 * @param penaltySlope the derivative by the logarithm of the penalty
 * @param lambda the penalty that was used
 * @param columns one row per feature
 * @param coefficients replaces scores by coefficients
 */
public record CriterionResult(
        double value, double penaltySlope, double lambda, WeightMatrix columns, Coefficients coefficients) {
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
}
