package org.bochner.stats;

import org.bochner.base.BochnerException;
import org.bochner.base.row.RowException;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;

/**
 * What the rows count for: their own weights times those of their classes.
 *
 * @param labels what their targets mean
 * @param classWeights one factor a class
 */
public record RowWeights(Labels labels, ClassWeights classWeights) {
    /** The weight of a row; fails where it is none, or where the row is of a class that is not learned. */
    public double weight(RowBlock rows, int row) {
        double weight = rows.rowWeight(row);
        if (labels instanceof Labels.Classes classes) {
            double label = rows.target(row, 0);
            if (!(label >= 0 && label < classes.names().size())) {
                throw new UnknownClassException(rows.firstRow() + row);
            }
            weight *= classWeights.factor((int) label);
        }
        if (!(weight >= 0 && weight < Double.POSITIVE_INFINITY)) {
            throw RowException.ofRow(
                    rows.firstRow() + row,
                    new BochnerException("the weight must be at least 0 and finite, got " + weight));
        }
        return weight;
    }
}
