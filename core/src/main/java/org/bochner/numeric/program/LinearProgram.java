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

    /** Smaller entries are no pivots. */
    private static final double SMALLEST_PIVOT = 1e-8;

    /** Pivots that are smaller by so much than the largest entry are taken only from a new inverse, or for want of others. */
    private static final double POOR_PIVOT = 1e-7;

    /** Rounding of a sum, as a part of the size of its terms: some units in the last place. */
    private static final double ROUNDING = 0x1p-50;

    /** Steps after which the inverse is made anew: rounding grows with each. */
    private static final int STEPS_BETWEEN_INVERSES = 60;

    /** Columns that are looked at in every step. */
    private static final int MOST_CANDIDATES = 40;

    /**
     * As long as a candidate is as good as this part of the best of all, others are not looked at. With any that improves
     * it takes twice the steps, and where columns are nearly dependent many more.
     */
    private static final double GOOD_CANDIDATE = 0.5;

    /** How often the variables that wait near their bounds are put on them at an optimum, from which it may then go on. */
    private static final int MOST_SNAPS = 3;

    /** By how much zero steps may pass bounds that are taken for apart, by 1 to 2, in favour of a large pivot. */
    private static final double PASSED_APART = 1e-3;

    /** How a program can end. */
    public enum Status {
        OPTIMAL,
        INFEASIBLE,
        UNBOUNDED,
        /** Rounding kept it from an answer: x and prices are of no use. */
        FAILED
    }

    private enum Step {
        MADE,
        /** Nothing stops the entering variable. */
        ENDLESS,
        /** Rounding hides what the step would do. */
        UNCLEAR
    }

    private final int rows;
    private final double[] rightSide;

    private int count;
    /** Columns one after the other. */
    private double[] columns;

    private double[] costs;
    private double[] lower;
    private double[] upper;
    /** The length of a unit step, by which reduced costs are divided to be compared. */
    private double[] lengths;

    /**
     * The value of every column that is not in the basis: 0 if it is free, else at one of its bounds, or as near as it was when
     * it left in a step of length zero. Put on the bound it would change the basic variables, by much where rows are nearly
     * dependent.
     */
    private double[] values;

    /** Row of the basis in which a column is, or −1. */
    private int[] places;

    /** The column of each row of the basis; −1 − i for the i-th unit vector, a variable that must be 0. */
    private final int[] basis;

    private final double[] inverse;
    private final double[] work;
    private final double[] basic;
    /** What rounding of the inverse may add to a basic variable. */
    private double blur;

    /** The costs of the basic variables: their own, or the signs of their infeasibilities. */
    private final double[] basicCosts;

    private final double[] prices;
    private double pricesLength;
    private final double[] direction;

    /** In a row of zero steps: how far basic variables at a bound seem to be above their lower and below their upper one. */
    private final double[] above;

    private final double[] below;
    private boolean apart;

    /** Columns that were best when all were last looked at, and the most that one of them gained then. */
    private final int[] candidates = new int[MOST_CANDIDATES];

    private final double[] gains = new double[MOST_CANDIDATES];
    private int candidateCount;
    private double mostGain;

    /** Whether all columns are looked at in every step. */
    private boolean careful;

    private int stepsSinceInverse;
    private boolean phaseOne;
    private long steps;
    private double tolerance = TOLERANCE;

    /** Makes a program without columns. */
    public LinearProgram(double... rightSide) {
        this.rows = Require.atLeast("LinearProgram", "rows", rightSide.length, 1);
        this.rightSide = rightSide.clone();
        for (int i = 0; i < rows; i++) {
            Require.finite("LinearProgram", "right side " + i, rightSide[i]);
        }
        int room = 64;
        columns = new double[Math.multiplyExact(room, rows)];
        costs = new double[room];
        lower = new double[room];
        upper = new double[room];
        lengths = new double[room];
        values = new double[room];
        places = new int[room];
        basis = new int[rows];
        inverse = new double[Math.multiplyExact(rows, rows)];
        work = new double[rows * rows];
        basic = new double[rows];
        basicCosts = new double[rows];
        prices = new double[rows];
        direction = new double[rows];
        above = new double[rows];
        below = new double[rows];
        Arrays.setAll(basis, i -> -1 - i);
    }

    /** Adds a variable that is at least 0, and returns its number. */
    public int add(double cost, double[] column) {
        return add(0, Double.POSITIVE_INFINITY, cost, column);
    }

    /** Adds a variable, and returns its number. Bounds may be infinite. */
    public int add(double low, double high, double cost, double[] column) {
        Require.sameSize("LinearProgram", "entries of a column", column.length, rows);
        boolean bounded = low <= high && low < Double.POSITIVE_INFINITY && high > Double.NEGATIVE_INFINITY;
        Require.that(
                bounded,
                "LinearProgram",
                bounded ? "" : "bounds must hold a finite number between them, got " + low + " and " + high);
        Require.finite("LinearProgram", "cost", cost);
        double square = 1;
        for (int i = 0; i < rows; i++) {
            square += column[i] * column[i];
        }
        if (!Double.isFinite(square)) {
            // Only now is a name made for each entry: columns are added in the innermost loop of designs.
            for (int i = 0; i < rows; i++) {
                Require.finite("LinearProgram", "entry " + i + " of a column", column[i]);
            }
            Require.finite("LinearProgram", "sum of squares of a column", square);
        }
        if (count == costs.length) {
            grow();
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

    private void grow() {
        int room = 2 * costs.length;
        columns = Arrays.copyOf(columns, Math.multiplyExact(room, rows));
        costs = Arrays.copyOf(costs, room);
        lower = Arrays.copyOf(lower, room);
        upper = Arrays.copyOf(upper, room);
        lengths = Arrays.copyOf(lengths, room);
        values = Arrays.copyOf(values, room);
        places = Arrays.copyOf(places, room);
    }

    /** Lets a variable start at one of its bounds, which must be finite: at the upper one where the side is positive. */
    public void waitAt(int variable, int side) {
        Objects.checkIndex(variable, count);
        values[variable] = Require.finite("LinearProgram", "bound", side > 0 ? upper[variable] : lower[variable]);
    }

    /** How many variables it has. */
    public int size() {
        return count;
    }

    /** Simplex steps so far. */
    public long steps() {
        return steps;
    }

    /** The variables of the basis, one a row; negative ones are no variable. A new array, for {@link #startFrom}. */
    public int[] basis() {
        return basis.clone();
    }

    /**
     * Starts from a basis that was good for a similar program. Any numbers will do: those that are no variable, or one that
     * depends on others, are left out.
     */
    public void startFrom(int[] good) {
        Require.sameSize("LinearProgram", "variables of a basis", good.length, rows);
        for (int variable : basis) {
            if (variable >= 0) {
                places[variable] = -1;
            }
        }
        for (int i = 0; i < rows; i++) {
            boolean known = good[i] >= 0 && good[i] < count && places[good[i]] < 0;
            basis[i] = known ? good[i] : -1 - i;
            if (known) {
                places[good[i]] = i;
                basic[i] = values[good[i]];
            }
        }
    }

    /** Solves it, from the last solution or {@link #startFrom}. */
    public Status solve() {
        careful = false;
        Status status = solveFromHere();
        if (status == Status.FAILED) {
            // Seen in 1 of 500 programs of nearly dependent columns; all were solved so: from the start, and with the
            // best of all columns in every step.
            careful = true;
            int[] none = new int[rows];
            Arrays.fill(none, -1);
            startFrom(none);
            status = solveFromHere();
        }
        return status;
    }

    private Status solveFromHere() {
        // Few programs take a tenth of it.
        long many = 500 + 10L * rows + count;
        long limit = steps + many;
        int snaps = 0;
        tolerance = TOLERANCE;
        snap();
        invert();
        while (steps < limit || tolerance < WIDEST_TOLERANCE) {
            if (steps >= limit) {
                tolerance = Math.min(WIDEST_TOLERANCE, 10 * tolerance);
                limit = steps + many;
            }
            if (stepsSinceInverse >= STEPS_BETWEEN_INVERSES) {
                invert();
            }
            price();
            int entering = entering();
            Step step = entering < 0 ? Step.ENDLESS : step(entering);
            if (step == Step.MADE) {
                steps++;
            } else if (stepsSinceInverse > 0) {
                invert();
            } else if (entering >= 0 && phaseOne) {
                // Infeasibilities cannot fall without end: what would let them is rounding.
                limit = steps;
            } else if (entering < 0 && !phaseOne && snaps < MOST_SNAPS && snap()) {
                snaps++;
                invert();
            } else if (!(pricesLength + blur < Double.POSITIVE_INFINITY)) {
                return Status.FAILED;
            } else {
                return phaseOne ? Status.INFEASIBLE : entering < 0 ? Status.OPTIMAL : Status.UNBOUNDED;
            }
        }
        return Status.FAILED;
    }

    /** Puts the variables that wait near a bound on it; says whether there were any. */
    private boolean snap() {
        boolean any = false;
        for (int j = 0; j < count; j++) {
            double x = values[j];
            if (places[j] < 0 && x != lower[j] && x != upper[j]) {
                values[j] = nearestBound(j, x);
                any |= values[j] != x;
            }
        }
        return any;
    }

    private double nearestBound(int variable, double x) {
        double low = lower[variable];
        double high = upper[variable];
        if (Double.isInfinite(low) && Double.isInfinite(high)) {
            return 0;
        }
        return x - low <= high - x ? low : high;
    }

    /** c·x. */
    public double objective() {
        double sum = 0;
        for (int j = 0; j < count; j++) {
            sum += costs[j] * value(j);
        }
        return sum;
    }

    /** x of a variable. */
    public double value(int variable) {
        Objects.checkIndex(variable, count);
        return places[variable] < 0 ? values[variable] : basic[places[variable]];
    }

    /**
     * The price of a row: by how much the least objective grows with its right side. Where the program was infeasible, prices
     * are the proof of it: the combination of rows that no x between the bounds can meet.
     */
    public double price(int row) {
        return prices[row];
    }

    private double lowerOf(int variable) {
        return variable < 0 ? 0 : lower[variable];
    }

    private double upperOf(int variable) {
        return variable < 0 ? 0 : upper[variable];
    }

    /** By how much a variable may pass a bound. */
    private double tolerance(double bound) {
        return tolerance * (1 + Math.abs(bound)) + blur;
    }

    /** By how much the basic variable of a row is above its upper bound, or (negative) below its lower one. */
    private double outside(int row) {
        double x = basic[row];
        double low = lowerOf(basis[row]);
        double high = upperOf(basis[row]);
        if (x > high + tolerance(high)) {
            return x - high;
        }
        return x < low - tolerance(low) ? x - low : 0;
    }

    /** The prices of the basis: of the costs, or as long as there are infeasibilities of their sum. */
    private void price() {
        boolean wasPhaseOne = phaseOne;
        phaseOne = false;
        for (int i = 0; i < rows; i++) {
            basicCosts[i] = Math.signum(outside(i));
            phaseOne |= basicCosts[i] != 0;
        }
        for (int i = 0; i < rows && !phaseOne; i++) {
            basicCosts[i] = basis[i] < 0 ? 0 : costs[basis[i]];
        }
        if (phaseOne != wasPhaseOne) {
            candidateCount = 0;
        }
        // In phase two, steps keep them up to date.
        if (phaseOne || wasPhaseOne || stepsSinceInverse == 0) {
            Arrays.fill(prices, 0);
            addPrices(basicCosts);
        }
        if (stepsSinceInverse == 0) {
            addPrices(errorsOfPrices());
        }
        pricesLength = Math.sqrt(dot(prices, 0, prices, 0, rows));
    }

    private void addPrices(double[] costsOfRows) {
        for (int i = 0; i < rows; i++) {
            if (costsOfRows[i] != 0) {
                addMultiple(costsOfRows[i], inverse, i * rows, prices, 0, rows);
            }
        }
    }

    /** By how much the reduced costs of the basis are not 0. */
    private double[] errorsOfPrices() {
        double[] errors = new double[rows];
        for (int i = 0; i < rows; i++) {
            errors[i] = basicCosts[i]
                    - (basis[i] < 0 ? prices[-1 - basis[i]] : dot(prices, 0, columns, basis[i] * rows, rows));
        }
        return errors;
    }

    private double reduced(int variable) {
        return (phaseOne ? 0 : costs[variable]) - dot(prices, 0, columns, variable * rows, rows);
    }

    /** The variable that improves most a unit step, or −1 where none does. */
    private int entering() {
        int best = bestCandidate();
        if (best < 0 || careful || gain(best) < GOOD_CANDIDATE * mostGain) {
            collectCandidates();
            best = bestCandidate();
            mostGain = best < 0 ? 0 : gain(best);
        }
        return best;
    }

    private int bestCandidate() {
        int best = -1;
        double most = 0;
        for (int c = 0; c < candidateCount; c++) {
            double gain = gain(candidates[c]);
            if (gain > most) {
                most = gain;
                best = candidates[c];
            }
        }
        return best;
    }

    /** The best of all columns; where there is room, all that improve. */
    private void collectCandidates() {
        candidateCount = 0;
        int least = 0;
        for (int j = 0; j < count; j++) {
            double gain = gain(j);
            boolean full = candidateCount == MOST_CANDIDATES;
            if (gain > (full ? gains[least] : 0)) {
                int at = full ? least : candidateCount++;
                candidates[at] = j;
                gains[at] = gain;
                least = leastCandidate();
            }
        }
    }

    private int leastCandidate() {
        int least = 0;
        for (int c = 1; c < candidateCount; c++) {
            least = gains[c] < gains[least] ? c : least;
        }
        return least;
    }

    /** By how much a unit step of a variable improves; 0 where it does not, or cannot move. */
    private double gain(int variable) {
        if (places[variable] >= 0 || lower[variable] == upper[variable]) {
            return 0;
        }
        double d = reduced(variable);
        double rounding = ROUNDING * (pricesLength * lengths[variable] + Math.abs(costs[variable]));
        double x = values[variable];
        boolean canImprove = d < 0 ? x < upper[variable] - tolerance(x) : x > lower[variable] + tolerance(x);
        return canImprove && Math.abs(d) > tolerance + rounding ? Math.abs(d) / lengths[variable] : 0;
    }

    /** Lets a variable change until another, or itself, meets a bound. */
    private Step step(int entering) {
        double reduced = reduced(entering);
        double most = findDirection(entering);
        // The reduced cost once more, by the direction: where rounding makes them differ, the inverse is too old.
        double other = (phaseOne ? 0 : costs[entering]) - dot(basicCosts, 0, direction, 0, rows);
        if (!(Math.abs(other - reduced) <= 0.1 * Math.abs(reduced))) {
            if (stepsSinceInverse > 0) {
                return Step.UNCLEAR;
            }
            most = refineDirection(entering);
        }
        double sign = reduced < 0 ? 1 : -1;
        // What is small beside a large entry may be the rounding of it.
        double smallest = SMALLEST_PIVOT * Math.max(Math.min(1, most), 1e-3 * most);
        int leaving = leavingAtOnce(sign, smallest, most);
        boolean atOnce = leaving >= 0;
        if (!atOnce) {
            leaving = leaving(sign, smallest);
        }
        double own = sign > 0 ? upper[entering] - values[entering] : values[entering] - lower[entering];
        double length = leaving < 0
                ? Double.POSITIVE_INFINITY
                : atOnce ? 0 : distance(leaving, sign) / Math.abs(direction[leaving]);
        if (Double.isInfinite(length) && Double.isInfinite(own)) {
            return Step.ENDLESS;
        }
        boolean flips = own <= length;
        if (!flips && stepsSinceInverse > 0 && Math.abs(direction[leaving]) < POOR_PIVOT * most) {
            return Step.UNCLEAR;
        }
        if (atOnce) {
            moveApart(entering, leaving, sign);
        } else {
            apart = false;
            addMultiple(-sign * Math.min(own, length), direction, 0, basic, 0, rows);
        }
        if (flips) {
            values[entering] = sign > 0 ? upper[entering] : lower[entering];
        } else {
            double left = length > 0 ? stop(leaving, -sign * direction[leaving]) : basic[leaving];
            exchange(entering, leaving, values[entering] + sign * length, left, reduced);
        }
        stepsSinceInverse++;
        return Step.MADE;
    }

    /** By how much the basic variables fall for a unit of the entering one; returns the largest. */
    private double findDirection(int entering) {
        double most = 0;
        for (int i = 0; i < rows; i++) {
            direction[i] = dot(inverse, i * rows, columns, entering * rows, rows);
            most = Math.max(most, Math.abs(direction[i]));
        }
        return most;
    }

    /** Corrects the direction by what it leaves of the entering column. */
    private double refineDirection(int entering) {
        double[] rest = Arrays.copyOfRange(columns, entering * rows, (entering + 1) * rows);
        subtractBasis(direction, rest);
        double most = 0;
        for (int i = 0; i < rows; i++) {
            direction[i] += dot(inverse, i * rows, rest, 0, rows);
            most = Math.max(most, Math.abs(direction[i]));
        }
        return most;
    }

    /** Where the basic variable of a row stops that moves at a rate: at a bound, or where it comes inside its bounds. */
    private double stop(int row, double rate) {
        double outside = phaseOne ? basicCosts[row] : 0;
        if (rate > 0) {
            return outside > 0 ? Double.POSITIVE_INFINITY : outside < 0 ? lowerOf(basis[row]) : upperOf(basis[row]);
        }
        return outside < 0 ? Double.NEGATIVE_INFINITY : outside > 0 ? upperOf(basis[row]) : lowerOf(basis[row]);
    }

    /** How far the basic variable of a row is from where it stops. */
    private double distance(int row, double sign) {
        double rate = -sign * direction[row];
        return rate > 0 ? stop(row, rate) - basic[row] : basic[row] - stop(row, rate);
    }

    /** The row of the largest pivot among those that stop the step when bounds may be passed by the tolerance; −1 for none. */
    private int leaving(double sign, double smallest) {
        double passing = Double.POSITIVE_INFINITY;
        for (int i = 0; i < rows; i++) {
            double speed = Math.abs(direction[i]);
            double stop = stop(i, -sign * direction[i]);
            if (speed > smallest && Double.isFinite(stop)) {
                passing = Math.min(passing, (Math.abs(stop - basic[i]) + tolerance(stop)) / speed);
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
     * The row that stops the step before it begins, as its basic variable is at the bound that it moves to; −1 for none. Of
     * several it is the one that would be met first were bounds apart, unless its pivot is poor.
     */
    private int leavingAtOnce(double sign, double smallest, double most) {
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

    private boolean isAtStop(int row, double sign) {
        return (!phaseOne || basicCosts[row] == 0) && distance(row, sign) <= tolerance(basic[row]);
    }

    private double room(int row, double sign) {
        return sign * direction[row] > 0 ? above[row] : below[row];
    }

    /** Takes all bounds for apart that basic variables are at. */
    private void setApart() {
        apart = true;
        for (int i = 0; i < rows; i++) {
            // Multiples of the golden ratio fill the interval evenly: no two are the same.
            double fraction = (basis[i] + rows + 1 + steps) * 0.6180339887498949;
            double room = 1 + fraction - Math.floor(fraction);
            above[i] = basic[i] - lowerOf(basis[i]) <= tolerance(basic[i]) ? room : Double.POSITIVE_INFINITY;
            below[i] = upperOf(basis[i]) - basic[i] <= tolerance(basic[i]) ? room : Double.POSITIVE_INFINITY;
        }
    }

    /** Makes the step of the bounds that are taken for apart. */
    private void moveApart(int entering, int leaving, double sign) {
        double length = room(leaving, sign) / Math.abs(direction[leaving]);
        for (int i = 0; i < rows; i++) {
            double fall = sign * length * direction[i];
            above[i] = Math.max(PASSED_APART / 8, above[i] - fall);
            below[i] = Math.max(PASSED_APART / 8, below[i] + fall);
        }
        boolean free = Double.isInfinite(lower[entering]) && Double.isInfinite(upper[entering]);
        above[leaving] = sign > 0 && !free ? length : Double.POSITIVE_INFINITY;
        below[leaving] = sign < 0 && !free ? length : Double.POSITIVE_INFINITY;
        // Small pivots make them grow, in the end beyond all numbers.
        apart = length < 1e6;
    }

    private void exchange(int entering, int leaving, double entered, double left, double reduced) {
        if (basis[leaving] >= 0) {
            places[basis[leaving]] = -1;
            values[basis[leaving]] = left;
        }
        basis[leaving] = entering;
        places[entering] = leaving;
        basic[leaving] = entered;
        double pivot = direction[leaving];
        int from = leaving * rows;
        for (int k = 0; k < rows; k++) {
            inverse[from + k] /= pivot;
        }
        for (int i = 0; i < rows; i++) {
            if (i != leaving && direction[i] != 0) {
                addMultiple(-direction[i], inverse, from, inverse, i * rows, rows);
            }
        }
        addMultiple(reduced, inverse, from, prices, 0, rows);
    }

    /**
     * Inverts the basis in place by Gauss and Jordan, with pivots by rows. Columns that depend on others are replaced by unit
     * vectors, and wait at the bound that is nearest.
     */
    private void invert() {
        for (int j = 0; j < rows; j++) {
            for (int i = 0; i < rows; i++) {
                work[i * rows + j] = basis[j] < 0 ? (i == -1 - basis[j] ? 1 : 0) : columns[basis[j] * rows + i];
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
                if (pass == 1 ? pivotRows[j] == 0 : isUnit(basis[j])) {
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

    private boolean isUnit(int variable) {
        if (variable < 0) {
            return true;
        }
        int entries = 0;
        for (int i = 0; i < rows; i++) {
            entries += columns[variable * rows + i] == 0 ? 0 : 1;
        }
        return entries == 1;
    }

    /** The row of the largest entry that a column still has, or −1 where nothing but rounding is left of it. */
    private int pivotOf(int j, boolean[] pivoted) {
        int pivot = -1;
        double largest = 1e-10 * (basis[j] < 0 ? 1 : lengths[basis[j]]);
        for (int i = 0; i < rows; i++) {
            if (!pivoted[i] && Math.abs(work[i * rows + j]) > largest) {
                largest = Math.abs(work[i * rows + j]);
                pivot = i;
            }
        }
        return pivot;
    }

    private void sweep(int pivot, int j) {
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
                addMultiple(-factor, work, from, work, i * rows, rows);
            }
        }
    }

    /** Puts the unit vector of a row in place of the basis column j: a row without pivot is as it was, so that its is 1. */
    private void replaceByUnit(int j, int row) {
        int out = basis[j];
        if (out >= 0) {
            places[out] = -1;
            values[out] = nearestBound(out, basic[j]);
        }
        basis[j] = -1 - row;
        for (int i = 0; i < rows; i++) {
            work[i * rows + j] = i == row ? 1 : 0;
        }
    }

    /** The basic variables, from the others, and how well they are known. */
    private void solveForBasic() {
        double[] rest = rightSide.clone();
        double size = 0;
        for (int j = 0; j < count; j++) {
            if (places[j] < 0 && values[j] != 0) {
                addMultiple(-values[j], columns, j * rows, rest, 0, rows);
            }
        }
        for (int i = 0; i < rows; i++) {
            basic[i] = dot(inverse, i * rows, rest, 0, rows);
            double sum = 0;
            for (int k = 0; k < rows; k++) {
                sum += Math.abs(inverse[i * rows + k] * rest[k]);
            }
            size = Math.max(size, sum);
        }
        blur = ROUNDING * size;
        subtractBasis(basic, rest);
        for (int i = 0; i < rows; i++) {
            basic[i] += dot(inverse, i * rows, rest, 0, rows);
        }
    }

    private void subtractBasis(double[] multiples, double[] rest) {
        for (int i = 0; i < rows; i++) {
            if (basis[i] < 0) {
                rest[-1 - basis[i]] -= multiples[i];
            } else {
                addMultiple(-multiples[i], columns, basis[i] * rows, rest, 0, rows);
            }
        }
    }

    /** Four sums, as additions that wait for each other take most of the time. */
    private static double dot(double[] a, int fromA, double[] b, int fromB, int length) {
        double first = 0;
        double second = 0;
        double third = 0;
        double fourth = 0;
        int k = 0;
        for (; k + 3 < length; k += 4) {
            first += a[fromA + k] * b[fromB + k];
            second += a[fromA + k + 1] * b[fromB + k + 1];
            third += a[fromA + k + 2] * b[fromB + k + 2];
            fourth += a[fromA + k + 3] * b[fromB + k + 3];
        }
        for (; k < length; k++) {
            first += a[fromA + k] * b[fromB + k];
        }
        return (first + second) + (third + fourth);
    }

    private static void addMultiple(double factor, double[] from, int at, double[] to, int toAt, int length) {
        for (int k = 0; k < length; k++) {
            to[toAt + k] += factor * from[at + k];
        }
    }
}
