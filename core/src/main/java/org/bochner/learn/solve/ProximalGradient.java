package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.learn.Convergence;
import org.bochner.learn.Iteration;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.Monitor;
import org.bochner.numeric.Workers;
import org.bochner.stats.GramStatistics;

/**
 * Smooth losses with penalties that make weights zero, by proximal gradient steps with momentum: FISTA (Beck and
 * Teboulle, 2009, doi:10.1137/080716542), which forgets its momentum whenever a step turns against it (O'Donoghue and
 * Candès, 2015, doi:10.1007/s10208-013-9150-3). A step is one pass over the features. Outputs that nothing ties together
 * have step sizes and momenta of their own, and share the passes.
 *
 * <p>Steps go by a {@link Metric}: plain, whatever the number of features, or by their scatter where that is at hand.
 * Measured on a9a with 2000 cosines and sines, logistic loss, l1 at 1/10, 1/100 and 1/1000 of where all weights are zero, to
 * a residual of 1e-4: 288, 555 and 937 passes with plain steps, 25, 40 and 108 by the scatter.
 *
 * <p>It ends on the KKT residual: the largest entry of the smallest subgradient of loss + penalty, relative to the
 * largest entry of the loss's gradient without weights (for l1, the strength at which all weights are zero). Where features
 * resemble each other, the objective lags behind it: with plain steps a residual of 1e-3 left 8e-5 of the objective in the
 * second of these cases, one of 1e-4 2e-6; by the scatter, 1e-3 left 3e-8.
 */
final class ProximalGradient {
    static final String METHOD = "proximal gradient";
    static final String MEASURE = "KKT residual";

    /** Steps without a smaller objective or residual after which the precision is used up. */
    private static final int PATIENCE = 100;

    /** How exact steps by the scatter are, relative to the residual. At 0.1 errors added up to three times the passes. */
    private static final double EXACTNESS = 0.01;

    private final Objective objective;
    private final Regularizer regularizer;
    private final Metric metric;
    private final int features;
    private final int outputs;
    private final Problem[] problems;

    /** Where loss and gradient are known. */
    private final double[] point;

    private final double[] gradient;

    /** The last point before momentum moved it, and the next one. */
    private double[] plain;

    private double[] next;

    /** The best points so far, each problem's own. */
    private final double[] best;

    /** One of the problems that have nothing to do with each other. */
    private static final class Problem {
        /** What its residual is relative to. */
        private double scale;
        /** Where it may not rise above. */
        private double ceiling = Double.POSITIVE_INFINITY;

        private double momentum = 1;
        private double residual;
        private double leastResidual = Double.POSITIVE_INFINITY;
        private double bestObjective = Double.POSITIVE_INFINITY;
        private double bestResidual = Double.POSITIVE_INFINITY;
        private boolean better;
        private boolean done;
    }

    private ProximalGradient(Objective objective, Regularizer regularizer, Metric metric) {
        this.objective = objective;
        this.regularizer = regularizer;
        this.metric = metric;
        features = objective.features();
        outputs = objective.outputs();
        problems = new Problem[metric.problems];
        Arrays.setAll(problems, p -> new Problem());
        point = new double[objective.size()];
        gradient = new double[point.length];
        plain = new double[point.length];
        next = new double[point.length];
        best = new double[point.length];
    }

    /** Fails where the loss has kinks and the penalty too: there is no solver for that. */
    static void require(Loss loss, Regularizer regularizer) {
        if (loss.smooth() || regularizer.smooth()) {
            return;
        }
        throw new BochnerException((loss.forClasses() ? "the hinge loss" : "the epsilon-insensitive loss")
                + " cannot have an l1 or group penalty: both have kinks, and no solver here can do with that; use "
                + (loss.forClasses()
                        ? "the squared hinge or the logistic loss"
                        : "its smooth form, svr(gamma=...), or huber"));
    }

