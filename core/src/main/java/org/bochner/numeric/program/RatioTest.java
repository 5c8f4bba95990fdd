package org.bochner.numeric.program;

import java.util.Arrays;
import org.bochner.numeric.optimise.Vectors;

/** The simplex step of an entering variable: the length of the step and the variable that leaves the basis. */
final class RatioTest {
    /** Smaller entries are not used as pivots. */
    private static final double SMALLEST_PIVOT = 1e-8;

    /** Pivots below this share of the largest entry are used only with a new inverse, or if there is no other. */
    private static final double POOR_PIVOT = 1e-7;

    /**
     * By how much steps of length zero may pass limits that are taken to be 1 to 2 apart, in favour of a large pivot.
     */
    private static final double PASSED_APART = 1e-3;

    private final Variables variables;
    private final Basis basis;
    private final Pricing pricing;
    private final int rows;
    private final double[] direction;

    /**
     * In a sequence of zero steps: the assumed distances of basic variables at a limit from their lower and upper
     * limits.
     */
    private final double[] above;

    private final double[] below;
    private boolean apart;
    private long steps;

    RatioTest(Variables variables, Basis basis, Pricing pricing) {
        this.variables = variables;
        this.basis = basis;
        this.pricing = pricing;
        this.rows = variables.rows;
        this.direction = new double[rows];
        this.above = new double[rows];
        this.below = new double[rows];
    }

    /** Returns the number of steps that were made. */
    long steps() {
        return steps;
    }

    /**
     * Changes a variable until it or a basic variable meets a limit; returns false if no limit stops it, or if rounding
     * hides the effect of the step.
     */
    boolean step(int entering) {
        double reduced = pricing.reduced(entering);
        double most = findDirection(entering);
        // The reduced cost again, from the direction: if rounding makes the two differ, the inverse is too old.
        double other = (pricing.phaseOne ? 0 : variables.costs[entering])
                - Vectors.dot(pricing.basicCosts, 0, direction, 0, rows);
        if (!(Math.abs(other - reduced) <= 0.1 * Math.abs(reduced))) {
            if (basis.stepsSinceInverse > 0) {
                return false;
            }
            most = refineDirection(entering);
        }
        double sign = reduced < 0 ? 1 : -1;
        // An entry that is small beside a large one may be rounding.
        double smallest = SMALLEST_PIVOT * Math.max(Math.min(1, most), 1e-3 * most);
        int leaving = leavingAtOnce(sign, smallest, most);
        boolean atOnce = leaving >= 0;
        if (!atOnce) {
            leaving = leaving(sign, smallest);
        }
        double own = sign > 0
                ? variables.upper[entering] - variables.values[entering]
                : variables.values[entering] - variables.lower[entering];
        double length = leaving < 0
                ? Double.POSITIVE_INFINITY
                : atOnce ? 0 : distance(leaving, sign) / Math.abs(direction[leaving]);
        if (Double.isInfinite(length) && Double.isInfinite(own)) {
            return false;
        }
        boolean flips = own <= length;
        if (!flips && basis.stepsSinceInverse > 0 && Math.abs(direction[leaving]) < POOR_PIVOT * most) {
            return false;
        }
        if (atOnce) {
            moveApart(entering, leaving, sign);
        } else {
            apart = false;
            Vectors.add(-sign * Math.min(own, length), direction, 0, basis.basic, 0, rows);
        }
        if (flips) {
            variables.values[entering] = sign > 0 ? variables.upper[entering] : variables.lower[entering];
        } else {
            double left = length > 0 ? stop(leaving, -sign * direction[leaving]) : basis.basic[leaving];
            basis.exchange(entering, leaving, variables.values[entering] + sign * length, left, direction);
            Vectors.add(reduced, basis.inverse, leaving * rows, pricing.prices, 0, rows);
        }
        basis.stepsSinceInverse++;
        steps++;
        return true;
    }

    /**
     * Computes by how much the basic variables fall per unit of the entering one; returns the largest absolute entry.
     */
    double findDirection(int entering) {
        Arrays.fill(direction, 0);
        return addToDirection(variables.columns, entering * rows);
    }

    private double addToDirection(double[] column, int from) {
        double most = 0;
        for (int i = 0; i < rows; i++) {
            direction[i] += Vectors.dot(basis.inverse, i * rows, column, from, rows);
            most = Math.max(most, Math.abs(direction[i]));
        }
        return most;
    }

    /** Refines the direction by its residual for the entering column; returns the largest absolute entry. */
    double refineDirection(int entering) {
        double[] rest = Arrays.copyOfRange(variables.columns, entering * rows, (entering + 1) * rows);
        basis.subtractBasis(direction, rest);
        return addToDirection(rest, 0);
    }

