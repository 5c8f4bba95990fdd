package org.bochner.kernel.tree;

import java.util.Arrays;

/**
 * Products of tensors, one index per column and a last one over vectors, with one vector or matrix per column. It has
 * the working memory of one thread.
 */
final class Tensors {
    private double[] first = new double[64];
    private double[] second = new double[64];

    /** Adds the outer product of one vector per column, and of the last vector, to a tensor. */
    void spread(double[] tensor, int at, int[] sizes, double[][] vectors, double[] last, int lastAt, int count) {
        int columns = sizes.length;
        int inner = sizes[columns - 1] * count;
        second = grown(second, inner);
        double[] row = second;
        double[] vector = vectors[columns - 1];
        for (int m = 0; m < sizes[columns - 1]; m++) {
            for (int o = 0; o < count; o++) {
                row[m * count + o] = vector[m] * last[lastAt + o];
            }
        }
        int outer = outer(sizes, vectors, columns - 1);
        for (int a = 0; a < outer; a++) {
            double factor = first[a];
            int to = at + a * inner;
            for (int m = 0; m < inner; m++) {
                tensor[to + m] += factor * row[m];
            }
        }
    }

    /** Writes the outer product of the first vectors and returns its size. */
    private int outer(int[] sizes, double[][] vectors, int columns) {
        int size = 1;
        for (int l = 0; l < columns; l++) {
            size *= sizes[l];
        }
        first = grown(first, size);
        first[0] = 1;
        int made = 1;
        for (int l = 0; l < columns; l++) {
            // From the end, so that no value is overwritten before it is used.
            for (int a = made - 1; a >= 0; a--) {
                double value = first[a];
                for (int m = sizes[l] - 1; m >= 0; m--) {
                    first[a * sizes[l] + m] = value * vectors[l][m];
                }
            }
            made *= sizes[l];
        }
        return made;
    }

    /** Adds the sums of a tensor over all columns, weighted by one vector per column. */
    void contract(double[] tensor, int at, int[] sizes, double[][] vectors, double[] out, int outAt, int count) {
        int columns = sizes.length;
        int outer = outer(sizes, vectors, columns - 1);
        int p = sizes[columns - 1];
        double[] vector = vectors[columns - 1];
        if (count == 1) {
            double total = 0;
            for (int a = 0; a < outer; a++) {
                double sum = 0;
                int from = at + a * p;
                for (int m = 0; m < p; m++) {
                    sum += tensor[from + m] * vector[m];
                }
                total += first[a] * sum;
            }
            out[outAt] += total;
            return;
        }
        for (int a = 0; a < outer; a++) {
            for (int m = 0; m < p; m++) {
                double factor = first[a] * vector[m];
                int from = at + (a * p + m) * count;
                for (int o = 0; o < count; o++) {
                    out[outAt + o] += factor * tensor[from + o];
                }
            }
        }
    }

    /**
     * Adds a tensor, multiplied along each column by a matrix, to another.
     *
     * @param matrices one row-major matrix per column, with a row per index of the other tensor
     */
    void multiply(
            double[] tensor,
            int at,
            int[] sizes,
            double[][] matrices,
            double[] out,
            int outAt,
            int[] outSizes,
            int count) {
        int columns = sizes.length;
        int post = count;
        for (int size : sizes) {
            post *= size;
        }
        double[] from = tensor;
        int fromAt = at;
        int pre = 1;
        for (int l = 0; l < columns; l++) {
            post /= sizes[l];
            boolean end = l == columns - 1;
            int length = pre * outSizes[l] * post;
            double[] to = end ? out : scratch(l, length);
            int toAt = end ? outAt : 0;
            if (!end) {
                Arrays.fill(to, 0, length, 0);
            }
            along(from, fromAt, matrices[l], pre, sizes[l], outSizes[l], post, to, toAt);
            from = to;
            fromAt = toAt;
            pre *= outSizes[l];
        }
    }

    /** Returns the working memory of a step, which differs from that of the step before. */
    private double[] scratch(int step, int length) {
        if (step % 2 == 0) {
            first = grown(first, length);
            return first;
        }
        second = grown(second, length);
        return second;
    }

    private static void along(
            double[] from, int at, double[] matrix, int pre, int size, int outSize, int post, double[] to, int toAt) {
        for (int i = 0; i < pre; i++) {
            int source = at + i * size * post;
            int target = toAt + i * outSize * post;
            for (int a = 0; a < outSize; a++) {
                if (post == 1) {
                    double sum = 0;
                    for (int b = 0; b < size; b++) {
                        sum += matrix[a * size + b] * from[source + b];
                    }
                    to[target + a] += sum;
                    continue;
                }
                for (int b = 0; b < size; b++) {
                    double factor = matrix[a * size + b];
                    int read = source + b * post;
                    int write = target + a * post;
                    for (int k = 0; k < post; k++) {
                        to[write + k] += factor * from[read + k];
                    }
                }
            }
        }
    }

    static double[] grown(double[] values, int needed) {
        return needed <= values.length ? values : new double[Math.max(needed, 2 * values.length)];
    }
}
