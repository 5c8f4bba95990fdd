package org.bochner.kernel;

import org.bochner.base.Require;

/** k(t(x), t(y)), written {@code kernel@warp}: its feature map is φ∘t. */
public record WarpedKernel(ShiftInvariantKernel kernel, Warp warp) implements Kernel {
    public WarpedKernel {
        Require.that(kernel != null && warp != null, "warped kernel", "needs a kernel and a warp");
    }

    @Override
    public double value(double[] x, double[] y) {
        double[] delta = new double[x.length];
        for (int l = 0; l < delta.length; l++) {
            delta[l] = warp.apply(x[l]) - warp.apply(y[l]);
        }
        return kernel.atOffset(delta);
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
