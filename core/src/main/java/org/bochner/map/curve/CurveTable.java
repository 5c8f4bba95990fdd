package org.bochner.map.curve;

import java.util.Arrays;
import org.bochner.base.State;

/**
 * The tables of all curves. Curve a has one value per output for each value of its column.
 *
 * <p>Threads: safe; immutable.
 */
abstract class CurveTable {
    /** The column of each curve, ascending. */
    final int[] columns;

    final int outputs;

    /** True if no column may be negative; negative values then give NaN. */
    final boolean nonNegative;

    CurveTable(int[] columns, int outputs, boolean nonNegative) {
        this.columns = columns;
        this.outputs = outputs;
        this.nonNegative = nonNegative;
    }

    /** Returns the number of curves. */
    final int curves() {
        return columns.length;
    }

    /** Returns the form of the tables. */
    abstract CurveForm form();

    /** Returns the sum of all curves of one output at a dense row that starts at an index. */
    abstract double sum(float[] row, int from);

    /** Adds the values of one curve; NaN for a value that is not finite, or negative where it must not be. */
    abstract void add(int curve, double x, double[] out, int at);

    /** Returns true if all curves are 0 at 0. */
    final boolean areZeroAtZero() {
        double[] sums = new double[outputs];
        for (int a = 0; a < columns.length; a++) {
            Arrays.fill(sums, 0);
            add(a, 0, sums, 0);
            for (double sum : sums) {
                if (sum != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Gathers the values of a row that have a curve, without branches that depend on the data.
     *
     * @param curves receives the curves
     * @param values receives the values; both arrays have room for one value more than there are curves
     * @param skipsZeros whether zeros are left out
     * @return the number of values; negative if a value lies outside the domain
     */
    final int gather(float[] row, int from, int[] curves, float[] values, boolean skipsZeros) {
        int always = skipsZeros ? 0 : 1;
        int count = 0;
        int signs = 0;
        for (int a = 0; a < columns.length; a++) {
            float x = row[from + columns[a]];
            curves[count] = a;
            values[count] = x;
            count += x != 0 ? 1 : always;
            signs |= Float.floatToRawIntBits(x);
        }
        return nonNegative && signs < 0 && hasNegative(row, from) ? -1 : count;
    }

    /** Zeros may have a sign. */
    private boolean hasNegative(float[] row, int from) {
        boolean negative = false;
        for (int column : columns) {
            negative |= row[from + column] < 0;
        }
        return negative;
    }

    /** Returns the values at which a curve may bend or jump, ascending; a new array. */
    abstract double[] knots(int curve);

    /** Returns the number of knots of all curves. */
    abstract long knots();

    /** Adds the tables to the saved form of a map. */
    abstract void save(State state);
}
