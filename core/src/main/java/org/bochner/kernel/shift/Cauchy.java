package org.bochner.kernel.shift;

import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.Spectrum;
import org.bochner.kernel.family.DeclaredFamily;
import org.bochner.random.law.Laws;

/**
 * The Cauchy kernel {@code ∏ₗ 1 / (1 + (xₗ−yₗ)²/σₗ²)}, a product over the columns.
 *
 * <p>Its frequencies are independent Laplace numbers, with density {@code (σ/2) exp(−σ|ω|)}.
 */
public record Cauchy(Bandwidth sigma) implements DecreasingKernel {
    /** The family. Near the diagonal the kernel is exp(−|x−y|²/σ²), so its bandwidth is a Euclidean length. */
    public static final KernelFamily FAMILY =
            DeclaredFamily.shiftInvariant("cauchy", 2, (spelling, sigma) -> new Cauchy(sigma));

    private static final Spectrum SPECTRUM = Spectrum.ofColumns(Laws::laplaceQuantile, false);

    @Override
    public double atOffset(double[] delta) {
        double product = 1;
        for (int l = 0; l < delta.length; l++) {
            double scaled = delta[l] / sigma.at(l);
            product /= 1 + scaled * scaled;
        }
        return product;
    }

    @Override
    public double slope(double[] delta, double[] out) {
        double value = atOffset(delta);
        for (int l = 0; l < delta.length; l++) {
            double scaled = delta[l] / sigma.at(l);
            out[l] = -2 * scaled / (1 + scaled * scaled) * value / sigma.at(l);
        }
        return value;
    }

    @Override
    public Spectrum spectrum() {
        return SPECTRUM;
    }

    @Override
    public Cauchy withSigma(Bandwidth sigma) {
        return new Cauchy(sigma);
    }

    @Override
    public String toString() {
        return "cauchy(sigma=" + sigma + ")";
    }
}
