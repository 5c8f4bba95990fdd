package org.bochner.kernel.shift;

import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.Spectrum;
import org.bochner.kernel.family.DeclaredFamily;

/**
 * The Gaussian kernel {@code exp(−|x−y|² / (2σ²))}; with one σ per column, {@code exp(−½ Σₗ (xₗ−yₗ)²/σₗ²)}.
 *
 * <p>Its frequencies are Gaussian with standard deviation 1/σ. {@code exp(−γ|x−y|²)} is the kernel with {@code σ =
 * 1/√(2γ)}.
 */
public record Gaussian(Bandwidth sigma) implements DecreasingKernel {
    public static final KernelFamily FAMILY =
            DeclaredFamily.shiftInvariant("gaussian", 2, (spelling, sigma) -> new Gaussian(sigma));

    private static final Spectrum SPECTRUM = Spectrum.gaussianMixture(stream -> 1, false);

    public Gaussian(double sigma) {
        this(Bandwidth.of(sigma));
    }

    @Override
    public double atOffset(double[] delta) {
        return Math.exp(-0.5 * sigma.scaledSquare(delta));
    }

    @Override
    public Optional<DoubleUnaryOperator> ofScaledSquare() {
        return Optional.of(square -> Math.exp(-0.5 * square));
    }

    @Override
    public DoubleUnaryOperator slopeByScaledSquare() {
        return square -> -0.5 * Math.exp(-0.5 * square);
    }

    @Override
    public double slope(double[] delta, double[] out) {
        double value = atOffset(delta);
        sigma.slope(-0.5 * value, delta, out);
        return value;
    }

    @Override
    public Spectrum spectrum() {
        return SPECTRUM;
    }

    @Override
    public Gaussian withSigma(Bandwidth sigma) {
        return new Gaussian(sigma);
    }

    @Override
    public String toString() {
        return "gaussian(sigma=" + sigma + ")";
    }
}
