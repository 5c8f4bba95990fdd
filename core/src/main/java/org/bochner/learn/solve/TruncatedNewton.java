package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.learn.Convergence;
import org.bochner.learn.Iteration;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.Monitor;

/**
 * Truncated Newton, for smooth losses with a squared penalty. The system of each iteration is solved by conjugate
 * gradients, each of whose steps is one pass over the features, only as well as the iteration can make use of; the second
 * derivatives are never formed. A {@link CurvaturePreconditioner} preconditions them. A step of full length is tried together
 * with the gradient at its end, so that an iteration takes one pass beside those of the conjugate gradients; where it is
 * too long, one more pass looks at many shorter ones.
 *
 * <p>All outputs are worked on in the same passes. ProblemVectors that do not depend on each other have scalars, step lengths
 * and an end of their own, and leave the passes when they are done.
 *
 * <p>The residual is the length of the gradient relative to that at the weights 0 with the best intercepts; of several
 * problems the largest counts.
 */
final class TruncatedNewton {
    private static final String METHOD = "truncated Newton";
    private static final String MEASURE = "gradient";

    /** A step must gain this share of what the slope at its start promises. */
    private static final double LEAST_GAIN = 1e-4;

    /** What rounding of float32 features leaves uncertain in the value of an objective, relative to it. */
    private static final double NOISE = 1e-8;

    /** Where values are uncertain, the slope at the end of a step must be below this share of that at its start. */
    private static final double MOST_SLOPE = 0.8;

    /** The systems are solved to this residual at first, relative to the gradient, and better near the end. */
    private static final double MOST_RESIDUAL = 0.25;

    /** Better than this they are never solved: rounding would use up the steps. */
    private static final double LEAST_RESIDUAL = 0.01;

    /** Steps of conjugate gradients in one iteration at most. */
    private static final int MOST_STEPS = 250;

    /** Iterations in a row without progress after which a problem is at the end of its precision. */
    private static final int MOST_IDLE = 3;

    /** Relative to what the targets and features are, gradients below this are rounding. */
    private static final double LEAST_GRADIENT = 1e-12;

    /** Lengths of steps that are looked at where 1 is too long. */
    private static final double[] SHORTER = {
        0x1p-1, 0x1p-2, 0x1p-3, 0x1p-4, 0x1p-5, 0x1p-6, 0x1p-8, 0x1p-10, 0x1p-13, 0x1p-16, 0x1p-20, 0x1p-25, 0x1p-30
    };

    /**
     * Minimises an objective with a squared penalty.
     *
     * @param start where to begin: {@link Objective#start}, or the answer to a similar problem, which takes one more pass
     */
    Solution solve(
            Objective objective, Regularizer regularizer, StoppingRule stopping, double[] start, Monitor monitor) {
        Require.that(objective.loss().smooth(), METHOD, "the loss must have a derivative everywhere");
        Require.that(regularizer.smooth(), METHOD, "the penalty must have a derivative everywhere");
        Require.sameSize(METHOD, "numbers to start from", start.length, objective.size());
        return new Run(objective, regularizer.l2(), stopping, monitor).from(start);
    }

    /** One minimisation. Arrays of the problems' numbers are in the order of the problems. */
    private static final class Run {
        private final Objective objective;
        private final double l2;
        private final StoppingRule stopping;
        private final Monitor monitor;
        private final ProblemVectors problems;

        /** ProblemVectors that are worked on. */
        private final boolean[] active;

        /** ProblemVectors whose steps change nothing any more. */
        private final boolean[] stuck;

        private final int[] idle;
        private final double[] reference;
        private final double[] point;
        private final double[] gradient;
        private final double[] values;
        private final double[] norms;
        private final CurvaturePreconditioner sample;

