package org.bochner.numeric.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.numeric.program.LinearProgram.Status;

/**
 * A linear program in plain sight, and the proofs of an answer to it that need no second solver.
 *
 * <p>All proofs are sums that are compared with what their terms add up to in size, so that they mean the same at any scale:
 * {@link #TOLERANCE} is that of the relative error.
 */
final class ProgramCase {
    static final double TOLERANCE = 1e-9;
    private static final double INFINITY = Double.POSITIVE_INFINITY;

    final String name;
    final double[] rightSide;
    final List<double[]> columns = new ArrayList<>();
    final List<Double> costs = new ArrayList<>();
    final List<Double> lower = new ArrayList<>();
    final List<Double> upper = new ArrayList<>();

    ProgramCase(String name, double... rightSide) {
        this.name = name;
        this.rightSide = rightSide;
    }

    ProgramCase named(String other) {
        ProgramCase same = new ProgramCase(other, rightSide);
        for (int j = 0; j < size(); j++) {
            same.add(lower.get(j), upper.get(j), costs.get(j), columns.get(j));
        }
        return same;
    }

    int rows() {
        return rightSide.length;
    }

    int size() {
        return columns.size();
    }

    void add(double low, double high, double cost, double... column) {
        lower.add(low);
        upper.add(high);
        costs.add(cost);
        columns.add(column.clone());
    }

    /** A column that makes "at most" of a row's "equal". */
    void addSlack(int row) {
        double[] column = new double[rows()];
        column[row] = 1;
        add(0, INFINITY, 0, column);
    }

    LinearProgram program() {
        LinearProgram program = new LinearProgram(rightSide);
        addTo(program, 0, size());
        return program;
    }

    void addTo(LinearProgram program, int from, int to) {
        for (int j = from; j < to; j++) {
            assertEquals(j, program.add(lower.get(j), upper.get(j), costs.get(j), columns.get(j)));
        }
    }

    /** Solves it anew and proves the answer, whichever it is. */
    LinearProgram solved(Status expected) {
        LinearProgram program = program();
        assertEquals(expected, program.solve(), name);
        prove(program, expected);
        return program;
    }

    void prove(LinearProgram program, Status status) {
        switch (status) {
            case OPTIMAL -> proveOptimal(program);
            case INFEASIBLE -> proveInfeasible(program);
            default -> assertEquals(Status.UNBOUNDED, status, name);
        }
    }

    /**
     * x meets all rows and bounds, prices y with reduced costs d = c − y·A are a point of the dual, and both have the same
     * objective: by weak duality no x is better by more than the gap.
     */
    void proveOptimal(LinearProgram program) {
        double[] x = new double[size()];
        Arrays.setAll(x, program::value);
        double primal = 0;
        double primalSize = 1;
        for (int j = 0; j < x.length; j++) {
            double slack = TOLERANCE * (1 + Math.abs(x[j]));
            assertTrue(x[j] >= lower.get(j) - slack && x[j] <= upper.get(j) + slack, name + ": bounds of " + j);
            primal += costs.get(j) * x[j];
            primalSize += Math.abs(costs.get(j) * x[j]);
        }
        for (int i = 0; i < rows(); i++) {
            double sum = -rightSide[i];
            double size = 1 + Math.abs(rightSide[i]);
            for (int j = 0; j < x.length; j++) {
                sum += columns.get(j)[i] * x[j];
                size += Math.abs(columns.get(j)[i] * x[j]);
            }
            assertEquals(0, sum, TOLERANCE * size, name + ": row " + i);
        }
        double dual = 0;
        double dualSize = 1;
        for (int i = 0; i < rows(); i++) {
            dual += program.price(i) * rightSide[i];
            dualSize += Math.abs(program.price(i) * rightSide[i]);
        }
        for (int j = 0; j < x.length; j++) {
            double d = costs.get(j) - product(program, j);
            double bound = d > 0 ? lower.get(j) : upper.get(j);
            if (Double.isInfinite(bound)) {
                assertEquals(0, d, TOLERANCE * size(program, j), name + ": reduced cost of " + j);
            } else {
                dual += d * bound;
                dualSize += Math.abs(d * bound);
            }
        }
        assertEquals(primal, dual, TOLERANCE * (primalSize + dualSize), name + ": gap");
        assertEquals(primal, program.objective(), TOLERANCE * primalSize, name + ": objective");
    }

    /** Prices y of which no x between the bounds has (y·A)·x as large as y·b. */
    void proveInfeasible(LinearProgram program) {
        double most = 0;
        double right = 0;
        for (int i = 0; i < rows(); i++) {
            right += program.price(i) * rightSide[i];
        }
        for (int j = 0; j < size(); j++) {
            double product = product(program, j);
            double bound = product > 0 ? upper.get(j) : lower.get(j);
            if (Double.isInfinite(bound)) {
                assertEquals(0, product, TOLERANCE * size(program, j), name + ": a ray of " + j);
            } else {
                most += product * bound;
            }
        }
        assertTrue(most < right, name + ": at most " + most + ", needed " + right);
    }

    private double product(LinearProgram program, int j) {
        double sum = 0;
        for (int i = 0; i < rows(); i++) {
            sum += program.price(i) * columns.get(j)[i];
        }
        return sum;
    }

    private double size(LinearProgram program, int j) {
        double sum = 1 + Math.abs(costs.get(j));
        for (int i = 0; i < rows(); i++) {
            sum += Math.abs(program.price(i) * columns.get(j)[i]);
        }
        return sum;
    }
}
