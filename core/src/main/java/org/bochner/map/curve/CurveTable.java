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

    CurveTable(int[] columns, int outputs) {
        this.columns = columns;
        this.outputs = outputs;
    }

    /** Returns the number of curves. */
    final int curves() {
        return columns.length;
    }

    /** Returns the form of the tables. */
    abstract CurveForm form();

    /** Writes the sums of all curves at a dense row, one per output. */
    abstract void sum(double[] row, double[] out, int at);

    /** Adds the values of one curve. */
    abstract void add(int curve, double x, double[] out, int at);

    /** Returns the values at which a curve may bend or jump, ascending; a new array. */
    abstract double[] knots(int curve);

    /** Returns the number of knots of all curves. */
    abstract long knots();

    /** Adds the tables to the saved form of a map. */
    abstract void save(State state);
}
