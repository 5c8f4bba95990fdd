package org.bochner.random.law;

import org.bochner.base.Require;
import org.bochner.numeric.function.Erf;

/**
 * Quantile functions of the distributions of frequencies. They use only arithmetic, {@code Math.sqrt} and {@code
 * StrictMath}, so that every platform gives equal bits.
 */
public final class Laws {
    private Laws() {}

    // Coefficients of algorithm AS 241 (Wichura, 1988, doi:10.2307/2347330): central, middle and far part.
    private static final double[] A = {
        3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946,
        45921.95393154987, 67265.7709270087, 33430.57558358813, 2509.0809287301227
    };
    private static final double[] B = {
        1.0, 42.31333070160091, 687.1870074920579, 5394.196021424751,
        21213.794301586597, 39307.89580009271, 28729.085735721943, 5226.495278852854
    };
    private static final double[] C = {
        1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045,
        1.2704582524523684, 0.2417807251774506, 0.022723844989269184, 0.0007745450142783414
    };
    private static final double[] D = {
        1.0, 2.053191626637759, 1.6763848301838038, 0.6897673349851,
        0.14810397642748008, 0.015198666563616457, 0.0005475938084995345, 1.0507500716444169e-09
    };
    private static final double[] E = {
        6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487,
        0.026532189526576124, 0.0012426609473880784, 2.7115555687434876e-05, 2.0103343992922881e-07
    };
    private static final double[] F = {
        1.0, 0.599832206555888, 0.1369298809227358, 0.014875361290850615,
        0.0007868691311456133, 1.8463183175100548e-05, 1.421511758316446e-07, 2.0442631033899397e-15
    };

    /** The halvings of an interval after which its ends are neighbouring numbers, or nearly. */
    private static final int HALVINGS = 60;

    /** Returns Φ⁻¹(u), the standard Gaussian quantile, to about 1e-15 relative. */
    public static double gaussianQuantile(double u) {
        Require.between("gaussian quantile", "u", u, 0, 1);
        double q = u - 0.5;
        if (Math.abs(q) <= 0.425) {
            double r = 0.180625 - q * q;
            return q * polynomial(A, r) / polynomial(B, r);
        }
        double tail = q < 0 ? u : 1 - u;
        double r = Math.sqrt(-StrictMath.log(tail));
        double value =
                r <= 5 ? polynomial(C, r - 1.6) / polynomial(D, r - 1.6) : polynomial(E, r - 5) / polynomial(F, r - 5);
        return q < 0 ? -value : value;
    }

    /**
     * Returns tan(π(u − ½)), the quantile of the Cauchy distribution with density 1/(π(1 + w²)), to about 4e-16
     * relative. Near the ends the formula is −1/tan(πu), because u − ½ would lose the digits of u.
     */
    public static double cauchyQuantile(double u) {
        Require.between("cauchy quantile", "u", u, 0, 1);
        if (u < 0.25) {
            return -1 / StrictMath.tan(Math.PI * u);
        }
        if (u > 0.75) {
            return 1 / StrictMath.tan(Math.PI * (1 - u));
        }
        return StrictMath.tan(Math.PI * (u - 0.5));
    }

    /**
     * Returns (2/π) log tan(πu/2), the quantile of the hyperbolic secant distribution with density ½ sech(πw/2), to
     * about 4e-16 relative. In the middle, where the tangent is near 1, the formula is (4/π) artanh tan(π(u − ½)/2).
     */
    public static double sechQuantile(double u) {
        Require.between("sech quantile", "u", u, 0, 1);
        if (u < 0.25) {
            return 2 / Math.PI * StrictMath.log(StrictMath.tan(Math.PI / 2 * u));
        }
        if (u > 0.75) {
            return -2 / Math.PI * StrictMath.log(StrictMath.tan(Math.PI / 2 * (1 - u)));
        }
        double t = StrictMath.tan(Math.PI / 2 * Math.abs(u - 0.5));
        double value = 2 / Math.PI * StrictMath.log1p(2 * t / (1 - t));
        return u < 0.5 ? -value : value;
    }

    /** Returns the quantile of the Laplace distribution with density ½ e^−|w|, to about 2e-16 relative. */
    public static double laplaceQuantile(double u) {
        Require.between("laplace quantile", "u", u, 0, 1);
        return u < 0.5 ? StrictMath.log(2 * u) : -StrictMath.log(2 * (1 - u));
    }

    /**
     * Returns the first factor of a symmetric p-stable number, for 0 &lt; p ≤ 2. With V = π(u − ½) it is
     *
     * <pre>{@code sin(pV) · cos(V)^(−1/p) · cos((1 − p)V)^((1 − p)/p).}</pre>
     *
     * For a uniform u, its product with {@link Samplers#stableScale} has the characteristic function exp(−|t|^p). Angles
     * are measured from the nearer of 0 and ±π/2, so that no digits of u are lost.
     *
     * <p>Reference: Chambers, Mallows and Stuck, 1976, doi:10.1080/01621459.1976.10480344.
     */
    public static double stableFactor(double u, double p) {
        Require.between("stable factor", "u", u, 0, 1);
        Require.that(p > 0 && p <= 2, "stable factor", "p must be greater than 0 and at most 2, got " + p);
        double angle = Math.PI * Math.abs(u - 0.5);
        double rest = Math.PI * Math.min(u, 1 - u);
        double half = Math.PI / 2;
        double sine = StrictMath.sin(p * angle <= half ? p * angle : (2 - p) * half + p * rest);
        double logCosine = StrictMath.log(StrictMath.sin(rest));
        double other = p < 1 ? p * half + (1 - p) * rest : (2 - p) * half + (p - 1) * rest;
        double value = sine * StrictMath.exp(((1 - p) * StrictMath.log(StrictMath.sin(other)) - logCosine) / p);
        return u < 0.5 ? -value : value;
    }

    /**
     * Returns the quantile of a Gaussian number with standard deviation 1 around {@code shift} or −{@code shift}, with
     * equal probability, to about 1e-15 divided by the density. It is found by bisection.
     */
    public static double twoGaussiansQuantile(double u, double shift) {
        Require.between("two gaussians quantile", "u", u, 0, 1);
        // At −bound, neither Gaussian has a probability above u; at bound, neither has one below.
        double bound = shift + Math.abs(gaussianQuantile(u));
        double low = -bound;
        double high = bound;
        for (int halving = 0; halving < HALVINGS; halving++) {
            double middle = (low + high) / 2;
            double below = (Erf.gaussianProbability(middle - shift) + Erf.gaussianProbability(middle + shift)) / 2;
            if (below < u) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }

    private static double polynomial(double[] coefficients, double x) {
        double sum = 0;
        for (int i = coefficients.length - 1; i >= 0; i--) {
            sum = sum * x + coefficients[i];
        }
        return sum;
    }
}
