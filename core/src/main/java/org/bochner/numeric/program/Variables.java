package org.bochner.numeric.program;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.numeric.optimise.Vectors;

/** The variables of a linear program: columns, costs, limits, and the values of nonbasic variables. */
final class Variables {
    final int rows;
    int count;
    /** The columns, one after the other. */
    double[] columns = {};

    double[] costs = {};
    double[] lower = {};
    double[] upper = {};
    /** The length of a unit step of each variable; reduced costs are divided by it before they are compared. */
    double[] lengths = {};

    /**
     * The value of each nonbasic variable: 0 if it is free, else one of its limits, or a value near the limit if the
     * variable left the basis in a step of length zero. Moving it to the limit would change the basic variables, by
     * much if rows are nearly dependent.
     */
    double[] values = {};

    /** The row of the basis that a variable is in, or −1. */
    int[] places = {};

    Variables(int rows) {
        this.rows = rows;
        grow(64);
    }

    /** Adds a variable and returns its number. Limits may be infinite. */
    int add(double low, double high, double cost, double[] column) {
        Require.sameSize("LinearProgram", "entries of a column", column.length, rows);
        boolean bounded = low <= high && low < Double.POSITIVE_INFINITY && high > Double.NEGATIVE_INFINITY;
        Require.that(
                bounded,
                "LinearProgram",
                bounded ? "" : "limits must have a finite number between them, got " + low + " and " + high);
        Require.finite("LinearProgram", "cost", cost);
        double square = 1;
        for (int i = 0; i < rows; i++) {
            square += column[i] * column[i];
        }
        if (!Double.isFinite(square)) {
            // The names are made only after a failure: columns are added in the innermost loop of designs.
            for (int i = 0; i < rows; i++) {
                Require.finite("LinearProgram", "entry " + i + " of a column", column[i]);
            }
            Require.finite("LinearProgram", "sum of squares of a column", square);
        }
        if (count == costs.length) {
            grow(2 * count);
        }
        System.arraycopy(column, 0, columns, count * rows, rows);
        costs[count] = cost;
        lower[count] = low;
        upper[count] = high;
        lengths[count] = Math.sqrt(square);
        values[count] = Double.isFinite(low) ? low : Double.isFinite(high) ? high : 0;
        places[count] = -1;
        return count++;
    }

    private void grow(int room) {
        columns = Arrays.copyOf(columns, Math.multiplyExact(room, rows));
        costs = Arrays.copyOf(costs, room);
        lower = Arrays.copyOf(lower, room);
        upper = Arrays.copyOf(upper, room);
        lengths = Arrays.copyOf(lengths, room);
        values = Arrays.copyOf(values, room);
        places = Arrays.copyOf(places, room);
    }

    /** Puts nonbasic variables near a limit on it; returns true if there were any. */
    boolean snap() {
        boolean any = false;
        for (int j = 0; j < count; j++) {
            double x = values[j];
            if (places[j] < 0 && x != lower[j] && x != upper[j]) {
                values[j] = nearestLimit(j, x);
                any |= values[j] != x;
            }
        }
        return any;
    }

    double nearestLimit(int variable, double x) {
        double low = lower[variable];
        double high = upper[variable];
        if (Double.isInfinite(low) && Double.isInfinite(high)) {
            return 0;
        }
        return x - low <= high - x ? low : high;
    }

    double lowerOf(int variable) {
        return variable < 0 ? 0 : lower[variable];
    }

    double upperOf(int variable) {
        return variable < 0 ? 0 : upper[variable];
    }

    boolean isUnit(int variable) {
        if (variable < 0) {
            return true;
        }
        int entries = 0;
        for (int i = 0; i < rows; i++) {
            entries += columns[variable * rows + i] == 0 ? 0 : 1;
        }
        return entries == 1;
    }

    /** Returns y·a for the column a of a variable. */
    double dot(double[] y, int variable) {
        return Vectors.dot(y, 0, columns, variable * rows, rows);
    }

    /** Subtracts a multiple of the column of a variable. */
    void subtract(double multiple, int variable, double[] from) {
        Vectors.add(-multiple, columns, variable * rows, from, 0, rows);
    }
}
