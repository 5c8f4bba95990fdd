package org.bochner.map.curve;

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

    /** Returns the values at which a curve may bend or jump, ascending; a new array. */
    abstract double[] knots(int curve);

    /** Returns the number of knots of all curves. */
    abstract long knots();

    /** Adds the tables to the saved form of a map. */
    abstract void save(State state);
}
