package org.bochner.kernel.gram;

import org.bochner.base.BochnerException;
import org.bochner.base.memory.MemoryBudget;

/** Checks the size of rows that are held with all their values, before they are allocated. */
public final class DenseSize {
    /** The longest array that every JVM can make. */
    private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    private static final String SMOOTH = "use a kernel that takes sparse rows as they are, such as gaussian";

    private DenseSize() {}

    /**
     * Returns the number of values of dense rows.
     *
     * @param bytes the bytes per value
     * @throws org.bochner.base.memory.MemoryException if the rows exceed the memory
     * @throws BochnerException if the values exceed an array
     */
    public static int of(int rows, int columns, int bytes) {
        double values = (double) rows * columns;
        String what = "kernel values of " + rows + " rows with all their " + columns + " columns";
        MemoryBudget.whole().require(bytes * values, what, SMOOTH, "use fewer rows or landmarks");
        if (values > LONGEST_ARRAY) {
            throw new BochnerException(what + " need more than the 2^31 numbers that an array can hold; " + SMOOTH);
        }
        return (int) values;
    }
}
