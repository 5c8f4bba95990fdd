package org.bochner.kernel.additive;

import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.SeparableKernel;
import org.bochner.kernel.family.DeclaredFamily;

/** The inner product of the rows, {@code Σₗ xₗyₗ}: the baseline for every other kernel. */
public record Linear() implements SeparableKernel {
    public static final KernelFamily FAMILY = DeclaredFamily.withoutScale("linear", spelling -> new Linear());

    @Override
    public double feature(double x) {
        return x;
    }

    @Override
    public double slope(double x, double y) {
        return x;
    }

    @Override
    public String toString() {
        return "linear";
    }
}
