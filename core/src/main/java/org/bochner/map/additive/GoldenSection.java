package org.bochner.map.additive;

import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/** Finds the minimum of a function that has one minimum between two numbers, by golden-section search. */
final class GoldenSection {
    private static final double SHARE = (Math.sqrt(5) - 1) / 2;

    private GoldenSection() {}

    /**
     * Returns the place of the least minimum of a function that may have several, with a relative accuracy. The best of
     * the places from, from·factor, … up to {@code to} is found first. The function has one minimum between its
     * neighbours.
     *
     * @param coarse a less accurate form of the function; its second argument is the least value so far, and where the
     *     function exceeds it, any number above it may be returned
     */
    static double least(
            DoubleBinaryOperator coarse,
            DoubleUnaryOperator fine,
            double from,
            double to,
            double factor,
            double accuracy) {
        double best = from;
        double least = Double.POSITIVE_INFINITY;
        for (double place = from; place <= to; place *= factor) {
            double found = coarse.applyAsDouble(place, least);
            if (found < least) {
                least = found;
                best = place;
            }
        }
        return least(fine, best / factor, best * factor, accuracy);
    }

    private static double least(DoubleUnaryOperator f, double from, double to, double accuracy) {
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
