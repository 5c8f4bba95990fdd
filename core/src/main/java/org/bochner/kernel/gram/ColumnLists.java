package org.bochner.kernel.gram;

import java.util.function.DoubleBinaryOperator;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.RowBlock;
import org.jspecify.annotations.Nullable;

/**
 * The non-zeros of fixed rows, listed by column: those of column l are entries {@code starts[l]} to
 * {@code starts[l + 1]} (exclusive), in the order of the rows.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ColumnLists(int rowCount, int[] starts, int[] rows, double[] values) {
    /** Lists the values of rows. */
    public static ColumnLists of(RowBlock fixed) {
        return of(fixed, ValueMap.IDENTITY);
    }

    /** Lists the values of rows after a function of each, which must leave zeros as they are. */
    static ColumnLists of(RowBlock fixed, ValueMap map) {
        // Sparse rows may have columns out of proportion to their values.
        MemoryBudget.whole()
                .require(
                        20.0 * fixed.columns(),
                        "lists of " + fixed.columns() + " columns",
                        "use rows with fewer columns");
        RowValues reader = new RowValues(fixed);
        int[] starts = new int[Math.incrementExact(fixed.columns())];
        for (int i = 0; i < fixed.rows(); i++) {
            int count = reader.read(i);
            for (int k = 0; k < count; k++) {
                starts[reader.column(k) + 1] = Math.incrementExact(starts[reader.column(k) + 1]);
            }
        }
        for (int l = 0; l < fixed.columns(); l++) {
            starts[l + 1] = Math.addExact(starts[l + 1], starts[l]);
        }
        int[] next = starts.clone();
        int[] rows = new int[starts[fixed.columns()]];
        double[] values = new double[rows.length];
        for (int i = 0; i < fixed.rows(); i++) {
            int count = reader.read(i);
            for (int k = 0; k < count; k++) {
                int column = reader.column(k);
                int place = next[column]++;
                rows[place] = i;
                values[place] = map.apply(reader.value(k), column, fixed.firstRow() + i);
            }
        }
        return new ColumnLists(fixed.rows(), starts, rows, values);
    }

    /** Adds f(x, h) for the entries h of a column; x·h if f is null. */
    void add(int column, double x, @Nullable DoubleBinaryOperator f, double[] out, int at) {
        if (f == null) {
            for (int e = starts[column]; e < starts[column + 1]; e++) {
                out[at + rows[e]] += x * values[e];
            }
            return;
        }
        for (int e = starts[column]; e < starts[column + 1]; e++) {
            out[at + rows[e]] += f.applyAsDouble(x, values[e]);
        }
    }

    /** Returns Σ f(h, h) over the entries of each row. */
    double[] squares(DoubleBinaryOperator f) {
        double[] sums = new double[rowCount];
        for (int e = 0; e < rows.length; e++) {
            sums[rows[e]] += f.applyAsDouble(values[e], values[e]);
        }
        return sums;
    }
}
