package org.bochner.kernel.shift;

import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.Spectrum;
import org.bochner.kernel.family.DeclaredFamily;
import org.bochner.random.law.Laws;

/**
 * The Laplacian kernel {@code exp(−Σₗ |xₗ−yₗ| / σₗ)}, a product over the columns.
 *
 * <p>Its frequencies are independent Cauchy numbers with scale 1/σ. They have no mean, and a few are huge, so random
 * maps need more features than for smoother kernels. {@code exp(−γ|x−y|₁)} is the kernel with {@code σ = 1/γ}.
 */
public record Laplacian(Bandwidth sigma) implements DecreasingKernel, NormKernel {
    public static final KernelFamily FAMILY =
            DeclaredFamily.shiftInvariant("laplacian", 1, (spelling, sigma) -> new Laplacian(sigma));

    private static final Spectrum SPECTRUM = Spectrum.ofColumns(Laws::cauchyQuantile, true);

    @Override
    public double atOffset(double[] delta) {
        double sum = 0;
        for (int l = 0; l < delta.length; l++) {
            sum += Math.abs(delta[l]) / sigma.at(l);
        }
        return Math.exp(-sum);
    }

    @Override
    public double p() {
        return 1;
    }

    @Override
    public double ofSum(double sum) {
        return Math.exp(-sum);
    }

    @Override
    public double slope(double[] delta, double[] out) {
        double value = atOffset(delta);
        for (int l = 0; l < delta.length; l++) {
            out[l] = -Math.signum(delta[l]) * value / sigma.at(l);
        }
        return value;
    }

    @Override
    public Spectrum spectrum() {
        return SPECTRUM;
    }

    @Override
    public Laplacian withSigma(Bandwidth sigma) {
        return new Laplacian(sigma);
    }

    @Override
    public String toString() {
        return "laplacian(sigma=" + sigma + ")";
    }
}
