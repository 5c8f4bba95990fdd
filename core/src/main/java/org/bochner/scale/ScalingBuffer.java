package org.bochner.scale;

import java.util.Arrays;

/**
 * Where a thread keeps the scaled values of the block in hand; it grows to the largest block and is reused from block to
 * block.
 *
 * <p>Threads: not safe; each has its own.
 */
public final class ScalingBuffer {
    private float[] values = new float[0];

    /** An array of at least the given length; what it holds is left over from before. */
    float[] atLeast(int length) {
        if (values.length < length) {
            values = new float[length];
        }
        return values;
    }

    /** The same, filled with a copy of the first values of an array. */
    float[] copyOf(float[] from, int length) {
        if (values.length < length) {
            values = Arrays.copyOf(from, length);
        } else {
            System.arraycopy(from, 0, values, 0, length);
        }
        return values;
    }
}
