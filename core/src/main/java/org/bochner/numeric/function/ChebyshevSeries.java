package org.bochner.numeric.function;

import org.bochner.base.Require;

/**
 * The Chebyshev series of the χ² kernel, {@code 2xy/(x + y) = Σ cₖ(x)·cₖ(y)}, truncated after some terms:
 *
 * <pre>
 *   c₀ = 2x/(x + 1),   c₁ = −(√2/π)·log x·c₀,   cₖ = ((−1)ᵏ·(2/π)·log x·cₖ₋₁ + (k − 2)·cₖ₋₂)/k
 * </pre>
 *
 * <p>The features are {@code x^((degree−1)/2)·cₖ(s·x)/√s}. The scale s is free, because the kernel is homogeneous; the
 * best scale makes s·x equal to 1.5 for the largest x. The features are computed as {@code x^(degree/2)·gₖ} with {@code
 * g₀ = sech(½·log(s·x))} and an equal recurrence, so no intermediate value overflows: large x tend to {@code c₀ = 2}.
 *
 * <p>Accuracy with up to ten terms, relative to {@code √(x^degree)}, which no feature exceeds, for x of every
 * magnitude: 1e-14 in float64 and 1e-6 in float32; twice these values with forty terms.
 *
 * <p>Cost at degree 1 in float32, on one core with 512-bit vectors: 5 ns per value with five terms. Another degree up
 * to 4 adds 2 ns, a degree above 4 adds 25 ns.
 *
 * <p>Threads: safe, immutable.
 */
public final class ChebyshevSeries extends ValueFeatures {
    private static final double TWO_OVER_PI = 2 / Math.PI;
    private static final double LN_2 = StrictMath.log(2);

    private final double rootOfScale;
    private final double logOfScale;
    private final ScaledLog log;

    /**
     * Creates the series.
     *
     * @param terms the number of terms, at least 1
     * @param scale the factor s of the values, between 1e-60 and 1e60
     */
    public ChebyshevSeries(int terms, double scale, double degree) {
        super(Require.atLeast("ChebyshevSeries", "terms", terms, 1), degree);
        Require.between("ChebyshevSeries", "scale", scale, 1e-60, 1e60);
        rootOfScale = Math.sqrt(scale);
        logOfScale = StrictMath.log(scale);
        log = new ScaledLog(TWO_OVER_PI, e -> TWO_OVER_PI * (e * LN_2 + logOfScale));
    }

    @Override
    public void apply(double x, double[] out, int at) {
        int terms = featuresPerColumn();
        double magnitude = magnitude(x);
        double u = rootOfScale * Math.sqrt(x);
        double a = x == 0 ? 0 : TWO_OVER_PI * (StrictMath.log(x) + logOfScale);
        double older = 2 / (u + 1 / u);
        double newer = -Math.sqrt(0.5) * a * older;
        for (int k = 0; k < terms; k++) {
            out[at + k] = magnitude * older + 0.0;
            double next = ((k % 2 == 0 ? a : -a) * newer + k * older) / (k + 2);
            older = newer;
            newer = next;
        }
    }

    @Override
    int planes() {
        return 5;
    }

    @Override
    void applyChunk(float[] x, int from, int size, float[][] scratch, float[] out, int at) {
        float[] magnitudes = scratch[0];
        float[] a = scratch[1];
        float[] older = scratch[2];
        float[] newer = scratch[3];
        float[] feature = scratch[4];
        magnitudes(x, from, size, magnitudes, older, newer);
        log.apply(x, from, size, a, newer);
        roots(x, from, size, older);
        sech(older, size, (float) rootOfScale);
        System.arraycopy(older, 0, newer, 0, size);
        next(newer, older, a, size, (float) -Math.sqrt(0.5), 0);
        for (int k = 0; k < featuresPerColumn(); k++) {
            multiply(older, magnitudes, size, feature);
            store(feature, size, 1, out, at + k);
            double divisor = k + 2;
            next(older, newer, a, size, (float) ((k % 2 == 0 ? 1 : -1) / divisor), (float) (k / divisor));
            float[] swap = older;
            older = newer;
            newer = swap;
        }
    }

    /** Computes older ← p·a·newer + q·older, one step of the recurrence. */
    private static void next(float[] older, float[] newer, float[] a, int size, float p, float q) {
        for (int i = 0; i < size; i++) {
            older[i] = p * (a[i] * newer[i]) + q * older[i];
        }
    }
}
