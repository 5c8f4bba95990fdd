package org.bochner.numeric.program;

import java.util.Arrays;
import org.bochner.base.Require;

/** The basis of a linear program, its inverse and the values of the basic variables. */
final class Basis {
    /** Rounding of a sum, as a part of the size of its terms: some units in the last place. */
    static final double ROUNDING = 0x1p-50;

    private final Variables variables;
    private final int rows;
    private final double[] rightSide;

    /** The variable of each row of the basis; −1 − i for the i-th unit vector, a variable that must be 0. */
    final int[] basis;

    final double[] inverse;
    private final double[] work;
    /** The values of the basic variables. */
    final double[] basic;
    /** What rounding of the inverse may add to a basic variable. */
    double blur;

    int stepsSinceInverse;
    double tolerance = LinearProgram.TOLERANCE;

    Basis(Variables variables, double[] rightSide) {
        this.variables = variables;
        this.rows = variables.rows;
        this.rightSide = rightSide;
        basis = new int[rows];
        inverse = new double[Math.multiplyExact(rows, rows)];
        work = new double[rows * rows];
        basic = new double[rows];
        Arrays.setAll(basis, i -> -1 - i);
    }

    /**
     * Starts from a basis that was good for a similar program. Any numbers will do: those that are no variable, or one that
     * depends on others, are left out.
     */
    void startFrom(int[] good) {
        Require.sameSize("LinearProgram", "variables of a basis", good.length, rows);
        for (int variable : basis) {
            if (variable >= 0) {
                variables.places[variable] = -1;
            }
        }
        for (int i = 0; i < rows; i++) {
            boolean known = good[i] >= 0 && good[i] < variables.count && variables.places[good[i]] < 0;
            basis[i] = known ? good[i] : -1 - i;
            if (known) {
                variables.places[good[i]] = i;
                basic[i] = variables.values[good[i]];
            }
        }
    }

    /** By how much a variable may pass a bound. */
    double tolerance(double bound) {
        return tolerance * (1 + Math.abs(bound)) + blur;
    }

    /** By how much the basic variable of a row is above its upper bound, or (negative) below its lower one. */
    double outside(int row) {
        double x = basic[row];
        double low = variables.lowerOf(basis[row]);
        double high = variables.upperOf(basis[row]);
        if (x > high + tolerance(high)) {
            return x - high;
        }
        return x < low - tolerance(low) ? x - low : 0;
    }

    void exchange(int entering, int leaving, double entered, double left, double[] direction) {
        if (basis[leaving] >= 0) {
            variables.places[basis[leaving]] = -1;
            variables.values[basis[leaving]] = left;
        }
        basis[leaving] = entering;
        variables.places[entering] = leaving;
        basic[leaving] = entered;
        double pivot = direction[leaving];
        int from = leaving * rows;
        for (int k = 0; k < rows; k++) {
            inverse[from + k] /= pivot;
        }
        for (int i = 0; i < rows; i++) {
            if (i != leaving && direction[i] != 0) {
                Rows.addMultiple(-direction[i], inverse, from, inverse, i * rows, rows);
            }
        }
    }

    /**
     * Inverts the basis in place by Gauss and Jordan, with pivots by rows. Columns that depend on others are replaced by unit
     * vectors, and wait at the bound that is nearest.
     */
    void invert() {
        for (int j = 0; j < rows; j++) {
            for (int i = 0; i < rows; i++) {
                work[i * rows + j] =
                        basis[j] < 0 ? (i == -1 - basis[j] ? 1 : 0) : variables.columns[basis[j] * rows + i];
            }
        }
        // A pivot exchanges a basis column for the unit vector of its row: pivotRows[j] is the row of basis column j,
        // from
        // 1 on, and pivoted says which rows are taken.
        int[] pivotRows = new int[rows];
        boolean[] pivoted = new boolean[rows];
        // Unit vectors cost nothing while they are such.
        for (int pass = 0; pass < 2; pass++) {
            for (int j = 0; j < rows; j++) {
                if (pass == 1 ? pivotRows[j] == 0 : variables.isUnit(basis[j])) {
                    int pivot = pivotOf(j, pivoted);
                    if (pivot >= 0) {
                        pivoted[pivot] = true;
                        pivotRows[j] = pivot + 1;
                        sweep(pivot, j);
                    }
                }
            }
        }
        int free = 0;
        for (int j = 0; j < rows; j++) {
            if (pivotRows[j] == 0) {
                while (pivoted[free]) {
                    free++;
                }
                pivoted[free] = true;
                pivotRows[j] = free + 1;
                replaceByUnit(j, free);
            }
        }
        for (int j = 0; j < rows; j++) {
            int from = (pivotRows[j] - 1) * rows;
            for (int k = 0; k < rows; k++) {
                inverse[j * rows + pivotRows[k] - 1] = work[from + k];
            }
        }
        stepsSinceInverse = 0;
        solveForBasic();
    }

    /** The row of the largest entry that a column still has, or −1 where nothing but rounding is left of it. */
    int pivotOf(int j, boolean[] pivoted) {
        int pivot = -1;
        double largest = 1e-10 * (basis[j] < 0 ? 1 : variables.lengths[basis[j]]);
        for (int i = 0; i < rows; i++) {
            if (!pivoted[i] && Math.abs(work[i * rows + j]) > largest) {
                largest = Math.abs(work[i * rows + j]);
                pivot = i;
            }
        }
        return pivot;
    }

    void sweep(int pivot, int j) {
        int from = pivot * rows;
        double scale = 1 / work[from + j];
        work[from + j] = 1;
        for (int k = 0; k < rows; k++) {
            work[from + k] *= scale;
        }
        for (int i = 0; i < rows; i++) {
            double factor = work[i * rows + j];
            if (i != pivot && factor != 0) {
                work[i * rows + j] = 0;
                Rows.addMultiple(-factor, work, from, work, i * rows, rows);
            }
        }
    }

    /** Puts the unit vector of a row in place of the basis column j: a row without pivot is as it was, so that its is 1. */
    void replaceByUnit(int j, int row) {
        int out = basis[j];
        if (out >= 0) {
            variables.places[out] = -1;
            variables.values[out] = variables.nearestLimit(out, basic[j]);
        }
        basis[j] = -1 - row;
        for (int i = 0; i < rows; i++) {
            work[i * rows + j] = i == row ? 1 : 0;
        }
    }

    /** The basic variables, from the others, and how well they are known. */
    void solveForBasic() {
        double[] rest = rightSide.clone();
        double size = 0;
        for (int j = 0; j < variables.count; j++) {
            if (variables.places[j] < 0 && variables.values[j] != 0) {
                variables.subtract(variables.values[j], j, rest);
            }
        }
        for (int i = 0; i < rows; i++) {
            basic[i] = Rows.dot(inverse, i * rows, rest, 0, rows);
            double sum = 0;
            for (int k = 0; k < rows; k++) {
                sum += Math.abs(inverse[i * rows + k] * rest[k]);
            }
            size = Math.max(size, sum);
        }
        blur = ROUNDING * size;
        subtractBasis(basic, rest);
        for (int i = 0; i < rows; i++) {
            basic[i] += Rows.dot(inverse, i * rows, rest, 0, rows);
        }
    }

    void subtractBasis(double[] multiples, double[] rest) {
        for (int i = 0; i < rows; i++) {
            if (basis[i] < 0) {
                rest[-1 - basis[i]] -= multiples[i];
            } else {
                variables.subtract(multiples[i], basis[i], rest);
            }
        }
    }
}
