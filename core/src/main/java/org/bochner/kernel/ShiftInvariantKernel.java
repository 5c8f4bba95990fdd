package org.bochner.kernel;

import org.bochner.base.Require;

/**
 * A kernel of the difference alone, k(x, y) = κ(x − y) with κ(0) = 1. By Bochner's theorem κ is the characteristic
 * function of a law of frequencies, {@link #spectrum}, from which random Fourier maps draw.
 */
public non-sealed interface ShiftInvariantKernel extends Kernel {
    /** κ(delta). */
    double atOffset(double[] delta);

    /** The law of its frequencies at unit length-scale. */
    Spectrum spectrum();

    /** The length-scales; a frequency of column l is a unit frequency divided by {@code sigma().at(l)}. */
    Bandwidth sigma();

    /** The same kernel with other length-scales. */
    ShiftInvariantKernel withSigma(Bandwidth sigma);

    /** The period with which it repeats in a column, as of angles; infinite where it does not. */
    default double period(int column) {
        return Double.POSITIVE_INFINITY;
    }

    @Override
    default double value(double[] x, double[] y) {
        Require.sameSize("kernel", "columns of the second row", y.length, x.length);
        double[] delta = new double[x.length];
        for (int l = 0; l < delta.length; l++) {
            delta[l] = x[l] - y[l];
        }
        return atOffset(delta);
    }

    @Override
    default int minimumColumns() {
        return sigma().columns();
    }
}
