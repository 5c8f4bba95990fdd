package org.bochner.learn.solve;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.learn.Convergence;
import org.bochner.learn.Learner;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Monitor;
import org.bochner.stats.CellRows;
import org.jspecify.annotations.Nullable;

/**
 * Ridge regression on the cells of random grids by conjugate gradients, for all outputs at once. No matrix is formed: an
 * iteration costs two additions per row, grid and output. Each output has its own step lengths.
 *
 * <p>It stops when the residual is at most the tolerance times the right-hand side, for every output. An automatic penalty
 * is the one with the least squared error on held-out rows; each penalty starts at the solution of the nearest one.
 *
 * <p>Memory: for each output, six vectors over the rows or the cells, whichever are fewer, and three over the cells. An automatic
 * penalty keeps up to {@value #KEPT} solutions more. Threads: not safe; each pass over the rows uses several threads itself,
 * whose number does not change the result.
 */
public final class CellRidge {
    private static final String METHOD = "conjugate gradients";

    /** Test errors no longer change at smaller residuals. */
    private static final double USUAL_TOLERANCE = 1e-3;

    private static final int USUAL_ITERATIONS = 1000;

    /** Factor on the tolerance of the solutions that only serve to compare penalties. */
    private static final double SEARCH_SLACK = 10;

    /**
     * The solutions that a search of the penalty keeps while it computes another one: that of the best penalty, of its two
     * neighbours at a factor of ten, and of one at √10.
     */
    private static final int KEPT = 4;

    private final Learner learner;
    private final Formulation formulation;
    private final Function<Learner, Monitor> monitors;

    /**
     * Creates a ridge regression.
     *
     * @param learner ridge regression
     * @param monitors returns the monitor of a solution for the learner with that solution's penalty
     */
    public CellRidge(Learner learner, Function<Learner, Monitor> monitors) {
        Require.that(learner.isRidge(), "CellRidge", "the learner must be ridge, got " + learner);
        this.learner = learner;
        formulation = Formulation.of(learner);
        this.monitors = monitors;
    }

    /**
     * Returns the bytes of the vectors, without the rows.
     *
     * @param slots the number of slots of cells
     * @param rows the number of rows, or -1 if it is not known
     * @param automatic true if the penalty is searched
     */
    public static double bytesNeeded(long slots, long rows, int outputs, boolean automatic) {
        // Over the unknowns: the right-hand side, the solution, its residual, a direction, its product, and the means
        // or the
        // roots of the weights. Over the cells: sums, weights, and the weights of the model.
        double unknowns = rows < 0 ? slots : Math.min(slots, rows);
        return Double.BYTES * outputs * ((6 + (automatic ? KEPT : 0)) * unknowns + 3.0 * slots);
    }

    /** Learns with the given penalty. */
    public LinearFit fit(CellRows rows) {
        double lambda = formulation.l2();
        Problem problem = new Problem(rows, 1);
        Solved solved = problem.solve(lambda, null);
        PathPoint point = problem.point(solved, Double.NaN);
        return new LinearFit(
                problem.model(solved), point, List.of(), learner.strengthName() + " was given", solved.convergence);
    }

    /**
     * Learns with the penalty that has the least squared error on validation rows. The final fit includes the validation
     * rows.
     *
     * @param objects what is learned from, in the plural
     */
    public LinearFit fit(CellRows training, CellRows validation, String objects) {
        Choice choice = choose(training, validation);
        StrengthSearch.Found<double[]> found = choice.found;
        Problem all = new Problem(training.and(validation), 1);
        double lambda = found.point().lambda() * all.system.weight / choice.rowWeight;
        Solved solved = all.solve(lambda, all.start(choice));
        return new LinearFit(
                all.model(solved),
                all.point(solved, found.point().validationError()),
                found.path(),
                found.reason(learner, validation.rows(), objects),
                solved.convergence);
    }

