package org.bochner.base.memory;

import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.IntToDoubleFunction;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;

/**
 * The number of bytes that one structure may take. All checks of memory in the library use one of three shares of the
 * Java heap:
 *
 * <ul>
 *   <li>{@link #whole}: everything that a step of the work allocates together, 95% of the heap;
 *   <li>{@link #kept}: data that stay in memory beside the rest of the work, 50%;
 *   <li>{@link #spare}: buffers that only save time, 25%.
 * </ul>
 *
 * @param bytes the largest number of bytes allowed
 */
public record MemoryBudget(long bytes) {
    private static final double WHOLE = 0.95;
    private static final double KEPT = 0.5;
    private static final double SPARE = 0.25;

    /** The length of the longest array of the JVM. */
    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

    /** Returns the budget of everything that a step of the work allocates together. */
    public static MemoryBudget whole() {
        return ofHeap(WHOLE);
    }

    /** Returns the budget of data that stay in memory beside the rest of the work. */
    public static MemoryBudget kept() {
        return ofHeap(KEPT);
    }

    /**
     * Returns the budget of data that stay in memory beside the rest of the work.
     *
     * @param asked the bytes that the user allows; empty means half the heap less {@code taken}
     * @param taken bytes that the rest of the work takes
     */
    public static MemoryBudget kept(OptionalLong asked, long taken) {
        return new MemoryBudget(asked.orElseGet(() -> Math.max(0, kept().bytes - taken)));
    }

    /** Returns the budget of buffers that only save time. */
    public static MemoryBudget spare() {
        return ofHeap(SPARE);
    }

    private static MemoryBudget ofHeap(double share) {
        return new MemoryBudget((long) (share * heap()));
    }

    /** Returns the largest number of bytes of the Java heap. */
    static long heap() {
        return Runtime.getRuntime().maxMemory();
    }

    /** Returns the sentence that a structure exceeds the budget, such as "1000 features would take ...". */
    public String compared(String what, double needed) {
        return what + " would take " + print(needed) + " of memory, and at most " + print(bytes) + " may be used";
    }

    /** Returns true if {@code needed} bytes are within the budget. */
    public boolean holds(double needed) {
        return needed <= bytes;
    }

    /**
     * Checks that a structure is within the budget.
     *
     * @param what the structure, as the subject of a sentence, such as "1000 features"
     * @param remedies what would fit, as imperatives such as "use fewer features"
     * @throws MemoryException if it is not
     */
    public void require(double needed, String what, String... remedies) {
        require(needed, needed, what, remedies);
    }

    /**
     * Checks that a structure is within the budget.
     *
     * @param enough the bytes that the rest of the work needs too, for which the advised heap is large enough
     */
    public void require(double needed, double enough, String what, String... remedies) {
        if (!holds(needed)) {
            throw new MemoryException(what, needed, enough, bytes, remedies);
        }
    }

    /**
     * Checks that one array can hold a number of values. A larger heap would not help, so it is not advised.
     *
     * @param what the values, as the plural subject of a sentence
     * @throws BochnerException if it cannot
     */
    public static void requireArray(long values, String what, String... remedies) {
        if (values > LARGEST_ARRAY) {
            throw new BochnerException(
                    what + " exceed the largest array, which holds 2^31 numbers",
                    Arrays.stream(remedies).map(Remedy::advice).toArray(Remedy[]::new));
        }
    }

    /** Checks that a structure of a known number of bytes is within the budget. */
    public void require(long needed, String what, String... remedies) {
        require((double) needed, what, remedies);
    }

    /**
     * Returns the largest number of parts within the budget.
     *
     * @param limit a number of parts, which is not returned
     * @param bytesOf the bytes that a number of parts takes; must not fall as the number grows
     * @return a number of at least 0 and below {@code limit}
     */
    public int mostBelow(int limit, IntToDoubleFunction bytesOf) {
        int low = 0;
        int high = limit;
        while (low + 1 < high) {
            int middle = (low + high) >>> 1;
            if (holds(bytesOf.applyAsDouble(middle))) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns a number of bytes in words, such as "1.50 GB". */
    public static String print(long bytes) {
        return print((double) bytes);
    }

    /** Returns a number of bytes in words, such as "1.50 GB". */
    public static String print(double bytes) {
        return String.format(Locale.ROOT, bytes < 1e12 ? "%.2f GB" : "%,.0f GB", bytes * 1e-9);
    }
}
