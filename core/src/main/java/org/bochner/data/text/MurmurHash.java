package org.bochner.data.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * MurmurHash3, the 32-bit variant with seed 0. It must not change, because saved models depend on it.
 *
 * <p>Reference: Austin Appleby, MurmurHash3, 2011, x86_32.
 */
final class MurmurHash {
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int C1 = 0xcc9e2d51;
    private static final int C2 = 0x1b873593;

    private MurmurHash() {}

    /** Returns the hash of some bytes. */
    static int of(byte[] bytes, int from, int to) {
        int hash = 0;
        int i = from;
        for (; i + 4 <= to; i += 4) {
            hash = 5 * Integer.rotateLeft(hash ^ mixed((int) INTS.get(bytes, i)), 13) + 0xe6546b64;
        }
        int tail = 0;
        for (int k = to - 1; k >= i; k--) {
            tail = tail << 8 | (bytes[k] & 0xff);
        }
        hash ^= mixed(tail) ^ (to - from);
        hash = (hash ^ hash >>> 16) * 0x85ebca6b;
        hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
        return hash ^ hash >>> 16;
    }

    private static int mixed(int block) {
        return C2 * Integer.rotateLeft(C1 * block, 15);
    }
}
