package org.bochner.scale;

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
}
