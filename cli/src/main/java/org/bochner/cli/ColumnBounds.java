package org.bochner.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.data.RowBlock;

/** The lowest and the highest value of some columns, over all rows shown. */
final class ColumnBounds {
    private final int from;
    private final double[] low;
    private final double[] high;

    /** Of the columns from (inclusive) to (exclusive). */
    ColumnBounds(int from, int to) {
        this.from = from;
        this.low = new double[to - from];
        this.high = new double[to - from];
        Arrays.fill(low, Double.POSITIVE_INFINITY);
        Arrays.fill(high, Double.NEGATIVE_INFINITY);
    }

    void add(RowBlock block) {
        RowBlock part = block.columns(from, from + low.length);
        double[] row = new double[low.length];
        for (int i = 0; i < part.rows(); i++) {
            part.copyRow(i, row);
            for (int l = 0; l < row.length; l++) {
                low[l] = Math.min(low[l], row[l]);
                high[l] = Math.max(high[l], row[l]);
            }
        }
    }

    /** One interval a column. */
    List<Interval> intervals() {
        List<Interval> intervals = new ArrayList<>();
        for (int l = 0; l < low.length; l++) {
            if (!(low[l] < high[l])) {
                throw new BochnerException("column " + (from + l) + " has the same value in all rows, so no range of"
                        + " differences can be taken from it; give --domain, or leave the column out");
            }
            intervals.add(new Interval(shortest(low[l]), shortest(high[l])));
        }
        return intervals;
    }

    /** Values are float32: the shortest decimal that is one, for people to read and paste. */
    static double shortest(double value) {
        return Double.parseDouble(Float.toString((float) value));
    }
}
