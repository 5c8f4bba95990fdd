package org.bochner.numeric.function;

import org.bochner.base.Require;

/**
 * The features {@code φ(x) = (φ₀(x), φ₁(x), …)} of single values, of which additive maps consist. φ(0) = 0, and all
 * features have the form {@code φₖ(x) = x^(degree/2)·gₖ(log x)} with bounded g.
 *
 * <p>Domain: x finite and not negative, of any magnitude, including subnormal numbers; {@code x^(degree/2)} must be
 * representable, which matters only above degree 2. Nothing is checked here, and the result of other values is
 * undefined; callers check rows when they read them.
 *
 * <p>Threads: safe, immutable. A call in float32 allocates arrays of a few times {@value #CHUNK} numbers, or fewer if
 * there are fewer values.
 */
public abstract sealed class ValueFeatures permits LogCosines, ChebyshevSeries, DirectSeries {
    /**
     * Values per chunk: large enough that the ends of loops, which are not vectorised, matter little, and small enough
     * that intermediate results and features stay in the first-level cache. 256 to 1024 are within a tenth of each
     * other.
     */
    static final int CHUNK = 512;

    private final int featuresPerColumn;
    private final double degree;
    private final Power power;

    ValueFeatures(int featuresPerColumn, double degree) {
        this.featuresPerColumn = featuresPerColumn;
        this.degree = Require.positive(getClass().getSimpleName(), "degree", degree);
        power = new Power(Math.min(degree / 2, Power.LARGEST_EXPONENT));
    }

    /** Returns the number of features per value. */
    public final int featuresPerColumn() {
        return featuresPerColumn;
    }

    /** Returns the degree: features of c·x are c^(degree/2) times those of x, and inner products c^degree times. */
    public final double degree() {
        return degree;
    }

    /**
     * Computes the features of x in float64 into {@code out[at]} and the following entries; this method is the
     * definition.
     */
    public abstract void apply(double x, double[] out, int at);

    /**
     * Computes the features of {@code x[from]} to {@code x[from + count − 1]} in float32. The features of each value
     * are adjacent, in the order of the values, from {@code out[at]} on.
     */
    public final void apply(float[] x, int from, int count, float[] out, int at) {
        float[][] scratch = new float[planes()][Math.min(count, CHUNK)];
        for (int done = 0; done < count; done += CHUNK) {
            applyChunk(x, from + done, Math.min(count - done, CHUNK), scratch, out, at + done * featuresPerColumn);
        }
    }

    /** Returns the number of scratch arrays that {@link #applyChunk} needs. */
    abstract int planes();

    /** Computes the features of at most as many values as a scratch array holds. */
    abstract void applyChunk(float[] x, int from, int size, float[][] scratch, float[] out, int at);

    /** Returns x^(degree/2). */
    final double magnitude(double x) {
        return degree == 1 ? Math.sqrt(x) : degree == 2 ? x : Math.pow(x, degree / 2);
    }

    /**
     * Computes to[i] ← x^(degree/2); scratch arrays are overwritten. Correctly rounded at degrees 1 and 2, else to
     * 6e-7.
     */
    final void magnitudes(float[] x, int from, int size, float[] to, float[] scratch1, float[] scratch2) {
        if (degree == 1) {
            roots(x, from, size, to);
        } else if (degree == 2) {
            System.arraycopy(x, from, to, 0, size);
        } else if (degree / 2 <= Power.LARGEST_EXPONENT) {
            power.apply(x, from, size, to, scratch1, scratch2);
        } else {
            for (int i = 0; i < size; i++) {
                to[i] = (float) magnitude(x[from + i]);
            }
        }
    }

    /** Computes to[i] ← √x, in two steps, because JDK 17 does not vectorise a loop that reads from an offset. */
    static void roots(float[] x, int from, int size, float[] to) {
        System.arraycopy(x, from, to, 0, size);
        roots(to, size);
    }

    private static void roots(float[] a, int size) {
        for (int i = 0; i < size; i++) {
            float value = a[i];
            a[i] = (float) Math.sqrt(value);
        }
    }

    /**
     * Computes a[i] ← sech(½·log(s·x)) = 2/(u + 1/u), u = √(s·x), from the roots of x; 0 for x = 0, where 1/u is
     * infinite.
     */
    static void sech(float[] a, int size, float rootOfScale) {
        for (int i = 0; i < size; i++) {
            float u = rootOfScale * a[i];
            a[i] = 2 / (u + 1 / u);
        }
    }

    /** Computes to[i] ← a[i]·b[i]. */
    static void multiply(float[] a, float[] b, int size, float[] to) {
        for (int i = 0; i < size; i++) {
            to[i] = a[i] * b[i];
        }
    }

    /**
     * Stores one feature of each value, factor·feature, at its place among the others. Adding 0 turns −0 into 0, so
     * that the features of 0 have no sign. The stores are not vectorised; one loop per feature is as fast as one loop
     * with all stores, 0.28 ns each, and works for any number of features.
     */
    final void store(float[] feature, int size, float factor, float[] out, int at) {
        int to = at;
        for (int i = 0; i < size; i++) {
            out[to] = factor * feature[i] + 0f;
            to += featuresPerColumn;
        }
    }
}
