package org.bochner.kernel.gram;

import org.bochner.data.RowBlock;
import org.bochner.kernel.composed.ScaledKernel;

/** The values of a multiple of a kernel. */
final class ScaledCross extends CrossKernel {
    private final CrossKernel part;
    private final double factor;

    ScaledCross(ScaledKernel kernel, RowBlock fixed) {
        super(fixed);
        part = CrossKernel.of(kernel.kernel(), fixed);
        factor = kernel.factor();
    }

    @Override
    void compute(RowBlock rows, double[] out, int offset, int stride) {
        part.compute(rows, out, offset, stride);
        for (int i = 0; i < rows.rows(); i++) {
            for (int j = 0; j < size(); j++) {
                out[offset + i * stride + j] *= factor;
            }
        }
    }
}