    /**
     * The least factor for the strengths l1 and group of a penalty at which all weights are zero: where a path begins.
     * Cost: one pass over the features.
     */
    static double largest(Objective objective, Regularizer regularizer) {
        regularizer.requireFeatures(objective.features());
        double[] gradient = new double[objective.size()];
        objective.evaluate(InterceptFit.point(objective), gradient);
        return regularizer.largest(gradient, objective.features(), objective.outputs());
    }

    /** Solves with plain steps, whose memory is that of a few points. */
    static Solution solve(
            Objective objective, Regularizer regularizer, StoppingRule stopping, double[] start, Monitor monitor) {
        requireFit(objective, regularizer);
        Metric metric = new Metric.Plain(objective, regularizer);
        return new ProximalGradient(objective, regularizer, metric).run(stopping, start, monitor);
    }

    /**
     * Solves with steps by the scatter.
     *
     * @param statistics of the same features and rows
     */
    static Solution solve(
            Objective objective,
            GramStatistics statistics,
            Workers workers,
            Regularizer regularizer,
            StoppingRule stopping,
            double[] start,
            Monitor monitor) {
        requireFit(objective, regularizer);
        Require.sameSize(METHOD, "features of the statistics", statistics.features(), objective.features());
        Require.that(statistics.penalty().plain(), METHOD, "the statistics are of whitened features");
        double[] matrix = GramDescent.symmetric(statistics);
        Metric metric = new Metric.Scatter(objective, regularizer, matrix, workers);
        return new ProximalGradient(objective, regularizer, metric).run(stopping, start, monitor);
    }

    private static void requireFit(Objective objective, Regularizer regularizer) {
        require(objective.loss(), regularizer);
        regularizer.requireFeatures(objective.features());
        Require.that(objective.loss().smooth(), METHOD, "needs a loss without kinks, got " + objective.loss());
    }

    private Solution run(StoppingRule stopping, double[] start, Monitor monitor) {
        double[] values = begin(start);
        int idle = 0;
        for (int number = 1; ; number++) {
            assess(values, stopping.tolerance());
            idle = Arrays.stream(problems).anyMatch(problem -> problem.better) ? 0 : idle + 1;
            boolean goOn = report(number, monitor);
            Convergence.End end = allDone()
                    ? Convergence.End.CONVERGED
                    : !goOn
                            ? Convergence.End.STOPPED
                            : number >= stopping.iterations()
                                    ? Convergence.End.ITERATIONS
                                    : idle > PATIENCE ? Convergence.End.PRECISION : null;
            if (end != null) {
                return new Solution(
                        best,
                        new Convergence(
                                METHOD, number, bestObjective(), MEASURE, bestResidual(), stopping.tolerance(), end));
            }
            values = step();
        }
    }

    private double[] begin(double[] start) {
        double[] nothing = InterceptFit.point(objective);
        double[] values = objective.evaluate(nothing, gradient);
        double[] most = largestEntries(gradient, features * outputs);
        for (int p = 0; p < problems.length; p++) {
            // Without a gradient, weights of zero are the solution; any scale will do.
            problems[p].scale = most[p] > 0 ? most[p] : 1;
        }
        System.arraycopy(start, 0, point, 0, point.length);
        if (Regularizer.nonZeros(point, features, outputs) == 0) {
            System.arraycopy(nothing, 0, point, 0, point.length);
        } else {
            values = objective.evaluate(point, gradient);
        }
        System.arraycopy(point, 0, plain, 0, point.length);
        metric.begin(point, gradient);
        return values;
    }

    /** The largest entry of each problem. */
    private double[] largestEntries(double[] of, int count) {
        double[] most = new double[problems.length];
        for (int at = 0; at < count; at++) {
            int p = metric.problem(at);
            most[p] = Math.max(most[p], Math.abs(of[at]));
        }
        return most;
    }

