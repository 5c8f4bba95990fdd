package org.bochner.kernel.shift;

import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.Spectrum;
import org.bochner.kernel.family.DeclaredFamily;
import org.bochner.random.law.Samplers;

/**
 * The rational quadratic kernel {@code (1 + r²/(2α))^−α} with {@code r² = Σₗ (xₗ−yₗ)²/σₗ²}: a mixture of Gaussian
 * kernels of many bandwidths, which approaches the Gaussian kernel as α grows.
 *
 * <p>Its frequencies are Gaussian with standard deviation 1/σ, times √(Γ/α). Γ has the gamma distribution of shape α
 * and is common to the columns of a frequency.
 */
public record RationalQuadratic(double alpha, Bandwidth sigma) implements DecreasingKernel {
    public static final KernelFamily FAMILY = DeclaredFamily.shiftInvariant(
            "rational-quadratic",
            2,
            (spelling, sigma) -> new RationalQuadratic(spelling.number("alpha", 1), sigma),
            "alpha");

    public RationalQuadratic {
        Require.positive("rational-quadratic", "alpha", alpha);
    }

    @Override
    public double atOffset(double[] delta) {
        double square = sigma.scaledSquare(delta);
        return Math.exp(-alpha * Math.log1p(square / (2 * alpha)));
    }

    @Override
    public Optional<DoubleUnaryOperator> ofScaledSquare() {
        return Optional.of(square -> Math.exp(-alpha * Math.log1p(square / (2 * alpha))));
    }

    @Override
    public DoubleUnaryOperator slopeByScaledSquare() {
        return square -> -0.5 * Math.exp(-(alpha + 1) * Math.log1p(square / (2 * alpha)));
    }

    @Override
    public double slope(double[] delta, double[] out) {
        double ratio = sigma.scaledSquare(delta) / (2 * alpha);
        double value = Math.exp(-alpha * Math.log1p(ratio));
        sigma.slope(-0.5 * value / (1 + ratio), delta, out);
        return value;
    }

    @Override
    public Spectrum spectrum() {
        return Spectrum.gaussianMixture(stream -> Math.sqrt(Samplers.gamma(stream, alpha) / alpha), false);
    }

    @Override
    public RationalQuadratic withSigma(Bandwidth sigma) {
        return new RationalQuadratic(alpha, sigma);
    }

    @Override
    public String toString() {
        return "rational-quadratic(alpha=" + Spelling.print(alpha) + ", sigma=" + sigma + ")";
    }
}
