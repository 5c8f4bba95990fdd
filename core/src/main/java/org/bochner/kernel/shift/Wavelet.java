package org.bochner.kernel.shift;

import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Spectrum;
import org.bochner.kernel.family.DeclaredFamily;
import org.bochner.random.law.Laws;

/**
 * The wavelet kernel {@code ∏ₗ cos(f·uₗ)·exp(−uₗ²/2)} with {@code u = (x − y)/σ}, a product of Morlet wavelets over the
 * columns. It is negative at some distances.
 *
 * <p>Its frequencies are independent: a Gaussian number with standard deviation 1/σ around f/σ or −f/σ, with equal
 * probability.
 *
 * <p>Reference: Zhang, Zhou and Jiao, Wavelet support vector machine, 2004, doi:10.1109/TSMCB.2003.811113, with f = 1.75.
 *
 * @param frequency f, the angular frequency of the wave at unit length-scale; at least 0, where 0 gives the Gaussian
 *     kernel
 */
public record Wavelet(double frequency, Bandwidth sigma) implements ShiftInvariantKernel {
    private static final String NAME = "wavelet";
    private static final double USUAL_FREQUENCY = 1.75;

    /** The largest frequency; its wave repeats after 0.006 length-scales. */
    private static final double HIGHEST = 1000;

    public static final KernelFamily FAMILY = DeclaredFamily.shiftInvariant(
            NAME,
            2,
            (spelling, sigma) -> new Wavelet(spelling.number("frequency", USUAL_FREQUENCY), sigma),
            "frequency");

    public Wavelet {
        Require.that(
                frequency >= 0 && frequency <= HIGHEST,
                NAME,
                "frequency must be from 0 to " + (int) HIGHEST + ", got " + frequency);
    }

    @Override
    public double atOffset(double[] delta) {
        double product = 1;
        double square = 0;
        for (int l = 0; l < delta.length; l++) {
            double scaled = delta[l] / sigma.at(l);
            product *= Math.cos(frequency * scaled);
            square += scaled * scaled;
        }
        return product * Math.exp(-0.5 * square);
    }

    /** Multiplies the derivative of a column's factor by the factors before and after it, which may be 0. */
    @Override
    public double slope(double[] delta, double[] out) {
        double[] factors = new double[delta.length];
        double before = 1;
        for (int l = 0; l < delta.length; l++) {
            double scaled = delta[l] / sigma.at(l);
            double decay = Math.exp(-0.5 * scaled * scaled);
            factors[l] = Math.cos(frequency * scaled) * decay;
            out[l] = -before * (frequency * Math.sin(frequency * scaled) * decay + scaled * factors[l]) / sigma.at(l);
            before *= factors[l];
        }
        double after = 1;
        for (int l = delta.length - 1; l >= 0; l--) {
            out[l] *= after;
            after *= factors[l];
        }
        return before;
    }

    @Override
    public Spectrum spectrum() {
        return Spectrum.ofColumns(u -> Laws.twoGaussiansQuantile(u, frequency), false);
    }

    @Override
    public Wavelet withSigma(Bandwidth sigma) {
        return new Wavelet(frequency, sigma);
    }

    @Override
    public String toString() {
        return NAME + "(frequency=" + Spelling.print(frequency) + ", sigma=" + sigma + ")";
    }
}
