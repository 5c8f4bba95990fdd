package org.bochner.map.binning;

import java.util.Arrays;
import org.bochner.base.memory.MemoryBudget;

/**
 * Counts the rows of each cell of a grid, up to {@link #MOST}: an open hash table.
 *
 * <p>Memory: 13 to 30 bytes per cell. Threads: not safe.
 */
final class CellCounter {
    /** The largest count that is told from larger ones. */
    static final int MOST = Byte.MAX_VALUE;

    /** Hashes are never 0. */
    private static final long EMPTY = 0;

    private static final int SLOT_BYTES = Long.BYTES + Byte.BYTES;

    private long[] keys = new long[64];
    private byte[] counts = new byte[64];
    private int size;

    void add(long[] hashes, int count) {
        for (int i = 0; i < count; i++) {
            add(hashes[i]);
        }
    }

    private void add(long hash) {
        int mask = keys.length - 1;
        int slot = (int) hash & mask;
        while (keys[slot] != hash) {
            if (keys[slot] == EMPTY) {
                keys[slot] = hash;
                counts[slot] = 1;
                if (++size > keys.length - keys.length / 3) {
                    grow();
                }
                return;
            }
            slot = (slot + 1) & mask;
        }
        if (counts[slot] < MOST) {
            counts[slot]++;
        }
    }

    private void grow() {
        long[] oldKeys = keys;
        byte[] oldCounts = counts;
        MemoryBudget.requireArray(2L * oldKeys.length, "the cells of a grid", "choose larger length-scales");
        keys = new long[2 * oldKeys.length];
        counts = new byte[keys.length];
        int mask = keys.length - 1;
        for (int old = 0; old < oldKeys.length; old++) {
            if (oldKeys[old] != EMPTY) {
                int slot = (int) oldKeys[old] & mask;
                while (keys[slot] != EMPTY) {
                    slot = (slot + 1) & mask;
                }
                keys[slot] = oldKeys[old];
                counts[slot] = oldCounts[old];
            }
        }
    }

    /** Returns the bytes of the table. */
    long bytes() {
        return (long) SLOT_BYTES * keys.length;
    }

    /** Returns the hashes of the cells with at least some rows, sorted as unsigned numbers, in a new array. */
    long[] cells(int least) {
        long[] kept = new long[size];
        int count = 0;
        for (int slot = 0; slot < keys.length; slot++) {
            if (keys[slot] != EMPTY && counts[slot] >= least) {
                kept[count++] = keys[slot] + Long.MIN_VALUE;
            }
        }
        long[] sorted = Arrays.copyOf(kept, count);
        Arrays.sort(sorted);
        for (int j = 0; j < count; j++) {
            sorted[j] += Long.MIN_VALUE;
        }
        return sorted;
    }
}
