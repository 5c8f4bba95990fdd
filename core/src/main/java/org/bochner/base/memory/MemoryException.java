package org.bochner.base.memory;

import java.util.Arrays;
import java.util.stream.Stream;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;

/** A failure to fit a structure into its {@link MemoryBudget}, found before anything was allocated. */
public final class MemoryException extends BochnerException {
    private static final long serialVersionUID = 1L;

    /** The largest heap that is advised, in MiB. */
    private static final double LARGEST_HEAP = 1 << 24;

    private final double needed;
    private final long allowed;

    MemoryException(String what, double needed, double enough, long allowed, String... remedies) {
        super(
                new MemoryBudget(allowed).compared(what, needed),
                Stream.concat(Arrays.stream(remedies).map(Remedy::advice), heap(enough / allowed))
                        .toArray(Remedy[]::new));
        this.needed = needed;
        this.allowed = allowed;
    }

    /**
     * Returns the remedy of a larger heap, with 5% to spare; empty if it would be larger than any machine has.
     *
     * @param factor the bytes that are enough, divided by those that may be used, which are a share of the heap
     */
    private static Stream<Remedy> heap(double factor) {
        double megabytes = Math.ceil(1.05 * factor * MemoryBudget.heap() / (1 << 20));
        return megabytes <= LARGEST_HEAP
                ? Stream.of(Remedy.set(Setting.HEAP, (long) megabytes, "gives the JVM enough memory"))
                : Stream.empty();
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
