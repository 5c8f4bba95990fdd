package org.bochner.numeric.program;

/** Operations on ranges of arrays. */
final class Rows {
    private Rows() {}

    /**
     * Returns the inner product of two ranges, with four independent sums: the latency of additions takes most of the
     * time.
     */
    static double dot(double[] a, int fromA, double[] b, int fromB, int length) {
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

    static void addMultiple(double factor, double[] from, int at, double[] to, int toAt, int length) {
        for (int k = 0; k < length; k++) {
            to[toAt + k] += factor * from[at + k];
        }
    }
}
