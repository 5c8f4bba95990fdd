package org.bochner.map.layout;

import java.math.BigDecimal;
import java.math.MathContext;

/** Conversion of frequency scales to length-scales. */
public final class LengthScale {
    private static final MathContext FEW_DIGITS = new MathContext(12);

    private LengthScale() {}

    /** Returns one over a scale, rounded so that a number of few digits survives two inversions to the last bit. */
    public static double of(double scale) {
        double length = 1 / scale;
        if (!(length < Double.POSITIVE_INFINITY)) {
            return length;
        }
        double rounded = new BigDecimal(length).round(FEW_DIGITS).doubleValue();
        return Math.abs(rounded - length) <= 2 * Math.ulp(length) ? rounded : length;
    }
}
