package org.bochner.benchmarks;

import org.bochner.base.State;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.map.FeatureMap;

/** φ(x) = x: rows that are features already, so that statistics can be measured alone. */
final class CopyMap implements FeatureMap {
    private final int columns;

    CopyMap(int columns) {
        this.columns = columns;
    }

    @Override
    public int inputDimension() {
        return columns;
    }

    @Override
    public int outputDimension() {
        return columns;
    }

    @Override
    public Kernel kernel() {
        return Kernels.gaussian(1);
    }

    @Override
    public void apply(double[] x, double[] out) {
        System.arraycopy(x, 0, out, 0, columns);
    }

    @Override
    public void apply(RowBlock rows, float[] out, int offset, int stride) {
        DenseRows dense = (DenseRows) rows;
        for (int i = 0; i < rows.rows(); i++) {
            System.arraycopy(dense.values(), dense.offset() + i * dense.stride(), out, offset + i * stride, columns);
        }
    }

    @Override
    public State state() {
        return State.of("copy");
    }
}
