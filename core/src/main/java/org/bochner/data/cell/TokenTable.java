package org.bochner.data.cell;

import java.util.Arrays;

/**
 * A hash table that gives distinct byte strings indices from 0 in their order of arrival, without creating Strings. It
 * has open addressing over one growing array of bytes.
 */
public final class TokenTable {
    private byte[] text = new byte[256];
    private int[] ends = new int[16];
    private int[] hashes = new int[16];
    private int[] slots = new int[32];
    private int size;

    public int size() {
        return size;
    }

    /** Returns the index of a token; -1 if it is not in the table. */
    public int find(byte[] bytes, int from, int to) {
        return slots[slot(bytes, from, to, hash(bytes, from, to))] - 1;
    }

    /** Adds a token that is not in the table and returns its index. */
    public int add(byte[] bytes, int from, int to) {
        int length = to - from;
        int start = size == 0 ? 0 : ends[size - 1];
        if (start + length > text.length) {
            text = Arrays.copyOf(text, Math.max(start + length, 2 * text.length));
        }
        System.arraycopy(bytes, from, text, start, length);
        if (size == ends.length) {
            ends = Arrays.copyOf(ends, 2 * size);
            hashes = Arrays.copyOf(hashes, 2 * size);
        }
        int hash = hash(bytes, from, to);
        ends[size] = start + length;
        hashes[size] = hash;
        int slot = slot(bytes, from, to, hash);
        size++;
        slots[slot] = size;
        if (2 * size > slots.length) {
            rehash();
        }
        return size - 1;
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
