package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.numeric.optimise.Vectors;

/**
 * Arithmetic on one vector per output, whose entries alternate: entry i of output o is at i·outputs + o. One output takes plain
 * loops, because a loop over a single output costs several times its arithmetic.
 */
final class Interleaved {
    private Interleaved() {}

    /** Returns the inner product of each output. */
    static double[] dots(double[] a, double[] b, int outputs) {
        if (outputs == 1) {
            return new double[] {Vectors.dot(a, 0, b, 0, a.length)};
        }
        double[] sums = new double[outputs];
        for (int i = 0; i < a.length; i += outputs) {
            for (int o = 0; o < outputs; o++) {
                sums[o] += a[i + o] * b[i + o];
            }
        }
        return sums;
    }

    /** Adds the x of each output, times a factor of the output, to its y. */
    static void add(double[] factors, double[] x, double[] y) {
        if (factors.length == 1) {
            Vectors.add(factors[0], x, y);
            return;
        }
        int outputs = factors.length;
        for (int i = 0; i < y.length; i += outputs) {
            for (int o = 0; o < outputs; o++) {
                y[i + o] += factors[o] * x[i + o];
            }
        }
    }

    /** Replaces the y of each output by x + factor·y. */
    static void combine(double[] factors, double[] x, double[] y) {
        int outputs = factors.length;
        double[] ones = new double[outputs];
        Arrays.fill(ones, 1);
        combine(ones, x, factors, y);
    }

    /** Replaces the y of each output by a factor times x plus a factor times y. */
    static void combine(double[] ofX, double[] x, double[] ofY, double[] y) {
        int outputs = ofX.length;
        if (outputs == 1) {
            combine(ofX[0], x, ofY[0], y);
            return;
        }
        for (int i = 0; i < y.length; i += outputs) {
            for (int o = 0; o < outputs; o++) {
                y[i + o] = ofX[o] * x[i + o] + ofY[o] * y[i + o];
            }
        }
    }

    private static void combine(double ofX, double[] x, double ofY, double[] y) {
        for (int i = 0; i < y.length; i++) {
            y[i] = ofX * x[i] + ofY * y[i];
        }
    }

    /** Subtracts from row i of y the sums of the outputs times the factor of the row and another factor. */
    static void subtractOuter(double factor, double[] ofRows, double[] sums, double[] y) {
        int outputs = sums.length;
        if (outputs == 1) {
            Vectors.add(-factor * sums[0], ofRows, y);
            return;
        }
        for (int i = 0; i < ofRows.length; i++) {
            Vectors.add(-factor * ofRows[i], sums, 0, y, i * outputs, outputs);
        }
    }
}
