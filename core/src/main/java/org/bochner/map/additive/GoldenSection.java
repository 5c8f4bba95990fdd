package org.bochner.map.additive;

import java.util.function.DoubleUnaryOperator;

/** Finds the minimum of a function that has one minimum between two numbers, by golden-section search. */
public final class GoldenSection {
    private static final double SHARE = (Math.sqrt(5) - 1) / 2;

    private GoldenSection() {}

    /** Returns the place of the minimum, with a relative accuracy. */
    public static double least(DoubleUnaryOperator f, double from, double to, double accuracy) {
        double low = from;
        double high = to;
        double left = high - SHARE * (high - low);
        double right = low + SHARE * (high - low);
        double atLeft = f.applyAsDouble(left);
        double atRight = f.applyAsDouble(right);
        while (high - low > accuracy * high) {
            if (atLeft < atRight) {
                high = right;
                right = left;
                atRight = atLeft;
                left = high - SHARE * (high - low);
                atLeft = f.applyAsDouble(left);
            } else {
                low = left;
                left = right;
                atLeft = atRight;
                right = low + SHARE * (high - low);
                atRight = f.applyAsDouble(right);
            }
        }
        return (low + high) / 2;
    }
}
