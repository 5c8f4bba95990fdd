package org.bochner.cli;

import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.scale.Scaler;
import org.bochner.scale.ScalingBuffer;

/** How far the values of each column are apart after scaling: their standard deviation in the first rows. */
final class Spread {
    private static final int MOST_ROWS = 10_000;
    private static final int FEWEST_ROWS = 100;

    /** Values that are looked at: some tenths of a second's work. */
    private static final long VALUES = 50_000_000;

    private static final int BLOCK_ROWS = 256;

    private Spread() {}

    static double[] of(RowSource source, Scaler scaler) {
        int columns = source.columns();
        long most = Math.max(FEWEST_ROWS, Math.min(MOST_ROWS, VALUES / columns));
        double[] means = new double[columns];
        double[] squares = new double[columns];
        double[] row = new double[columns];
        long count = 0;
        RowBlockBuilder builder = new RowBlockBuilder();
        ScalingBuffer buffer = new ScalingBuffer();
        try (RowCursor cursor = source.open()) {
            while (count < most && cursor.next(builder, BLOCK_ROWS)) {
                RowBlock rows = scaler.apply(builder.build(), buffer);
                for (int i = 0; i < rows.rows(); i++) {
                    rows.copyRow(i, row);
                    count++;
                    for (int j = 0; j < columns; j++) {
                        double from = row[j] - means[j];
                        means[j] += from / count;
                        squares[j] += from * (row[j] - means[j]);
                    }
                }
            }
        }
        for (int j = 0; j < columns; j++) {
            squares[j] = Math.sqrt(squares[j] / Math.max(1, count));
        }
        return squares;
    }
}
