package org.bochner.kernel;

/**
 * A positive definite function of two rows.
 *
 * <p>Its {@code toString} is its spelling, which {@link Kernels#parse} reads back to an equal kernel.
 *
 * <p>Threads: safe; kernels are immutable values.
 */
public sealed interface Kernel permits ShiftInvariantKernel, AdditiveKernel, DotProductKernel, ComposedKernel {
    /** Returns the exact value k(x, y). */
    double value(double[] x, double[] y);

    /**
     * Fails if the value of a column lies outside the kernel's domain; the message says what is allowed and what to do.
     * Most kernels take any number.
     */
    default void requireValue(double x, int column) {}

    /** Returns true if every column takes any number, so that {@link #requireValue} need not be called. */
    default boolean takesAnyValue() {
        return true;
    }

    /**
     * Returns true if columns may be shifted and scaled freely, because length-scales can follow. Values with a period
     * have a unit that must stay.
     */
    default boolean takesAnyUnit() {
        return true;
    }

    /**
     * Returns the smallest number of columns of a row; channels need the columns they name, most other kernels only 1.
     */
    default int minimumColumns() {
        return 1;
    }
}
