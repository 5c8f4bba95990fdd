package org.bochner.tune;

import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.model.Transformer;
import org.bochner.scale.fit.ColumnAccumulator;

/** Computes the standard deviations of scaled columns in the first rows of a source. */
final class ColumnSpread {
    private static final int MOST_ROWS = 10_000;
    private static final int FEWEST_ROWS = 100;

    /** Limits the work to some tenths of a second. */
    private static final long MOST_VALUES = 50_000_000;

    private static final int BLOCK_ROWS = 256;

    private ColumnSpread() {}

    /**
     * Returns one number per column. All are 1 if the kernel takes histograms or warped values, because it does not
     * compare the values themselves.
     */
    static double[] of(RowSource source, Transformer transformer) {
        int columns = source.columns();
        double[] spread = new double[columns];
        if (!transformer.map().kernel().takesAnyValue()) {
            Arrays.fill(spread, 1);
            return spread;
        }
        long most = Math.max(FEWEST_ROWS, Math.min(MOST_ROWS, MOST_VALUES / columns));
        ColumnAccumulator total = new ColumnAccumulator(columns);
        ColumnAccumulator block = new ColumnAccumulator(columns);
        RowBlockBuilder builder = new RowBlockBuilder();
        UnaryOperator<RowBlock> scaling = transformer.scaler().forBlocks();
        try (RowCursor cursor = source.open()) {
            for (long count = 0; count < most && cursor.next(builder, BLOCK_ROWS); count += builder.rows()) {
                block.set(scaling.apply(builder.build()));
                total.merge(block);
            }
        }
        Arrays.setAll(spread, j -> Math.sqrt(total.variance(j)));
        return spread;
    }
}
