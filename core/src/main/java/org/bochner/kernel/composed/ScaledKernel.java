package org.bochner.kernel.composed;

import java.util.List;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.kernel.ComposedKernel;
import org.bochner.kernel.Kernel;

/** The multiple a·k; its feature map is √a·φ. */
public record ScaledKernel(double factor, Kernel kernel) implements ComposedKernel {
    public ScaledKernel {
        Require.positive("scaled kernel", "factor", factor);
        Require.that(
                !(kernel instanceof SumKernel || kernel instanceof ScaledKernel),
                "scaled kernel: scale the terms of a sum one by one");
    }

    @Override
    public double value(double[] x, double[] y) {
        return factor * kernel.value(x, y);
    }

    @Override
    public List<Kernel> parts() {
        return List.of(kernel);
    }

    @Override
    public String toString() {
        return Spelling.print(factor) + "*" + kernel;
    }
}
