package org.bochner.tune.scales;

import org.bochner.stats.WeightMatrix;
import org.bochner.tune.folds.FoldedRows;

/**
 * What a criterion makes of the statistics at one setting of the scales: its value, its derivative by the penalty, and what
 * derivatives by the features of single rows need. These are linear combinations of few columns: with S = Z·{@link #columns}
 * the scores of a tile, {@link #coefficients} says how the columns combine to ∂value/∂Z = coefficients·columnsᵀ.
 */
public interface CriterionResult {
    /** The criterion, relative to what it would be without features. */
    double value();

    /** Its derivative by the logarithm of the penalty. */
    double penaltySlope();

    /** The penalty that was used. */
    double lambda();

    /** The columns, one a feature high. */
    WeightMatrix columns();

    /**
     * Puts the coefficients of a tile's rows in place of their scores.
     *
     * @param scores rows×columns, row-major
     */
    void coefficients(FoldedRows.Tile tile, double[] scores);
}
