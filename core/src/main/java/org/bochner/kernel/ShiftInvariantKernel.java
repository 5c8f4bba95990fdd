package org.bochner.kernel;

import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.bochner.base.Require;

/**
 * A kernel of the difference alone, k(x, y) = κ(x − y) with κ(0) = 1. By Bochner's theorem κ is the characteristic
 * function of a distribution of frequencies, {@link #spectrum}, from which random Fourier maps draw.
 */
public non-sealed interface ShiftInvariantKernel extends Kernel {
    /** Returns κ(delta). */
    double atOffset(double[] delta);

    /**
     * Computes the partial derivatives of κ at delta and returns κ. Because κ depends on delta[l]/σₗ alone, {@code
     * delta[l]·out[l]} is its derivative with respect to the logarithm of the frequency scale 1/σₗ. At a kink, at 0,
     * the derivative counts as 0.
     *
     * <p>The default takes central differences over 2·6e-6 length-scales: its error is about 1e-10/σₗ where κ is
     * smooth, and it evaluates κ twice per column. Kernels with known derivatives override it.
     *
     * @param out receives one derivative per column; not delta itself
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

    /**
     * Returns κ as a function of Σₗ (delta[l]/σₗ)², if κ depends on nothing else. Matrices of kernel values then take a
     * matrix product. By default κ is not such a function.
     */
    default Optional<DoubleUnaryOperator> ofScaledSquare() {
        return Optional.empty();
    }

    /**
     * Returns the derivative of {@link #ofScaledSquare}, for kernels with such a function; 0 at a kink at 0.
     *
     * <p>The default takes the {@link #slope} along one column. Kernels with a simpler derivative override it.
     */
    default DoubleUnaryOperator slopeByScaledSquare() {
        ShiftInvariantKernel ofColumn = withSigma(Bandwidth.of(1));
        return square -> {
            double[] delta = {Math.sqrt(square)};
            double[] slope = new double[1];
            ofColumn.slope(delta, slope);
            return square == 0 ? 0 : slope[0] / (2 * delta[0]);
        };
    }

    /**
     * Returns true if κ is never negative and never grows when the size of a difference grows. Kernel values of far rows
     * may then be left out. By default false.
     */
    default boolean decreases() {
        return false;
    }

    /** Returns the distribution of the frequencies at unit length-scale. */
    Spectrum spectrum();

    /** Returns the length-scales; a frequency of column l is a unit frequency divided by {@code sigma().at(l)}. */
    Bandwidth sigma();

    /** Returns the kernel with other length-scales. */
    ShiftInvariantKernel withSigma(Bandwidth sigma);

    /** Returns the period of a column, such as that of angles; infinite if there is none. */
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
