package org.bochner.stats;

import org.bochner.base.BochnerException;
import org.bochner.base.row.RowException;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;

/**
 * The weights of rows: a row's own weight times the factor of its class.
 *
 * @param labels the meaning of the targets
 * @param classWeights one factor per class
 */
public record RowWeights(Labels labels, ClassWeights classWeights) {
    /**
     * Returns the weight of a row; throws if the weight is negative or not finite, or if the row's class is unknown.
     */
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

    /** Adds the rows of a weight above 0 to a builder, with their weights and groups. */
    public void copyWeighed(RowBlock rows, RowBlockBuilder to) {
        for (int i = 0; i < rows.rows(); i++) {
            double weight = weight(rows, i);
            if (weight > 0) {
                to.addRow(rows, i);
                to.setRowWeight(weight);
                to.setGroup(rows.group(i));
            }
        }
    }
}