        Run(Objective objective, double l2, StoppingRule stopping, Monitor monitor) {
            this.objective = objective;
            this.l2 = l2;
            this.stopping = stopping;
            this.monitor = monitor;
            objective.keepScores();
            problems = new ProblemVectors(objective);
            int count = problems.count();
            active = new boolean[count];
            stuck = new boolean[count];
            idle = new int[count];
            values = new double[count];
            norms = new double[count];
            gradient = new double[objective.size()];
            point = objective.start();
            Arrays.fill(active, true);
            moveTo(new Trial(point, active), active);
            reference = references();
            sample = CurvaturePreconditioner.of(objective);
        }

        /** The lengths of the gradients at the weights 0, which are more than rounding. */
        private double[] references() {
            double[] references = norms.clone();
            int intercepts = objective.features() * objective.outputs();
            double size = objective.source().weight() + objective.source().scatterTrace();
            double features = Math.sqrt(size * objective.source().weight());
            for (int o = 0; o < objective.outputs(); o++) {
                int p = objective.problem(o);
                double rounding = LEAST_GRADIENT * features * Math.abs(point[intercepts + o]);
                references[p] = Math.max(references[p], Math.max(rounding, Double.MIN_NORMAL));
            }
            return references;
        }

        Solution from(double[] start) {
            for (int p = 0; p < active.length; p++) {
                active[p] = !objective.settled(p);
            }
            if (!Arrays.equals(start, point)) {
                double[] first = point.clone();
                problems.copy(start, first, active);
                moveTo(new Trial(first, active), active);
            }
            checkFinite();
            Arrays.fill(idle, 0);
            int number = 0;
            boolean goOn = true;
            while (unsolved() && goOn && number < stopping.iterations()) {
                number++;
                iterate();
                goOn = monitor.goOn(iteration(number), () -> objective.model(point.clone()));
            }
            return new Solution(point, convergence(number, goOn));
        }

        /** Leaves out the problems that are solved or stuck; whether there are others. */
        private boolean unsolved() {
            boolean any = false;
            for (int p = 0; p < active.length; p++) {
                active[p] &= !stuck[p] && norms[p] > stopping.tolerance() * reference[p];
                any |= active[p];
            }
            return any;
        }

        private void checkFinite() {
            for (double value : values) {
                if (!(Math.abs(value) < Double.POSITIVE_INFINITY)) {
                    throw new BochnerException(METHOD + ": the objective is " + value
                            + " where it starts; scale the columns, targets or weights, which are too large");
                }
            }
        }

        private void iterate() {
            double[] direction = directions();
            double[] slopes = problems.dot(gradient, direction);
            boolean[] trying = active.clone();
            boolean[] tooLong = new boolean[active.length];
            boolean any = false;
            Trial whole = new Trial(problems.sum(point, 1, direction), trying);
            double[] slopesAfter = problems.dot(whole.gradient, direction);
            for (int p = 0; p < active.length; p++) {
                tooLong[p] = trying[p] && !accepted(p, slopes[p], whole.values[p], slopesAfter[p]);
                trying[p] &= !tooLong[p];
                any |= tooLong[p];
            }
            if (any) {
                shorten(direction, slopes, tooLong);
            }
            moveTo(whole, trying);
            checkSeparable();
        }

        /** Solves the Newton systems of all active problems as well as the iteration can make use of. */
        private double[] directions() {
            double[] goals = new double[active.length];
            for (int p = 0; p < active.length; p++) {
                double share = Math.sqrt(norms[p] / reference[p]);
                share = Math.max(LEAST_RESIDUAL, Math.min(MOST_RESIDUAL, share));
                // A gradient far below the tolerance is of no use.
                goals[p] = Math.max(share * norms[p], stopping.tolerance() / 2 * reference[p]);
            }
            double[] right = new double[point.length];
            Arrays.setAll(right, i -> -gradient[i]);
            // Without curvature, the objective falls for ever as far as can be seen: a step of length 1 is tried.
            return new NewtonSystem(objective, sample, point, l2, right, active, goals).solve(MOST_STEPS, 1);
        }

