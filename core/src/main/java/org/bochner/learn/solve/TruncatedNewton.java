package org.bochner.learn.solve;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.learn.Convergence;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.Monitor;
import org.bochner.numeric.optimise.Vectors;

/**
 * The truncated Newton method for smooth losses with a squared penalty. Each Newton system is solved inexactly by
 * conjugate gradients with a {@link CurvaturePreconditioner}; one step of these is one pass over the features, and the
 * Hessian is never formed. The full step is evaluated together with the gradient at its end, so an iteration takes one
 * pass besides those of the conjugate gradients. If the full step is too long, one more pass evaluates many shorter
 * ones.
 *
 * <p>All outputs share the passes. Arrays with one entry per problem are in the order of the problems. Independent
 * problems have their own scalars, step lengths and ends, and leave the passes when they have converged.
 *
 * <p>The residual is the norm of the gradient relative to its norm at zero weights with the best intercepts; the
 * largest of all problems counts.
 */
final class TruncatedNewton {
    private static final String METHOD = "truncated Newton";
    private static final String MEASURE = "gradient";

    /** A step must gain at least this share of the decrease predicted by the slope at its start (Armijo). */
    private static final double LEAST_GAIN = 1e-4;

    /** Relative uncertainty of the objective due to the rounding of float32 features. */
    private static final double NOISE = 1e-8;

    /** If values are uncertain, the slope at the end of a step must be below this share of the slope at its start. */
    private static final double MOST_SLOPE = 0.8;

    /** Relative residual of the first Newton systems; later ones are solved more accurately. */
    private static final double MOST_RESIDUAL = 0.25;

    /** Minimum relative residual of a Newton system; rounding would waste further steps. */
    private static final double LEAST_RESIDUAL = 0.01;

    /** Maximum number of conjugate gradient steps per iteration. */
    private static final int MOST_STEPS = 250;

    /** Consecutive iterations without progress after which a problem has reached its precision. */
    private static final int MOST_IDLE = 3;

    /** Gradients below this, relative to the size of targets and features, are rounding errors. */
    private static final double LEAST_GRADIENT = 1e-12;

    /** Step lengths that are evaluated if 1 is too long. */
    private static final double[] SHORTER = {
        0x1p-1, 0x1p-2, 0x1p-3, 0x1p-4, 0x1p-5, 0x1p-6, 0x1p-8, 0x1p-10, 0x1p-13, 0x1p-16, 0x1p-20, 0x1p-25, 0x1p-30
    };

    private final Objective objective;
    private final double l2;
    private final SolverRun run;
    private final ProblemVectors problems;

    /** True for problems that are not finished. */
    private final boolean[] active;

    /** True for problems whose steps no longer change anything. */
    private final boolean[] stuck;

    private final int[] idle;
    private final double[] reference;
    private final double[] point;
    private final double[] gradient;
    private final double[] values;
    private final double[] norms;

    private TruncatedNewton(Objective objective, double l2, SolverRun run) {
        this.objective = objective;
        this.l2 = l2;
        this.run = run;
        problems = new ProblemVectors(objective);
        int count = problems.count();
        active = new boolean[count];
        stuck = new boolean[count];
        idle = new int[count];
        reference = new double[count];
        values = new double[count];
        norms = new double[count];
        gradient = new double[objective.size()];
        point = objective.start();
    }

    /**
     * Minimises an objective with a squared penalty.
     *
     * @param start the first point: {@link Objective#start}, or for a warm start, which takes one more pass, another
     *     one
     */
    static Solution solve(
            Objective objective, Regularizer regularizer, StoppingRule stopping, double[] start, Monitor monitor) {
        Require.that(objective.loss().smooth(), METHOD, "the loss must have a derivative everywhere");
        Require.that(regularizer.smooth(), METHOD, "the penalty must have a derivative everywhere");
        Require.sameSize(METHOD, "numbers to start from", start.length, objective.size());
        objective.keepScores();
        SolverRun run = new SolverRun(METHOD, MEASURE, stopping, monitor);
        return new TruncatedNewton(objective, regularizer.l2(), run).solve(start);
    }

