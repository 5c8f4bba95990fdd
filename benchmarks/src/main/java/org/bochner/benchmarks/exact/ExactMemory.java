package org.bochner.benchmarks.exact;

import java.util.Locale;
import org.bochner.base.BochnerException;

/** Whether matrices of all pairs of rows fit into this process, asked before they are made. */
final class ExactMemory {
    /** The share of the process's memory that may be asked for. */
    private static final double SHARE = 0.95;

    private ExactMemory() {}

    /** The bytes of so many matrices of n² numbers, and something for the rows; the largest long where there are more. */
    static long bytes(int rows, double matrices) {
        return (long) (8.0 * rows * rows * matrices + 4096.0 * rows);
    }

    /** Fails where something needs more than the process may use, or more than an array holds. */
    static void require(String what, int rows, long needed) {
        long allowed = Runtime.getRuntime().maxMemory();
        boolean fits = needed <= SHARE * allowed;
        if (fits && (long) rows * rows <= Integer.MAX_VALUE - 8) {
            return;
        }
        String limit = fits ? "a matrix has at most 46340 rows" : "this process may use " + gigabytes(allowed);
        throw new BochnerException(
                what + " of " + rows + " rows needs " + gigabytes(needed) + " of memory, since every pair of"
                        + " rows has its numbers, and " + limit
                        + "; take fewer rows, give the JVM more memory (-Xmx), or learn with an explicit map, which needs no pairs");
    }

    private static String gigabytes(long bytes) {
        return String.format(Locale.ROOT, "%.2f GB", bytes * 1e-9);
    }
}
