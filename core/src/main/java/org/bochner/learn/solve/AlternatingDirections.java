package org.bochner.learn.solve;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.learn.Convergence;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Monitor;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.stats.FeatureSource;
import org.jspecify.annotations.Nullable;

/**
 * The alternating direction method of multipliers for losses with kinks and penalties with corners: the hinge and the
 * ε-insensitive loss with l1, groups and l2 in any combination, all outputs at once.
 *
 * <p>The problem is split into three: scores s for the loss, weights v for the penalty, and weights w with
 * {@code s = w(z − z̄) + b} and {@code v = w}. With multipliers α for the first constraint, per unit of row weight, and π
 * for the second, an iteration is
 *
 * <pre>{@code
 * w = w + (H + κI)⁻¹[Σ r(s + α/ρ − f)(z − z̄) + κ(v − w) − π/ρ],   b = b + Σ r(s + α/ρ − f)/Σ r
 * s = argmin ℓ(s) + ρ/2·(s − f + α/ρ)²,                             α = α + ρ(s − f)
 * v = argmin R(v) + ρκ/2·|v − w − π/(ρκ)|²,                         π = π + ρκ(w − v)
 * }</pre>
 *
 * where r is the weight of a row, f its score by w and b, and H is the scatter matrix. Over-relaxation: in the last two
 * lines, f and w stand for 1.6 times the new value minus 0.6 times the last s or v. An iteration takes one pass over the
 * features. The minima by s and v have closed forms, so v has exact zeros and α lies in the bounds of the dual problem.
 * The matrix {@link ScatterInverse} does not depend on the penalty and is factored once for a path. ρ balances the
 * residuals of the constraints; it changes at iterations whose numbers double, which keeps the method convergent.
 *
 * <p>It stops on the duality gap of every problem, relative to its primal value: the objective at v with the best
 * intercept, less the dual value of feasible multipliers. Candidates are α and its mean since the last restart; positive
 * or negative ones are scaled down until the sum is 0, and all are scaled until they fit the penalty
 * ({@link Regularizer#dualValue}).
 *
 * <p>Iterates of such problems circle around the solution. A problem restarts from the mean of its iterates since the
 * last restart when the gap of the mean is small enough, which makes the convergence linear (Applegate, Hinder, Lu and
 * Lubin, 2023, doi:10.1007/s10107-022-01901-9).
 *
 * <p>Memory: {@link #bytesNeeded}. Threads: not safe; each pass uses several threads itself.
 *
 * <p>Reference: Boyd, Parikh, Chu, Peleato and Eckstein, Distributed optimization and statistical learning via the
 * alternating direction method of multipliers (2011), doi:10.1561/2200000016.
 */
final class AlternatingDirections {
    private static final String METHOD = "alternating directions";
    private static final String MEASURE = "duality gap";
    static final double RELAXATION = 1.6;

    /** Iterations between two measurements of the gap. */
    private static final int MEASURED_EVERY = 10;

    /** The first iteration after which ρ may change, and the largest factor of a change. */
    private static final int FIRST_CHANGE = 10;

    private static final double MOST_CHANGE = 5;

    /** Changes of ρ by a smaller factor are not worth a pass. */
    private static final double LEAST_CHANGE = 1.2;

    /** A problem restarts when its gap has fallen to this share of that at the last restart. */
    private static final double ENOUGH = 0.2;

    /** A problem restarts when its gap has fallen to this share and rises again. */
    private static final double SOME = 0.8;

    /** A problem restarts after this share of all iterations. */
    private static final double LONGEST = 0.36;

    /** Measurements without a better primal or dual value after which the precision is reached. */
    private static final int PATIENCE = 100;

    private final Objective objective;
    private final FeatureSource source;
    private final SplitScores scores;
    private final ScatterInverse inverse;
    private final int features;
    private final int outputs;
    private final int[] all;
    /** w and b. */
    private final double[] weights;
    /** v and b. */
    private final double[] copies;
    /** π. */
    private final double[] weightMultipliers;
    /** Σ r(s + α/ρ − f)(z − z̄). */
    private final double[] products;
    /** Σ r(s + α/ρ − f). */
    private final double[] totals;

    /** The sums of v and b, and of π, since the last restart. */
    private final double[] copySums;

    private final double[] weightMultiplierSums;
    private final double[] rho;
    private double[] best = new double[0];
    /** The point that the last run returned, from which the next one may go on. */
    private double @Nullable [] last;

    private Regularizer regularizer = Regularizer.squared(0);
    private Problem[] problems = new Problem[0];

