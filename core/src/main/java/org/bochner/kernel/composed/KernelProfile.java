package org.bochner.kernel.composed;

import java.util.function.DoubleUnaryOperator;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Spectrum;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.kernel.shift.Matern;
import org.bochner.kernel.shift.RationalQuadratic;
import org.bochner.kernel.shift.Stable;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.random.law.Laws;

/**
 * A shift-invariant kernel as the profile of a {@link RadialKernel}: its value is that of the kernel for two rows at the
 * Euclidean distance √D². The scale is the kernel's length-scale sigma.
 *
 * <p>The kernel must be a mixture of Gaussian kernels: a completely monotone function g of the scaled squared distance,
 * whose frequencies are Gaussian times a random factor s with g(t) = E exp(−½s²t). For kernels from outside this library
 * the constructor tests this with drawn factors and with the signs of differences.
 */
final class KernelProfile implements RadialProfile {
    /**
     * Factors drawn per test. By Hoeffding's inequality their mean of exp(−½s²t) errs by more than {@link #TOLERANCE} with
     * probability 2·exp(−2·4096·0.06²) = 3e-13.
     */
    private static final int DRAWS = 4096;

    private static final double TOLERANCE = 0.06;

    /** The scaled squared distances at which the mean over the drawn factors is compared with the kernel. */
    private static final double[] SQUARES = {0.1, 1, 10};

    /** The highest order of differences whose sign is tested. */
    private static final int MOST_ORDER = 6;

    /** Rounding of a value that may change the sign of a difference: that of a numerical integral. */
    private static final double ROUNDING = 1e-11;

    /** The kernel with length-scale 1. */
    private final ShiftInvariantKernel unit;

    private final DoubleUnaryOperator ofSquare;
    private final DoubleUnaryOperator bySquare;
    private final String prefix;

    /**
     * Creates a profile.
     *
     * @param kernel a mixture of Gaussian kernels; its length-scale does not matter
     * @throws IllegalArgumentException if the kernel is found to be none
     */
    KernelProfile(ShiftInvariantKernel kernel) {
        prefix = Spelling.parse("kernel", kernel.toString()).name();
        Require.that(
                kernel.sigma().uniform(),
                "radial kernel: " + kernel + " has several length-scales, and a distance has one; write one sigma");
        unit = kernel.withSigma(Bandwidth.of(1));
        ofSquare = unit.ofScaledSquare()
                .orElseThrow(() -> new IllegalArgumentException("radial kernel: " + prefix
                        + " is not a function of the Euclidean distance, so it cannot be a profile."
                        + " Use matern, rational-quadratic, exp or laplace. Of stable, use p=2."));
        bySquare = unit.slopeByScaledSquare();
        if (!ofLibrary(kernel)) {
            requireMixture(unit.spectrum());
            requireMonotone();
        }
    }

    /** Returns true for the mixtures of this library, whose test would cost a millisecond whenever a model is loaded. */
    private static boolean ofLibrary(ShiftInvariantKernel kernel) {
        return kernel instanceof Gaussian
                || kernel instanceof Matern
                || kernel instanceof RationalQuadratic
                || kernel instanceof Stable;
    }

    private static IllegalArgumentException notMixed(Object kernel, String found) {
        return new IllegalArgumentException("radial kernel: " + kernel + " cannot be a profile: " + found
                + ". A profile is a mixture of Gaussian kernels, and its spectrum is Spectrum.gaussianMixture with the"
                + " same mixing distribution.");
    }

    private void requireMixture(Spectrum spectrum) {
        for (double u : new double[] {0.01, 0.3, 0.9}) {
            double expected = Laws.gaussianQuantile(u);
            if (!spectrum.rotationInvariant() || !(Math.abs(spectrum.quantile(0, u) - expected) < 1e-9)) {
                throw notMixed(unit, "its spectrum is not Spectrum.gaussianMixture");
            }
        }
        RandomStream stream = new Seed(1).stream();
        double[] means = new double[SQUARES.length];
        double[] factor = new double[1];
        for (int draw = 0; draw < DRAWS; draw++) {
            spectrum.scales(stream, factor);
            for (int i = 0; i < means.length; i++) {
                means[i] += Math.exp(-0.5 * factor[0] * factor[0] * SQUARES[i]) / DRAWS;
            }
        }
        for (int i = 0; i < means.length; i++) {
            double value = ofSquare.applyAsDouble(SQUARES[i]);
            if (!(Math.abs(value - means[i]) <= TOLERANCE)) {
                throw notMixed(
                        unit,
                        "at the squared distance " + Spelling.print(SQUARES[i]) + " it is " + (float) value
                                + ", and the mean of exp(-s^2/2 " + Spelling.print(SQUARES[i])
                                + ") over the factors s of its spectrum is " + (float) means[i]);
            }
        }
    }

    /** Tests (−1)ᵏΔᵏg ≥ 0, which complete monotonicity means for equally spaced points. */
    private void requireMonotone() {
        if (!(Math.abs(ofSquare.applyAsDouble(0) - 1) <= ROUNDING)) {
            throw notMixed(unit, "at 0 it is " + ofSquare.applyAsDouble(0) + ", not 1");
        }
        for (double step = 1e-3; step < 1e3; step *= 4) {
            double[] differences = new double[MOST_ORDER + 5];
            for (int i = 0; i < differences.length; i++) {
                differences[i] = ofSquare.applyAsDouble(i * step);
            }
            double rounding = ROUNDING;
            for (int order = 1; order <= MOST_ORDER; order++) {
                rounding *= 2;
                for (int i = 0; i + order < differences.length; i++) {
                    differences[i] -= differences[i + 1];
                    if (!(differences[i] >= -rounding)) {
                        throw notMixed(
                                unit,
                                "its differences of order " + order + " from the squared distance "
                                        + (float) (i * step) + " on, with the step " + (float) step
                                        + ", have the wrong sign");
                    }
                }
            }
        }
    }

    @Override
    public String prefix() {
        return prefix;
    }

    @Override
    public String parameter() {
        return "sigma";
    }

    @Override
    public double value(double squared, double scale) {
        return ofSquare.applyAsDouble(squared / scale / scale);
    }

    @Override
    public double slope(double squared, double scale) {
        return bySquare.applyAsDouble(squared / scale / scale) / scale / scale;
    }

    @Override
    public ShiftInvariantKernel outer(double scale) {
        return unit.withSigma(Bandwidth.of(scale));
    }

    @Override
    public double scale(double sigma) {
        return sigma;
    }

    @Override
    public String parameters(double scale) {
        return Spelling.parse("kernel", outer(scale).toString()).arguments();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KernelProfile that && unit.equals(that.unit);
    }

    @Override
    public int hashCode() {
        return unit.hashCode();
    }

    @Override
    public String toString() {
        return prefix;
    }
}
