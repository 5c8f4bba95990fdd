package org.bochner.map.fourier;

import org.bochner.base.State;

/**
 * The linear part of a Fourier map: from a row x to ω₁·x/2π, …, ω_m·x/2π, where ω is a unit frequency divided, column
 * by column, by the kernel's length-scales. The unit is turns, because their whole part can be dropped exactly.
 *
 * <p>Threads: safe; projections are immutable. What {@link #over} returns belongs to one thread.
 */
public sealed interface Projection permits DenseProjection, HadamardProjection {
    /** Returns a row in units of the length-scales. */
    static double[] scaled(double[] x, double[] sigma) {
        double[] scaled = new double[sigma.length];
        for (int l = 0; l < scaled.length; l++) {
            scaled[l] = x[l] / sigma[l];
        }
        return scaled;
    }

    /** Returns the number of columns of the rows. */
    int columns();

    /** Returns the number of frequencies. */
    int frequencies();

    /** Returns the unit frequencies, one after the other, {@link #columns} numbers each; a new array. */
    double[] unitFrequencies();

    /** Returns the projection with other length-scales, one per column. */
    Projection withSigma(double[] sigma);

    /** Returns true if every frequency can be changed independently. */
    default boolean movable() {
        return false;
    }

    /**
     * Returns the projection with other unit frequencies, in the layout of {@link #unitFrequencies}; only if it is
     * movable.
     */
    default Projection withUnitFrequencies(double[] unit) {
        throw new UnsupportedOperationException("structured frequencies cannot be moved one by one");
    }

    /** Returns the projection on some of the frequencies, given ascending. */
    Projection restrict(int[] kept);

    /** The definition: the turns of one row, with their whole part. */
    void turns(double[] x, double[] out);

    /** Prepares to project the rows of a block. The method that it chooses depends only on the block. */
    Pass over(RowReader rows);

    /** Returns the saved form, without the length-scales, which the kernel has. */
    State state();

    /** One pass over a block, with its working memory. */
    interface Pass {
        /**
         * Computes the turns of rows from (inclusive) to (exclusive): those of row {@code from + i} and frequency j go
         * to {@code out[offset + i * stride + j]}. Whole turns may be left out.
         *
         * @param add true to add to the values of {@code out}, false to replace them
         */
        void project(int from, int to, float[] out, int offset, int stride, boolean add);

        /** Computes the turns in float64, with the layout of the float32 method. */
        void project(int from, int to, double[] out, int offset, int stride, boolean add);
    }
}
