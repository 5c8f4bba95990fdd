package org.bochner.data.cell;

import java.util.Arrays;

/**
 * A cache from byte strings (tokens) to numbers that creates no Strings: a hash table with open addressing over one
 * array of bytes. It stops growing at a fixed number of tokens and bytes.
 */
public final class TokenTable {
    /** The result of {@link #find} for a token that is not in the table. */
    public static final int ABSENT = Integer.MIN_VALUE;

    private static final int MOST_TOKENS = 4 * Dictionary.LARGEST;
    private static final int MOST_BYTES = 1 << 26;

    private byte[] text = new byte[256];
    private int[] ends = new int[16];
    private int[] values = new int[16];
    private int[] hashes = new int[16];
    private int[] slots = new int[32];
    private int size;

    /** Returns the number of a token; {@link #ABSENT} if it is not in the table. */
    public int find(byte[] bytes, int from, int to) {
        int token = slots[slot(bytes, from, to, hash(bytes, from, to))] - 1;
        return token < 0 ? ABSENT : values[token];
    }

    /** Adds a token that is not in the table, with its number, unless the table is full. */
    public void add(byte[] bytes, int from, int to, int value) {
        int length = to - from;
        int start = size == 0 ? 0 : ends[size - 1];
        if (size == MOST_TOKENS || length > MOST_BYTES - start) {
            return;
        }
        if (start + length > text.length) {
            text = Arrays.copyOf(text, Math.max(start + length, 2 * text.length));
        }
        System.arraycopy(bytes, from, text, start, length);
        if (size == ends.length) {
            ends = Arrays.copyOf(ends, 2 * size);
            values = Arrays.copyOf(values, 2 * size);
            hashes = Arrays.copyOf(hashes, 2 * size);
        }
        int hash = hash(bytes, from, to);
        ends[size] = start + length;
        values[size] = value;
        hashes[size] = hash;
        int slot = slot(bytes, from, to, hash);
        size++;
        slots[slot] = size;
        if (2 * size > slots.length) {
            rehash();
        }
    }

    private int slot(byte[] bytes, int from, int to, int hash) {
        int mask = slots.length - 1;
        int slot = hash & mask;
        while (slots[slot] != 0) {
            int token = slots[slot] - 1;
            int start = token == 0 ? 0 : ends[token - 1];
            if (hashes[token] == hash && Arrays.equals(text, start, ends[token], bytes, from, to)) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void rehash() {
        slots = new int[2 * slots.length];
        int mask = slots.length - 1;
        for (int token = 0; token < size; token++) {
            int slot = hashes[token] & mask;
            while (slots[slot] != 0) {
                slot = (slot + 1) & mask;
            }
            slots[slot] = token + 1;
        }
    }

    private static int hash(byte[] bytes, int from, int to) {
        int hash = 0x811c9dc5;
        for (int i = from; i < to; i++) {
            hash = (hash ^ bytes[i]) * 0x01000193;
        }
        // FNV leaves the low bits of short tokens similar.
        return hash ^ (hash >>> 15);
    }
}