    /**
     * A penalty with the solution for training rows, without the vectors of their system.
     *
     * @param form the type of the system
     */
    private record Choice(StrengthSearch.Found<double[]> found, double rowWeight, Class<? extends CellSystem> form) {}

    private Choice choose(CellRows training, CellRows validation) {
        Problem problem = new Problem(training, SEARCH_SLACK);
        requireInRange(problem.system.reference() > 0 && problem.system.reference() < Double.POSITIVE_INFINITY);
        return new Choice(search(problem, validation).run(), problem.system.weight, problem.system.getClass());
    }

    /** Returns the squared error on validation rows, as a share of the error of the mean of the training rows. */
    public double heldOutError(CellRows training, CellRows validation) {
        Problem problem = new Problem(training, SEARCH_SLACK);
        double error = learner.isAuto()
                ? search(problem, validation).runCoarse().point().validationError()
                : error(problem.solve(formulation.l2(), null), validation);
        return error / CellSystem.meanSquare(validation, null, problem.system.means);
    }

    private static StrengthSearch<double[]> search(Problem problem, CellRows tests) {
        return new StrengthSearch<>(false, problem.system.reference(), (lambda, start) -> {
            Solved solved = problem.solve(lambda, start);
            return new StrengthSearch.Tried<>(solved.point, problem.point(solved, error(solved, tests)));
        });
    }

    /** Fails if sums of squares overflow or underflow; the condition must be false for NaN. */
    private static void requireInRange(boolean inRange) {
        if (!inRange) {
            throw new BochnerException(
                    "ridge: the factor of the kernel, the penalty, the targets or the row weights are so large"
                            + " or so small that their products have no finite number; rescale them");
        }
    }

    private static double error(Solved solved, CellRows tests) {
        return CellSystem.meanSquare(tests, solved.weights, solved.intercepts);
    }

    /** A solution: the unknowns of the system, and the weights per slot. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Solved(
            double lambda,
            double[] point,
            double[] weights,
            double[] intercepts,
            double meanSquare,
            Convergence convergence) {}

    private final class Problem {
        private final CellSystem system;
        private final StoppingRule stopping;
        private final int outputs;
        private final double[] sides;

        Problem(CellRows rows, double slack) {
            system = CellSystem.of(rows);
            stopping = formulation.stopping(USUAL_TOLERANCE, USUAL_ITERATIONS).looser(slack);
            outputs = system.outputs;
            sides = system.rightSides();
        }

        /** Returns a start from the solution for the first of the rows; null if one has a number per row and the other one per cell. */
        double @Nullable [] start(Choice first) {
            double[] solution = first.found.solution();
            return system.getClass() == first.form && solution.length <= sides.length
                    ? Arrays.copyOf(solution, sides.length)
                    : null;
        }

        PathPoint point(Solved solved, double validationError) {
            return new PathPoint(solved.lambda, Double.NaN, solved.meanSquare, validationError);
        }

        LinearModel model(Solved solved) {
            return model(solved.weights, solved.intercepts);
        }

        private LinearModel model(double[] weights, double[] intercepts) {
            double[] ofFeatures = system.rows.toFeatures(weights, outputs);
            return new LinearModel(system.rows.features(), outputs, ofFeatures, intercepts);
        }

