package org.bochner.numeric.program;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.numeric.optimise.Vectors;

/** The basis of a linear program, its inverse and the values of the basic variables. */
final class Basis {
    /** Relative rounding of a sum, with respect to the size of its terms: a few units in the last place. */
    static final double ROUNDING = 0x1p-50;

    private final Variables variables;
    private final int rows;
    private final double[] rightSide;

    /**
     * The variable of each row of the basis; −1 − i for the i-th unit vector, an artificial variable that must be 0.
     */
    final int[] basis;

    final double[] inverse;
    private final double[] work;
    /** The values of the basic variables. */
    final double[] basic;
    /** The error of a basic variable that rounding of the inverse may cause. */
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
     * Starts from the optimal basis of a similar program. Numbers that are no variable, and variables that depend on
     * others, are left out.
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

    /** Returns by how much a variable may exceed a limit. */
    double tolerance(double bound) {
        return tolerance * (1 + Math.abs(bound)) + blur;
    }

    /**
     * Returns by how much the basic variable of a row is above its upper limit, or (negative) below its lower limit.
     */
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
                Vectors.add(-direction[i], inverse, from, inverse, i * rows, rows);
            }
        }
    }

    /**
     * Inverts the basis in place by Gauss–Jordan elimination with row pivots. Columns that depend on others are
     * replaced by unit vectors, and their variables stay at the nearest limit.
     */
    void invert() {
        for (int j = 0; j < rows; j++) {
            for (int i = 0; i < rows; i++) {
                work[i * rows + j] =
                        basis[j] < 0 ? (i == -1 - basis[j] ? 1 : 0) : variables.columns[basis[j] * rows + i];
            }
        }
        // A pivot exchanges a basis column for the unit vector of its row: pivotRows[j] is the row of basis column j,
        // from 1 on, and pivoted marks the rows that are taken.
        int[] pivotRows = new int[rows];
        boolean[] pivoted = new boolean[rows];
        // Unit vectors come first, because their pivots cost nothing.
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

    /** Returns the row of the largest remaining entry of a column, or −1 if only rounding remains. */
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
                Vectors.add(-factor, work, from, work, i * rows, rows);
            }
        }
    }

    /** Replaces basis column j by the unit vector of a row. A row without a pivot is unchanged, so its pivot is 1. */
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

    /** Computes the basic variables from the others, and their accuracy. */
    void solveForBasic() {
        double[] rest = rightSide.clone();
        double size = 0;
        for (int j = 0; j < variables.count; j++) {
            if (variables.places[j] < 0 && variables.values[j] != 0) {
                variables.subtract(variables.values[j], j, rest);
            }
        }
        for (int i = 0; i < rows; i++) {
            basic[i] = Vectors.dot(inverse, i * rows, rest, 0, rows);
            double sum = 0;
            for (int k = 0; k < rows; k++) {
                sum += Math.abs(inverse[i * rows + k] * rest[k]);
            }
            size = Math.max(size, sum);
        }
        blur = ROUNDING * size;
        subtractBasis(basic, rest);
        for (int i = 0; i < rows; i++) {
            basic[i] += Vectors.dot(inverse, i * rows, rest, 0, rows);
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
