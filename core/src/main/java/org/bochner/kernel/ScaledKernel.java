package org.bochner.kernel;

import org.bochner.base.Require;
import org.bochner.base.Spelling;

/** a·k; its feature map is √a·φ. */
public record ScaledKernel(double factor, Kernel kernel) implements Kernel {
    public ScaledKernel {
        Require.positive("scaled kernel", "factor", factor);
        Require.that(
                !(kernel instanceof SumKernel || kernel instanceof ScaledKernel),
                "scaled kernel",
                "scale the terms of a sum one by one");
    }

    @Override
    public double value(double[] x, double[] y) {
        return factor * kernel.value(x, y);
    }

    @Override
    public void requireValue(double x, int column) {
        kernel.requireValue(x, column);
    }

    @Override
    public boolean takesAnyValue() {
        return kernel.takesAnyValue();
    }

    @Override
    public boolean takesAnyUnit() {
        return kernel.takesAnyUnit();
    }

    @Override
    public int minimumColumns() {
        return kernel.minimumColumns();
    }

    @Override
    public String toString() {
        return Spelling.print(factor) + "*" + kernel;
    }
}
