package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.learn.Convergence;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Monitor;
import org.bochner.numeric.Precision;
import org.bochner.numeric.optimise.Vectors;

/**
 * The accelerated proximal gradient method for smooth losses with sparse penalties: FISTA (Beck and Teboulle, 2009,
 * doi:10.1137/080716542), restarted whenever a step points against the momentum (O'Donoghue and Candès, 2015,
 * doi:10.1007/s10208-013-9150-3). A step is one pass over the features. Independent outputs have their own step sizes
 * and momenta and share the passes.
 *
 * <p>Measured on a9a with 2000 cosines and sines, logistic loss, l1 at 1/10, 1/100 and 1/1000 of the strength at which
 * all weights are zero, to a residual of 1e-4: 288, 555 and 937 passes.
 *
 * <p>It stops on the KKT residual: the largest entry of the minimum-norm subgradient of loss + penalty, relative to the
 * largest entry of the loss's gradient at zero weights (for l1, the strength at which all weights are zero). If
 * features are nearly collinear, the objective converges later than the residual: in the second case above, a residual
 * of 1e-3 left 8e-5 of the objective, and a residual of 1e-4 left 2e-6.
 */
final class ProximalGradient {
    static final String METHOD = "proximal gradient";
    static final String MEASURE = "KKT residual";

    /** Steps without a smaller objective or residual after which the precision is reached. */
    private static final int PATIENCE = 100;

    private final Objective objective;
    private final Regularizer regularizer;
    private final StepCurvatures curvatures;
    private final int features;
    private final int outputs;
    private final Problem[] problems;

    /** The point whose loss and gradient are known. */
    private final double[] point;

    private final double[] gradient;

    /** The last point before momentum was added, and the next one. */
    private double[] plain;

    private double[] next;

    /** The best points so far, one per problem. */
    private final double[] best;

    /** The state of one independent problem. */
    private static final class Problem {
        /** The scale of the residual. */
        private double scale;
        /** The objective at the start, which later points must not exceed. */
        private double ceiling = Double.POSITIVE_INFINITY;

        private double momentum = 1;
        private double leastResidual = Double.POSITIVE_INFINITY;
        private double bestObjective = Double.POSITIVE_INFINITY;
        private double bestResidual = Double.POSITIVE_INFINITY;
        private boolean better;
        private boolean done;
    }

    private ProximalGradient(Objective objective, Regularizer regularizer) {
        this.objective = objective;
        this.regularizer = regularizer;
        curvatures = new StepCurvatures(objective, regularizer);
        features = objective.features();
        outputs = objective.outputs();
        problems = new Problem[curvatures.problems()];
        Arrays.setAll(problems, p -> new Problem());
        point = new double[objective.size()];
        gradient = new double[point.length];
        plain = new double[point.length];
        next = new double[point.length];
        best = new double[point.length];
    }

    /**
     * Returns the least factor on l1 and group for which all weights are zero, the start of a path. Cost: one pass over
     * the features.
     */
    static double largest(Objective objective, Regularizer regularizer) {
        regularizer.requireFeatures(objective.features());
        double[] gradient = new double[objective.size()];
        objective.evaluate(InterceptFit.point(objective), gradient);
        return regularizer.largest(gradient, objective.features(), objective.outputs());
    }

    /** Solves a problem whose loss has no kinks. Memory: a few points. */
    static Solution solve(
            Objective objective, Regularizer regularizer, StoppingRule stopping, double[] start, Monitor monitor) {
        regularizer.requireFeatures(objective.features());
        Require.that(objective.loss().smooth(), METHOD, "needs a loss without kinks, got " + objective.loss());
        SolverRun run = new SolverRun(METHOD, MEASURE, stopping, monitor);
        return new ProximalGradient(objective, regularizer).solve(run, start);
    }

    private Solution solve(SolverRun run, double[] start) {
        double[] values = begin(start);
        int idle = 0;
        for (int number = 1; ; number++) {
            assess(values, run.tolerance());
            idle = Arrays.stream(problems).anyMatch(problem -> problem.better) ? 0 : idle + 1;
            double value =
                    Arrays.stream(problems).mapToDouble(p -> p.bestObjective).sum();
            double residual = Arrays.stream(problems)
                    .mapToDouble(p -> p.bestResidual)
                    .max()
                    .orElse(0);
            int kept = LinearModel.nonZeros(best, features, outputs);
            Convergence end = run.after(number, value, residual, kept, idle > PATIENCE, () -> objective.model(best));
            if (end != null) {
                return new Solution(best, end);
            }
            values = step();
        }
    }

    private double[] begin(double[] start) {
        double[] nothing = InterceptFit.point(objective);
        double[] values = objective.evaluate(nothing, gradient);
        double[] most = largestEntries(gradient, features * outputs);
        for (int p = 0; p < problems.length; p++) {
            // Without a gradient, zero weights are the solution and any scale is fine.
            problems[p].scale = most[p] > 0 ? most[p] : 1;
        }
        System.arraycopy(start, 0, point, 0, point.length);
        if (LinearModel.nonZeros(point, features, outputs) == 0) {
            System.arraycopy(nothing, 0, point, 0, point.length);
        } else {
            values = objective.evaluate(point, gradient);
        }
        System.arraycopy(point, 0, plain, 0, point.length);
        curvatures.begin(point, gradient);
        return values;
    }

    /** Returns the largest absolute entry of each problem. */
    private double[] largestEntries(double[] of, int count) {
        double[] most = new double[problems.length];
        for (int at = 0; at < count; at++) {
            int p = curvatures.problem(at);
            most[p] = Math.max(most[p], Math.abs(of[at]));
        }
        return most;
    }

    /** Computes objectives and residuals of the point and keeps the best point of each problem. */
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
                curvatures.raise(p);
                problem.momentum = 1;
            }
        }
        for (int at = 0; at < point.length; at++) {
            if (keep[curvatures.problem(at)]) {
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
            throw new BochnerException(
                    METHOD + ": the objective is not finite, because the features or targets are too large",
                    Remedy.set(Setting.SCALING, "standard", ""),
                    Remedy.set(Setting.PRECISION, Precision.FLOAT64, ""),
                    Remedy.advice("use a larger penalty"));
        }
    }

    /** Takes a proximal step, adds the momentum, and evaluates the new point. */
    private double[] step() {
        curvatures.step(point, gradient, next);
        double[] turns =
                curvatures.products(curvatures.multiply(point, next), Vectors.difference(next, plain), point.length);
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
            int p = curvatures.problem(at);
            if (!problems[p].done) {
                point[at] = carried(next[at], factors[p] * (next[at] - plain[at]), at < features * outputs);
            }
        }
        double[] free = plain;
        plain = next;
        next = free;
        double[] values = objective.evaluate(point, gradient);
        boolean[] raised = curvatures.learn(Vectors.difference(point, origin), Vectors.difference(gradient, before));
        for (int p = 0; p < problems.length; p++) {
            problems[p].momentum = raised[p] ? 1 : problems[p].momentum;
        }
        return values;
    }

    /** Adds momentum, except that a weight at zero stays there and none changes its sign, which preserves sparsity. */
    private double carried(double from, double by, boolean weight) {
        double to = from + by;
        boolean crosses = regularizer.l1() > 0 && from * to < 0;
        return weight && (from == 0 || crosses) ? 0 : to;
    }
}
