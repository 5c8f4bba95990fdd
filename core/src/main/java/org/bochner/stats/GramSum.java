package org.bochner.stats;

/**
 * The products ZᵀZ of the rows of a block, and the shift that was subtracted from them, in the precision of the features.
 * Only the arrays of that precision are used.
 *
 * <p>Memory: D² numbers. Threads: not safe.
 */
final class GramSum {
    float[] products32 = {};
    double[] products64 = {};
    float[] shift32 = {};
    double[] shift64 = {};

    /** Adds a part of row i, the columns from i on, to a D×D matrix: total += products + a·u + b·v. */
    void addRow(int i, int features, double[] total, double a, double[] u, double b, double[] v) {
        if (products64.length > 0) {
            addRow(products64, i, features, total, a, u, b, v);
        } else {
            addRow(products32, i, features, total, a, u, b, v);
        }
    }

    // Static, on plain indices, because such loops become vector code.
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
