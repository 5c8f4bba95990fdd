package org.bochner.base.binary;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Arrays of numbers as bytes: the length, then the numbers, big-endian as in {@link DataOutput}. */
public final class Numbers {
    /** Bytes that are converted together. */
    private static final int CHUNK = 1 << 16;

    private Numbers() {}

    /** Writes an array. */
    public static void write(double[] values, DataOutput to) throws IOException {
        write(values, 0, values.length, to);
    }

    /** Writes the numbers from (inclusive) to (exclusive) of an array. */
    public static void write(double[] values, int from, int end, DataOutput to) throws IOException {
        to.writeInt(end - from);
        ByteBuffer chunk = ByteBuffer.allocate(Math.min(CHUNK, Double.BYTES * (end - from)));
        for (int at = from; at < end; at += CHUNK / Double.BYTES) {
            int count = Math.min(CHUNK / Double.BYTES, end - at);
            chunk.asDoubleBuffer().put(values, at, count);
            to.write(chunk.array(), 0, Double.BYTES * count);
        }
    }

    public static void write(float[] values, DataOutput to) throws IOException {
        write(values, 0, values.length, to);
    }

    /** Writes the numbers from (inclusive) to (exclusive) of an array. */
    public static void write(float[] values, int from, int end, DataOutput to) throws IOException {
        to.writeInt(end - from);
        ByteBuffer chunk = ByteBuffer.allocate(Math.min(CHUNK, Float.BYTES * (end - from)));
        for (int at = from; at < end; at += CHUNK / Float.BYTES) {
            int count = Math.min(CHUNK / Float.BYTES, end - at);
            chunk.asFloatBuffer().put(values, at, count);
            to.write(chunk.array(), 0, Float.BYTES * count);
        }
    }

    public static void write(int[] values, DataOutput to) throws IOException {
        write(values, 0, values.length, to);
    }

    /** Writes the numbers from (inclusive) to (exclusive) of an array. */
    public static void write(int[] values, int from, int end, DataOutput to) throws IOException {
        to.writeInt(end - from);
        ByteBuffer chunk = ByteBuffer.allocate(Math.min(CHUNK, Integer.BYTES * (end - from)));
        for (int at = from; at < end; at += CHUNK / Integer.BYTES) {
            int count = Math.min(CHUNK / Integer.BYTES, end - at);
            chunk.asIntBuffer().put(values, at, count);
            to.write(chunk.array(), 0, Integer.BYTES * count);
        }
    }

    public static void write(long[] values, DataOutput to) throws IOException {
        to.writeInt(values.length);
        for (long value : values) {
            to.writeLong(value);
        }
    }

    /** Reads an array. */
    public static double[] readDoubles(DataInput from) throws IOException {
        double[] values = new double[from.readInt()];
        byte[] chunk = new byte[Math.min(CHUNK, Double.BYTES * values.length)];
        for (int at = 0; at < values.length; at += CHUNK / Double.BYTES) {
            int count = Math.min(CHUNK / Double.BYTES, values.length - at);
            from.readFully(chunk, 0, Double.BYTES * count);
            ByteBuffer.wrap(chunk).asDoubleBuffer().get(values, at, count);
        }
        return values;
    }

    public static float[] readFloats(DataInput from) throws IOException {
        float[] values = new float[from.readInt()];
        byte[] chunk = new byte[Math.min(CHUNK, Float.BYTES * values.length)];
        for (int at = 0; at < values.length; at += CHUNK / Float.BYTES) {
            int count = Math.min(CHUNK / Float.BYTES, values.length - at);
            from.readFully(chunk, 0, Float.BYTES * count);
            ByteBuffer.wrap(chunk).asFloatBuffer().get(values, at, count);
        }
        return values;
    }

    public static int[] readInts(DataInput from) throws IOException {
        int[] values = new int[from.readInt()];
        byte[] chunk = new byte[Math.min(CHUNK, Integer.BYTES * values.length)];
        for (int at = 0; at < values.length; at += CHUNK / Integer.BYTES) {
            int count = Math.min(CHUNK / Integer.BYTES, values.length - at);
            from.readFully(chunk, 0, Integer.BYTES * count);
            ByteBuffer.wrap(chunk).asIntBuffer().get(values, at, count);
        }
        return values;
    }

    public static long[] readLongs(DataInput from) throws IOException {
        long[] values = new long[from.readInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = from.readLong();
        }
        return values;
    }
}
