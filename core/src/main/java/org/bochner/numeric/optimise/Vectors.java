package org.bochner.numeric.optimise;

import java.util.Arrays;

/** Arithmetic on vectors; sums are in the order of the entries unless a method says otherwise. */
public final class Vectors {
    private Vectors() {}

    /** Returns the inner product. */
    public static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    /**
     * Returns the inner product of two ranges, with four independent sums: a single chain of dependent additions takes
     * four times as long.
     */
    public static double dot(double[] a, int fromA, double[] b, int fromB, int length) {
        double first = 0;
        double second = 0;
        double third = 0;
        double fourth = 0;
        int k = 0;
        for (; k + 3 < length; k += 4) {
            first += a[fromA + k] * b[fromB + k];
            second += a[fromA + k + 1] * b[fromB + k + 1];
            third += a[fromA + k + 2] * b[fromB + k + 2];
            fourth += a[fromA + k + 3] * b[fromB + k + 3];
        }
        for (; k < length; k++) {
            first += a[fromA + k] * b[fromB + k];
        }
        return (first + second) + (third + fourth);
    }

    /** Adds alpha·x to y, for ranges of a length that start at {@code from} in x and at {@code at} in y. */
    public static void add(double alpha, double[] x, int from, double[] y, int at, int length) {
        for (int k = 0; k < length; k++) {
            y[at + k] += alpha * x[from + k];
        }
    }

    /** Adds alpha·x to y. */
    public static void add(double alpha, double[] x, double[] y) {
        for (int i = 0; i < y.length; i++) {
            y[i] += alpha * x[i];
        }
    }

    /** Adds a vector to another and clears it, for merging sums in a fixed order. */
    public static void move(double[] from, double[] to) {
        for (int i = 0; i < from.length; i++) {
            to[i] += from[i];
        }
        Arrays.fill(from, 0);
    }

    /** Writes numbers, rounded to float32, from one index on to another. */
    public static void round(double[] from, int at, float[] to, int start, int count) {
        for (int i = 0; i < count; i++) {
            to[start + i] = (float) from[at + i];
        }
    }

    /** Returns the numbers rounded to float32. */
    public static float[] rounded(double[] values) {
        return rounded(values, values.length);
    }

    /** Returns a − b. */
    public static double[] difference(double[] a, double[] b) {
        double[] difference = a.clone();
        add(-1, b, difference);
        return difference;
    }

    /** Returns the first entries in float32. */
    public static float[] rounded(double[] x, int count) {
        float[] rounded = new float[count];
        round(x, 0, rounded, 0, count);
        return rounded;
    }

    public static void scale(double alpha, double[] x) {
        for (int i = 0; i < x.length; i++) {
            x[i] *= alpha;
        }
    }

    /** Returns the largest absolute entry; NaN if one is NaN. */
    static double maxNorm(double[] x) {
        double largest = 0;
        for (double v : x) {
            largest = Math.max(largest, Math.abs(v));
        }
        return largest;
    }

    static boolean finite(double x) {
        return Math.abs(x) < Double.POSITIVE_INFINITY;
    }
}
