package org.bochner.numeric.program;

import java.util.Arrays;
import java.util.Objects;
import org.bochner.base.Require;

/**
 * A linear program with few rows and many dense columns,
 *
 * <pre>minimise c·x  subject to  A·x = b,  lower ≤ x ≤ upper,</pre>
 *
 * solved by the simplex method. Columns may be added after a solution, and the next solution starts from the last one:
 * a program with one column per point of a grid is solved with the few points that matter.
 *
 * <p>Method: revised simplex with an explicit inverse of the basis, recomputed at regular intervals and before an
 * answer. The sum of infeasibilities is driven to zero from any basis. The entering column has the largest reduced cost
 * per unit step among some candidates, as long as they are about as good as the best column of the last full pricing.
 * The ratio test passes limits by less than the tolerance in favour of a large pivot. Steps of length zero leave x
 * unchanged; they are made as if the limits that are met were slightly apart, each by a different length (Wolfe's
 * rule). Every step improves this perturbed program, so a basis returns only by rounding. The number of steps is
 * limited as well.
 *
 * <p>Meaning of an answer, with y the {@linkplain #price prices} and d = c − y·A:
 *
 * <ul>
 *   <li>{@code OPTIMAL}: x satisfies rows and limits; d is at least 0 where x may grow and at most 0 where x may fall,
 *       and c·x equals the dual objective at y;
 *   <li>{@code INFEASIBLE}: y·b is larger than (y·A)·x for all x between the limits;
 *   <li>{@code UNBOUNDED}: x satisfies rows and limits, and c·x falls without end in a feasible direction;
 *   <li>{@code FAILED}: more steps were made than a program of this size should need; x and y are not usable. No case
 *       is known with numbers near 1 in size.
 * </ul>
 *
 * <p>Accuracy: limits and reduced costs hold to {@link #TOLERANCE} and the rounding of their terms. Nearly dependent
 * rows or columns may cause more rounding in the decisions between steps; if a solution takes many steps, the tolerance
 * grows, at most to {@link #WIDEST_TOLERANCE}. x and y are solved from the original columns and refined by their
 * residuals, so rounding does not accumulate. Entries, costs and right sides should be near 1 in size; columns and
 * costs below the tolerance count as 0.
 *
 * <p>Cost: a step takes 3 · rows² operations, plus rows · columns for a full pricing; an inverse takes rows³. The
 * method is deterministic and uses only the four operations and square roots, so results have equal bits on every
 * machine.
 *
 * <p>Threads: not safe; one program belongs to one thread.
 *
 * <p>Reference: Wolfe, A technique for resolving degeneracy in linear programming, 1963; Harris, Pivot selection
 * methods of the Devex LP code, 1973.
 */
public final class LinearProgram {
    /** The tolerance of limits, for numbers of size 1, and of reduced costs. */
    public static final double TOLERANCE = 1e-11;

    /** The largest tolerance, used if rounding prevents an answer. */
    public static final double WIDEST_TOLERANCE = 1e-8;

    /** The number of steps after which the inverse is recomputed, because rounding grows with each step. */
    private static final int STEPS_BETWEEN_INVERSES = 60;

    /** How often variables near their limits are put on them at an optimum, after which the search may continue. */
    private static final int MOST_SNAPS = 3;

    /** The result of a solution. */
    public enum Status {
        OPTIMAL,
        INFEASIBLE,
        UNBOUNDED,
        /** Rounding prevented an answer; x and prices are not usable. */
        FAILED
    }

    private final int rows;
    private final Variables variables;
    private final Basis basis;
    private final Pricing pricing;
    private final RatioTest ratioTest;

    /** Creates a program without variables. */
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

    /** Adds a variable with the lower limit 0 and no upper limit; returns its number. */
    public int add(double cost, double[] column) {
        return variables.add(0, Double.POSITIVE_INFINITY, cost, column);
    }

    /** Adds a variable and returns its number. Limits may be infinite. */
    public int add(double low, double high, double cost, double[] column) {
        return variables.add(low, high, cost, column);
    }

    /**
     * Puts a variable on one of its limits at the start: the upper one if {@code side} is positive. The limit must be
     * finite.
     */
    public void waitAt(int variable, int side) {
        Objects.checkIndex(variable, variables.count);
        variables.values[variable] = Require.finite(
                "LinearProgram", "limit", side > 0 ? variables.upper[variable] : variables.lower[variable]);
    }

    /** Returns the number of variables. */
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
     * Starts from the optimal basis of a similar program. Numbers that are no variable, and variables that depend on
     * others, are left out.
     */
    public void startFrom(int[] good) {
        basis.startFrom(good);
    }

    /** Solves the program from the last solution or {@link #startFrom}. */
    public Status solve() {
        pricing.careful = false;
        Status status = solveFromHere();
        if (status == Status.FAILED) {
            // 1 of 500 programs with nearly dependent columns came here; all were solved by a new start with full
            // pricing in every step.
            pricing.careful = true;
            int[] none = new int[rows];
            Arrays.fill(none, -1);
            startFrom(none);
            status = solveFromHere();
        }
        return status;
    }

    private Status solveFromHere() {
        // Few programs need a tenth of this limit.
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
            if (entering >= 0 && ratioTest.step(entering)) {
                continue;
            }
            if (basis.stepsSinceInverse > 0) {
                basis.invert();
            } else if (entering >= 0 && pricing.phaseOne) {
                // Infeasibilities cannot fall without end; rounding is the cause.
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

    /** Returns c·x. */
    public double objective() {
        double sum = 0;
        for (int j = 0; j < variables.count; j++) {
            sum += variables.costs[j] * value(j);
        }
        return sum;
    }

    /** Returns the value of a variable. */
    public double value(int variable) {
        Objects.checkIndex(variable, variables.count);
        return variables.places[variable] < 0 ? variables.values[variable] : basis.basic[variables.places[variable]];
    }

    /**
     * Returns the price of a row: the derivative of the optimal objective with respect to the right side. If the
     * program is infeasible, the prices prove it: they combine the rows to one that no x between the limits satisfies.
     */
    public double price(int row) {
        return pricing.prices[row];
    }
}
