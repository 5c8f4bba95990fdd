package org.bochner.design;

import org.bochner.base.Require;
import org.bochner.base.Spelling;

/**
 * The differences of one column: up to a length, from −length to length, or all of them where values repeat with a period
 * of twice the length.
 *
 * @param length the largest difference; infinite for all of them, which needs a weight that falls to 0
 */
public record Axis(double length, boolean periodic) {
    public Axis {
        Require.that(length > 0, "domain", "its length must be positive, got " + Spelling.print(length));
        Require.that(
                !periodic || length < Double.POSITIVE_INFINITY,
                "domain",
                "a period must be finite, got " + Spelling.print(2 * length));
    }

    /** Differences up to a length. */
    public static Axis upTo(double length) {
        return new Axis(length, false);
    }

    /** Differences of values from low to high. */
    public static Axis between(double low, double high) {
        Require.that(
                low < high && Double.isFinite(high - low),
                "domain",
                "low must be less than high, got " + Spelling.print(low) + ":" + Spelling.print(high));
        return upTo(high - low);
    }

    /** Differences of values that repeat, such as angles with the period 2π. */
    public static Axis periodic(double period) {
        Require.positive("domain", "period", period);
        return new Axis(period / 2, true);
    }

    /** All differences. */
    public static Axis unbounded() {
        return upTo(Double.POSITIVE_INFINITY);
    }

    boolean bounded() {
        return length < Double.POSITIVE_INFINITY;
    }
}
