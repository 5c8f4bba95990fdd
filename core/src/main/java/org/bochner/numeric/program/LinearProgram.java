package org.bochner.numeric.program;

import java.util.Arrays;
import java.util.Objects;
import org.bochner.base.Require;

/**
 * A linear program with few rows and many dense columns,
 *
 * <pre>minimise c·x  subject to  A·x = b,  lower ≤ x ≤ upper,</pre>
 *
 * solved by the simplex method. Columns may be added after a solution, which stays where the next one starts: programs
 * with a column for every point of a grid are solved with the few points that matter.
 *
 * <p>Method: revised simplex with an explicit inverse of the basis, made anew every some steps and before an answer is
 * given. Infeasibilities are summed and driven to zero from whatever basis is at hand. The entering column has the largest
 * reduced cost a unit step, of some candidates as long as they are about as good as the best of all was. The ratio test
 * passes bounds by less than the tolerance in favour of a large pivot. Steps of length zero leave x as it is, and are made
 * as if the bounds that are met were a little apart, each by another length (Wolfe's rule): in that program every step
 * gains, so that bases do not come back but by rounding. Steps are limited all the same.
 *
 * <p>What an answer says, with y the {@linkplain #price prices} and d = c − y·A:
 *
 * <ul>
 *   <li>{@code OPTIMAL}: x meets rows and bounds, and d is at least 0 where x may grow and at most 0 where it may fall, so
 *       that c·x and the dual's objective at y are the same;
 *   <li>{@code INFEASIBLE}: y·b is more than (y·A)·x for all x between the bounds;
 *   <li>{@code UNBOUNDED}: x meets rows and bounds, and may go without end in a direction in which c·x falls;
 *   <li>{@code FAILED}: more steps were made than a program of its size should need; x and y are of no use. It is not known
 *       to happen where numbers are near 1 in size.
 * </ul>
 *
 * <p>Accuracy: bounds and reduced costs are held to {@link #TOLERANCE} and the rounding of their terms. Nearly dependent
 * rows or columns may leave more rounding than that in what is decided from step to step; where steps go on for long, the
 * tolerance grows, at most to {@link #WIDEST_TOLERANCE}. x and y are solved from the columns as they were given and corrected
 * by what they leave: rounding does not add up. Entries, costs and right sides should be near 1 in size; columns and costs that
 * are smaller than the tolerance are as good as 0.
 *
 * <p>Cost: a step takes 3 · rows², and rows · columns where all are looked at; an inverse rows³. Nothing is random, and only
 * the four operations and square roots are used, so results have the same bits on every machine.
 *
 * <p>Threads: not safe; one program belongs to one thread.
 *
 * <p>Reference: Wolfe, A technique for resolving degeneracy in linear programming, 1963; Harris, Pivot selection methods of
 * the Devex LP code, 1973.
 */
public final class LinearProgram {
    /** By how much bounds, of numbers of size 1, and reduced costs may be missed. */
    public static final double TOLERANCE = 1e-11;

    /** Where rounding keeps a program from an answer, the tolerance grows to this. */
    public static final double WIDEST_TOLERANCE = 1e-8;

    /** Steps after which the inverse is made anew: rounding grows with each. */
    private static final int STEPS_BETWEEN_INVERSES = 60;

    /** How often the variables that wait near their bounds are put on them at an optimum, from which it may then go on. */
    private static final int MOST_SNAPS = 3;

    /** How a program can end. */
    public enum Status {
        OPTIMAL,
        INFEASIBLE,
        UNBOUNDED,
        /** Rounding kept it from an answer: x and prices are of no use. */
        FAILED
    }

    private final int rows;
    private final Variables variables;
    private final Basis basis;
    private final Pricing pricing;
    private final RatioTest ratioTest;

    /** Makes a program without variables. */
    public LinearProgram(double... rightSide) {
        this.rows = Require.atLeast("LinearProgram", "rows", rightSide.length, 1);
        for (int i = 0; i < rows; i++) {
            Require.finite("LinearProgram", "right side " + i, rightSide[i]);
        }
        this.variables = new Variables(rows);
        this.basis = new Basis(variables, rightSide.clone());
        this.pricing = new Pricing(variables, basis);
        this.ratioTest = new RatioTest(variables, basis, pricing);
    }

