package org.bochner.map.layout;

import org.bochner.base.BochnerException;
import org.bochner.base.memory.MemoryBudget;

/** Checks the sizes of arrays and the memory of a map before anything is allocated. */
public final class MapMemory {
    /** The longest array every JVM can make. */
    private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    private MapMemory() {}

    /** Returns columns · frequencies as the length of an array; fails where it is too long for an array. */
    public static int size(String owner, int columns, int frequencies) {
        long size = (long) columns * frequencies;
        if (size > LONGEST_ARRAY) {
            throw new BochnerException(owner + ": " + frequencies + " frequencies of " + columns + " columns need "
                    + MemoryBudget.print(8.0 * size) + ", more than the 2^31 numbers an array can hold; at most "
                    + LONGEST_ARRAY / columns + " fit: take fewer features, or structured");
        }
        return (int) size;
    }

    /** Returns a number of values as the length of an array; fails where it is too long for an array. */
    public static int length(String owner, String what, long count) {
        if (count > LONGEST_ARRAY) {
            throw new BochnerException(owner + ": " + what + " are " + count
                    + " numbers, more than the 2^31 an array can hold; take a map with fewer features per column");
        }
        return (int) count;
    }

    /** Fails if the Java heap cannot hold the bytes. */
    public static void check(String owner, String what, double bytes) {
        MemoryBudget.whole().require(bytes, owner + ": " + what, "take fewer features");
    }

    /** Fails if the Java heap cannot hold the frequencies; the message says how many fit. */
    public static void checkFrequencies(String owner, int columns, int frequencies, double bytes) {
        MemoryBudget budget = MemoryBudget.whole();
        budget.require(
                bytes,
                owner + ": " + frequencies + " frequencies of " + columns + " columns",
                "take at most " + (long) (frequencies * (budget.bytes() / bytes)) + " frequencies");
    }
}
