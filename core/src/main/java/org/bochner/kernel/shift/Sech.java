package org.bochner.kernel.shift;

import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.Spectrum;
import org.bochner.kernel.family.DeclaredFamily;
import org.bochner.random.law.Laws;

/**
 * The hyperbolic secant kernel {@code ∏ₗ sech((xₗ−yₗ)/σₗ)}, a product over the columns. Applied to log(x + c) it is the
 * skewed χ² kernel.
 *
 * <p>Its frequencies are independent, with density {@code (σ/2) sech(πσω/2)}.
 */
public record Sech(Bandwidth sigma) implements DecreasingKernel {
    /** The family. Near the diagonal the kernel is exp(−|x−y|²/(2σ²)), so its bandwidth is a Euclidean length. */
    public static final KernelFamily FAMILY =
            DeclaredFamily.shiftInvariant("sech", 2, (spelling, sigma) -> new Sech(sigma));

    private static final Spectrum SPECTRUM = Spectrum.ofColumns(Laws::sechQuantile, false);

    @Override
    public double atOffset(double[] delta) {
        double product = 1;
        for (int l = 0; l < delta.length; l++) {
            product /= Math.cosh(delta[l] / sigma.at(l));
        }
        return product;
    }

    @Override
    public double slope(double[] delta, double[] out) {
        double value = atOffset(delta);
        for (int l = 0; l < delta.length; l++) {
            out[l] = -Math.tanh(delta[l] / sigma.at(l)) * value / sigma.at(l);
        }
        return value;
    }

    @Override
    public Spectrum spectrum() {
        return SPECTRUM;
    }

    @Override
    public Sech withSigma(Bandwidth sigma) {
        return new Sech(sigma);
    }

    @Override
    public String toString() {
        return "sech(sigma=" + sigma + ")";
    }
}
