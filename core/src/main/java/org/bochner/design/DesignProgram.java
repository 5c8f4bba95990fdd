package org.bochner.design;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.numeric.program.LinearProgram;

/**
 * A linear program for the changes of weights and, to first order, of frequencies that minimise the error on a grid.
 *
 * <p>With e the weighted error and Φ the weighted terms and slopes at a point, the program minimises t over v subject
 * to −t ≤ e − Φ·v ≤ t at all points. The dual program is solved; it has one row per entry of v and one column per
 * point. It starts with few points, and points with an error above t are added until there are none. All quantities are
 * in units of the present error, so that errors of 1e-9 are reduced as well as errors of 1.
 */
final class DesignProgram {
    /**
     * Limit of all changes, in units of the error. Larger changes would spoil the scaling of the program and do not
     * occur.
     */
    private static final double LARGEST_CHANGE = 1e4;

    private static final double ENOUGH = 1e-9;
    private static final int MOST_ROUNDS = 60;

    private final Norm norm;
    private final Terms terms;
    private final Grid grid;
    private final double[] errors;
    private final double scale;
    private final double unit;
    private final int[] movable;
    private final double[] lengths;
    private final int variables;
    private final double[] rows;
    private final double[] prices;

    /**
     * Prepares a program.
     *
     * @param errors the errors of the terms on the grid
     * @param movable the indices of the frequencies that may change; empty for weights only
     * @param prices a price per unit of each term's weight, in units of the error divided by the largest error weight;
     *     empty for none
     */
    DesignProgram(
            Norm norm, Terms terms, Grid grid, double[] errors, int[] movable, double[] lengths, double[] prices) {
        this.prices = prices;
        this.norm = norm;
        this.terms = terms;
        this.grid = grid;
        // Programs are solved with weights up to 1: limits of changes are of the size of the terms' weights.
        this.scale =
                IntStream.range(0, grid.size()).mapToDouble(grid::weight).max().orElse(1);
        this.errors = Arrays.stream(errors).map(e -> e / scale).toArray();
        this.unit = grid.norm(norm, this.errors);
        this.movable = movable;
        this.lengths = lengths;
        this.variables = terms.count() + movable.length;
        this.rows = new double[Math.multiplyExact(grid.size(), variables)];
        double[] z = grid.points();
        int columns = grid.columns;
        for (int i = 0; i < grid.size(); i++) {
            double weight = grid.weight(i) / scale;
            int at = i * variables;
            for (int j = 0; j < terms.count(); j++) {
                rows[at + j] = weight * terms.form().value(terms.frequencies(), j * columns, z, i * columns, columns);
            }
            for (int m = 0; m < movable.length; m++) {
                int term = movable[m] / columns;
                int column = movable[m] % columns;
                rows[at + terms.count() + m] = weight
                        * terms.form().slope(terms.frequencies(), term * columns, z, i * columns, columns, column)
                        / lengths[column];
            }
        }
    }

    /**
     * The solution of a program.
     *
     * @param predicted the predicted error, with terms linear in their frequencies; exact if no frequency moved
     * @param vertex the columns of the optimal vertex, from which a similar program may start
     * @param multipliers the dual variable of each grid point times its error weight. The sum of the multipliers times
     *     the values of any term is what a unit of its weight is worth; a term outside the program whose worth is at most
     *     its price has the weight 0 in a program with it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Result(Terms terms, double predicted, int[] vertex, double[] multipliers) {}

    /**
     * Returns the best terms whose frequencies change by at most {@code reach}.
     *
     * @param vertex the vertex of a similar program with as many variables; empty if there is none
     */
    Result solve(double reach, int[] vertex) {
        if (unit == 0) {
            return new Result(terms, 0, vertex, new double[grid.size()]);
        }
        return norm == Norm.LARGEST ? largest(reach, vertex) : mean(reach);
    }

