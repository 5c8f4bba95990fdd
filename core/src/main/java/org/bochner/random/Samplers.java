package org.bochner.random;

import org.bochner.base.Require;

/**
 * Draws from the laws that frequencies follow. Like {@link Laws} they use only arithmetic, {@code Math.sqrt} and
 * {@code StrictMath}: a seed gives the same bits on every platform.
 *
 * <p>Threads: as safe as the stream that is passed in, which is not to be shared.
 */
public final class Samplers {
    private Samplers() {}

    /** A standard Gaussian number: the quantile of one uniform number, so that the stream moves by one step a draw. */
    public static double gaussian(RandomStream stream) {
        return Laws.gaussianQuantile(stream.nextUniform());
    }

    /** A number of the Cauchy law with density 1/(π(1 + w²)). */
    public static double cauchy(RandomStream stream) {
        return Laws.cauchyQuantile(stream.nextUniform());
    }

    /** A number of the hyperbolic secant law with density ½ sech(πw/2). */
    public static double sech(RandomStream stream) {
        return Laws.sechQuantile(stream.nextUniform());
    }

    /** A number of the Laplace law with density ½ e^−|w|. */
    public static double laplace(RandomStream stream) {
        return Laws.laplaceQuantile(stream.nextUniform());
    }

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
            double x = gaussian(stream);
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

    /**
     * Fills a row with a draw of the multivariate t law: a Gaussian row divided by one √(χ²/degrees), which all its
     * values share.
     */
    public static void multivariateT(RandomStream stream, double degrees, double[] row) {
        Require.positive("multivariate t law", "degrees", degrees);
        double scale = Math.sqrt(degrees) / chi(stream, degrees);
        for (int l = 0; l < row.length; l++) {
            row[l] = scale * gaussian(stream);
        }
    }

    /** Fills an array with independent signs, +1 or −1. */
    public static void signs(RandomStream stream, int[] signs) {
        for (int i = 0; i < signs.length; i++) {
            signs[i] = stream.nextLong() < 0 ? -1 : 1;
        }
    }

    /** A permutation of 0, …, size−1, all equally likely. */
    public static int[] permutation(RandomStream stream, int size) {
        Require.atLeast("permutation", "size", size, 0);
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            int j = stream.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }
}