    /** Adds a variable that is at least 0, and returns its number. */
    public int add(double cost, double[] column) {
        return variables.add(0, Double.POSITIVE_INFINITY, cost, column);
    }

    /** Adds a variable, and returns its number. Limits may be infinite. */
    public int add(double low, double high, double cost, double[] column) {
        return variables.add(low, high, cost, column);
    }

    /** Lets a variable start at one of its bounds, which must be finite: at the upper one where the side is positive. */
    public void waitAt(int variable, int side) {
        Objects.checkIndex(variable, variables.count);
        variables.values[variable] = Require.finite(
                "LinearProgram", "limit", side > 0 ? variables.upper[variable] : variables.lower[variable]);
    }

    /** How many variables it has. */
    public int size() {
        return variables.count;
    }

    /** Returns the number of simplex steps so far. */
    public long steps() {
        return ratioTest.steps();
    }

    /** Returns the variables of the basis, one per row, for {@link #startFrom}. Negative numbers are no variables. */
    public int[] basis() {
        return basis.basis.clone();
    }

    /**
     * Starts from a basis that was good for a similar program. Any numbers are allowed: those that are no variable, or one
     * that depends on others, are left out.
     */
    public void startFrom(int[] good) {
        basis.startFrom(good);
    }

    /** Solves it, from the last solution or {@link #startFrom}. */
    public Status solve() {
        pricing.careful = false;
        Status status = solveFromHere();
        if (status == Status.FAILED) {
            // Seen in 1 of 500 programs of nearly dependent columns; all were solved so: from the start, and with the
            // best of all columns in every step.
            pricing.careful = true;
            int[] none = new int[rows];
            Arrays.fill(none, -1);
            startFrom(none);
            status = solveFromHere();
        }
        return status;
    }

    private Status solveFromHere() {
        // Few programs take a tenth of it.
        long many = 500 + 10L * rows + variables.count;
        long limit = steps() + many;
        int snaps = 0;
        basis.tolerance = TOLERANCE;
        variables.snap();
        basis.invert();
        while (steps() < limit || basis.tolerance < WIDEST_TOLERANCE) {
            if (steps() >= limit) {
                basis.tolerance = Math.min(WIDEST_TOLERANCE, 10 * basis.tolerance);
                limit = steps() + many;
            }
            if (basis.stepsSinceInverse >= STEPS_BETWEEN_INVERSES) {
                basis.invert();
            }
            pricing.price();
            int entering = pricing.entering();
            RatioTest.Step step = entering < 0 ? RatioTest.Step.ENDLESS : ratioTest.step(entering);
            if (step == RatioTest.Step.MADE) {
                continue;
            }
            if (basis.stepsSinceInverse > 0) {
                basis.invert();
            } else if (entering >= 0 && pricing.phaseOne) {
                // Infeasibilities cannot fall without end: what would let them is rounding.
                limit = steps();
            } else if (entering < 0 && !pricing.phaseOne && snaps < MOST_SNAPS && variables.snap()) {
                snaps++;
                basis.invert();
            } else if (!(pricing.pricesLength + basis.blur < Double.POSITIVE_INFINITY)) {
                return Status.FAILED;
            } else {
                return pricing.phaseOne ? Status.INFEASIBLE : entering < 0 ? Status.OPTIMAL : Status.UNBOUNDED;
            }
        }
        return Status.FAILED;
    }

    /** c·x. */
    public double objective() {
        double sum = 0;
        for (int j = 0; j < variables.count; j++) {
            sum += variables.costs[j] * value(j);
        }
        return sum;
    }

    /** x of a variable. */
    public double value(int variable) {
        Objects.checkIndex(variable, variables.count);
        return variables.places[variable] < 0 ? variables.values[variable] : basis.basic[variables.places[variable]];
    }

    /**
     * The price of a row: by how much the least objective grows with its right side. Where the program was infeasible, prices
     * are the proof of it: the combination of rows that no x between the bounds can meet.
     */
    public double price(int row) {
        return pricing.prices[row];
    }
}
