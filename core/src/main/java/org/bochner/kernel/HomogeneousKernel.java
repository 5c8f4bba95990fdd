package org.bochner.kernel;

import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.row.RowException;

/**
 * An additive kernel of histograms, with non-negative values, that scales with them: κ(cx, cy) = c^degree·κ(x, y), with
 * κ(x, x) = x^degree. Apart from the scale it depends on the ratio of its arguments alone,
 *
 * <pre>κ(x, y) = (xy)^(degree/2) · K(log(y/x)),</pre>
 *
 * where the signature K is even, K(0) = 1, and is the Fourier transform of a density, K(λ) = ∫ density(ω) cos(ωλ) dω.
 *
 * <p>An implementation defines its value at ratios for degree 1 and its density; the rest follows.
 *
 * <p>Reference: Vedaldi and Zisserman, Efficient additive kernels via explicit feature maps, 2012.
 */
public interface HomogeneousKernel extends AdditiveKernel {
    /** Returns the name in spellings; {@code exp-name}, {@code matern-name} and others are the kernels of its distance. */
    String name();

    /** Returns the power of a common factor; 1 by default. */
    double degree();

    /** Returns κ(ratio, 1) at degree 1, for a ratio between 0 (exclusive) and 1. */
    double atRatio(double ratio);

    /**
     * Returns 1 + ratio − 2κ(ratio, 1) at degree 1 without cancellation: the squared distance of the values ratio and
     * 1.
     */
    double distanceAtRatio(double ratio);

    /** Returns the density of K's frequencies at ω; infinite if all of them are 0. */
    double density(double omega);

    /** Returns the kernel with another degree. */
    HomogeneousKernel withDegree(double degree);

    /** Returns K(λ), for λ = log(y/x) of either sign. */
    default double signature(double lambda) {
        // Smaller ratios are subnormal; all signatures are 0 or constant there.
        double ratio = Math.max(Double.MIN_NORMAL, Math.exp(-Math.abs(lambda)));
        return atRatio(ratio) / Math.sqrt(ratio);
    }

    @Override
    default double scalar(double x, double y) {
        require(x);
        require(y);
        double high = Math.max(x, y);
        double ratio = Math.min(x, y) / high;
        // NaN if both are 0; 0 if the smaller value underflows beside the larger.
        if (!(ratio > 0)) {
            return 0;
        }
        if (degree() == 1) {
            return high * atRatio(ratio);
        }
        return Math.pow(high, degree()) * Math.pow(ratio, (degree() - 1) / 2) * atRatio(ratio);
    }

    /**
     * Returns κ(x, x) + κ(y, y) − 2κ(x, y) without cancellation: the error is the rounding of the ratio of x and y,
     * about 2⁻⁵² of √(distance · larger^degree).
     */
    default double squaredDistance(double x, double y) {
        require(x);
        require(y);
        double high = Math.max(x, y);
        if (high == 0) {
            return 0;
        }
        double ratio = Math.min(x, y) / high;
        double size = degree() == 1 ? high : Math.pow(high, degree());
        if (ratio == 0) {
            return size;
        }
        if (degree() == 1) {
            return size * distanceAtRatio(ratio);
        }
        // With r = ratio and g = degree, 1 + r^g − 2r^(g/2)·K = (1 − r^(g/2))² + 2r^(g/2)·(1 − K).
        double gap = Math.expm1(degree() / 2 * Math.log(ratio));
        return size * (gap * gap + 2 * (1 + gap) * belowOne(ratio));
    }

    /** Returns 1 − K(log ratio), without cancellation. */
    private double belowOne(double ratio) {
        double root = Math.sqrt(ratio);
        if (ratio < 0.25) {
            return 1 - atRatio(ratio) / root;
        }
        // From degree 1, at which the distance is (1 − √r)² + 2√r·(1 − K).
        double gap = (1 - ratio) / (1 + root);
        return Math.max(0, distanceAtRatio(ratio) - gap * gap) / (2 * root);
    }

    /** Returns Σₗ of the squared distances of the columns, of which radial kernels are functions. */
    default double squaredDistance(double[] x, double[] y) {
        Require.sameSize("kernel", "columns of the second row", y.length, x.length);
        double sum = 0;
        for (int l = 0; l < x.length; l++) {
            try {
                sum += squaredDistance(x[l], y[l]);
            } catch (BochnerException e) {
                throw RowException.at(l, e);
            }
        }
        return sum;
    }

    @Override
    default void requireValue(double x, int column) {
        require(x);
    }

    @Override
    default boolean takesAnyValue() {
        return false;
    }

    /** Fails if x is not a value of a histogram. */
    private void require(double x) {
        if (!(x >= 0 && x < Double.POSITIVE_INFINITY)) {
            throw new BochnerException(name() + " compares histograms and needs values of at least 0, got "
                    + Spelling.print(x)
                    + "; shift or set it to 0 or above, or take a kernel of any values such as gaussian");
        }
    }

    /** Returns the spelling of a kernel with this name and degree. */
    static String spell(String name, double degree) {
        return degree == 1 ? name : name + "(degree=" + Spelling.print(degree) + ")";
    }
}
