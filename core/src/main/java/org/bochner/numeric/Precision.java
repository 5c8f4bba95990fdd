package org.bochner.numeric;

/** The arithmetic in which features are computed and multiplied. Totals are float64 in both. */
public enum Precision {
    /** The default: twice as fast, half the memory. */
    FLOAT32,
    /** For penalties that are too small for Gram matrices in float32. */
    FLOAT64;

    /** Returns the number of bytes per number. */
    public int bytes() {
        return this == FLOAT32 ? Float.BYTES : Double.BYTES;
    }

    /** Returns the relative rounding error: 2⁻²⁴ or 2⁻⁵³ (half a unit in the last place). */
    public double roundoff() {
        return this == FLOAT32 ? 0x1p-24 : 0x1p-53;
    }
}
