package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.learn.Convergence;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Monitor;
import org.bochner.learn.linear.OutputMoments;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.GramStatistics;

/**
 * Lasso, elastic net and group lasso from statistics alone, at any number of penalties without another pass over the
 * data. The objective is {@code Σ w·(f(z) − y)²/2 + R(β)}. Classes are fitted one against the rest with targets ±1; two
 * classes need one function.
 *
 * <p>It stops on the duality gap relative to the objective at zero weights. Outputs that no group penalty couples have
 * their own gaps, of which the largest counts.
 *
 * <p>Cost: D·(non-zero weights) per round of the descent. Memory: D² numbers. Threads: not safe; uncoupled outputs are
 * solved in parallel.
 */
final class GramDescent {
    static final String METHOD = "coordinate descent on the statistics";
    static final String MEASURE = "duality gap";

    /** Rounds without a smaller gap after which the precision is reached. */
    private static final int PATIENCE = 20;

    private final GramStatistics statistics;
    private final Workers workers;
    private final int features;
    private final int outputs;
    private final double[] matrix;
    private final OutputMoments targets;

    GramDescent(GramStatistics statistics, Workers workers) {
        Require.that(statistics.targets() > 0, METHOD, "the rows have no labels");
        this.statistics = statistics;
        this.workers = workers;
        features = statistics.features();
        matrix = new double[Math.multiplyExact(features, features)];
        statistics.copyWholeScatter(matrix);
        targets = OutputMoments.of(statistics);
        outputs = targets.squares().length;
    }

    /** Returns the least factor on l1 and group for which all weights are zero. */
    double largest(Regularizer regularizer) {
        return regularizer.largest(targets.cross(), features, outputs);
    }

    /**
     * Returns the start of paths, zero weights and the intercepts, in the layout of the points of {@link Objective}.
     */
    double[] start() {
        double[] start = new double[(features + 1) * outputs];
        System.arraycopy(targets.means(), 0, start, features * outputs, outputs);
        return start;
    }

    /**
     * Solves at one penalty.
     *
     * @param start the first point: {@link #start()}, or for a warm start the solution at a similar penalty
     */
    Solution solve(Regularizer regularizer, StoppingRule stopping, double[] start, Monitor monitor) {
        requireFit(regularizer);
        SolverRun run = new SolverRun(METHOD, MEASURE, stopping, monitor);
        Require.sameSize(METHOD, "length of the point to start from", start.length, (features + 1) * outputs);
        FeatureGroups groups = regularizer.groups() != null ? regularizer.groups() : FeatureGroups.each(features);
        BlockDescent descent = BlockDescent.prepare(matrix, groups);
        Problem[] problems = new Problem[regularizer.joint() ? 1 : outputs];
        Arrays.setAll(problems, p -> new Problem(descent, p, outputs / problems.length, regularizer, start));
        for (int round = 1; ; round++) {
            double[] point = start();
            double objective = 0;
            double gap = 0;
            for (Problem problem : problems) {
                problem.copyWeights(point);
                objective += problem.objective;
                gap = Math.max(gap, problem.gap);
            }
            int kept = LinearModel.nonZeros(point, features, outputs);
            boolean exhausted = Arrays.stream(problems).noneMatch(problem -> problem.goesOn(stopping.tolerance()));
            Convergence end = run.after(round, objective, gap, kept, exhausted, () -> model(point));
            if (end != null) {
                return new Solution(point, end);
            }
            workers.each(problems.length, p -> problems[p].round(stopping.tolerance()));
        }
    }

    private void requireFit(Regularizer regularizer) {
        regularizer.requireFeatures(features);
        Require.that(
                regularizer.l1() + regularizer.l2() + regularizer.group() > 0,
                METHOD + ": needs a penalty: l1, l2 or group above 0");
        if (!statistics.penalty().plain() && !regularizer.smooth()) {
            throw new BochnerException("l1 and group penalties need features in the kernel's own basis, and this map"
                    + " writes others (" + statistics.penalty() + "); use ridge, or another map");
        }
    }

