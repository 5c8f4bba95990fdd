package org.bochner.data;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The number types of binary files. */
enum ElementType {
    UINT8(1),
    INT8(1),
    UINT16(2),
    INT16(2),
    UINT32(4),
    INT32(4),
    UINT64(8),
    INT64(8),
    FLOAT32(4),
    FLOAT64(8);

    private static final VarHandle[] SHORTS = views(short[].class);
    private static final VarHandle[] INTS = views(int[].class);
    private static final VarHandle[] LONGS = views(long[].class);

    final int size;

    ElementType(int size) {
        this.size = size;
    }

    private static VarHandle[] views(Class<?> array) {
        return new VarHandle[] {
            MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN),
            MethodHandles.byteArrayViewVarHandle(array, ByteOrder.BIG_ENDIAN)
        };
    }

    /** Decodes consecutive values. */
    void decode(byte[] bytes, int at, boolean bigEndian, double[] to) {
        switch (this) {
            case UINT8 -> {
                for (int i = 0; i < to.length; i++) {
                    to[i] = bytes[at + i] & 0xff;
                }
            }
            case INT8 -> {
                for (int i = 0; i < to.length; i++) {
                    to[i] = bytes[at + i];
                }
            }
            default -> {
                int order = bigEndian ? 1 : 0;
                for (int i = 0; i < to.length; i++) {
                    to[i] = wide(bytes, at + i * size, order);
                }
            }
        }
    }

    private double wide(byte[] bytes, int at, int order) {
        return switch (this) {
            case UINT16 -> ((short) SHORTS[order].get(bytes, at)) & 0xffff;
            case INT16 -> (short) SHORTS[order].get(bytes, at);
            case UINT32 -> ((int) INTS[order].get(bytes, at)) & 0xffffffffL;
            case INT32 -> (int) INTS[order].get(bytes, at);
            case UINT64 -> unsigned((long) LONGS[order].get(bytes, at));
            case INT64 -> (long) LONGS[order].get(bytes, at);
            case FLOAT32 -> Float.intBitsToFloat((int) INTS[order].get(bytes, at));
            default -> Double.longBitsToDouble((long) LONGS[order].get(bytes, at));
        };
    }

    private static double unsigned(long bits) {
        // Halving keeps the lowest bit, so that the doubled value rounds as the whole would.
        return bits >= 0 ? bits : 2.0 * ((bits >>> 1) | (bits & 1));
    }
}