    /** The state of one independent problem. */
    private static final class Problem {
        private double primal = Double.POSITIVE_INFINITY;
        private double dual = Double.NEGATIVE_INFINITY;
        private boolean done;
        /** The gaps, without a scale, at the last restart and at the last measurement since then. */
        private double gapAtRestart = Double.POSITIVE_INFINITY;

        private double lastGap = Double.POSITIVE_INFINITY;
        /** The squared norms of the last iteration. */
        private final SplitScores.Norms norms = new SplitScores.Norms();

        double gap() {
            double gap = Math.max(0, primal - dual);
            return gap == 0 ? 0 : gap / Math.max(primal, Double.MIN_NORMAL);
        }

        boolean takeDual(double value) {
            boolean better = value > dual;
            dual = better ? value : dual;
            return better;
        }

        /** Returns true if the problem restarts at a gap: it has fallen enough, or rises again, or the time is over. */
        boolean restarts(double gap, boolean longest) {
            boolean restarts = gap <= ENOUGH * gapAtRestart || (gap <= SOME * gapAtRestart && gap > lastGap) || longest;
            gapAtRestart = restarts ? gap : gapAtRestart;
            lastGap = restarts ? Double.POSITIVE_INFINITY : gap;
            return restarts;
        }
    }

    /** Prepares solutions for any penalty: factors the matrix of the features. */
    AlternatingDirections(Objective objective, Seed seed, Workers workers) {
        this.objective = objective;
        source = objective.source();
        features = objective.features();
        outputs = objective.outputs();
        all = IntStream.range(0, outputs).toArray();
        int targets = source.labels().targets();
        requireMemory(source.rows(), features, outputs, targets, DualLoss.of(objective.loss()));
        scores = new SplitScores(objective);
        inverse = new ScatterInverse(objective, seed.derive(METHOD), workers);
        weights = new double[objective.size()];
        copies = new double[objective.size()];
        weightMultipliers = new double[features * outputs];
        products = new double[features * outputs];
        totals = new double[outputs];
        copySums = new double[objective.size()];
        weightMultiplierSums = new double[features * outputs];
        rho = new double[outputs];
    }

    /** Returns the bytes for the matrices, and for the scores, multipliers, targets and weights of all rows. */
    static double bytesNeeded(long rows, int features, int outputs, int targets) {
        return ScatterInverse.bytesNeeded(rows, features) + 8.0 * rows * (5.0 * outputs + targets + 1);
    }

    /** Fails if the matrices or the multipliers exceed an array or the memory. */
    static void requireMemory(long rows, int features, int outputs, int targets, DualLoss loss) {
        ScatterInverse.requireMemory(METHOD, rows, features, loss.remedies());
        String what = METHOD + ": the multipliers of " + rows + " rows and " + outputs + " outputs";
        MemoryBudget.requireArray(rows * outputs, what, loss.remedies());
        MemoryBudget.kept().require(bytesNeeded(rows, features, outputs, targets), what, loss.remedies());
    }

    /**
     * Returns the least factor on l1 and group for which zero weights are known to be optimal, from multipliers that
     * rows at a kink share evenly. Smaller factors may have zero weights too. Cost: one pass over the features.
     */
    double largest(Regularizer shape) {
        shape.requireFeatures(features);
        startAtZero();
        return shape.largest(weightMultipliers, features, outputs);
    }

    /**
     * Solves the problem with a penalty.
     *
     * @param start the point of a warm start, or null. Multipliers go on if it is the point of the last solution.
     */
    Solution solve(Regularizer penalty, StoppingRule stopping, double @Nullable [] start, Monitor monitor) {
        penalty.requireFeatures(features);
        regularizer = penalty;
        problems = new Problem[penalty.joint() ? 1 : outputs];
        Arrays.setAll(problems, p -> new Problem());
        best = new double[objective.size()];
        if (start == null || LinearModel.nonZeros(start, features, outputs) == 0) {
            startAtZero();
        } else if (start != last) {
            startAt(start);
        }
        Convergence end = iterate(new SolverRun(METHOD, MEASURE, stopping, monitor));
        last = best;
        return new Solution(best, end);
    }

    private int problem(int output) {
        return problems.length == 1 ? 0 : output;
    }

    private int[] unfinished() {
        return Arrays.stream(all).filter(o -> !problems[problem(o)].done).toArray();
    }

    private void startAtZero() {
        Arrays.fill(copies, 0);
        for (int o = 0; o < outputs; o++) {
            copies[features * outputs + o] = scores.startAtConstant(o);
        }
        setWeightMultipliers();
    }

    private void startAt(double[] start) {
        System.arraycopy(start, 0, copies, 0, start.length);
        scores.startAt(start);
        setWeightMultipliers();
    }

