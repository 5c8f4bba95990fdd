package org.bochner.kernel;

/** An additive kernel with an exact map to one feature per column: κ(x, y) = f(x)·f(y). */
public interface SeparableKernel extends AdditiveKernel {
    /** Returns f(x), with f(0) = 0. */
    double feature(double x);

    @Override
    default double scalar(double x, double y) {
        return feature(x) * feature(y);
    }
}
