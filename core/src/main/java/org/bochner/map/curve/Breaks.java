package org.bochner.map.curve;

import java.util.Arrays;

/**
 * Collects the straight pieces of one curve: the values at which it jumps or bends, and its slope behind the last of them.
 * The curve is 0 at 0 unless it jumps before.
 *
 * <p>Threads: not safe.
 */
final class Breaks {
    private final int outputs;
    private double[] at = new double[16];

    /** The changes of A and of B at each break, where the curve is A + x·B. */
    private double[] changes;

    private int count;
    private final double[] lastSlopes;

    Breaks(int outputs) {
        this.outputs = outputs;
        changes = new double[at.length * 2 * outputs];
        lastSlopes = new double[outputs];
    }

    /** Adds a break without changes, and returns its number. */
    int add(double x) {
        if (count == at.length) {
            at = Arrays.copyOf(at, 2 * count);
            changes = Arrays.copyOf(changes, at.length * 2 * outputs);
        }
        at[count] = x;
        return count++;
    }

    /** Lets the slope of an output change at a break, without a jump. */
    void bend(int number, int output, double change) {
        int index = 2 * (number * outputs + output);
        changes[index] -= at[number] * change;
        changes[index + 1] += change;
    }

    /** Lets an output jump at a break. */
    void jump(int number, int output, double change) {
        changes[2 * (number * outputs + output)] += change;
    }

    /** Adds to the slope behind the last break. */
    void addLastSlope(int output, double slope) {
        lastSlopes[output] += slope;
    }

    /** Returns the different breaks, ascending. */
    double[] places() {
        double[] sorted = Arrays.copyOf(at, count);
        for (int i = 0; i < count; i++) {
            sorted[i] += 0.0; // −0 becomes 0
        }
        Arrays.sort(sorted);
        int different = 0;
        for (int i = 0; i < count; i++) {
            if (i == 0 || sorted[i] != sorted[i - 1]) {
                sorted[different++] = sorted[i];
            }
        }
        return Arrays.copyOf(sorted, different);
    }

    /**
     * Returns A and B of each output for each piece, one more than breaks.
     *
     * <p>A is summed from the left and B from the right, so that a curve which is constant behind its last break has a
     * slope of exactly 0 there.
     */
    double[] lines(double[] places) {
        double[] sums = new double[places.length * 2 * outputs];
        for (int i = 0; i < count; i++) {
            int place = Arrays.binarySearch(places, at[i] + 0.0);
            for (int k = 0; k < 2 * outputs; k++) {
                sums[place * 2 * outputs + k] += changes[i * 2 * outputs + k];
            }
        }
        double[] lines = new double[(places.length + 1) * 2 * outputs];
        for (int o = 0; o < outputs; o++) {
            double height = 0;
            for (int r = 0; r < places.length; r++) {
                height += sums[2 * (r * outputs + o)];
                lines[2 * ((r + 1) * outputs + o)] = height;
            }
            double slope = lastSlopes[o];
            lines[2 * (places.length * outputs + o) + 1] = slope;
            for (int r = places.length - 1; r >= 0; r--) {
                slope -= sums[2 * (r * outputs + o) + 1];
                lines[2 * (r * outputs + o) + 1] = slope;
            }
        }
        return lines;
    }
}