    /** Sets the references: the norms of the gradients at zero weights, at least the size of rounding errors. */
    private void setReferences() {
        System.arraycopy(norms, 0, reference, 0, norms.length);
        int intercepts = objective.features() * objective.outputs();
        double size =
                objective.source().totalRowWeight() + objective.whitening().scatterTrace();
        double features = Math.sqrt(size * objective.source().totalRowWeight());
        for (int o = 0; o < objective.outputs(); o++) {
            int p = objective.problem(o);
            double rounding = LEAST_GRADIENT * features * Math.abs(point[intercepts + o]);
            reference[p] = Math.max(reference[p], Math.max(rounding, Double.MIN_NORMAL));
        }
    }

    private Solution solve(double[] start) {
        Arrays.fill(active, true);
        moveTo(evaluate(point, active), active);
        setReferences();
        CurvaturePreconditioner sample = CurvaturePreconditioner.sample(objective);
        for (int p = 0; p < active.length; p++) {
            active[p] = !objective.settled(p);
        }
        if (!Arrays.equals(start, point)) {
            double[] first = point.clone();
            problems.copy(start, first, active);
            moveTo(evaluate(first, active), active);
        }
        checkFinite();
        Arrays.fill(idle, 0);
        int number = 0;
        boolean goOn = true;
        while (unsolved() && goOn && number < run.stopping().iterations()) {
            number++;
            iterate(sample);
            int kept = LinearModel.nonZeros(point, objective.features(), objective.outputs());
            goOn = run.report(number, value(), residual(), kept, () -> objective.model(point.clone()));
        }
        return new Solution(point, run.ended(number, value(), residual(), end(goOn)));
    }

    /** Deactivates the problems that are solved or stuck. Returns true if any problem is left. */
    private boolean unsolved() {
        for (int p = 0; p < active.length; p++) {
            active[p] &= !stuck[p] && norms[p] > run.tolerance() * reference[p];
        }
        return problems.any(active);
    }

    private void checkFinite() {
        for (double value : values) {
            if (!(Math.abs(value) < Double.POSITIVE_INFINITY)) {
                throw new BochnerException(METHOD + ": the objective is " + value
                        + " where it starts; scale the columns, targets or weights, which are too large");
            }
        }
    }

    private void iterate(CurvaturePreconditioner sample) {
        double[] direction = directions(sample);
        double[] slopes = problems.dot(gradient, direction);
        boolean[] trying = active.clone();
        boolean[] tooLong = new boolean[active.length];
        Trial whole = evaluate(problems.sum(point, 1, direction), trying);
        double[] slopesAfter = problems.dot(whole.gradient, direction);
        for (int p = 0; p < active.length; p++) {
            tooLong[p] = trying[p] && !accepted(p, slopes[p], whole.values[p], slopesAfter[p]);
            trying[p] &= !tooLong[p];
        }
        if (problems.any(tooLong)) {
            shorten(direction, slopes, tooLong);
        }
        moveTo(whole, trying);
        checkSeparable();
    }

    /** Solves the Newton systems of all active problems as accurately as the iteration can use. */
    private double[] directions(CurvaturePreconditioner sample) {
        double[] goals = new double[active.length];
        for (int p = 0; p < active.length; p++) {
            double share = Math.sqrt(norms[p] / reference[p]);
            share = Math.max(LEAST_RESIDUAL, Math.min(MOST_RESIDUAL, share));
            // The gradient need not fall far below the tolerance.
            goals[p] = Math.max(share * norms[p], run.tolerance() / 2 * reference[p]);
        }
        double[] right = new double[point.length];
        Arrays.setAll(right, i -> -gradient[i]);
        // Without curvature the system has no solution; a step of length 1 is tried.
        return new NewtonSystem(objective, sample, point, l2).solve(right, active, goals, MOST_STEPS, 1);
    }

    /**
     * Returns true if a step of length 1 gains enough. If the gain is below rounding, the slope at the end decides,
     * which is less affected by rounding.
     */
    private boolean accepted(int p, double slope, double value, double slopeAfter) {
        if (!(slope < 0)) {
            return false;
        }
        return value <= values[p] + LEAST_GAIN * slope
                || (value <= values[p] + NOISE * Math.abs(values[p])
                        && Math.abs(slopeAfter) <= MOST_SLOPE * Math.abs(slope));
    }

