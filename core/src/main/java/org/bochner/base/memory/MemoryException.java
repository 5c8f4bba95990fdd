package org.bochner.base.memory;

import java.util.Arrays;
import java.util.stream.Stream;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;

/** A failure to fit a structure into its {@link MemoryBudget}, found before anything was allocated. */
public final class MemoryException extends BochnerException {
    private static final long serialVersionUID = 1L;

    private final double needed;
    private final long allowed;

    MemoryException(String what, double needed, long allowed, String... remedies) {
        super(
                what + " would take " + MemoryBudget.print(needed) + " of memory, and at most "
                        + MemoryBudget.print(allowed) + " may be used",
                Stream.concat(
                                Arrays.stream(remedies).map(Remedy::advice),
                                Stream.of(Remedy.set(Setting.HEAP, "", "gives the JVM more memory")))
                        .toArray(Remedy[]::new));
        this.needed = needed;
        this.allowed = allowed;
    }

    /** Returns the number of bytes that the structure would take. */
    public double needed() {
        return needed;
    }

    /** Returns the number of bytes that it may take. */
    public long allowed() {
        return allowed;
    }
}
