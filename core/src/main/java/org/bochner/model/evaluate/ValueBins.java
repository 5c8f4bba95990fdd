package org.bochner.model.evaluate;

import java.util.Arrays;

/**
 * Counts of values in bins without a given range: a bin is the sign, the exponent and the first 7 bits of a float32,
 * in the order of the values. A bin's width is at most 0.8% of its value. Memory: 2 KiB per page of 256 neighbouring
 * bins in use.
 */
public final class ValueBins {
    public static final int BINS = 1 << 16;
    private static final int PAGE = 256;

    private static final double[] UNUSED = new double[0];

    private final double[][] pages = new double[BINS / PAGE][];

    public ValueBins() {
        Arrays.fill(pages, UNUSED);
    }

    /** Returns the bin of a value; a larger value is never in a lower bin. */
    public static int bin(double value) {
        int bits = Float.floatToIntBits((float) value + 0f);
        // Negative floats sort backwards by their bits.
        return (bits < 0 ? ~bits : bits | 0x8000_0000) >>> 16;
    }

    /** Returns the middle of a bin. */
    public static double middle(int bin) {
        int bits = bin << 16 | 0x8000;
        return Float.intBitsToFloat(bits < 0 ? bits & 0x7fff_ffff : ~bits);
    }

    public void add(double value, double count) {
        int bin = bin(value);
        double[] page = pages[bin / PAGE];
        if (page.length == 0) {
            page = new double[PAGE];
            pages[bin / PAGE] = page;
        }
        page[bin % PAGE] += count;
    }

    public double count(int bin) {
        double[] page = pages[bin / PAGE];
        return page.length == 0 ? 0 : page[bin % PAGE];
    }
}