    /** Sets π = Σ rα(z − z̄), as at the minimum by w, and the first ρ: a multiplier of 1 moves a score by its scale. */
    private void setWeightMultipliers() {
        last = null;
        System.arraycopy(copies, 0, weights, 0, weights.length);
        double[] spreads = Arrays.stream(all).mapToDouble(scores::spread).toArray();
        double largest = Arrays.stream(spreads).max().orElse(1);
        // Problems that a penalty couples share one ρ.
        Arrays.setAll(rho, o -> 1 / (regularizer.joint() ? largest : spreads[o]));
        scores.sumMultipliers(all).copyTo(weightMultipliers);
    }

    private Convergence iterate(SolverRun run) {
        for (int o : all) {
            restart(o, false);
        }
        measure(run.tolerance(), 0);
        Convergence.End end = end(true, 0);
        if (end == Convergence.End.ITERATIONS) {
            sumResiduals();
        }
        int most = run.stopping().iterations();
        int number = 0;
        int idle = 0;
        int next = MEASURED_EVERY;
        int change = FIRST_CHANGE;
        while (end == Convergence.End.ITERATIONS && number < most) {
            step(unfinished());
            number++;
            boolean moved = number == change && balance();
            change = number == change ? 2 * change : change;
            if (number == next || number == most) {
                next = number + Math.max(MEASURED_EVERY, number / 20);
                Progress progress = measure(run.tolerance(), number);
                moved |= progress.moved;
                idle = progress.better ? 0 : idle + 1;
                int nonZeros = LinearModel.nonZeros(best, features, outputs);
                boolean goOn = run.report(number, value(), gap(), nonZeros, () -> objective.model(best));
                end = end(goOn, idle);
            }
            if (moved && end == Convergence.End.ITERATIONS) {
                sumResiduals();
            }
        }
        return run.ended(number, value(), gap(), end);
    }

    /** What a measurement has found: a better primal or dual value, and a mean from which a problem goes on. */
    private record Progress(boolean better, boolean moved) {}

    private Convergence.End end(boolean goOn, int idle) {
        if (unfinished().length == 0) {
            return Convergence.End.CONVERGED;
        }
        return !goOn
                ? Convergence.End.STOPPED
                : idle > PATIENCE ? Convergence.End.PRECISION : Convergence.End.ITERATIONS;
    }

    private double value() {
        return Arrays.stream(problems).mapToDouble(problem -> problem.primal).sum();
    }

    private double gap() {
        return Arrays.stream(problems).mapToDouble(Problem::gap).max().orElse(0);
    }

    /** Computes the sums over the rows again, after ρ has changed. */
    private void sumResiduals() {
        take(scores.sumResiduals(weights, unfinished(), rho));
    }

    private void take(SplitScores.Sums sums) {
        sums.copyTo(products);
        sums.copyTotals(totals);
    }

    /** Runs one iteration for the chosen outputs. */
    private void step(int[] chosen) {
        double shift = inverse.shift();
        double[] right = new double[features * outputs];
        double[] moves = new double[features * outputs];
        Arrays.setAll(
                right,
                at -> products[at] + shift * (copies[at] - weights[at]) - weightMultipliers[at] / rho[at % outputs]);
        inverse.solve(right, outputs, moves);
        for (int o : chosen) {
            for (int at = o; at < moves.length; at += outputs) {
                weights[at] += moves[at];
            }
            weights[moves.length + o] += totals[o] / source.totalRowWeight();
        }
        SplitScores.Sums sums = scores.move(weights, chosen, rho);
        take(sums);
        for (Problem problem : problems) {
            problem.norms.clear();
        }
        for (int k = 0; k < chosen.length; k++) {
            problems[problem(chosen[k])].norms.merge(sums.norms(k));
        }
        moveWeights(chosen);
    }

    private void moveWeights(int[] chosen) {
        double shift = inverse.shift();
        double[] steps = new double[outputs];
        Arrays.setAll(steps, o -> 1 / (rho[o] * shift));
        double[] from = new double[features * outputs];
        Arrays.setAll(
                from,
                at -> RELAXATION * weights[at]
                        + (1 - RELAXATION) * copies[at]
                        + weightMultipliers[at] * steps[at % outputs]);
        double[] next = from.clone();
        regularizer.shrink(next, features, outputs, steps);
        for (int j = 0; j < features; j++) {
            for (int o : chosen) {
                int at = j * outputs + o;
                double multiplier = from[at] - next[at];
                problems[problem(o)].norms.add(shift, weights[at], next[at], copies[at], multiplier);
                weightMultipliers[at] = multiplier / steps[o];
                copies[at] = next[at];
            }
        }
        for (int o : chosen) {
            copies[features * outputs + o] = weights[features * outputs + o];
            for (int at = o; at < copies.length; at += outputs) {
                copySums[at] += copies[at];
            }
            for (int at = o; at < weightMultipliers.length; at += outputs) {
                weightMultiplierSums[at] += weightMultipliers[at];
            }
        }
    }

