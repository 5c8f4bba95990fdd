package org.bochner.random.law;

import org.bochner.base.Require;
import org.bochner.random.RandomStream;

/**
 * Draws from the laws that frequencies follow. Like {@link Laws} they use only arithmetic, {@code Math.sqrt} and
 * {@code StrictMath}: a seed gives the same bits on every platform.
 *
 * <p>Threads: as safe as the stream that is passed in, which is not to be shared.
 */
public final class Samplers {
    private Samplers() {}

    /**
     * A number of the gamma law with the given shape and scale 1, density w^(shape−1) e^−w / Γ(shape), for any positive
     * shape. Never less than {@link Double#MIN_NORMAL}, so that dividing by its root is safe for the smallest shapes.
     *
     * <p>Reference: Marsaglia and Tsang, 2000, doi:10.1145/358407.358414; a shape below 1 is drawn one higher and
     * multiplied by U^(1/shape).
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

    /** A number of the chi law: the length of a Gaussian vector with the given, not necessarily whole, dimension. */
    public static double chi(RandomStream stream, double degrees) {
        Require.positive("chi law", "degrees", degrees);
        return Math.sqrt(2 * gamma(stream, degrees / 2));
    }

    /** Fills an array with independent signs, +1 or −1. */
    public static void signs(RandomStream stream, int[] signs) {
        for (int i = 0; i < signs.length; i++) {
            signs[i] = stream.nextLong() < 0 ? -1 : 1;
        }
    }
}
