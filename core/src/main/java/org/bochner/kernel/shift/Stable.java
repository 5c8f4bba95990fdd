package org.bochner.kernel.shift;

import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.Spectrum;
import org.bochner.kernel.family.DeclaredFamily;
import org.bochner.random.RandomStream;
import org.bochner.random.law.Laws;
import org.bochner.random.law.Samplers;

/**
 * The stable kernel {@code exp(−r^q)} with {@code r^p = Σₗ |xₗ−yₗ|^p/σₗ^p} and 0 &lt; q ≤ p ≤ 2. It is the Laplacian kernel
 * for p = q = 1, the Matérn kernel of smoothness ½ for p = 2 and q = 1, and the Gaussian kernel of length-scale σ/√2 for
 * p = q = 2. The smaller q, the rougher are the functions of the kernel; p decides how the columns add up.
 *
 * <p>Its frequencies are independent symmetric p-stable numbers with scale 1/σ, times s^(1/p). The positive number s has
 * the (q/p)-stable distribution and is common to the columns of a frequency; it is 1 for q = p. For q below 2 the
 * probability of a frequency beyond t falls like t^−q.
 *
 * <p>Cost: one power per column and value, except for p of 1, 1.5 and 2.
 *
 * <p>Reference: Chambers, Mallows and Stuck, 1976, doi:10.1080/01621459.1976.10480344; Kanter, 1975,
 * doi:10.1214/aop/1176996309.
 */
public record Stable(double p, double q, Bandwidth sigma) implements DecreasingKernel, NormKernel {
    private static final String NAME = "stable";

    /** The default of p, between the sum of absolute differences and the Euclidean distance. */
    private static final double DEFAULT_P = 1.5;

    /**
     * The least q with random features. For a smaller q, more than 6 in 10,000 frequencies exceed 2⁵², where the rounding of a
     * scaled value alone turns by a radian: their features only tell whether rows are equal.
     */
    private static final double LEAST_DRAWN_Q = 0.2;

    public static final KernelFamily FAMILY = new DeclaredFamily(
            NAME,
            List.of("sigma", "p", "q"),
            Optional.of("sigma"),
            true,
            Stable::ofSpelling,
            (spelling, rows) -> rows.medianDistance(power(spelling)));

    public Stable {
        requirePower(p);
        if (!(q > 0 && q <= p)) {
            throw new IllegalArgumentException(NAME + ": q must be greater than 0 and at most p, which is "
                    + Spelling.print(p) + ", got " + Spelling.print(q) + "; take q=" + Spelling.print(p)
                    + (q > p && q <= 2 ? ", or p=2" : ""));
        }
    }

    private static double requirePower(double p) {
        if (!(p > 0 && p <= 2)) {
            throw new IllegalArgumentException(NAME + ": p must be greater than 0 and at most 2, got "
                    + Spelling.print(p) + "; take p=2, for the Euclidean distance, or p=1");
        }
        return p;
    }

    private static double power(Spelling spelling) {
        return requirePower(spelling.number("p", DEFAULT_P));
    }

    private static Stable ofSpelling(Spelling spelling) {
        double p = power(spelling);
        return new Stable(
                p, spelling.number("q", Math.min(1, p)), Bandwidth.parse(NAME, "sigma", spelling.textOf("sigma")));
    }

    /** Returns |t|^p. */
    private double power(double t) {
        double size = Math.abs(t);
        return p == 1 ? size : p == 2 ? size * size : p == 1.5 ? size * Math.sqrt(size) : Math.pow(size, p);
    }

    /** Returns r^q from r^p. */
    private double exponent(double sum) {
        return p == q ? sum : p == 2 * q ? Math.sqrt(sum) : Math.pow(sum, q / p);
    }

    private double sum(double[] delta) {
        double sum = 0;
        for (int l = 0; l < delta.length; l++) {
            sum += power(delta[l] / sigma.at(l));
        }
        return sum;
    }

    @Override
    public double atOffset(double[] delta) {
        return ofSum(sum(delta));
    }

    @Override
    public double ofSum(double sum) {
        return Math.exp(-exponent(sum));
    }

    @Override
    public Optional<DoubleUnaryOperator> ofScaledSquare() {
        return p == 2 ? Optional.of(this::ofSum) : Optional.empty();
    }

    @Override
    public DoubleUnaryOperator slopeByScaledSquare() {
        return square -> factor(square) / 2;
    }

    @Override
    public double slope(double[] delta, double[] out) {
        double sum = sum(delta);
        double value = Math.exp(-exponent(sum));
        double factor = factor(sum);
        for (int l = 0; l < delta.length; l++) {
            out[l] = delta[l] == 0 || factor == 0 ? 0 : factor * power(delta[l] / sigma.at(l)) / delta[l];
        }
        return value;
    }

    /**
     * Returns −q·r^q·κ/r^p for r^p = sum. ∂r^q/∂δ = q·r^q·(|δ/σ|^p/r^p)/δ has the shares of the columns, which neither overflow
     * nor vanish near 0.
     */
    private double factor(double sum) {
        double exponent = exponent(sum);
        double value = Math.exp(-exponent);
        return sum > 0 && value > 0 ? -q * exponent * value / sum : 0;
    }

    @Override
    public Spectrum spectrum() {
        if (q < LEAST_DRAWN_Q) {
            throw new SpellingException(
                    NAME + ": random features need q of at least " + LEAST_DRAWN_Q + ", not " + Spelling.print(q),
                    Remedy.set(Setting.MAP, "landmarks", "takes every q"));
        }
        if (p == 2) {
            return Spectrum.gaussianMixture(stream -> Math.sqrt(2) * commonScale(stream), q < 2);
        }
        return new OfColumns();
    }

    /** Draws s^(1/p). */
    private double commonScale(RandomStream stream) {
        return p == q ? 1 : StrictMath.exp(Samplers.logPositiveStable(stream, q / p) / p);
    }

    /**
     * The frequencies for p below 2. A p-stable number is the product of a function of a uniform number, the quantile here,
     * and a power of an exponential number, one per column.
     */
    private final class OfColumns implements Spectrum {
        @Override
        public double quantile(int column, double u) {
            return p == 1 ? Laws.cauchyQuantile(u) : Laws.stableFactor(u, p);
        }

        @Override
        public void scales(RandomStream stream, double[] scales) {
            double common = commonScale(stream);
            for (int l = 0; l < scales.length; l++) {
                scales[l] = p == 1 ? common : common * Samplers.stableScale(stream, p);
            }
        }

        @Override
        public boolean rotationInvariant() {
            return false;
        }

        @Override
        public boolean heavyTailed() {
            return true;
        }
    }

    @Override
    public Stable withSigma(Bandwidth sigma) {
        return new Stable(p, q, sigma);
    }

    @Override
    public String toString() {
        return NAME + "(p=" + Spelling.print(p) + ", q=" + Spelling.print(q) + ", sigma=" + sigma + ")";
    }
}
