package org.bochner.tune.channels;

/**
 * Ridge regression with a weight dⱼ per channel: the minimum over w of
 *
 * <pre>  Σ (f(z) − y)²/2 + l2/2·Σⱼ |wⱼ|²/dⱼ,</pre>
 *
 * without the channels of weight 0. With features multiplied by √dⱼ it is plain ridge regression.
 *
 * <p>With {@code u = Zᵀ(y − f)/l2}, wⱼ = dⱼ·uⱼ. The minimum divided by l2, as a function of d, has the derivatives
 * {@code −|uⱼ|²/2}, and its second derivatives follow from the factor that gave the solution.
 */
public interface ChannelRidge {
    /** Returns the minimum divided by l2. */
    double value();

    /** Returns |uⱼ|² over all outputs. */
    double squaredSlope(int channel);

    /** Returns |wⱼ| over all outputs, for each channel. */
    double[] norms();

    /**
     * Returns the second derivatives of {@link #value} by the kernel weights of some channels, row-major. Only the
     * latest solution in its working memory can compute them.
     */
    double[] curvature(int... of);

    /** Returns the functions, with their loss on the rows that were left out. */
    ChannelFit fit();
}