    /** Changes ρ of each problem by the root of the ratio of its relative residuals; returns true if any changed. */
    private boolean balance() {
        boolean changed = false;
        for (int o = 0; o < outputs; o++) {
            double factor = Math.pow(problems[problem(o)].norms.ratio(), 0.25);
            if (factor > LEAST_CHANGE || factor < 1 / LEAST_CHANGE) {
                rho[o] *= Math.max(1 / MOST_CHANGE, Math.min(MOST_CHANGE, factor));
                changed = true;
            }
        }
        return changed;
    }

    /** Measures primal and dual values, keeps the best of each, and restarts problems. */
    private Progress measure(double tolerance, int number) {
        int[] chosen = unfinished();
        double[] meanPoint = new double[copies.length];
        Arrays.setAll(meanPoint, at -> copySums[at] / Math.max(1, scores.summed(at % outputs)));
        SplitScores.Measurement measured = scores.measure(copies, meanPoint, chosen);
        for (int o : chosen) {
            copies[features * outputs + o] = measured.intercepts()[o];
        }
        boolean better = false;
        boolean moved = false;
        for (int p = 0; p < problems.length; p++) {
            Problem problem = problems[p];
            if (problem.done) {
                continue;
            }
            double primal = primal(p, measured.last().losses(), copies);
            double dual = dual(p, measured.last().dual());
            better |= takePrimal(p, primal);
            boolean hasMean = scores.summed(p) > 0;
            double meanPrimal = hasMean ? primal(p, measured.mean().losses(), meanPoint) : Double.POSITIVE_INFINITY;
            double meanDual = hasMean ? dual(p, measured.mean().dual()) : Double.NEGATIVE_INFINITY;
            better |= problem.takeDual(Math.max(dual, meanDual));
            problem.done = problem.gap() <= tolerance;
            boolean atMean = meanPrimal - meanDual < primal - dual;
            double gap = Math.min(primal - dual, meanPrimal - meanDual);
            // A finished problem ends at the mean too, where the next run may start.
            if (problem.restarts(gap, scores.summed(p) >= LONGEST * number) || problem.done) {
                for (int o : chosen) {
                    if (problem(o) == p) {
                        restart(o, atMean);
                    }
                }
                moved |= atMean;
            }
        }
        return new Progress(better, moved);
    }

    /** Begins new means of an output; goes on from the last ones if they are better. */
    private void restart(int output, boolean atMean) {
        int count = scores.summed(output);
        for (int at = output; at < copies.length; at += outputs) {
            copies[at] = atMean ? copySums[at] / count : copies[at];
            copySums[at] = 0;
        }
        for (int at = output; at < weightMultipliers.length; at += outputs) {
            weightMultipliers[at] = atMean ? weightMultiplierSums[at] / count : weightMultipliers[at];
            weightMultiplierSums[at] = 0;
        }
        scores.restart(output, atMean);
    }

    private double primal(int p, double[] losses, double[] point) {
        double loss = 0;
        for (int o : all) {
            loss += problem(o) == p ? losses[o] : 0;
        }
        double penalty = problems.length == 1
                ? regularizer.value(point, features, outputs)
                : regularizer.separable(point, features, outputs, p);
        return loss + penalty;
    }

    private boolean takePrimal(int p, double primal) {
        if (!(primal < Double.POSITIVE_INFINITY)) {
            throw new BochnerException(
                    METHOD + ": the objective is " + primal,
                    Remedy.set(Setting.SCALING, "standard", ""),
                    Remedy.advice("choose a larger penalty"));
        }
        if (!(primal < problems[p].primal)) {
            return false;
        }
        problems[p].primal = primal;
        for (int at = 0; at < best.length; at++) {
            if (problem(at % outputs) == p) {
                best[at] = copies[at];
            }
        }
        return true;
    }

    private double dual(int p, SplitScores.DualValues values) {
        double linear = 0;
        for (int o : all) {
            linear += problem(o) == p ? values.linear()[o] : 0;
        }
        double[] own = values.products();
        if (problems.length > 1) {
            own = new double[features];
            for (int j = 0; j < features; j++) {
                own[j] = values.products()[j * outputs + p];
            }
        }
        return regularizer.dualValue(linear, own, features, own.length / features);
    }
}
