package org.bochner.kernel;

import org.bochner.base.Require;

/**
 * A kernel of the difference alone, k(x, y) = κ(x − y) with κ(0) = 1. By Bochner's theorem κ is the characteristic
 * function of a law of frequencies, {@link #spectrum}, from which random Fourier maps draw.
 */
public non-sealed interface ShiftInvariantKernel extends Kernel {
    /** κ(delta). */
    double atOffset(double[] delta);

    /**
     * The partial derivatives of κ at delta, and κ itself. Since κ depends on delta[l]/σₗ alone, {@code delta[l]·out[l]} is
     * its derivative by the logarithm of the frequency scale 1/σₗ. Where κ has a kink, at 0, the derivative counts as 0.
     *
     * <p>As it is here it takes central differences, over 2·6e-6 length-scales: it errs by about 1e-10/σₗ where κ is smooth,
     * and evaluates κ twice a column. Kernels that know their derivatives give them.
     *
     * @param out receives one derivative a column; not delta itself
     * @return κ(delta)
     */
    default double slope(double[] delta, double[] out) {
        double[] moved = delta.clone();
        for (int l = 0; l < delta.length; l++) {
            double step = 6e-6 * sigma().at(l);
            moved[l] = delta[l] + step;
            double after = atOffset(moved);
            moved[l] = delta[l] - step;
            out[l] = (after - atOffset(moved)) / (2 * step);
            moved[l] = delta[l];
        }
        return atOffset(delta);
    }

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
