package org.bochner.numeric;

/** In which arithmetic features are made and multiplied. Totals are float64 in both. */
public enum Precision {
    /** Twice as fast, half the memory; the default. */
    FLOAT32,
    /** For penalties so small that float32 Gram matrices are too coarse. */
    FLOAT64;

    /** Bytes of one number. */
    public int bytes() {
        return this == FLOAT32 ? Float.BYTES : Double.BYTES;
    }

    /** The relative spacing of numbers: 2⁻²⁴ or 2⁻⁵³ (half a unit in the last place). */
    public double roundoff() {
        return this == FLOAT32 ? 0x1p-24 : 0x1p-53;
    }
}
