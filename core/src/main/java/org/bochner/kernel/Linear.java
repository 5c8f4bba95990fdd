package org.bochner.kernel;

/** The inner product of the rows themselves, {@code Σₗ xₗyₗ}: what every other kernel is to be compared with. */
public record Linear() implements SeparableKernel {
    static final KernelFamily FAMILY = KernelFamily.withoutScale("linear", spelling -> new Linear());

    @Override
    public double feature(double x) {
        return x;
    }

    @Override
    public String toString() {
        return "linear";
    }
}