    private Result largest(double reach, int[] vertex) {
        double[] right = new double[1 + variables];
        right[0] = 1;
        System.arraycopy(prices, 0, right, 1, prices.length);
        LinearProgram program = new LinearProgram(right);
        addLimits(program, 1, reach);
        // The two columns of a point are adjacent: 2·place and 2·place + 1 after the limits.
        int limits = program.size();
        int[] places = new int[grid.size()];
        List<Integer> points = new ArrayList<>();
        Arrays.fill(places, -1);
        if (vertex.length == right.length) {
            program.startFrom(Arrays.stream(vertex)
                    .map(code -> code < limits
                            ? code
                            : limits + 2 * activate(program, (code - limits) / 2, places, points) + (code - limits) % 2)
                    .toArray());
        } else {
            int worst = worst(errors);
            int side = errors[worst] > 0 ? 1 : 0;
            double[] sums = column(worst, 2 * side - 1);
            for (int v = 0; v < prices.length; v++) {
                sums[1 + v] -= prices[v];
            }
            startAt(program, limits + 2 * activate(program, worst, places, points) + side, sums);
        }
        double[] change = new double[variables];
        double[] residuals = Arrays.stream(errors).map(e -> e / unit).toArray();
        double bound = 0;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            boolean added = activateWorst(program, residuals, bound + ENOUGH / 2, places, points);
            if (round > 0 && (!added || grid.norm(Norm.LARGEST, residuals) <= bound + ENOUGH)) {
                break;
            }
            require(program.solve());
            bound = -program.price(0);
            for (int v = 0; v < variables; v++) {
                change[v] = -program.price(1 + v);
            }
            residuals = residuals(change);
        }
        int[] last = Arrays.stream(program.basis())
                .map(column -> column < limits
                        ? column
                        : limits + 2 * points.get((column - limits) / 2) + (column - limits) % 2)
                .toArray();
        double[] multipliers = new double[grid.size()];
        for (int place = 0; place < points.size(); place++) {
            int point = points.get(place);
            int column = limits + 2 * place;
            multipliers[point] = (program.value(column + 1) - program.value(column)) * grid.weight(point) / scale;
        }
        return new Result(changed(change, reach), bound * unit * scale, last, multipliers);
    }

    /**
     * Adds the two columns of a point unless they are present, and returns the place of the point among the active
     * points.
     */
    private int activate(LinearProgram program, int point, int[] places, List<Integer> points) {
        if (places[point] < 0) {
            places[point] = points.size();
            points.add(point);
            for (int sign = -1; sign <= 1; sign += 2) {
                program.add(-sign * errors[point] / unit, column(point, sign));
            }
        }
        return places[point];
    }

    private Result mean(double reach) {
        // The program minimises the sum of the errors, so prices count once per point.
        double[] right = new double[variables];
        for (int v = 0; v < prices.length; v++) {
            right[v] = grid.looked() * prices[v];
        }
        LinearProgram program = new LinearProgram(right);
        addLimits(program, 0, reach);
        int limits = program.size();
        double[] sums = Arrays.stream(right).map(price -> -price).toArray();
        for (int i = 0; i < grid.size(); i++) {
            double[] row = Arrays.copyOfRange(rows, i * variables, (i + 1) * variables);
            int column = program.add(-1, 1, -errors[i] / unit, row);
            // With no changes, each point is at the limit on the side of its error.
            int side = errors[i] > 0 ? 1 : -1;
            program.waitAt(column, side);
            for (int v = 0; v < variables; v++) {
                sums[v] += side * row[v];
            }
        }
        startAt(program, -1, sums);
        require(program.solve());
        double[] change = new double[variables];
        for (int v = 0; v < variables; v++) {
            change[v] = -program.price(v);
        }
        double[] multipliers = IntStream.range(0, grid.size())
                .mapToDouble(i -> program.value(limits + i) * grid.weight(i) / (scale * grid.looked()))
                .toArray();
        double predicted =
                prices.length == 0 ? -program.objective() / grid.looked() : grid.norm(Norm.MEAN, residuals(change));
        return new Result(changed(change, reach), predicted * unit * scale, new int[0], multipliers);
    }

    private static void require(LinearProgram.Status status) {
        if (status != LinearProgram.Status.OPTIMAL) {
            throw new BochnerException("design: the linear program ended " + status);
        }
    }

    /**
     * Adds the limits: weights stay at least 0, |β| ≤ reach·α for the frequency changes d = β/α, and all changes stay
     * below {@link #LARGEST_CHANGE}. The columns of the last kind, one per sign and row, come first.
     */
    private void addLimits(LinearProgram program, int first, double reach) {
        int height = first + variables;
        for (int v = 0; v < variables; v++) {
            double[] column = new double[height];
            column[first + v] = 1;
            program.add(
                    v < terms.count() ? Math.min(LARGEST_CHANGE, terms.weights()[v] / unit) : LARGEST_CHANGE, column);
            column[first + v] = -1;
            program.add(LARGEST_CHANGE, column);
        }
        for (int m = 0; m < movable.length; m++) {
            int term = movable[m] / grid.columns;
            double scaled = reach * lengths[movable[m] % grid.columns];
            for (int sign = -1; sign <= 1; sign += 2) {
                double[] column = new double[height];
                column[first + term] = scaled;
                column[first + terms.count() + m] = sign;
                program.add(Math.min(LARGEST_CHANGE, scaled * terms.weights()[term] / unit), column);
            }
        }
    }

    /**
     * Starts at the vertex where the limits balance the sums of all other columns. If no limit covers the first row,
     * the row has a column of its own.
     */
    private void startAt(LinearProgram program, int firstColumn, double[] sums) {
        int first = firstColumn < 0 ? 0 : 1;
        int[] basis = new int[first + variables];
        basis[0] = firstColumn;
        for (int v = 0; v < variables; v++) {
            basis[first + v] = 2 * v + (sums[first + v] <= 0 ? 0 : 1);
        }
        program.startFrom(basis);
    }

    private double[] residuals(double[] change) {
        double[] residuals = new double[grid.size()];
        for (int i = 0; i < residuals.length; i++) {
            double sum = 0;
            int at = i * variables;
            for (int v = 0; v < variables; v++) {
                sum += rows[at + v] * change[v];
            }
            residuals[i] = errors[i] / unit - sum;
        }
        return residuals;
    }

    /**
     * Adds the worst point of each part of the grid whose error is above a threshold; returns true if there was one.
     */
    private boolean activateWorst(
            LinearProgram program, double[] residuals, double threshold, int[] places, List<Integer> points) {
        int stretch = Math.max(1, residuals.length / (4 * variables + 16));
        int before = points.size();
        for (int from = 0; from < residuals.length; from += stretch) {
            int worst = -1;
            double most = threshold;
            for (int i = from; i < Math.min(residuals.length, from + stretch); i++) {
                if (places[i] < 0 && Math.abs(residuals[i]) > most) {
                    most = Math.abs(residuals[i]);
                    worst = i;
                }
            }
            if (worst >= 0) {
                int unused = activate(program, worst, places, points);
            }
        }
        return points.size() > before;
    }

    private static int worst(double[] residuals) {
        return IntStream.range(0, residuals.length)
                .boxed()
                .max(Comparator.comparingDouble(i -> Math.abs(residuals[i])))
                .orElseThrow();
    }

    private double[] column(int point, int sign) {
        double[] column = new double[1 + variables];
        column[0] = 1;
        for (int v = 0; v < variables; v++) {
            column[1 + v] = sign * rows[point * variables + v];
        }
        return column;
    }

    private Terms changed(double[] change, double reach) {
        double[] weights = terms.weights().clone();
        for (int j = 0; j < terms.count(); j++) {
            weights[j] = Math.max(0, weights[j] + change[j] * unit);
        }
        double[] frequencies = terms.frequencies().clone();
        for (int m = 0; m < movable.length; m++) {
            int term = movable[m] / grid.columns;
            if (weights[term] > 0) {
                double beta = change[terms.count() + m] * unit / lengths[movable[m] % grid.columns];
                // Rounding of a weight near 0 must not move its frequency out of the trust region.
                frequencies[movable[m]] += Math.max(-reach, Math.min(reach, beta / weights[term]));
            }
        }
        return new Terms(terms.form(), terms.columns(), frequencies, weights);
    }
}
