package org.bochner.kernel.gram;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.row.RowException;
import org.bochner.data.RowBlock;
import org.bochner.kernel.AdditiveKernel;

/** The values of a kernel that is a function of a sum over the columns in which neither row is zero. */
final class ColumnSumCross extends CrossKernel {
    private final AdditiveKernel kernel;
    private final PairFunction function;
    private final ColumnLists lists;
    private final double[] squares;

    ColumnSumCross(AdditiveKernel kernel, PairFunction function, RowBlock fixed) {
        super(fixed);
        this.kernel = kernel;
        this.function = function;
        lists = ColumnLists.of(fixed, (x, column) -> {
            kernel.requireValue(x, column);
            return x;
        });
        squares = lists.squares(kernel::scalar);
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
                double x = values.value(k);
                try {
                    kernel.requireValue(x, values.column(k));
                    square += kernel.scalar(x, x);
                    lists.add(values.column(k), x, kernel::scalar, out, at);
                } catch (BochnerException e) {
                    throw RowException.at(rows.firstRow() + i, values.column(k), e);
                }
            }
            for (int j = 0; j < size(); j++) {
                out[at + j] = function.of(out[at + j], square, squares[j]);
            }
        }
    }
}