        /**
         * Whether a step of length 1 gains enough. Where it gains less than rounding, the slope at its end decides, which is
         * certain for longer.
         */
        private boolean accepted(int p, double slope, double value, double slopeAfter) {
            if (!(slope < 0)) {
                return false;
            }
            return value <= values[p] + LEAST_GAIN * slope
                    || (value <= values[p] + NOISE * Math.abs(values[p])
                            && Math.abs(slopeAfter) <= MOST_SLOPE * Math.abs(slope));
        }

        /** Moves by the best of the shorter steps. A problem that gains by none is stuck. */
        private void shorten(double[] direction, double[] slopes, boolean[] tooLong) {
            int[] outputs = problems.outputs(tooLong);
            double[][] losses = objective.along(point, direction, SHORTER, outputs);
            double[] best = new double[active.length];
            for (int p = 0; p < active.length; p++) {
                best[p] = values[p];
            }
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
            boolean any = false;
            for (int p = 0; p < active.length; p++) {
                moving[p] = lengths[p] > 0;
                stuck[p] |= tooLong[p] && !moving[p];
                any |= moving[p];
            }
            if (any) {
                double[] shorter = point.clone();
                problems.add(point, lengths, direction, shorter);
                moveTo(new Trial(shorter, moving), moving);
            }
        }

        /** Goes on from a trial with the problems that are marked. */
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

        /** Without a penalty, the weights that separate all rows can grow for ever, and the logistic losses with them fall. */
        private void checkSeparable() {
            if (l2 > 0 || !(objective.perScore() instanceof Loss.Logistic)) {
                return;
            }
            for (int o = 0; o < objective.outputs(); o++) {
                int p = objective.problem(o);
                // Below log 2, the class of a row has more than half of the probability: no row is on the wrong side.
                if (active[p] && objective.largestLoss(p) < Math.log(2)) {
                    String apart = objective.joint() ? "the classes" : objective.name(o);
                    throw new BochnerException(
                            "the rows of " + apart + " are perfectly separable and there is no penalty:"
                                    + " the weights would grow without end; set a penalty, l2 > 0");
                }
            }
        }

        private double[] penalties(double[] at) {
            double[] squares = problems.dotOfWeights(at, at);
            for (int p = 0; p < squares.length; p++) {
                squares[p] *= l2 / 2;
            }
            return squares;
        }

        private Iteration iteration(int number) {
            return new Iteration(
                    number,
                    Arrays.stream(values).sum(),
                    MEASURE,
                    residual(),
                    LinearModel.nonZeros(point, objective.features(), objective.outputs()));
        }

        private double residual() {
            double most = 0;
            for (int p = 0; p < active.length; p++) {
                most = Math.max(most, objective.settled(p) ? 0 : norms[p] / reference[p]);
            }
            return most;
        }

        private Convergence convergence(int number, boolean goOn) {
            double residual = residual();
            boolean anyStuck = false;
            for (boolean one : stuck) {
                anyStuck |= one;
            }
            Convergence.End end;
            if (residual <= stopping.tolerance()) {
                end = Convergence.End.CONVERGED;
            } else if (!goOn) {
                end = Convergence.End.STOPPED;
            } else {
                end = anyStuck && !unsolved() ? Convergence.End.PRECISION : Convergence.End.ITERATIONS;
            }
            return new Convergence(
                    METHOD, number, Arrays.stream(values).sum(), MEASURE, residual, stopping.tolerance(), end);
        }

        /** A point with the values and gradients, penalty included, of the problems that are marked. */
        private final class Trial {
            private final double[] point;
            private final double[] gradient;
            private final double[] values;

            Trial(double[] point, boolean[] marked) {
                this.point = point;
                gradient = new double[point.length];
                values = objective.evaluate(point, gradient, problems.outputs(marked));
                problems.addWeights(l2, point, gradient);
                double[] penalties = penalties(point);
                for (int p = 0; p < values.length; p++) {
                    values[p] += penalties[p];
                }
            }
        }
    }
}
