package org.bochner.numeric.function;

import org.bochner.base.Require;

/**
 * The features of single values, {@code φ(x) = (φ₀(x), …, φ_{w−1}(x))}, of which additive maps are made: of x ≥ 0, finite,
 * with φ(0) = 0. All have the form {@code φₖ(x) = x^(degree/2)·gₖ(log x)} with bounded g.
 *
 * <p>Domain: finite and not negative, of any magnitude, subnormal numbers included; {@code x^(degree/2)} must be
 * representable, which matters only beyond degree 2. Nothing is checked here: what becomes of other values is undefined,
 * so callers check rows as they come in.
 *
 * <p>Threads: safe, all are immutable. A call in float32 keeps its intermediate results in arrays of its own, a few times
 * {@value #CHUNK} numbers, or fewer when there are fewer values.
 */
public abstract sealed class ValueFeatures permits LogCosines, ChebyshevSeries, DirectSeries {
    /**
     * Long enough that the ends of loops, which are not vectorised, matter little; short enough that intermediate results
     * and features stay in the first-level cache. 256 to 1024 are within a tenth of each other.
     */
    static final int CHUNK = 512;

    private final int width;
    private final double degree;
    private final Power power;

    ValueFeatures(int width, double degree) {
        this.width = width;
        this.degree = Require.positive(getClass().getSimpleName(), "degree", degree);
        power = new Power(Math.min(degree / 2, Power.LARGEST_EXPONENT));
    }

    /** How many features a value has. */
    public final int width() {
        return width;
    }

    /** Features of c·x are c^(degree/2) times as large as those of x; inner products c^degree. */
    public final double degree() {
        return degree;
    }

    /** The features of x, in float64, to {@code out[at]} and the following; this is the definition. */
    public abstract void apply(double x, double[] out, int at);

    /**
     * The features of {@code x[from]} to {@code x[from + count − 1]} in float32: those of each value lie together, in the
     * order of the values, from {@code out[at]} on.
     */
    public final void apply(float[] x, int from, int count, float[] out, int at) {
        float[][] scratch = new float[planes()][Math.min(count, CHUNK)];
        for (int done = 0; done < count; done += CHUNK) {
            applyChunk(x, from + done, Math.min(count - done, CHUNK), scratch, out, at + done * width);
        }
    }

    /** How many arrays of intermediate results it needs. */
    abstract int planes();

    /** The same for values that are no more than the scratch arrays hold. */
    abstract void applyChunk(float[] x, int from, int size, float[][] scratch, float[] out, int at);

    /** x^(degree/2). */
    final double magnitude(double x) {
        return degree == 1 ? Math.sqrt(x) : degree == 2 ? x : Math.pow(x, degree / 2);
    }

    /** to[i] ← x^(degree/2); scratch arrays are overwritten. Correctly rounded at the degrees 1 and 2, else to 6e-7. */
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

    /** to[i] ← √x, in two steps, because a loop that reads from an offset is not vectorised on JDK 17. */
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

    /** a[i] ← sech(½·log(s·x)) = 2/(u + 1/u) for u = √(s·x), from the roots of x; 0 for x = 0, where 1/u is infinite. */
    static void sech(float[] a, int size, float rootOfScale) {
        for (int i = 0; i < size; i++) {
            float u = rootOfScale * a[i];
            a[i] = 2 / (u + 1 / u);
        }
    }

    /** to[i] ← a[i]·b[i]. */
    static void multiply(float[] a, float[] b, int size, float[] to) {
        for (int i = 0; i < size; i++) {
            to[i] = a[i] * b[i];
        }
    }

    /**
     * Writes one feature of each value, factor·feature, where it belongs among the others. Adding 0 makes 0 of −0, so that
     * the features of 0 have no sign. Stores this far apart are not vectorised, but one loop a feature is as fast as one
     * loop with all the stores, 0.28 ns each, and serves any width.
     */
    final void store(float[] feature, int size, float factor, float[] out, int at) {
        int to = at;
        for (int i = 0; i < size; i++) {
            out[to] = factor * feature[i] + 0f;
            to += width;
        }
    }
}
