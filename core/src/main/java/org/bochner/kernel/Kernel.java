package org.bochner.kernel;

/**
 * A positive definite function of two rows.
 *
 * <p>Its {@code toString} is its spelling, and {@link Kernels#parse} reads that back to an equal kernel.
 *
 * <p>Threads: safe; kernels are immutable values.
 */
public sealed interface Kernel permits ShiftInvariantKernel, AdditiveKernel, DotProductKernel, ComposedKernel {
    /** The exact value k(x, y). */
    double value(double[] x, double[] y);

    /**
     * Fails, saying what is allowed, what was found and what to do, where the value of a column lies outside the
     * kernel's domain. Most kernels take any number.
     */
    default void requireValue(double x, int column) {}

    /** Whether any number will do in every column, so that {@link #requireValue} need not be asked. */
    default boolean takesAnyValue() {
        return true;
    }

    /**
     * Whether columns may be shifted and scaled as one likes, because length-scales can follow. Values with a period have
     * a unit that must stay.
     */
    default boolean takesAnyUnit() {
        return true;
    }

    /**
     * How wide a row must be at least; channels need the columns they name. Most kernels take rows of any width.
     */
    default int minimumColumns() {
        return 1;
    }
}
