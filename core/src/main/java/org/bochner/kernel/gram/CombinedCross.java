package org.bochner.kernel.gram;

import java.util.List;
import java.util.function.DoubleBinaryOperator;
import org.bochner.data.RowBlock;

/** The values of a sum or a product of kernels. */
final class CombinedCross extends CrossKernel {
    private final List<CrossKernel> parts;
    private final DoubleBinaryOperator combine;

    CombinedCross(List<CrossKernel> parts, DoubleBinaryOperator combine, RowBlock fixed) {
        super(fixed);
        this.parts = parts;
        this.combine = combine;
    }

    @Override
    void compute(RowBlock rows, double[] out, int offset, int stride) {
        parts.get(0).compute(rows, out, offset, stride);
        double[] values = new double[Math.multiplyExact(rows.rows(), size())];
        for (CrossKernel next : parts.subList(1, parts.size())) {
            next.compute(rows, values, 0, size());
            for (int i = 0; i < rows.rows(); i++) {
                for (int j = 0; j < size(); j++) {
                    int at = offset + i * stride + j;
                    out[at] = combine.applyAsDouble(out[at], values[i * size() + j]);
                }
            }
        }
    }
}
