package org.bochner.map.curve;

import org.bochner.base.State;

/**
 * The tables of all curves. Curve a has one value per output for each value of its column.
 *
 * <p>Threads: safe; immutable.
 */
abstract class CurveTable {
    /** Curves that are summed together. Their numbers fit in the first-level cache. */
    private static final int PART = 256;

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
    final double sum(float[] row, int from) {
        Part part = part(Math.min(columns.length, PART));
        double sum = 0;
        for (int start = 0; start < columns.length; start += PART) {
            int end = Math.min(start + PART, columns.length);
            for (int a = start; a < end; a++) {
                part.values[a - start] = row[from + columns[a]];
            }
            sum += sum(part, start, end - start);
        }
        return sum;
    }

    /** Returns the sum of all curves of one output at a row that is rounded to float32. */
    final double sum(double[] row) {
        Part part = part(Math.min(columns.length, PART));
        double sum = 0;
        for (int start = 0; start < columns.length; start += PART) {
            int end = Math.min(start + PART, columns.length);
            for (int a = start; a < end; a++) {
                part.values[a - start] = (float) row[columns[a]];
            }
            sum += sum(part, start, end - start);
        }
        return sum;
    }

    /** Returns memory for a part of a row. */
    abstract Part part(int most);

    /** Returns the sum of some curves of one output, whose values are in a part. */
    abstract double sum(Part part, int start, int count);

    /** Adds the values of one curve; NaN for a value that is not finite, or negative where it must not be. */
    abstract void add(int curve, double x, double[] out, int at);

    /** Returns the values at which a curve may bend or jump, ascending; a new array. */
    abstract double[] knots(int curve);

    /** Returns the number of knots of all curves. */
    abstract long knots();

    /** Adds the tables to the saved form of a map. */
    abstract void save(State state);

    /** Values of a row, and memory for the sum of their curves. */
    static final class Part {
        final float[] values;
        final float[][] floats;
        final double[][] doubles;

        Part(int most, int floats, int doubles) {
            values = new float[most];
            this.floats = new float[floats][most];
            // Room for a value that is written and then left out.
            this.doubles = new double[doubles][most + 1];
        }
    }
}
