package org.bochner.base;

/**
 * Checks of arguments. A message has the owner, the name, the constraint and the value found. NaN fails all checks.
 */
public final class Require {
    private Require() {}

    /** Returns the value if it is positive and finite. */
    public static double positive(String owner, String name, double value) {
        if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(owner + ": " + name + " must be positive and finite, got " + value);
        }
        return value;
    }

    /** Returns the value if it is zero or positive, and finite. */
    public static double notNegative(String owner, String name, double value) {
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(owner + ": " + name + " must be at least 0 and finite, got " + value);
        }
        return value;
    }

    /** Returns the value if it is a finite number. */
    public static double finite(String owner, String name, double value) {
        if (!(Math.abs(value) < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(owner + ": " + name + " must be finite, got " + value);
        }
        return value;
    }

    /** Returns the value if it lies strictly between the limits. */
    public static double between(String owner, String name, double value, double low, double high) {
        if (!(value > low && value < high)) {
            throw new IllegalArgumentException(
                    owner + ": " + name + " must lie strictly between " + low + " and " + high + ", got " + value);
        }
        return value;
    }

    /** Returns the value if it is at least the given minimum. */
    public static int atLeast(String owner, String name, int value, int minimum) {
        if (value < minimum) {
            throw new IllegalArgumentException(owner + ": " + name + " must be at least " + minimum + ", got " + value);
        }
        return value;
    }

    /** Returns the values if they ascend strictly from 0 or above to {@code most} or below. */
    public static int[] ascending(String owner, String name, int[] values, int most) {
        for (int i = 0; i < values.length; i++) {
            boolean ascends = values[i] >= 0 && values[i] <= most && (i == 0 || values[i] > values[i - 1]);
            that(ascends, owner, name + " must ascend from 0 to " + most + " at most, got " + values[i]);
        }
        return values;
    }

    /** Fails with the owner and the message unless the condition holds. */
    public static void that(boolean condition, String owner, String message) {
        if (!condition) {
            throw new IllegalArgumentException(owner + ": " + message);
        }
    }

    /** Fails with the message, which begins with the owner, unless the condition holds. */
    public static void that(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Fails unless two sizes agree; the message names both. */
    public static void sameSize(String owner, String name, int got, int expected) {
        if (got != expected) {
            throw new IllegalArgumentException(owner + ": " + name + " must be " + expected + ", got " + got);
        }
    }
}
