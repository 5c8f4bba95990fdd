package org.bochner.stats;

/** The layout of the upper triangle of a symmetric n×n matrix in an array of half the size, row after row. */
final class Triangle {
    private Triangle() {}

    /** Returns the number of entries; n is at most 46340. */
    static int length(int n) {
        return (int) ((long) n * (n + 1) / 2);
    }

    /** Returns the index of the diagonal entry of row i; the rest of the row follows. */
    static int start(int i, int n) {
        return (int) ((long) i * n - (long) i * (i - 1) / 2);
    }
}
