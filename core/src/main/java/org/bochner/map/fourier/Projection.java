package org.bochner.map.fourier;

import org.bochner.base.State;

/**
 * The linear part of a Fourier map: from a row x to ω₁·x/2π, …, ω_m·x/2π, where ω is a unit frequency divided, column
 * by column, by the kernel's length-scales. The unit is turns, because their whole part can be dropped exactly.
 *
 * <p>Threads: safe; projections are immutable. What {@link #over} returns belongs to one thread.
 */
public abstract sealed class Projection permits DenseProjection, HadamardProjection {
    final int columns;
    final int frequencies;
    /** The length-scales, one per column. */
    final double[] sigma;

    /** True if frequencies are so large that rows are projected in float64. */
    final boolean heavyTailed;

    /** Takes over the length-scales. */
    Projection(int frequencies, double[] sigma, boolean heavyTailed) {
        this.columns = sigma.length;
        this.frequencies = frequencies;
        this.sigma = sigma;
        this.heavyTailed = heavyTailed;
    }

    /** Returns a row in units of the length-scales. */
    final double[] scaled(double[] x) {
        double[] scaled = new double[columns];
        for (int l = 0; l < columns; l++) {
            scaled[l] = x[l] / sigma[l];
        }
        return scaled;
    }

    /** Returns the number of columns of the rows. */
    public final int columns() {
        return columns;
    }

    /** Returns the number of frequencies. */
    public final int frequencies() {
        return frequencies;
    }

    /** Returns the unit frequencies, one after the other, {@link #columns} numbers each; a new array. */
    public abstract double[] unitFrequencies();

    /** Returns the projection with other length-scales, one per column. */
    public abstract Projection withSigma(double[] other);

    /** Returns true if every frequency can be changed independently. */
    public boolean movable() {
        return false;
    }

    /**
     * Returns the projection with other unit frequencies, in the layout of {@link #unitFrequencies}; only if it is
     * movable.
     */
    public Projection withUnitFrequencies(double[] unit) {
        throw new UnsupportedOperationException("structured frequencies cannot be moved one by one");
    }

    /** Returns the projection on some of the frequencies, given ascending. */
    public abstract Projection restrict(int[] kept);

    /** The definition: the turns of one row, with their whole part. */
    public abstract void turns(double[] x, double[] out);

    /** Prepares to project the rows of a block. The method that it chooses depends only on the block. */
    public abstract Pass over(RowReader rows);

    /** Returns the saved form, without the length-scales, which the kernel has. */
    public abstract State state();

    /** One pass over a block, with its working memory. */
    public interface Pass {
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
