package org.bochner.model;

import org.bochner.base.BochnerException;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.stats.ClassWeights;

/** Counts the rows of every class, so that all classes can weigh the same. */
final class BalancedClasses {
    private BalancedClasses() {}

    /** The weights with which all classes of a source weigh the same; one pass over its rows. */
    static ClassWeights of(RowSource source) {
        if (!(source.labels() instanceof Labels.Classes classes)) {
            throw new BochnerException("balanced class weights need classes; " + source.name() + " has numbers");
        }
        long[] counts = new long[classes.names().size()];
        try (RowCursor cursor = source.open()) {
            RowBlockBuilder builder = new RowBlockBuilder();
            while (cursor.next(builder, KernelModel.BLOCK_ROWS)) {
                RowBlock rows = builder.build();
                for (int i = 0; i < rows.rows(); i++) {
                    // Those of no known class are refused, with their place, when the statistics are made.
                    if (rows.target(i, 0) >= 0) {
                        counts[(int) rows.target(i, 0)]++;
                    }
                }
            }
        }
        return ClassWeights.balanced(counts);
    }
}
