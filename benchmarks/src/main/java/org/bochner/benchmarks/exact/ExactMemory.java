package org.bochner.benchmarks.exact;

import org.bochner.base.BochnerException;
import org.bochner.base.memory.MemoryBudget;

/** Whether matrices of all pairs of rows fit into this process, asked before they are made. */
final class ExactMemory {
    /** The largest n with n² numbers in one array. */
    private static final int LARGEST_MATRIX = 46340;

    private ExactMemory() {}

    /** Returns the bytes of n×n matrices plus working memory per row, or the largest long if the sum overflows. */
    static long bytes(int rows, double matrices) {
        return (long) (8.0 * rows * rows * matrices + 4096.0 * rows);
    }

    /** Fails where something needs more than the process may use, or more than an array holds. */
    static void require(String what, int rows, long needed) {
        MemoryBudget.whole()
                .require(
                        needed,
                        what + " of " + rows + " rows, which computes every pair of rows,",
                        "take fewer rows",
                        "learn with an explicit map, which needs no pairs");
        if (rows > LARGEST_MATRIX) {
            throw new BochnerException(what + " of " + rows + " rows: a matrix has at most " + LARGEST_MATRIX
                    + " rows; take fewer rows, or learn with an explicit map, which needs no pairs");
        }
    }
}
