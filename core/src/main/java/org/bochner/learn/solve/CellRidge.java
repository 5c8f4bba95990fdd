package org.bochner.learn.solve;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.bochner.base.Require;
import org.bochner.learn.Convergence;
import org.bochner.learn.Learner;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Monitor;
import org.bochner.learn.ridge.PenaltyReason;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.CellRows;

/**
 * Ridge regression on the cells of random grids by conjugate gradients, for all outputs at once. No matrix is formed: an
 * iteration costs two additions per row, grid and output. Each output has its own step lengths.
 *
 * <p>It stops when the residual is at most the tolerance times the right-hand side, for every output. An automatic penalty
 * is the one with the least squared error on held-out rows ({@link CellPenalties}).
 *
 * <p>Memory: for each output, six vectors over the rows or the cells, whichever are fewer, and three over the cells. Threads: not
 * safe; each pass over the rows uses several threads itself, whose number does not change the result.
 */
public final class CellRidge {
    private static final String METHOD = "conjugate gradients";

    /** Test errors no longer change at smaller residuals. */
    private static final double USUAL_TOLERANCE = 1e-3;

    private static final int USUAL_ITERATIONS = 1000;

    /** Factor on the tolerance of the solutions that only serve to compare penalties. */
    private static final double SEARCH_SLACK = 10;

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
     * @param folds the number of splits with which the penalty is searched; 0 for a given penalty
     * @param heldOut the number of rows that are held out in all folds together
     */
    public static double bytesNeeded(long slots, long rows, int folds, double heldOut, int outputs) {
        // Over the unknowns: the right-hand side, the solution, its residual, a direction, its product, and the means
        // or
        // the roots of the weights. Over the cells: sums, weights, and the weights of the model. A search has no
        // solution
        // and no weights.
        double unknowns = rows < 0 ? slots : Math.min(slots, rows);
        double search =
                Double.BYTES * outputs * folds * (5 * unknowns + slots) + CellPenalties.bytesNeeded(heldOut, outputs);
        return Double.BYTES * outputs * (6 * unknowns + 3.0 * slots) + (folds == 0 ? 0 : search);
    }

    /** Learns with the given penalty. */
    public LinearFit fit(CellRows rows) {
        Solved solved = new Problem(rows).solve(formulation.l2());
        return solved.fit(Double.NaN, List.of(), learner.strengthName() + " was given");
    }

    /** Rows to learn from, and held-out rows with the same slots; both have a weight above 0. */
    public record Split(CellRows training, CellRows heldOut) {
        public Split {
            training.requireWeight();
            heldOut.requireWeight();
        }

        /**
         * Returns the splits of a cross-validation: each part with a weight above 0 is held out once.
         *
         * @param parts parts of the rows, at least two of which have a weight above 0
         */
        public static List<Split> of(List<CellRows> parts) {
            List<Split> splits = new ArrayList<>();
            for (CellRows part : parts) {
                if (part.totalRowWeight() > 0) {
                    CellRows others = parts.stream()
                            .filter(other -> other != part)
                            .reduce(CellRows::and)
                            .orElseThrow();
                    splits.add(new Split(others, part));
                }
            }
            return splits;
        }

        /** Returns all rows. */
        public CellRows whole() {
            return training.and(heldOut);
        }

        private double share() {
            return training.totalRowWeight() / (training.totalRowWeight() + heldOut.totalRowWeight());
        }
    }

    /**
     * Learns with the penalty that has the least squared error on held-out rows. The final fit has all rows.
     *
     * @param splits splits of the same rows
     * @param objects what is learned from, in the plural
     */
    public LinearFit fit(List<Split> splits, String objects) {
        CellPenalties search = search(splits);
        PathPoint best = search.best();
        Split first = splits.get(0);
        double share = splits.stream().mapToDouble(Split::share).average().orElseThrow();
        Solved solved = new Problem(first.whole()).solve(best.lambda() / share);
        int tried = search.path().size();
        String reason = splits.size() == 1
                ? StrengthSearch.reason(tried, first.heldOut.rows(), objects)
                : PenaltyReason.best(tried, PenaltyReason.crossValidation(splits.size()));
        return solved.fit(best.validationError(), search.path(), reason);
    }