    /** Moves by the best of the shorter steps. A problem that none improves is stuck. */
    private void shorten(double[] direction, double[] slopes, boolean[] tooLong) {
        int[] outputs = problems.outputs(tooLong);
        double[][] losses = objective.along(point, direction, SHORTER, outputs);
        double[] best = values.clone();
        double[] lengths = new double[active.length];
        for (int k = 0; k < SHORTER.length; k++) {
            double[] penalties = penalties(problems.sum(point, SHORTER[k], direction));
            for (int p = 0; p < active.length; p++) {
                double value = losses[k][p] + penalties[p];
                boolean gains = value <= values[p] + LEAST_GAIN * SHORTER[k] * slopes[p];
                if (tooLong[p] && gains && value < best[p]) {
                    best[p] = value;
                    lengths[p] = SHORTER[k];
                }
            }
        }
        boolean[] moving = new boolean[active.length];
        for (int p = 0; p < active.length; p++) {
            moving[p] = lengths[p] > 0;
            stuck[p] |= tooLong[p] && !moving[p];
        }
        if (problems.any(moving)) {
            double[] shorter = point.clone();
            problems.add(point, lengths, direction, shorter);
            moveTo(evaluate(shorter, moving), moving);
        }
    }

    /** Accepts a trial for the marked problems. */
    private void moveTo(Trial trial, boolean[] marked) {
        problems.copy(trial.point, point, marked);
        problems.copy(trial.gradient, gradient, marked);
        double[] trialNorms = problems.norms(trial.gradient);
        for (int p = 0; p < active.length; p++) {
            if (marked[p]) {
                boolean gained = trial.values[p] < values[p] - NOISE * Math.abs(values[p]);
                idle[p] = gained || trialNorms[p] < norms[p] / 2 ? 0 : idle[p] + 1;
                stuck[p] |= idle[p] >= MOST_IDLE;
                values[p] = trial.values[p];
                norms[p] = trialNorms[p];
            }
        }
    }

    /** Fails if the classes are separable and there is no penalty: the weights would grow without bound. */
    private void checkSeparable() {
        if (l2 > 0 || !(objective.perScore() instanceof Loss.Logistic)) {
            return;
        }
        for (int o = 0; o < objective.outputs(); o++) {
            int p = objective.problem(o);
            // With a loss below log 2, the class of a row has a probability above 1/2: every row is correct.
            if (active[p] && objective.largestLoss(p) < Math.log(2)) {
                String apart = objective.joint() ? "the classes" : objective.name(o);
                throw new BochnerException("the rows of " + apart + " are perfectly separable and there is no penalty:"
                        + " the weights would grow without end; set a penalty, l2 > 0");
            }
        }
    }

    private double[] penalties(double[] at) {
        return Arrays.stream(problems.dotOfWeights(at, at))
                .map(square -> square * (l2 / 2))
                .toArray();
    }

    private double value() {
        return Arrays.stream(values).sum();
    }

    private double residual() {
        return IntStream.range(0, active.length)
                .mapToDouble(p -> objective.settled(p) ? 0 : norms[p] / reference[p])
                .max()
                .orElse(0);
    }

    private Convergence.End end(boolean goOn) {
        if (residual() <= run.tolerance()) {
            return Convergence.End.CONVERGED;
        }
        if (!goOn) {
            return Convergence.End.STOPPED;
        }
        return problems.any(stuck) && !unsolved() ? Convergence.End.PRECISION : Convergence.End.ITERATIONS;
    }

    /** A point with the values and gradients of the marked problems, including the penalty. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Trial(double[] point, double[] gradient, double[] values) {}

    private Trial evaluate(double[] at, boolean[] marked) {
        double[] slopes = new double[at.length];
        double[] sums = objective.evaluate(at, slopes, problems.outputs(marked));
        problems.addWeights(l2, at, slopes);
        Vectors.move(penalties(at), sums);
        return new Trial(at, slopes, sums);
    }
}
