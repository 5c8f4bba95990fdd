package org.bochner.kernel.columns;

import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import org.bochner.data.SparseRows;

/** Receives the two values of a pair of rows in a column. */
@FunctionalInterface
public interface PairVisitor {
    void visit(int column, double x, double y);

    /**
     * Visits the columns from (inclusive) to (exclusive) in which rows i and j are not both zero, in ascending order.
     */
    static void visit(SparseRows rows, int i, int j, int from, int to, PairVisitor visitor) {
        int[] indices = rows.indices();
        int p = firstFrom(rows, i, from);
        int q = firstFrom(rows, j, from);
        int endP = firstFrom(rows, i, to);
        int endQ = firstFrom(rows, j, to);
        while (p < endP || q < endQ) {
            int columnP = p < endP ? indices[p] : Integer.MAX_VALUE;
            int columnQ = q < endQ ? indices[q] : Integer.MAX_VALUE;
            double x = columnP <= columnQ ? rows.values()[p++] : 0;
            double y = columnQ <= columnP ? rows.values()[q++] : 0;
            visitor.visit(Math.min(columnP, columnQ), x, y);
        }
    }

    /** Returns the sum of a function of the two values over the columns that {@link #visit} visits. */
    static double sum(SparseRows rows, int i, int j, int from, int to, DoubleBinaryOperator term) {
        double[] sum = new double[1];
        visit(rows, i, j, from, to, (column, x, y) -> sum[0] += term.applyAsDouble(x, y));
        return sum[0];
    }

    /** Returns the first entry of a row whose column is not before the given one. */
    private static int firstFrom(SparseRows rows, int row, int column) {
        int place = Arrays.binarySearch(rows.indices(), rows.starts()[row], rows.starts()[row + 1], column);
        return place >= 0 ? place : -place - 1;
    }
}
