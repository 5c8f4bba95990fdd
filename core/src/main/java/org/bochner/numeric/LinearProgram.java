package org.bochner.numeric;

import java.util.Arrays;
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
 * given; infeasibilities are summed and driven to zero from whatever basis is at hand. Entering columns have the largest
 * reduced cost of a unit step; the ratio test passes bounds by a tolerance in favour of a large pivot. Where steps of
 * length zero go on, all bounds are loosened a little, each by another amount, and restored at the optimum; where that does
 * not help, columns enter and leave by least index, so that it ends.
 *
 * <p>Accuracy: reduced costs and bounds are held to {@link #TOLERANCE}, of numbers that should be near 1 in size.
 *
 * <p>Cost: a step reads every column once: rows · columns + rows². Nothing is random, and only the four operations and
 * square roots are used, so results have the same bits on every machine.
 *
 * <p>Threads: not safe; one program belongs to one thread.
 */
public final class LinearProgram {
    /** By how much bounds and reduced costs may be missed. */
    public static final double TOLERANCE = 1e-11;

    /** Smaller entries are no pivots. */
    private static final double SMALLEST_PIVOT = 1e-9;

    /** Steps after which the inverse is made anew: rounding grows with each. */
    private static final int STEPS_BETWEEN_INVERSES = 60;

    /** Steps without progress after which bounds are loosened, or columns enter by least index. */
    private static final int STALLED_STEPS = 40;

    /** By how much bounds are loosened at first; each further time by a tenth of it. */
    private static final double LOOSENING = 1e-7;

    private static final int MOST_LOOSENINGS = 4;

    /** Columns that are looked at in every step: all of them are only where none of these improves. */
    private static final int MOST_CANDIDATES = 40;

    /** How a program can end. */
    public enum Status {
        OPTIMAL,
        INFEASIBLE,
        UNBOUNDED,
        /** Rounding kept it from an answer. */
        FAILED
    }

    private final int rows;
    private final double[] rightSide;
    private final double[] zeros;

    private int count;
    /** Columns one after the other. */
    private double[] columns;

    private double[] costs;
    private double[] lower;
    private double[] upper;
    /** One over the length of a unit step, by which reduced costs are compared. */
    private double[] lengths;

    /** By how much its bounds are loosened at present. */
    private double[] slacks;

    /** The value of every column that is not in the basis: one of its bounds, or 0. */
    private double[] values;

    /** Row of the basis in which a column is, or −1. */
    private int[] places;

    /** The column of each row of the basis; −1 − i for the i-th unit vector, a variable that must be 0. */
    private final int[] basis;

    private final double[] inverse;
    private final double[] basic;
    private final double[] prices;
    private final double[] direction;
    private final int[] candidates = new int[MOST_CANDIDATES];
    private final double[] gains = new double[MOST_CANDIDATES];
    private int candidateCount;
    private int stepsSinceInverse;
    private boolean phaseOne;
    private boolean loosened;
    private double looseness;
    private long steps;

    /** Makes a program without columns. */
    public LinearProgram(double... rightSide) {
        this.rows = Require.atLeast("LinearProgram", "rows", rightSide.length, 1);
        this.rightSide = rightSide.clone();
        this.zeros = new double[rows];
        int room = 64;
        columns = new double[room * rows];
        costs = new double[room];
        lower = new double[room];
        upper = new double[room];
        lengths = new double[room];
        values = new double[room];
        slacks = new double[room];
        places = new int[room];
        basis = new int[rows];
        inverse = new double[rows * rows];
        basic = new double[rows];
        prices = new double[rows];
        direction = new double[rows];
        for (int i = 0; i < rows; i++) {
            basis[i] = -1 - i;
        }
        stepsSinceInverse = STEPS_BETWEEN_INVERSES;
    }

    /** Adds a variable that is at least 0, and returns its number. */
    public int add(double cost, double... column) {
        return add(0, Double.POSITIVE_INFINITY, cost, column);
    }

    /** Adds a variable, and returns its number. Bounds may be infinite. */
    public int add(double low, double high, double cost, double... column) {
        Require.sameSize("LinearProgram", "entries of a column", column.length, rows);
        Require.that(
                low <= high && low < Double.POSITIVE_INFINITY && high > Double.NEGATIVE_INFINITY,
                "LinearProgram",
                "lower bound must not be above the upper one, got " + low + " and " + high);
        Require.finite("LinearProgram", "cost", cost);
        if (count == costs.length) {
            grow();
        }
        double square = 1;
        for (int i = 0; i < rows; i++) {
            columns[count * rows + i] = Require.finite("LinearProgram", "entry " + i, column[i]);
            square += column[i] * column[i];
        }
        costs[count] = cost;
        lower[count] = low;
        upper[count] = high;
        lengths[count] = 1 / Math.sqrt(square);
        slacks[count] = 0;
        values[count] = Double.isInfinite(low) ? (Double.isInfinite(high) ? 0 : high) : low;
        places[count] = -1;
        return count++;
    }

    /** Lets a variable start at one of its bounds, which must be finite: at the upper one where the side is positive. */
    public void waitAt(int variable, int side) {
        values[variable] = Require.finite("LinearProgram", "bound", side > 0 ? upper[variable] : lower[variable]);
    }

    private void grow() {
        int room = 2 * costs.length;
        columns = Arrays.copyOf(columns, Math.multiplyExact(room, rows));
        costs = Arrays.copyOf(costs, room);
        lower = Arrays.copyOf(lower, room);
        upper = Arrays.copyOf(upper, room);
        lengths = Arrays.copyOf(lengths, room);
        values = Arrays.copyOf(values, room);
        slacks = Arrays.copyOf(slacks, room);
        places = Arrays.copyOf(places, room);
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

    /** Starts from a basis that was good for a similar program. */
    public void startFrom(int[] good) {
        Require.sameSize("LinearProgram", "basis", good.length, rows);
        for (int i = 0; i < rows; i++) {
            if (basis[i] >= 0) {
                places[basis[i]] = -1;
            }
        }
        for (int i = 0; i < rows; i++) {
            basis[i] = good[i] < count ? good[i] : -1 - i;
            if (basis[i] >= 0) {
                places[basis[i]] = i;
            }
        }
        stepsSinceInverse = STEPS_BETWEEN_INVERSES;
    }

    /** Solves it. */
    public Status solve() {
        stepsSinceInverse = STEPS_BETWEEN_INVERSES;
        int stalled = 0;
        int loosenings = 0;
        double best = Double.POSITIVE_INFINITY;
        boolean bestInPhaseOne = true;
        long limit = steps + 2000 + 60L * rows + 2L * count;
        while (steps < limit) {
            if (stepsSinceInverse >= STEPS_BETWEEN_INVERSES) {
                invert();
            }
            double infeasible = infeasibility();
            phaseOne = infeasible > 0;
            price();
            boolean byIndex = stalled > STALLED_STEPS;
            int entering = byIndex ? firstEntering() : entering();
            if (entering >= 0) {
                steps++;
            }
            Status end = entering < 0 ? (phaseOne ? Status.INFEASIBLE : Status.OPTIMAL) : step(entering, byIndex);
            if (entering < 0 || end != Status.OPTIMAL) {
                if (loosened) {
                    loosen(0);
                    stalled = 0;
                } else if (stepsSinceInverse == 0) {
                    return end;
                }
                stepsSinceInverse = STEPS_BETWEEN_INVERSES;
                continue;
            }
            double now = phaseOne ? infeasible : objective();
            if (phaseOne != bestInPhaseOne || now < best - 1e-12 * (1 + Math.abs(best))) {
                best = now;
                bestInPhaseOne = phaseOne;
                stalled = 0;
            } else if (++stalled > STALLED_STEPS && !loosened && loosenings < MOST_LOOSENINGS) {
                loosen(LOOSENING * Math.pow(10, -loosenings++));
                stalled = 0;
                best = Double.POSITIVE_INFINITY;
            }
        }
        return Status.FAILED;
    }

    /** Loosens all bounds by about so much, or restores them; what waits at a bound moves with it. */
    private void loosen(double size) {
        loosened = size > 0;
        looseness = size;
        for (int j = 0; j < count; j++) {
            // Multiples of the golden ratio fill the interval evenly: no two bounds move by the same.
            double fraction = (j + 1) * 0.6180339887498949;
            boolean atLower = values[j] == lower[j] - slacks[j];
            boolean atUpper = values[j] == upper[j] + slacks[j];
            slacks[j] = size * (1 + fraction - Math.floor(fraction));
            if (atLower) {
                values[j] = lower[j] - slacks[j];
            } else if (atUpper) {
                values[j] = upper[j] + slacks[j];
            }
        }
        stepsSinceInverse = STEPS_BETWEEN_INVERSES;
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
        return places[variable] < 0 ? values[variable] : basic[places[variable]];
    }

    /** The price of a row: by how much the least objective grows with its right side. */
    public double price(int row) {
        return prices[row];
    }

    private double lowerOf(int variable) {
        return variable < 0 ? -looseness : lower[variable] - slacks[variable];
    }

    private double upperOf(int variable) {
        return variable < 0 ? looseness : upper[variable] + slacks[variable];
    }

    /** How far basic variables are outside their bounds, in all; 0 where none is by more than the tolerance. */
    private double infeasibility() {
        double sum = 0;
        for (int i = 0; i < rows; i++) {
            sum += Math.max(0, Math.abs(outside(i)));
        }
        return sum;
    }

    /** By how much the basic variable of a row is above its upper bound, or (negative) below its lower one. */
    private double outside(int row) {
        double x = basic[row];
        double low = lowerOf(basis[row]);
        double high = upperOf(basis[row]);
        if (x > high + TOLERANCE * (1 + Math.abs(high))) {
            return x - high;
        }
        return x < low - TOLERANCE * (1 + Math.abs(low)) ? x - low : 0;
    }

    /** The prices of the basis: of the costs, or of being outside the bounds. */
    private void price() {
        System.arraycopy(zeros, 0, prices, 0, rows);
        for (int i = 0; i < rows; i++) {
            double cost = phaseOne ? Math.signum(outside(i)) : basis[i] < 0 ? 0 : costs[basis[i]];
            if (cost != 0) {
                int at = i * rows;
                for (int k = 0; k < rows; k++) {
                    prices[k] += cost * inverse[at + k];
                }
            }
        }
    }

    /** The reduced cost of a variable. */
    private double reduced(int variable) {
        int at = variable * rows;
        double even = 0;
        double odd = 0;
        int k = 0;
        for (; k + 1 < rows; k += 2) {
            even += prices[k] * columns[at + k];
            odd += prices[k + 1] * columns[at + k + 1];
        }
        if (k < rows) {
            even += prices[k] * columns[at + k];
        }
        return (phaseOne ? 0 : costs[variable]) - even - odd;
    }

    /** The first variable that improves, or −1 where none does. */
    private int firstEntering() {
        for (int j = 0; j < count; j++) {
            if (gain(j) > 0) {
                return j;
            }
        }
        return -1;
    }

    /**
     * The variable that improves most a unit step, or −1 where none does: of the candidates that were best when all were last
     * looked at, as long as one of them improves.
     */
    private int entering() {
        int best = bestCandidate();
        if (best < 0) {
            collectCandidates();
            best = bestCandidate();
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

    private void collectCandidates() {
        candidateCount = 0;
        double least = 0;
        for (int j = 0; j < count; j++) {
            double gain = gain(j);
            if (gain <= least && (gain == 0 || candidateCount == candidates.length)) {
                continue;
            }
            int at = candidateCount < candidates.length ? candidateCount++ : leastCandidate();
            candidates[at] = j;
            gains[at] = gain;
            least = candidateCount < candidates.length ? 0 : gains[leastCandidate()];
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
        boolean improves = (d < -TOLERANCE && values[variable] < upperOf(variable))
                || (d > TOLERANCE && values[variable] > lowerOf(variable));
        return improves ? Math.abs(d) * lengths[variable] : 0;
    }

    /** Lets a variable change until another, or itself, meets a bound. */
    private Status step(int entering, boolean byIndex) {
        double sign = reduced(entering) < 0 ? 1 : -1;
        int at = entering * rows;
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int k = 0; k < rows; k++) {
                sum += inverse[i * rows + k] * columns[at + k];
            }
            direction[i] = sum;
        }
        double passing = Double.POSITIVE_INFINITY;
        for (int i = 0; i < rows; i++) {
            double rate = -sign * direction[i];
            double bound = bound(i, rate);
            if (Math.abs(rate) > SMALLEST_PIVOT && !Double.isInfinite(bound)) {
                double slack = TOLERANCE * (1 + Math.abs(bound));
                passing = Math.min(passing, Math.max(0, ((bound - basic[i]) / rate)) + slack / Math.abs(rate));
            }
        }
        int leaving = -1;
        double length = Double.POSITIVE_INFINITY;
        double largest = 0;
        for (int i = 0; i < rows; i++) {
            double rate = -sign * direction[i];
            double bound = bound(i, rate);
            if (Math.abs(rate) <= SMALLEST_PIVOT || Double.isInfinite(bound)) {
                continue;
            }
            double ratio = Math.max(0, (bound - basic[i]) / rate);
            if (ratio > passing) {
                continue;
            }
            boolean better;
            if (byIndex && leaving >= 0) {
                better = ratio < length || (ratio == length && basis[i] < basis[leaving]);
            } else {
                better = Math.abs(rate) > largest;
            }
            if (better) {
                largest = Math.abs(rate);
                leaving = i;
                length = ratio;
            }
        }
        double own = upperOf(entering) - lowerOf(entering);
        if (leaving < 0 && Double.isInfinite(own)) {
            return phaseOne ? Status.FAILED : Status.UNBOUNDED;
        }
        if (leaving < 0 || own <= length) {
            for (int i = 0; i < rows; i++) {
                basic[i] -= sign * own * direction[i];
            }
            values[entering] = sign > 0 ? upperOf(entering) : lowerOf(entering);
            stepsSinceInverse++;
            return Status.OPTIMAL;
        }
        exchange(entering, leaving, sign * length, bound(leaving, -sign * direction[leaving]));
        return Status.OPTIMAL;
    }

    /** Where the basic variable of a row stops that moves at a rate: at a bound, or where it comes inside its bounds. */
    private double bound(int row, double rate) {
        double outside = outside(row);
        if (rate > 0) {
            if (outside > 0) {
                return Double.POSITIVE_INFINITY;
            }
            return outside < 0 ? lowerOf(basis[row]) : upperOf(basis[row]);
        }
        if (outside < 0) {
            return Double.NEGATIVE_INFINITY;
        }
        return outside > 0 ? upperOf(basis[row]) : lowerOf(basis[row]);
    }

    private void exchange(int entering, int leaving, double change, double bound) {
        double entered = values[entering] + change;
        for (int i = 0; i < rows; i++) {
            basic[i] -= change * direction[i];
        }
        int left = basis[leaving];
        if (left >= 0) {
            places[left] = -1;
            values[left] = bound;
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
            double factor = direction[i];
            if (i != leaving && factor != 0) {
                int to = i * rows;
                for (int k = 0; k < rows; k++) {
                    inverse[to + k] -= factor * inverse[from + k];
                }
            }
        }
        stepsSinceInverse++;
    }

    /**
     * Inverts the basis by Gauss and Jordan with pivots by rows. Columns that depend on others are replaced by unit vectors,
     * and wait at the bound that is nearest.
     */
    private void invert() {
        double[] matrix = new double[rows * rows];
        double[] identity = new double[rows * rows];
        for (int j = 0; j < rows; j++) {
            identity[j * rows + j] = 1;
            for (int i = 0; i < rows; i++) {
                matrix[i * rows + j] = basis[j] < 0 ? (i == -1 - basis[j] ? 1 : 0) : columns[basis[j] * rows + i];
            }
        }
        // Row operations turn [B | I] into [P | P·B⁻¹] with a permutation P: pivotRow[j] is the row of basis column j.
        int[] pivotRow = new int[rows];
        boolean[] used = new boolean[rows];
        int[] rejected = new int[rows];
        int rejections = 0;
        for (int j = 0; j < rows; j++) {
            int pivot = -1;
            double largest = 1e-10;
            for (int i = 0; i < rows; i++) {
                if (!used[i] && Math.abs(matrix[i * rows + j]) > largest) {
                    largest = Math.abs(matrix[i * rows + j]);
                    pivot = i;
                }
            }
            if (pivot < 0) {
                rejected[rejections++] = j;
                continue;
            }
            used[pivot] = true;
            pivotRow[j] = pivot;
            eliminate(matrix, identity, pivot, j);
        }
        for (int r = 0; r < rejections; r++) {
            int j = rejected[r];
            int out = basis[j];
            if (out >= 0) {
                places[out] = -1;
                values[out] = nearestBound(out, basic[j]);
            }
            replaceByUnit(matrix, identity, used, pivotRow, j);
        }
        for (int j = 0; j < rows; j++) {
            System.arraycopy(identity, pivotRow[j] * rows, inverse, j * rows, rows);
        }
        stepsSinceInverse = 0;
        solveForBasic();
    }

    private double nearestBound(int variable, double x) {
        double low = lowerOf(variable);
        double high = upperOf(variable);
        if (Double.isInfinite(low)) {
            return Double.isInfinite(high) ? 0 : high;
        }
        return Math.abs(x - high) < Math.abs(x - low) ? high : low;
    }

    /** Puts a unit vector in place of the basis column j: one whose image has a large entry in a row that is still free. */
    private void replaceByUnit(double[] matrix, double[] identity, boolean[] used, int[] pivotRow, int j) {
        int pivot = -1;
        int unit = -1;
        double largest = 0;
        for (int i = 0; i < rows; i++) {
            for (int k = 0; k < rows && !used[i]; k++) {
                if (Math.abs(identity[i * rows + k]) > largest) {
                    largest = Math.abs(identity[i * rows + k]);
                    pivot = i;
                    unit = k;
                }
            }
        }
        basis[j] = -1 - unit;
        for (int i = 0; i < rows; i++) {
            matrix[i * rows + j] = identity[i * rows + unit];
        }
        used[pivot] = true;
        pivotRow[j] = pivot;
        eliminate(matrix, identity, pivot, j);
    }

    private void eliminate(double[] matrix, double[] identity, int pivot, int j) {
        double scale = 1 / matrix[pivot * rows + j];
        for (int k = 0; k < rows; k++) {
            matrix[pivot * rows + k] *= scale;
            identity[pivot * rows + k] *= scale;
        }
        for (int i = 0; i < rows; i++) {
            double factor = matrix[i * rows + j];
            if (i != pivot && factor != 0) {
                for (int k = 0; k < rows; k++) {
                    matrix[i * rows + k] -= factor * matrix[pivot * rows + k];
                    identity[i * rows + k] -= factor * identity[pivot * rows + k];
                }
            }
        }
    }

    /** The basic variables, from the others. */
    private void solveForBasic() {
        double[] rest = rightSide.clone();
        for (int j = 0; j < count; j++) {
            if (places[j] < 0 && values[j] != 0) {
                for (int i = 0; i < rows; i++) {
                    rest[i] -= values[j] * columns[j * rows + i];
                }
            }
        }
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int k = 0; k < rows; k++) {
                sum += inverse[i * rows + k] * rest[k];
            }
            basic[i] = sum;
        }
    }
}
