package org.bochner.kernel;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;
import org.bochner.random.RandomStream;
import org.bochner.random.law.Laws;

/**
 * The distribution of a shift-invariant kernel's frequencies at unit length-scale, as {@code ω = scale · (h(u₁), …,
 * h(u_d))} with independent uniform uₗ.
 *
 * <p>Distributions with independent columns have scale 1. Rotation-invariant distributions other than the Gaussian are
 * scale mixtures of it: h is the Gaussian quantile, and one random scale is common to all columns of a frequency.
 * Products of kernels have an h and a scale per factor, so maps ask for both by column.
 */
public interface Spectrum {
    /**
     * Returns the distribution of a kernel that is a product over the columns: independent columns with this quantile.
     */
    static Spectrum ofColumns(DoubleUnaryOperator quantile, boolean heavyTailed) {
        return of(quantile, stream -> 1, false, heavyTailed);
    }

    /**
     * Returns the distribution of a kernel that is a function of the distance: Gaussian frequencies, times a random
     * factor that all columns of a frequency share.
     *
     * @param scale draws the factor
     */
    static Spectrum gaussianMixture(ToDoubleFunction<RandomStream> scale, boolean heavyTailed) {
        return of(Laws::gaussianQuantile, scale, true, heavyTailed);
    }

    private static Spectrum of(
            DoubleUnaryOperator quantile,
            ToDoubleFunction<RandomStream> scale,
            boolean rotationInvariant,
            boolean heavyTailed) {
        return new Spectrum() {
            @Override
            public double quantile(int column, double u) {
                return quantile.applyAsDouble(u);
            }

            @Override
            public void scales(RandomStream stream, double[] scales) {
                Arrays.fill(scales, scale.applyAsDouble(stream));
            }

            @Override
            public boolean rotationInvariant() {
                return rotationInvariant;
            }

            @Override
            public boolean heavyTailed() {
                return heavyTailed;
            }
        };
    }

    /**
     * Returns h(u), the quantile of a column, counted from 0, for u strictly between 0 and 1. Columns differ only in
     * products of kernels.
     */
    double quantile(int column, double u);

    /**
     * Draws the factors of the columns of one frequency: 1 if columns are independent. Factors differ between columns in
     * products of kernels, where each factor kernel draws its own, and for stable kernels, whose frequencies are products of
     * h(uₗ) and a second random number per column. A rotation-invariant distribution has one factor for all columns.
     */
    default void scales(RandomStream stream, double[] scales) {
        Arrays.fill(scales, 1);
    }

    /** Returns true if the distribution is equal in every direction, which orthogonal and structured maps require. */
    boolean rotationInvariant();

    /**
     * Returns true if frequencies of a thousand times the usual size occur. Their phases lose their fraction in
     * float32, so maps project them in float64.
     */
    boolean heavyTailed();
}
