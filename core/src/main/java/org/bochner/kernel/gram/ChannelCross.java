package org.bochner.kernel.gram;

import org.bochner.base.row.RowException;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;

/** The values of a kernel of some columns. */
final class ChannelCross extends CrossKernel {
    private final CrossKernel part;
    private final int from;
    private final int to;

    ChannelCross(Kernel kernel, int from, int to, RowBlock fixed) {
        super(fixed);
        this.from = from;
        this.to = to;
        part = CrossKernel.of(kernel, fixed.columns(from, to));
    }

    @Override
    void compute(RowBlock rows, double[] out, int offset, int stride) {
        try {
            part.compute(rows.columns(from, to), out, offset, stride);
        } catch (RowException e) {
            throw e.behind(from);
        }
    }

    @Override
    void compute(RowBlock rows, float[] out, int offset, int stride) {
        try {
            part.compute(rows.columns(from, to), out, offset, stride);
        } catch (RowException e) {
            throw e.behind(from);
        }
    }
}
