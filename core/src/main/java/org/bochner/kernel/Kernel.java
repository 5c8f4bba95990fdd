package org.bochner.kernel;

/**
 * A positive definite function of two rows.
 *
 * <p>Its {@code toString} is its spelling, and {@link Kernels#parse} reads that back to an equal kernel.
 *
 * <p>Threads: safe; kernels are immutable values.
 */
public sealed interface Kernel permits ShiftInvariantKernel, SumKernel, ScaledKernel, ChannelKernel, WarpedKernel {
    /** The exact value k(x, y). */
    double value(double[] x, double[] y);

    /**
     * How wide a row must be at least; channels need the columns they name. Most kernels take rows of any width.
     */
    default int minimumColumns() {
        return 1;
    }
}
