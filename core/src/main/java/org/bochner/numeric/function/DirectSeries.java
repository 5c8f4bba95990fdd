package org.bochner.numeric.function;

import org.bochner.base.Require;

/**
 * The geometric series of the χ² kernel, {@code 2xy/(x + y) = Σ cₖ(x)·cₖ(y)}, truncated after some terms:
 *
 * <pre>
 *   q = (x − 1)/(x + 1),   cₖ = 2x/(x + 1)·qᵏ
 * </pre>
 *
 * <p>The features are {@code x^((degree−1)/2)·cₖ(s·x)/√s}. The scale s is free, because the kernel is homogeneous; 1/s
 * is the value at which the series is exact. The features are computed as {@code x^(degree/2)·sech(½·log(s·x))·qᵏ}, so
 * no intermediate value overflows: large x tend to {@code c₀ = 2} and {@code q = 1}.
 *
 * <p>Accuracy, relative to {@code √(x^degree)}, which no feature exceeds, for x of every magnitude: 4e-16·(k + 2) in
 * float64 and 5e-7 + 4e-7·k in float32.
 *
 * <p>Cost at degree 1 in float32, on one core with 512-bit vectors: 3 ns per value with five terms. Another degree up
 * to 4 adds 2 ns, a degree above 4 adds 25 ns.
 *
 * <p>Threads: safe, immutable.
 */
public final class DirectSeries extends ValueFeatures {
    private final double rootOfScale;

    /**
     * Creates the series.
     *
     * @param terms the number of terms, at least 1
     * @param scale the factor s of the values, between 1e-60 and 1e60
     */
    public DirectSeries(int terms, double scale, double degree) {
        super(Require.atLeast("DirectSeries", "terms", terms, 1), degree);
        Require.between("DirectSeries", "scale", scale, 1e-60, 1e60);
        rootOfScale = Math.sqrt(scale);
    }

    @Override
    public void apply(double x, double[] out, int at) {
        double u = rootOfScale * Math.sqrt(x);
        double y = u * u;
        // A large y may be infinite, and a small y has an infinite reciprocal.
        double q = y > 1 ? (1 - 1 / y) / (1 + 1 / y) : (y - 1) / (y + 1);
        double feature = magnitude(x) * (2 / (u + 1 / u));
        for (int k = 0; k < featuresPerColumn(); k++) {
            out[at + k] = feature + 0.0;
            feature *= q;
        }
    }

    @Override
    int planes() {
        return 3;
    }

    @Override
    void applyChunk(float[] x, int from, int size, float[][] scratch, float[] out, int at) {
        float[] feature = scratch[0];
        float[] g = scratch[1];
        float[] q = scratch[2];
        float root = (float) rootOfScale;
        magnitudes(x, from, size, feature, g, q);
        roots(x, from, size, g);
        System.arraycopy(g, 0, q, 0, size);
        sech(g, size, root);
        ratio(q, size, root);
        multiply(feature, g, size, feature);
        for (int k = 0; k < featuresPerColumn(); k++) {
            store(feature, size, 1, out, at + k);
            multiply(feature, q, size, feature);
        }
    }

    /** Computes a[i] ← (y − 1)/(y + 1) for y = s·x from the square roots of x, in a form that is 1 if y is infinite. */
    private static void ratio(float[] a, int size, float rootOfScale) {
        for (int i = 0; i < size; i++) {
            float u = rootOfScale * a[i];
            a[i] = 1 - 2 / (1 + u * u);
        }
    }
}