        Solved solve(double lambda, double @Nullable [] start) {
            Require.notNegative("ridge", "lambda", lambda);
            Monitor monitor = monitors.apply(learner.withLambda(lambda));
            SolverRun run = new SolverRun(METHOD, ConjugateRidge.MEASURE, stopping, monitor);
            double[] point = start == null ? new double[sides.length] : start.clone();
            double[] residual = sides.clone();
            double[] product = new double[sides.length];
            if (start != null) {
                multiply(lambda, point, product);
                for (int i = 0; i < residual.length; i++) {
                    residual[i] -= product[i];
                }
            }
            double[] scales = dots(sides, sides);
            double[] energy = dots(residual, residual);
            double measured = measure(energy, scales);
            boolean vanished =
                    Arrays.stream(scales).sum() == 0 && Arrays.stream(sides).anyMatch(side -> side != 0);
            requireInRange(measured < Double.POSITIVE_INFINITY && !vanished);
            if (measured <= run.tolerance()) {
                Convergence end = run.ended(0, value(lambda, point, residual), measured, Convergence.End.CONVERGED);
                return solved(lambda, point, residual, end);
            }
            double[] direction = residual.clone();
            for (int number = 1; ; number++) {
                multiply(lambda, direction, product);
                boolean moved = step(energy, direction, product, point, residual);
                double[] next = dots(residual, residual);
                measured = measure(next, scales);
                // The matrix is positive definite, so the first step of an unsolved problem goes somewhere.
                requireInRange((moved || number > 1) && measured < Double.POSITIVE_INFINITY);
                double value = value(lambda, point, residual);
                Convergence end = run.after(number, value, measured, system.rows.features(), !moved, () -> {
                    double[] weights = system.weights(point);
                    return model(weights, system.intercepts(weights));
                });
                if (end != null) {
                    return solved(lambda, point, residual, end);
                }
                turn(energy, next, residual, direction);
                energy = next;
            }
        }

        private Solved solved(double lambda, double[] point, double[] residual, Convergence end) {
            double[] weights = system.weights(point);
            double meanSquare = system.squares(lambda, point, sides, residual) / (system.weight * outputs);
            return new Solved(lambda, point, weights, system.intercepts(weights), meanSquare, end);
        }

        private double value(double lambda, double[] point, double[] residual) {
            double norm = system.squaredNorm(lambda, point, sides, residual);
            return (system.squares(lambda, point, sides, residual) + lambda * norm) / 2;
        }

        private void multiply(double lambda, double[] vectors, double[] products) {
            system.multiply(vectors, products);
            for (int i = 0; i < products.length; i++) {
                products[i] += lambda * vectors[i];
            }
        }

        /** Moves each output to the minimum along its direction. Returns true if any output moved. */
        private boolean step(double[] energy, double[] direction, double[] product, double[] point, double[] residual) {
            double[] curvature = dots(direction, product);
            double[] lengths = new double[outputs];
            boolean moved = false;
            for (int o = 0; o < outputs; o++) {
                // The direction of an output that is solved exactly is zero.
                lengths[o] = curvature[o] > 0 && energy[o] > 0 ? energy[o] / curvature[o] : 0;
                moved |= lengths[o] > 0;
            }
            for (int i = 0; i < point.length; i += outputs) {
                for (int o = 0; o < outputs; o++) {
                    point[i + o] += lengths[o] * direction[i + o];
                    residual[i + o] -= lengths[o] * product[i + o];
                }
            }
            return moved;
        }

        /** Sets the next direction of each output, conjugate to the previous ones. */
        private void turn(double[] energy, double[] next, double[] residual, double[] direction) {
            double[] shares = new double[outputs];
            Arrays.setAll(shares, o -> energy[o] > 0 ? next[o] / energy[o] : 0);
            for (int i = 0; i < direction.length; i += outputs) {
                for (int o = 0; o < outputs; o++) {
                    direction[i + o] = residual[i + o] + shares[o] * direction[i + o];
                }
            }
        }

        /** Returns the largest residual of an output, relative to its right-hand side. */
        private double measure(double[] squares, double[] scales) {
            double largest = 0;
            for (int o = 0; o < outputs; o++) {
                // A right-hand side of zero has the solution zero.
                largest = Math.max(largest, Math.sqrt(scales[o] > 0 ? squares[o] / scales[o] : squares[o]));
            }
            return largest;
        }

        private double[] dots(double[] a, double[] b) {
            double[] sums = new double[outputs];
            for (int i = 0; i < a.length; i += outputs) {
                for (int o = 0; o < outputs; o++) {
                    sums[o] += a[i + o] * b[i + o];
                }
            }
            return sums;
        }
    }
}
