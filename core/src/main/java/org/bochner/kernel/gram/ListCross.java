package org.bochner.kernel.gram;

import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import org.bochner.base.BochnerException;
import org.bochner.base.row.RowException;
import org.bochner.data.RowBlock;
import org.jspecify.annotations.Nullable;

/** The values of a kernel that is a function of a sum over the columns in which neither row is zero. */
final class ListCross extends CrossKernel {
    private final ValueMap map;
    private final @Nullable DoubleBinaryOperator term;
    private final PairFunction function;
    private final ColumnLists lists;
    private final double[] squares;

    /**
     * Prepares fixed rows.
     *
     * @param map the function of each value, which must leave zeros as they are
     * @param term the term of a column, from two values; null for their product
     * @param function the function of the sum, and of the sums of each row with itself
     */
    ListCross(ValueMap map, @Nullable DoubleBinaryOperator term, PairFunction function, RowBlock fixed) {
        super(fixed);
        this.map = map;
        this.term = term;
        this.function = function;
        lists = ColumnLists.of(fixed, map);
        squares = lists.squares(term == null ? (x, y) -> x * y : term);
    }

    @Override
    void compute(RowBlock rows, double[] out, int offset, int stride) {
        RowValues values = new RowValues(rows);
        for (int i = 0; i < rows.rows(); i++) {
            int at = offset + i * stride;
            Arrays.fill(out, at, at + size(), 0);
            double square = 0;
            int count = values.read(i);
            for (int k = 0; k < count; k++) {
                int column = values.column(k);
                try {
                    double x = map.apply(values.value(k), column);
                    square += term == null ? x * x : term.applyAsDouble(x, x);
                    lists.add(column, x, term, out, at);
                } catch (BochnerException e) {
                    throw RowException.at(rows.firstRow() + i, column, e);
                }
            }
            for (int j = 0; j < size(); j++) {
                out[at + j] = function.of(out[at + j], square, squares[j]);
            }
        }
    }
}
