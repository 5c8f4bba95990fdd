package org.bochner.kernel.gram;

import org.bochner.base.row.RowException;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;

/** The values of any kernel, pair by pair, after a function of each value of the rows. */
final class PairwiseCross extends CrossKernel {
    private final Kernel kernel;
    private final ValueMap map;
    private final double[][] fixed;

    PairwiseCross(Kernel kernel, ValueMap map, RowBlock rows) {
        super(rows);
        this.kernel = kernel;
        this.map = map;
        int values = DenseSize.of(rows.rows(), rows.columns(), Double.BYTES);
        fixed = new double[rows.rows()][values / rows.rows()];
        for (int j = 0; j < fixed.length; j++) {
            rows.copyRow(j, fixed[j]);
            map.applyTo(fixed[j], rows.firstRow() + j);
        }
    }

    @Override
    void compute(RowBlock rows, double[] out, int offset, int stride) {
        double[] x = new double[rows.columns()];
        for (int i = 0; i < rows.rows(); i++) {
            rows.copyRow(i, x);
            map.applyTo(x, rows.firstRow() + i);
            try {
                for (int j = 0; j < fixed.length; j++) {
                    out[offset + i * stride + j] = kernel.value(x, fixed[j]);
                }
            } catch (RowException e) {
                throw e.inRow(rows.firstRow() + i);
            }
        }
    }
}
