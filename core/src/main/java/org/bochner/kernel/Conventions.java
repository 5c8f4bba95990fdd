package org.bochner.kernel;

import org.bochner.base.Require;

/**
 * What others call the distances of histograms and the scales of kernels, in terms of ours: conventions differ by factors
 * of 2 and by signs. Ours are κ(x, x) = x for additive kernels, D² = κ(x, x) + κ(y, y) − 2κ(x, y), gamma for exp(−gamma·D²),
 * and sigma for exp(−|x − y|²/(2·sigma²)).
 */
public final class Conventions {
    private static final double BITS_TO_NATS = Math.log(2);

    private Conventions() {}

    /** Σ (x − y)²/(x + y), the χ² distance: D² of {@code chi2}. */
    public static double chi2Distance(double[] x, double[] y) {
        return new Chi2().squaredDistance(x, y);
    }

    /** ½ Σ (x − y)²/(x + y), which others call the χ² distance. One minus it is {@code chi2} of histograms that sum to 1. */
    public static double halfChi2Distance(double[] x, double[] y) {
        return chi2Distance(x, y) / 2;
    }

    /** The Jensen-Shannon divergence in bits: half of the D² of {@code jensen-shannon}. */
    public static double jensenShannonBits(double[] x, double[] y) {
        return new JensenShannon().squaredDistance(x, y) / 2;
    }

    /** The Jensen-Shannon divergence in nats. */
    public static double jensenShannonNats(double[] x, double[] y) {
        return BITS_TO_NATS * jensenShannonBits(x, y);
    }

    /** ½ Σ (√x − √y)², the squared Hellinger distance with its usual half: half of the D² of {@code hellinger}. */
    public static double squaredHellingerDistance(double[] x, double[] y) {
        return new Hellinger().squaredDistance(x, y) / 2;
    }

    /** The gamma of exp(−g·d), where d is half of D². */
    public static double gammaOfHalfDistance(double g) {
        return Require.positive("Conventions", "g", g) / 2;
    }

    /** The gamma of exp(−D²/(2s²)). */
    public static double gammaOfWidth(double s) {
        return 0.5 / square(s);
    }

    /** The gamma of exp(−d/(2s²)), where d is half of D². */
    public static double gammaOfHalfDistanceWidth(double s) {
        return gammaOfHalfDistance(gammaOfWidth(s));
    }

    /** The sigma of exp(−g·|x − y|²), as libraries write the Gaussian kernel that call its parameter gamma. */
    public static double sigmaOfGamma(double g) {
        return Math.sqrt(0.5 / Require.positive("Conventions", "g", g));
    }

    private static double square(double s) {
        return Require.positive("Conventions", "s", s) * s;
    }
}
