package org.bochner.scale;

import java.util.Arrays;

/**
 * Memory for the scaled values of one block. It grows to the largest block and is reused from block to block.
 *
 * <p>Threads: not safe; each thread has its own.
 */
final class ScalingBuffer {
    private float[] values = new float[0];

    /** Returns an array of at least the given length, with arbitrary contents. */
    float[] atLeast(int length) {
        if (values.length < length) {
            values = new float[length];
        }
        return values;
    }

    /** Returns an array of at least the given length that begins with the first values of another array. */
    float[] copyOf(float[] from, int length) {
        if (values.length < length) {
            values = Arrays.copyOf(from, length);
        } else {
            System.arraycopy(from, 0, values, 0, length);
        }
        return values;
    }
}
