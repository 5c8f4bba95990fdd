package org.bochner.data.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/** The type of the elements of a binary file. */
public enum ElementType {
    UINT8("u1", 0x08, 1),
    INT8("i1", 0x09, 1),
    UINT16("u2", 0, 2),
    INT16("i2", 0x0b, 2),
    UINT32("u4", 0, 4),
    INT32("i4", 0x0c, 4),
    UINT64("u8", 0, 8),
    INT64("i8", 0, 8),
    FLOAT16("f2", 0, 2),
    FLOAT32("f4", 0x0d, 4),
    FLOAT64("f8", 0x0e, 8),
    /** Text of a fixed number of bytes; the size is that of one byte. */
    BYTES("S", 0, 1),
    /** Text of a fixed number of characters of 4 bytes; the size is that of one character. */
    CHARACTERS("U", 0, 4);

    private static final VarHandle[] SHORTS = views(short[].class);
    private static final VarHandle[] INTS = views(int[].class);
    private static final VarHandle[] LONGS = views(long[].class);

    /** The name of the type in NPY files, and its code in IDX files; 0 if they do not have it. */
    private final String npy;

    private final int idx;
    final int size;

    ElementType(String npy, int idx, int size) {
        this.npy = npy;
        this.idx = idx;
        this.size = size;
    }

    static Optional<ElementType> ofNpy(String name) {
        return Arrays.stream(values()).filter(type -> type.npy.equals(name)).findFirst();
    }

    static Optional<ElementType> ofIdx(int code) {
        return Arrays.stream(values())
                .filter(type -> code > 0 && type.idx == code)
                .findFirst();
    }

    private static VarHandle[] views(Class<?> array) {
        return new VarHandle[] {
            MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN),
            MethodHandles.byteArrayViewVarHandle(array, ByteOrder.BIG_ENDIAN)
        };
    }

    boolean text() {
        return this == BYTES || this == CHARACTERS;
    }

    /** Returns true for integers of 64 bits, which float64 rounds from 2^53 on. */
    boolean longs() {
        return this == INT64 || this == UINT64;
    }

    /** Returns the bits of an integer of 64 bits. */
    static long bits(byte[] bytes, int at, boolean bigEndian) {
        return (long) LONGS[bigEndian ? 1 : 0].get(bytes, at);
    }

    /** Decodes consecutive numbers. */
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

    /** Returns one character of text, as a code point. */
    static int character(byte[] bytes, int at, boolean bigEndian) {
        return (int) INTS[bigEndian ? 1 : 0].get(bytes, at);
    }

    private double wide(byte[] bytes, int at, int order) {
        return switch (this) {
            case UINT16 -> ((short) SHORTS[order].get(bytes, at)) & 0xffff;
            case INT16 -> (short) SHORTS[order].get(bytes, at);
            case UINT32 -> ((int) INTS[order].get(bytes, at)) & 0xffffffffL;
            case INT32 -> (int) INTS[order].get(bytes, at);
            case UINT64 -> unsigned((long) LONGS[order].get(bytes, at));
            case INT64 -> (long) LONGS[order].get(bytes, at);
            case FLOAT16 -> half((short) SHORTS[order].get(bytes, at));
            case FLOAT32 -> Float.intBitsToFloat((int) INTS[order].get(bytes, at));
            default -> Double.longBitsToDouble((long) LONGS[order].get(bytes, at));
        };
    }

    /**
     * Returns the value of a float16: 1 bit for the sign, 5 for the exponent, 10 for the fraction (IEEE 754 binary16).
     */
    private static double half(short bits) {
        int exponent = bits >> 10 & 0x1f;
        int fraction = bits & 0x3ff;
        double magnitude;
        if (exponent == 0x1f) {
            magnitude = fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
        } else {
            // Below the smallest normal exponent the leading 1 is missing.
            magnitude = exponent == 0 ? Math.scalb(fraction, -24) : Math.scalb(1024 + fraction, exponent - 25);
        }
        return bits < 0 ? -magnitude : magnitude;
    }

    private static double unsigned(long bits) {
        // Halving keeps the lowest bit, so that the doubled value rounds as the whole would.
        return bits >= 0 ? bits : 2.0 * ((bits >>> 1) | (bits & 1));
    }
}
