package org.bochner.kernel.shift;

import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.numbers.gamma.Gamma;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.Spectrum;
import org.bochner.kernel.family.DeclaredFamily;
import org.bochner.random.law.Samplers;

/**
 * The Matérn kernel of smoothness ν, {@code 2^(1−ν)/Γ(ν) · z^ν · K_ν(z)} with {@code z = √(2ν)·r} and {@code r² = Σₗ
 * (xₗ−yₗ)²/σₗ²}. It is exp(−r) for ν = ½, (1 + z)e^−z for ν = 3/2, (1 + z + z²/3)e^−z for ν = 5/2, and approaches the
 * Gaussian as ν grows.
 *
 * <p>Its frequencies have a multivariate t distribution with 2ν degrees of freedom: Gaussian with standard deviation
 * 1/σ, divided by √(Γ/ν). Γ has the gamma distribution of shape ν and is common to the columns of a frequency.
 *
 * <p>Accuracy: 1e-13 relative for ν from 0.01 to 1000. Cost: for ν other than ½, 3/2 and 5/2 about a hundred
 * exponentials per value, about 8 µs; more for a tiny ν.
 */
public record Matern(double nu, Bandwidth sigma) implements DecreasingKernel {
    public static final KernelFamily FAMILY = DeclaredFamily.shiftInvariant(
            "matern", 2, (spelling, sigma) -> new Matern(spelling.number("nu", 1.5), sigma), "nu");

    /**
     * For a larger ν the Gaussian limit is nearer than the sum: the limit errs by r⁴/(8ν) of the value, the sum by the
     * rounding of exponents of size ν·2⁻⁵³ and more.
     */
    private static final double MOST_NU = 1e13;

    /**
     * The least ν with random features. For a smaller ν, more than 6 in 10,000 frequencies exceed 2⁵², where the rounding of a
     * scaled value alone turns by a radian: their features only tell whether rows are equal.
     */
    private static final double LEAST_DRAWN_NU = 0.1;

    public Matern {
        Require.positive("matern", "nu", nu);
    }

    @Override
    public double atOffset(double[] delta) {
        return ofSquare(nu, sigma.scaledSquare(delta));
    }

    /** Returns the kernel at r² = square. */
    private static double ofSquare(double nu, double square) {
        if (square > 1e200) {
            return 0;
        }
        double z = Math.sqrt(2 * nu * square);
        if (nu == 0.5) {
            return Math.exp(-z);
        }
        if (nu == 1.5) {
            return (1 + z) * Math.exp(-z);
        }
        if (nu == 2.5) {
            return (1 + z + z * z / 3) * Math.exp(-z);
        }
        if (nu > MOST_NU) {
            return Math.exp(-0.5 * square);
        }
        return square == 0 ? 1 : bySum(nu, square);
    }

    /**
     * Returns the kernel for any ν, as a mixture of Gaussian kernels with the gamma variable written as ν·e^t:
     *
     * <pre>{@code ν^ν/Γ(ν) ∫ exp(ν(t − e^t) − ½r²e^−t) dt}</pre>
     *
     * This is the integral representation of K_ν, on which the trapezoidal rule converges faster than any power of the
     * step. All values are relative to the peak of the integrand, at e^t = 1 + x, so that nothing overflows or cancels
     * for large ν.
     */
    public static double bySum(double nu, double square) {
        double x = excess(nu, square);
        return Math.exp(peak(nu, x)) * integral(nu, nu * x, 0) / normalizer(nu);
    }

    private static double excess(double nu, double square) {
        double q = square / nu;
        return q / (1 + Math.sqrt(1 + 2 * q));
    }

    /** Returns the logarithm of the integrand at its peak. */
    private static double peak(double nu, double x) {
        return nu * Math.log1p(x) - 2 * nu * x;
    }

    /** Returns the integral at r = 0. For small ν it has a long tail, but Γ(ν) is accurate there. */
    private static double normalizer(double nu) {
        return nu < 1 ? Gamma.value(nu) * Math.exp(nu - nu * Math.log(nu)) : integral(nu, 0, 0);
    }

    /**
     * Returns ∫ exp(−ν(e^v − 1 − v) − b(e^v − 2 + e^−v) − tilt·v) dv. The step keeps the error of the rule below 1e-13:
     * 0.15 because of the distance π/2 to where the integrand stops decaying, 0.55 standard deviations where it is
     * nearly Gaussian.
     */
    private static double integral(double nu, double b, double tilt) {
        double step = Math.min(0.15, 0.55 / Math.sqrt(nu + 2 * b));
        double sum = 1;
        for (int side = -1; side <= 1; side += 2) {
            double term;
            int k = 1;
            do {
                double v = side * step * k++;
                double rise = Math.expm1(v);
                term = Math.exp(-nu * (rise - v) - b * rise * rise / Math.exp(v) - tilt * v);
                sum += term;
            } while (term > 1e-20 * sum);
        }
        return step * sum;
    }

    @Override
    public Optional<DoubleUnaryOperator> ofScaledSquare() {
        return Optional.of(square -> ofSquare(nu, square));
    }

    @Override
    public DoubleUnaryOperator slopeByScaledSquare() {
        return this::bySquare;
    }

    @Override
    public double slope(double[] delta, double[] out) {
        double square = sigma.scaledSquare(delta);
        sigma.slope(bySquare(square), delta, out);
        return ofSquare(nu, square);
    }

    /** Returns the derivative with respect to r²; 0 at 0, where it may be infinite but has no effect. */
    private double bySquare(double square) {
        if (square == 0 || square > 1e200) {
            return 0;
        }
        double z = Math.sqrt(2 * nu * square);
        if (nu == 0.5) {
            return -0.5 / z * Math.exp(-z);
        }
        if (nu == 1.5) {
            return -1.5 * Math.exp(-z);
        }
        if (nu == 2.5) {
            return -2.5 / 3 * (1 + z) * Math.exp(-z);
        }
        if (nu > MOST_NU) {
            return -0.5 * Math.exp(-0.5 * square);
        }
        // The mean of the derivatives of the mixed Gaussian kernels, −½e^−t each.
        double x = excess(nu, square);
        return -0.5 / (1 + x) * Math.exp(peak(nu, x)) * integral(nu, nu * x, 1) / normalizer(nu);
    }

    @Override
    public Spectrum spectrum() {
        if (nu < LEAST_DRAWN_NU) {
            throw new SpellingException(
                    "matern: random features need nu of at least " + LEAST_DRAWN_NU + ", not " + Spelling.print(nu),
                    Remedy.set(Setting.MAP, "landmarks", "takes every nu"));
        }
        // With fewer than 3 degrees of freedom, a t distribution gives one number in a million beyond a thousand.
        return Spectrum.gaussianMixture(stream -> Math.sqrt(nu / Samplers.gamma(stream, nu)), nu < 1.5);
    }

    @Override
    public Matern withSigma(Bandwidth sigma) {
        return new Matern(nu, sigma);
    }

    @Override
    public String toString() {
        return "matern(nu=" + Spelling.print(nu) + ", sigma=" + sigma + ")";
    }
}
