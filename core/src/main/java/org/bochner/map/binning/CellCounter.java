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

    private final int least;
    /** The number of cells with at least {@code least} rows. */
    private int kept;

    /** Creates a counter that keeps the cells with at least some rows. */
    CellCounter(int least) {
        this.least = least;
    }

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
                kept += least == 1 ? 1 : 0;
                if (++size > most(keys.length)) {
                    grow();
                }
                return;
            }
            slot = (slot + 1) & mask;
        }
        if (counts[slot] < MOST) {
            counts[slot]++;
            kept += counts[slot] == least ? 1 : 0;
        }
    }

    /** Returns the most cells of a table of some length. */
    private static long most(long length) {
        return length - length / 3;
    }

    /** Returns the number of hashes that the table does not have yet. A hash that occurs twice counts twice. */
    int unknown(long[] hashes, int count) {
        int mask = keys.length - 1;
        int unknown = 0;
        for (int i = 0; i < count; i++) {
            int slot = (int) hashes[i] & mask;
            while (keys[slot] != hashes[i] && keys[slot] != EMPTY) {
                slot = (slot + 1) & mask;
            }
            unknown += keys[slot] == EMPTY ? 1 : 0;
        }
        return unknown;
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

    /** Returns the bytes of the table after a number of new cells. */
    long bytes(int added) {
        long length = keys.length;
        while ((long) size + added > most(length)) {
            length *= 2;
        }
        return SLOT_BYTES * length;
    }

    /** Returns the number of cells with enough rows. */
    int kept() {
        return kept;
    }

    /** Returns the hashes of the cells with enough rows, sorted as unsigned numbers, in a new array. */
    long[] cells() {
        long[] sorted = new long[kept];
        int count = 0;
        for (int slot = 0; slot < keys.length; slot++) {
            if (keys[slot] != EMPTY && counts[slot] >= least) {
                sorted[count++] = keys[slot] + Long.MIN_VALUE;
            }
        }
        Arrays.sort(sorted);
        for (int j = 0; j < count; j++) {
            sorted[j] += Long.MIN_VALUE;
        }
        return sorted;
    }
}
