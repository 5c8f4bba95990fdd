package org.bochner.kernel;

import org.bochner.base.Require;

/** k(t(x), t(y)), written {@code kernel@warp}: its feature map is φ∘t. */
public record WarpedKernel(ShiftInvariantKernel kernel, Warp warp) implements Kernel {
    public WarpedKernel {
        Require.that(kernel != null && warp != null, "warped kernel", "needs a kernel and a warp");
    }

    @Override
    public double value(double[] x, double[] y) {
        return kernel.value(warp.applyToRow(x), warp.applyToRow(y));
    }

    @Override
    public int minimumColumns() {
        return kernel.minimumColumns();
    }

    @Override
    public String toString() {
        return kernel + "@" + warp;
    }
}