    /**
     * Returns where the basic variable of a row stops when it moves at a rate: at a limit, or where it becomes
     * feasible.
     */
    double stop(int row, double rate) {
        double outside = pricing.phaseOne ? pricing.basicCosts[row] : 0;
        boolean up = rate > 0;
        if (up ? outside > 0 : outside < 0) {
            return up ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
        }
        return up == (outside == 0) ? variables.upperOf(basis.basis[row]) : variables.lowerOf(basis.basis[row]);
    }

    /** Returns the distance of the basic variable of a row from its stop. */
    double distance(int row, double sign) {
        double rate = -sign * direction[row];
        return rate > 0 ? stop(row, rate) - basis.basic[row] : basis.basic[row] - stop(row, rate);
    }

    /**
     * Returns the row of the largest pivot among the rows that stop the step when limits may be passed by the
     * tolerance; −1 if no row does.
     */
    int leaving(double sign, double smallest) {
        double passing = Double.POSITIVE_INFINITY;
        for (int i = 0; i < rows; i++) {
            double speed = Math.abs(direction[i]);
            double stop = stop(i, -sign * direction[i]);
            if (speed > smallest && Double.isFinite(stop)) {
                passing = Math.min(passing, (Math.abs(stop - basis.basic[i]) + basis.tolerance(stop)) / speed);
            }
        }
        int leaving = -1;
        double largest = smallest;
        for (int i = 0; i < rows && passing < Double.POSITIVE_INFINITY; i++) {
            double speed = Math.abs(direction[i]);
            if (speed > largest && distance(i, sign) <= passing * speed) {
                largest = speed;
                leaving = i;
            }
        }
        return leaving;
    }

    /**
     * Returns the row that stops the step at length zero, because its basic variable is at the limit it moves to; −1 if
     * there is none. Among several rows it is the one whose perturbed limit would be met first, unless its pivot is
     * poor.
     */
    int leavingAtOnce(double sign, double smallest, double most) {
        int largest = -1;
        boolean known = apart;
        for (int i = 0; i < rows; i++) {
            if (Math.abs(direction[i]) > smallest && isAtStop(i, sign)) {
                known &= room(i, sign) < Double.POSITIVE_INFINITY;
                largest = largest < 0 || Math.abs(direction[i]) > Math.abs(direction[largest]) ? i : largest;
            }
        }
        if (largest < 0) {
            return -1;
        }
        if (!known) {
            setApart();
        }
        double passing = Double.POSITIVE_INFINITY;
        for (int i = 0; i < rows; i++) {
            if (Math.abs(direction[i]) > smallest && isAtStop(i, sign)) {
                passing = Math.min(passing, (room(i, sign) + PASSED_APART) / Math.abs(direction[i]));
            }
        }
        int leaving = -1;
        double speedOfLeaving = POOR_PIVOT * most;
        for (int i = 0; i < rows; i++) {
            double speed = Math.abs(direction[i]);
            if (speed > Math.max(smallest, speedOfLeaving) && isAtStop(i, sign) && room(i, sign) <= passing * speed) {
                speedOfLeaving = speed;
                leaving = i;
            }
        }
        return leaving < 0 ? largest : leaving;
    }

    boolean isAtStop(int row, double sign) {
        return (!pricing.phaseOne || pricing.basicCosts[row] == 0)
                && distance(row, sign) <= basis.tolerance(basis.basic[row]);
    }

    double room(int row, double sign) {
        return sign * direction[row] > 0 ? above[row] : below[row];
    }

    /** Perturbs all limits at which basic variables are. */
    void setApart() {
        apart = true;
        for (int i = 0; i < rows; i++) {
            // Multiples of the golden ratio fill the interval evenly: no two are equal.
            double fraction = (basis.basis[i] + rows + 1 + steps) * 0.6180339887498949;
            double room = 1 + fraction - Math.floor(fraction);
            above[i] = basis.basic[i] - variables.lowerOf(basis.basis[i]) <= basis.tolerance(basis.basic[i])
                    ? room
                    : Double.POSITIVE_INFINITY;
            below[i] = variables.upperOf(basis.basis[i]) - basis.basic[i] <= basis.tolerance(basis.basic[i])
                    ? room
                    : Double.POSITIVE_INFINITY;
        }
    }

    /** Makes the step of the program with perturbed limits. */
    void moveApart(int entering, int leaving, double sign) {
        double length = room(leaving, sign) / Math.abs(direction[leaving]);
        for (int i = 0; i < rows; i++) {
            double fall = sign * length * direction[i];
            above[i] = Math.max(PASSED_APART / 8, above[i] - fall);
            below[i] = Math.max(PASSED_APART / 8, below[i] + fall);
        }
        boolean free = Double.isInfinite(variables.lower[entering]) && Double.isInfinite(variables.upper[entering]);
        above[leaving] = sign > 0 && !free ? length : Double.POSITIVE_INFINITY;
        below[leaving] = sign < 0 && !free ? length : Double.POSITIVE_INFINITY;
        // Small pivots make the distances grow, in the end to infinity.
        apart = length < 1e6;
    }
}
