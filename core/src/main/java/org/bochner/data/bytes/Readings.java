package org.bochner.data.bytes;

import java.util.concurrent.atomic.AtomicReference;
import org.bochner.base.DataException;
import org.jspecify.annotations.Nullable;

/**
 * Compares every complete pass over a file with the first one, by length and CRC-32C. A file that is edited between two
 * passes is noticed even if it keeps its length. Processors compute CRC-32C at several gigabytes per second, which is
 * little beside parsing. Threads: safe.
 */
public final class Readings {
    private record Reading(long bytes, long checksum) {}

    private final AtomicReference<@Nullable Reading> first = new AtomicReference<>();

    /** Records the first complete pass; fails if a later one differs from it. */
    void complete(String name, long bytes, long checksum) {
        Reading reading = new Reading(bytes, checksum);
        if (!first.compareAndSet(null, reading) && !reading.equals(first.get())) {
            throw DataException.in(
                    name, "changed while it was read: two readings gave different bytes; run again on a file at rest");
        }
    }
}
