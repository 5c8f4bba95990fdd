package org.bochner.numeric.function;

import org.bochner.base.Require;

/**
 * The discrete Hartley transform of a power of two of real numbers, {@code Hₖ = Σₙ xₙ·(cos(2πnk/N) + sin(2πnk/N))}: a
 * Fourier transform that stays real. Divided by √N it is orthogonal and its own inverse, so inner products of
 * transforms are N times the inner products of the inputs.
 *
 * <p>Accuracy: about log₂N·2⁻⁵³ of the length of x. Cost: N·log₂N operations; N numbers of memory.
 *
 * <p>Threads: safe; immutable.
 *
 * <p>Reference: Bracewell, The fast Hartley transform, 1984, doi:10.1109/PROC.1984.12968.
 */
public final class Hartley {
    private final int length;
    /** cos(2πk/N) and sin(2πk/N) for k below N/4, by StrictMath for equal bits on every machine. */
    private final double[] cos;

    private final double[] sin;

    public Hartley(int length) {
        Require.that(
                Integer.bitCount(length) == 1 && length > 0, "Hartley", "length must be a power of two, got " + length);
        this.length = length;
        cos = new double[length / 4];
        sin = new double[length / 4];
        for (int k = 0; k < cos.length; k++) {
            double angle = 2 * Math.PI * k / length;
            cos[k] = StrictMath.cos(angle);
            sin[k] = StrictMath.sin(angle);
        }
    }

    public int length() {
        return length;
    }

    /** Transforms the first {@link #length} numbers of an array in place. */
    public void transform(double[] x) {
        permute(x);
        for (int half = 1; half < length; half *= 2) {
            for (int start = 0; start < length; start += 2 * half) {
                combine(x, start, half);
            }
        }
    }

    /** Moves each number to the index with reversed bits. */
    private void permute(double[] x) {
        int reversed = 0;
        for (int i = 1; i < length; i++) {
            int bit = length / 2;
            while ((reversed & bit) != 0) {
                reversed ^= bit;
                bit /= 2;
            }
            reversed |= bit;
            if (i < reversed) {
                double kept = x[i];
                x[i] = x[reversed];
                x[reversed] = kept;
            }
        }
    }

    /**
     * Combines the transforms of the numbers with even index, E, and odd index, O, which follow each other from start
     * on: Hₖ = Eₖ + cos·Oₖ + sin·O₋ₖ. Indices k and half − k use common inputs and are computed together.
     */
    private void combine(double[] x, int start, int half) {
        add(x, start, half, x[start + half]);
        if (half > 1) {
            add(x, start + half / 2, half, x[start + half + half / 2]);
        }
        int step = length / (2 * half);
        for (int k = 1; k < half / 2; k++) {
            double c = cos[k * step];
            double s = sin[k * step];
            double odd = x[start + half + k];
            double mirrored = x[start + 2 * half - k];
            add(x, start + k, half, c * odd + s * mirrored);
            add(x, start + half - k, half, s * odd - c * mirrored);
        }
    }

    private static void add(double[] x, int at, int half, double odd) {
        double even = x[at];
        x[at] = even + odd;
        x[at + half] = even - odd;
    }

    /** Multiplies a transform by another, in place: the result is the transform of their circular convolution. */
    public void convolve(double[] transform, double[] other) {
        for (int k = 0; k <= length / 2; k++) {
            int mirror = (length - k) & (length - 1);
            double even = (other[k] + other[mirror]) / 2;
            double odd = (other[k] - other[mirror]) / 2;
            double a = transform[k];
            double b = transform[mirror];
            transform[k] = a * even + b * odd;
            transform[mirror] = b * even - a * odd;
        }
    }
}