    /** Finds out how good the point is, and keeps what is the best so far. */
    private void assess(double[] values, double tolerance) {
        double[] objectives = objectives(values);
        double[] subgradient = gradient.clone();
        regularizer.subgradient(point, subgradient, features, outputs);
        double[] most = largestEntries(subgradient, subgradient.length);
        boolean[] keep = new boolean[problems.length];
        for (int p = 0; p < problems.length; p++) {
            Problem problem = problems[p];
            problem.better = false;
            if (problem.done) {
                continue;
            }
            double residual = most[p] / problem.scale;
            requireFinite(objectives[p], residual);
            problem.residual = residual;
            problem.done = residual <= tolerance;
            keep[p] = problem.done || objectives[p] < problem.bestObjective;
            problem.better = keep[p] || residual < problem.leastResidual;
            problem.leastResidual = Math.min(residual, problem.leastResidual);
            if (keep[p]) {
                problem.bestObjective = objectives[p];
                problem.bestResidual = residual;
            }
            if (problem.ceiling == Double.POSITIVE_INFINITY) {
                problem.ceiling = objectives[p];
            } else if (objectives[p] > problem.ceiling) {
                metric.stiffen(p);
                problem.momentum = 1;
            }
        }
        for (int at = 0; at < point.length; at++) {
            if (keep[metric.problem(at)]) {
                best[at] = point[at];
            }
        }
    }

    private double[] objectives(double[] values) {
        if (problems.length == 1) {
            return new double[] {Arrays.stream(values).sum() + regularizer.value(point, features, outputs)};
        }
        double[] objectives = values.clone();
        for (int o = 0; o < outputs; o++) {
            objectives[o] += regularizer.separable(point, features, outputs, o);
        }
        return objectives;
    }

    private static void requireFinite(double objective, double residual) {
        if (!(Math.abs(objective) < Double.POSITIVE_INFINITY && residual < Double.POSITIVE_INFINITY)) {
            throw new BochnerException(METHOD + ": the objective is no number; the features or targets are too large:"
                    + " scale the rows, use --precision double, or a larger penalty");
        }
    }

    private boolean allDone() {
        return Arrays.stream(problems).allMatch(problem -> problem.done);
    }

    private double bestObjective() {
        return Arrays.stream(problems).mapToDouble(p -> p.bestObjective).sum();
    }

    private double bestResidual() {
        return Arrays.stream(problems).mapToDouble(p -> p.bestResidual).max().orElse(0);
    }

    private boolean report(int number, Monitor monitor) {
        int kept = Regularizer.nonZeros(best, features, outputs);
        Iteration iteration = new Iteration(number, bestObjective(), MEASURE, bestResidual(), kept);
        return monitor.goOn(iteration, () -> objective.model(best));
    }

    /** A proximal step and the momentum; evaluates the point that they lead to. */
    private double[] step() {
        double[] precision = new double[problems.length];
        Arrays.setAll(precision, p -> EXACTNESS * problems[p].residual * problems[p].scale);
        metric.step(point, gradient, plain, next, precision);
        double[] turns = metric.products(metric.pull(point, next), metric.differences(next, plain), point.length);
        double[] factors = new double[problems.length];
        for (int p = 0; p < problems.length; p++) {
            Problem problem = problems[p];
            double t = turns[p] > 0 ? 1 : problem.momentum;
            problem.momentum = (1 + Math.sqrt(1 + 4 * t * t)) / 2;
            factors[p] = (t - 1) / problem.momentum;
        }
        double[] origin = point.clone();
        double[] before = gradient.clone();
        for (int at = 0; at < point.length; at++) {
            int p = metric.problem(at);
            if (!problems[p].done) {
                point[at] = carried(next[at], factors[p] * (next[at] - plain[at]), at < features * outputs);
            }
        }
        double[] free = plain;
        plain = next;
        next = free;
        double[] values = objective.evaluate(point, gradient);
        boolean[] larger = metric.learn(metric.differences(point, origin), metric.differences(gradient, before));
        for (int p = 0; p < problems.length; p++) {
            problems[p].momentum = larger[p] ? 1 : problems[p].momentum;
        }
        return values;
    }

    /** Momentum takes no weight away from, or through, zero: the point keeps the zeros of a solution, and its residual. */
    private double carried(double from, double by, boolean weight) {
        double to = from + by;
        boolean crosses = regularizer.l1() > 0 && from * to < 0;
        return weight && (from == 0 || crosses) ? 0 : to;
    }
}