    /** Returns the model of a point. */
    LinearModel model(double[] point) {
        double[] weights = Arrays.copyOf(point, features * outputs);
        double[] intercepts = Arrays.copyOfRange(point, features * outputs, point.length);
        LinearModel.uncentre(intercepts, weights, statistics.mean());
        for (int o = 0; o < outputs; o++) {
            statistics.penalty().unwhiten(weights, o, outputs);
        }
        return new LinearModel(features, outputs, weights, intercepts);
    }

    /** The problem of all outputs if the penalty couples them, else of one output. */
    private final class Problem {
        private final int first;
        private final int count;
        private final Regularizer regularizer;
        private final double[] own;
        /** Σ w (y − ȳ)²: twice the objective at zero weights. */
        private final double total;

        private final BlockDescent blocks;
        private final double[] weights;
        private final double[] slopes;
        private double objective;
        private double gap;
        private double least = Double.POSITIVE_INFINITY;
        private int idle;

        Problem(BlockDescent blocks, int number, int count, Regularizer regularizer, double[] start) {
            first = number * count;
            this.blocks = blocks;
            this.count = count;
            this.regularizer = regularizer;
            own = columns(targets.cross());
            weights = columns(start);
            slopes = blocks.slopes(own, weights, count);
            total = Arrays.stream(targets.squares(), first, first + count).sum();
            assess();
        }

        private double[] columns(double[] of) {
            double[] columns = new double[features * count];
            for (int j = 0; j < features; j++) {
                System.arraycopy(of, j * outputs + first, columns, j * count, count);
            }
            return columns;
        }

        void copyWeights(double[] to) {
            for (int j = 0; j < features; j++) {
                System.arraycopy(weights, j * count, to, j * outputs + first, count);
            }
        }

        void round(double tolerance) {
            if (goesOn(tolerance)) {
                blocks.round(own, weights, slopes, count, regularizer);
                assess();
            }
        }

        boolean goesOn(double tolerance) {
            return gap > tolerance && idle < PATIENCE;
        }

        private void assess() {
            double explained = Vectors.dot(weights, own);
            double along = Vectors.dot(weights, slopes);
            double squares = Vectors.dot(weights, weights);
            // |y − Zβ|² = |y|² − 2cᵀβ + βᵀHβ, and Hβ = c − slopes.
            double residuals = Math.max(0, total - explained - along);
            double inner = total - explained;
            objective = residuals / 2 + regularizer.value(weights, features, count);
            double dual = Math.max(scaledDual(inner, residuals, squares), squaresDual(inner, residuals));
            gap = total > 0 ? Math.max(0, objective - dual) / (total / 2) : 0;
            if (!(gap < Double.POSITIVE_INFINITY)) {
                throw new BochnerException(
                        METHOD
                                + ": the objective is not finite, because the features are too large, or a scale of the kernel, such as sigma, is too small",
                        Remedy.set(Setting.SCALING, "standard", ""),
                        Remedy.set(Setting.PRECISION, Precision.FLOAT64, ""));
            }
            idle = gap < least ? 0 : idle + 1;
            least = Math.min(least, gap);
        }

        /**
         * Returns the dual value at the best multiple of the residuals that is feasible for the penalty's dual norm. l2
         * is treated as extra rows, √l2 times the identity with targets 0, whose residuals are −√l2·β.
         */
        private double scaledDual(double inner, double residuals, double squares) {
            double[] gradient = slopes.clone();
            Vectors.add(-regularizer.l2(), weights, gradient);
            double norm = regularizer.largest(gradient, features, count);
            double size = residuals + regularizer.l2() * squares;
            double best = size > 0 ? Math.max(0, inner / size) : 0;
            double factor = norm > 0 ? Math.min(best, 1 / norm) : best;
            return factor * inner - factor * factor / 2 * size;
        }

        /**
         * Returns the dual value at the residuals, which are feasible if l2 &gt; 0, because the conjugate is a square.
         */
        private double squaresDual(double inner, double residuals) {
            if (regularizer.l2() == 0) {
                return Double.NEGATIVE_INFINITY;
            }
            double[] over = slopes.clone();
            double[] steps = new double[count];
            Arrays.fill(steps, 1);
            regularizer.soften(over, features, count, steps);
            return inner - residuals / 2 - Vectors.dot(over, over) / (2 * regularizer.l2());
        }
    }
}
