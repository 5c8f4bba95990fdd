package org.bochner.random.law;

import org.bochner.base.Require;
import org.bochner.random.RandomStream;

/**
 * Draws from the distributions of frequencies. Like {@link Laws}, the methods use only arithmetic, {@code Math.sqrt}
 * and {@code StrictMath}: a seed gives equal bits on every platform.
 *
 * <p>Threads: a stream must not be shared between threads.
 */
public final class Samplers {
    private Samplers() {}

    /**
     * Draws from the gamma distribution with the given positive shape and scale 1, density w^(shape−1) e^−w / Γ(shape).
     * The result is never below {@link Double#MIN_NORMAL}, so that dividing by its square root is safe for the smallest
     * shapes.
     *
     * <p>Reference: Marsaglia and Tsang, 2000, doi:10.1145/358407.358414; for a shape below 1 the draw with shape + 1
     * is multiplied by U^(1/shape).
     */
    public static double gamma(RandomStream stream, double shape) {
        Require.positive("gamma law", "shape", shape);
        double value = shape >= 1
                ? gammaFromOne(stream, shape)
                : gammaFromOne(stream, shape + 1) * StrictMath.pow(stream.nextUniform(), 1 / shape);
        return Math.max(value, Double.MIN_NORMAL);
    }

    private static double gammaFromOne(RandomStream stream, double shape) {
        double d = shape - 1.0 / 3;
        double c = 1 / Math.sqrt(9 * d);
        while (true) {
            double x = stream.nextGaussian();
            double root = 1 + c * x;
            double u = stream.nextUniform();
            if (root > 0) {
                double v = root * root * root;
                if (StrictMath.log(u) < 0.5 * x * x + d * (1 - v + StrictMath.log(v))) {
                    return d * v;
                }
            }
        }
    }

    /**
     * Draws from the chi distribution: the length of a Gaussian vector of the given dimension, which need not be whole.
     */
    public static double chi(RandomStream stream, double degrees) {
        Require.positive("chi law", "degrees", degrees);
        return Math.sqrt(2 * gamma(stream, degrees / 2));
    }

    /**
     * Draws the second factor of a symmetric p-stable number, the power (p − 1)/p of an exponential number; see {@link
     * Laws#stableFactor}.
     */
    public static double stableScale(RandomStream stream, double p) {
        return StrictMath.pow(-StrictMath.log(stream.nextUniform()), (p - 1) / p);
    }

    /**
     * Draws the logarithm of a positive stable number s, whose Laplace transform E exp(−λs) is exp(−λ^alpha), for alpha
     * between 0 and 1. The logarithm, because s itself overflows for a small alpha.
     *
     * <p>Reference: Kanter, 1975, doi:10.1214/aop/1176996309.
     */
    public static double logPositiveStable(RandomStream stream, double alpha) {
        Require.between("positive stable law", "alpha", alpha, 0, 1);
        double u = stream.nextUniform();
        double angle = Math.PI * u;
        double logSine = StrictMath.log(StrictMath.sin(Math.PI * Math.min(u, 1 - u)));
        double logExponential = StrictMath.log(-StrictMath.log(stream.nextUniform()));
        double logOther = StrictMath.log(StrictMath.sin((1 - alpha) * angle));
        return StrictMath.log(StrictMath.sin(alpha * angle))
                + ((1 - alpha) * (logOther - logExponential) - logSine) / alpha;
    }

    /** Fills an array with independent signs, +1 or −1. */
    public static void signs(RandomStream stream, int[] signs) {
        for (int i = 0; i < signs.length; i++) {
            signs[i] = stream.nextLong() < 0 ? -1 : 1;
        }
    }

    /**
     * Returns pairs of different indices below {@code count}, the two of a pair one after the other: all pairs if there
     * are at most {@code most}, otherwise {@code most} random pairs, which may repeat.
     */
    public static int[] pairs(RandomStream stream, int count, int most) {
        long all = count * (count - 1L) / 2;
        int[] pairs = new int[2 * (int) Math.min(all, most)];
        int next = 0;
        for (int i = 0; i < count && all <= most; i++) {
            for (int j = 0; j < i; j++) {
                pairs[next++] = i;
                pairs[next++] = j;
            }
        }
        while (next < pairs.length) {
            int i = stream.nextInt(count);
            int j = stream.nextInt(count - 1);
            pairs[next++] = i;
            pairs[next++] = j < i ? j : j + 1;
        }
        return pairs;
    }
}