    /** Returns the squared error on held-out rows, as a share of the error of the means of the training rows. */
    public double heldOutError(List<Split> splits) {
        CellPenalties search = search(splits);
        PathPoint point = learner.isAuto() ? search.best() : search.at(formulation.l2());
        return point.validationError() / search.errorOfMeans();
    }

    private CellPenalties search(List<Split> splits) {
        List<CellFold> folds = splits.stream()
                .map(split -> new CellFold(CellSystem.of(split.training), split.heldOut))
                .toList();
        return new CellPenalties(folds, stopping().looser(SEARCH_SLACK), monitors.apply(learner));
    }

    private StoppingRule stopping() {
        return formulation.stopping(USUAL_TOLERANCE, USUAL_ITERATIONS);
    }

    /** A solution. */
    private record Solved(double lambda, double trainingLoss, LinearModel model, Convergence convergence) {
        LinearFit fit(double validationError, List<PathPoint> path, String reason) {
            PathPoint chosen = new PathPoint(lambda, Double.NaN, trainingLoss, validationError);
            return new LinearFit(model, chosen, path, reason, convergence);
        }
    }

    private final class Problem {
        private final CellSystem system;
        private final int outputs;
        private final double[] sides;

        Problem(CellRows rows) {
            system = CellSystem.of(rows);
            outputs = system.outputs;
            sides = system.rightSides();
            CellRun.requireInRange(sides, outputs);
        }

        Solved solve(double lambda) {
            Require.notNegative("ridge", "lambda", lambda);
            Monitor monitor = monitors.apply(learner.withLambda(lambda));
            SolverRun solver = new SolverRun(METHOD, ConjugateRidge.MEASURE, stopping(), monitor);
            double[] point = new double[sides.length];
            CellRun run = new CellRun(system, sides, lambda);
            double measured = run.measure();
            if (measured <= solver.tolerance()) {
                return solved(
                        lambda,
                        point,
                        run,
                        solver.ended(0, value(lambda, point, run), measured, Convergence.End.CONVERGED));
            }
            for (int number = 1; ; number++) {
                run.multiply();
                boolean moved = run.step();
                Interleaved.add(run.lengths(), run.direction(), point);
                run.turn();
                measured = run.measure();
                // The matrix is positive definite, so the first step of an unsolved problem goes somewhere.
                CellRun.requireInRange((moved || number > 1) && measured < Double.POSITIVE_INFINITY);
                double value = value(lambda, point, run);
                Convergence end =
                        solver.after(number, value, measured, system.rows.features(), !moved, () -> model(point));
                if (end != null) {
                    return solved(lambda, point, run, end);
                }
            }
        }

        private Solved solved(double lambda, double[] point, CellRun run, Convergence end) {
            double loss = system.squares(lambda, products(point, run)) / (system.weight * outputs);
            return new Solved(lambda, loss, model(point), end);
        }

        private LinearModel model(double[] point) {
            double[] weights = system.weights(point);
            double[] ofFeatures = system.rows.toFeatures(weights, outputs);
            return new LinearModel(system.rows.features(), outputs, ofFeatures, system.intercepts(weights));
        }

        private double value(double lambda, double[] point, CellRun run) {
            CellSystem.Products products = products(point, run);
            return (system.squares(lambda, products) + lambda * system.squaredNorm(lambda, products)) / 2;
        }

        private CellSystem.Products products(double[] point, CellRun run) {
            return new CellSystem.Products(
                    Vectors.dot(point, point), Vectors.dot(point, sides), Vectors.dot(run.residual(), run.residual()));
        }
    }
}
