package org.bochner.stats;

/** How the upper triangle of a symmetric n×n matrix lies in an array of half its size: row after row. */
final class Triangle {
    private Triangle() {}

    /** How many numbers it has; n is at most 46340. */
    static int length(int n) {
        return (int) ((long) n * (n + 1) / 2);
    }

    /** Where the diagonal entry of row i is; the rest of the row follows. */
    static int start(int i, int n) {
        return (int) ((long) i * n - (long) i * (i - 1) / 2);
    }
}
