package org.bochner.stats;

/**
 * The products ZᵀZ of a block's rows and the shift subtracted from the rows, in the precision of the features. Only
 * the arrays of that precision are used.
 *
 * <p>Memory: D² numbers. Threads: not safe.
 */
final class GramSum {
    float[] products32 = {};
    double[] products64 = {};
    float[] shift32 = {};
    double[] shift64 = {};

    /** Adds to row i of a D×D matrix, from column i on: total += products + a·u + b·v. */
    void addRow(int i, int features, double[] total, double a, double[] u, double b, double[] v) {
        if (products64.length > 0) {
            addRow(products64, i, features, total, a, u, b, v);
        } else {
            addRow(products32, i, features, total, a, u, b, v);
        }
    }

    // Static methods on plain indices, which the compiler turns into vector code.
    private static void addRow(
            float[] products, int i, int features, double[] total, double a, double[] u, double b, double[] v) {
        int start = i * features;
        for (int j = i; j < features; j++) {
            total[start + j] += products[start + j] + a * u[j] + b * v[j];
        }
    }

    private static void addRow(
            double[] products, int i, int features, double[] total, double a, double[] u, double b, double[] v) {
        int start = i * features;
        for (int j = i; j < features; j++) {
            total[start + j] += products[start + j] + a * u[j] + b * v[j];
        }
    }
}
