package org.bochner.map.fourier;

import org.bochner.base.State;

/**
 * The linear part of a Fourier map: from a row x to ω₁·x/2π, …, ω_m·x/2π, in turns, where ω is a unit frequency divided,
 * column by column, by the kernel's length-scales. Turns, because their whole part can be dropped exactly.
 *
 * <p>Threads: safe; projections are immutable. What {@link #over} returns belongs to one thread.
 */
public sealed interface Projection permits DenseProjection, HadamardProjection {
    /** Width of the rows. */
    int columns();

    /** How many frequencies there are. */
    int frequencies();

    /** The unit frequencies, one after the other, {@link #columns} numbers each; a new array. */
    double[] unitFrequencies();

    /** The same unit frequencies with other length-scales, one a column. */
    Projection withSigma(double[] sigma);

    /** Whether each frequency can be anything, not only what its structure allows. */
    default boolean movable() {
        return false;
    }

    /** Other unit frequencies with the same length-scales, laid out in the same way; for those that can be moved. */
    default Projection withUnitFrequencies(double[] unit) {
        throw new UnsupportedOperationException("structured frequencies cannot be moved one by one");
    }

    /** Some of the frequencies, given ascending. */
    Projection restrict(int[] kept);

    /** The definition: turns of one row, not reduced. */
    void turns(double[] x, double[] out);

    /** Prepares to project the rows of a block; what it chooses depends on the block alone. */
    Pass over(RowReader rows);

    /** Its saved form, without the length-scales, which the kernel holds. */
    State state();

    /** One pass over a block, with the scratch space it needs. */
    interface Pass {
        /**
         * Puts the turns of rows from (inclusive) to (exclusive) in {@code out}: that of row {@code from + i} and
         * frequency j in {@code out[offset + i * stride + j]}, added to what is there if asked for, else in its place.
         * Whole turns may be left out.
         */
        void project(int from, int to, float[] out, int offset, int stride, boolean add);

        /** The same in float64. */
        void project(int from, int to, double[] out, int offset, int stride, boolean add);
    }
}
