package org.bochner.tune.channels;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.learn.Iteration;
import org.bochner.learn.linear.LinearModel;
import org.bochner.model.Progress;
import org.bochner.numeric.Precision;
import org.bochner.tune.LearnedSum;
import org.jspecify.annotations.Nullable;

/** The path of solutions over penalties, from the largest down, and the choice among them by cross-validation. */
public final class PenaltyPath {
    /** The path ends after this many steps without a smaller loss. */
    private static final int PATIENCE = 4;

    /** The least number of steps. */
    private static final int SHORTEST = 8;

    /**
     * Channels with a smaller share of the kernel weight are left out. Block-ℓ1 gives noise a small weight before
     * useful channels have theirs: on 147 rows of msrc_v1 each of six noise channels had up to 1.9%, and the other
     * channels at least 5.8%.
     */
    private static final double SMALL_SHARE = 0.025;

    /** The factor of l2, applied for as long as the loss falls. */
    private static final double RELAXATION = StrictMath.sqrt(0.1);

    private static final Remedy OTHER_PENALTY =
            Remedy.advice("use another penalty, or leave it out to choose one by cross-validation");

    private final ChannelProblem problem;
    private final int mostSteps;
    private final Progress progress;
    private final Notes notes;
    private boolean plain;
    private OptionalDouble only = OptionalDouble.empty();
    private OptionalDouble first = OptionalDouble.empty();
    /** The power of {@link #RELAXATION} at the last penalty. */
    private int relaxed;

    private final List<LearnedSum.Step> steps = new ArrayList<>();
    private final List<Losses> losses = new ArrayList<>();
    private final List<ChannelSolution> solutions = new ArrayList<>();

    public PenaltyPath(ChannelProblem problem, int mostSteps, Progress progress, Notes notes) {
        this.problem = problem;
        this.mostSteps = mostSteps;
        this.progress = progress;
        this.notes = notes;
    }

    /**
     * Sets whether solutions stay as they are: not refitted with another l2, without a preference for fewer channels,
     * and with small kernel weights. The path then starts at the penalty at which the first channel gets a weight, with
     * the solution without weights.
     */
    public PenaltyPath setPlain(boolean chosen) {
        plain = chosen;
        return this;
    }

    /** Sets the penalty at which the path starts, if it is given. */
    public PenaltyPath setFirst(OptionalDouble given) {
        first = given;
        return this;
    }

    /** Sets a penalty that is tried alone, if it is given. */
    public PenaltyPath setOnly(OptionalDouble given) {
        only = given;
        return this;
    }

    /**
     * The chosen solution.
     *
     * @param solution the solution on all rows
     * @param place its index on the path
     * @param model the model with its kernel weights and l2
     */
    public record Chosen(ChannelSolution solution, int place, LinearModel model) {}

    /** Returns the steps of the path. */
    public List<LearnedSum.Step> steps() {
        return steps;
    }

    /**
     * Follows the path until the loss has risen for a while, the precision ends, or the user stops it; then chooses.
     */
    public Chosen choose() {
        int place = plain ? follow() : simplest(follow());
        ChannelSolution solution = problem.settle(steps.get(place).lambda(), solutions.get(place));
        LearnedSum.Step step = settled(steps.get(place), solution);
        steps.set(place, step);
        solution = problem.norm().leavesOut() && !plain ? solution.without(SMALL_SHARE) : solution;
        if (!step.converged()) {
            notes.solver(String.format(
                    Locale.ROOT,
                    "the solver did not reach its tolerance at the chosen penalty; its residual is %.2g",
                    solution.residual()));
        }
        ChannelFit fit = solution.active() == step.active() && step.l2() == problem.l2(step.lambda())
                ? null
                : problem.relaxed(problem.folds(), solution, step.l2());
        LinearModel model = fit == null ? solution.model() : fit.linear().get();
        return new Chosen(solution, place, model);
    }

    /**
     * Follows the path and returns the chosen step, without the final solution there. Later calls of {@link #lossAt} start
     * near its l2.
     */
    public LearnedSum.Step chosenStep() {
        return steps.get(plain ? follow() : simplest(follow()));
    }

    /** Returns the cross-validated loss at a penalty; infinite if the precision does not allow it. */
    public double lossAt(double penalty) {
        ChannelSolution all = problem.solve(problem.folds(), penalty);
        Losses found = all == null ? null : compare(penalty, all);
        if (found == null) {
            return Double.POSITIVE_INFINITY;
        }
        steps.remove(steps.size() - 1);
        return found.mean;
    }

    /** Returns a step with the final solution at its penalty. */
    private LearnedSum.Step settled(LearnedSum.Step step, ChannelSolution solution) {
        return new LearnedSum.Step(
                step.lambda(),
                step.l2(),
                step.loss(),
                step.standardError(),
                solution.active(),
                weights(solution),
                problem.scaleFactors(),
                step.converged() && solution.converged());
    }

    private static List<Double> weights(ChannelSolution solution) {
        return Arrays.stream(solution.kernelWeights()).boxed().toList();
    }

    /** Returns the first penalty. */
    private double first() {
        double start = problem.start();
        if (!(start > 0)) {
            throw new BochnerException(
                    "the features of the channels do not depend on the labels: are all rows equal, or are"
                            + " the kernels' scales far off?");
        }
        if (only.isEmpty()) {
            double usual = plain && problem.norm().leavesOut() ? start : start * problem.ratio();
            return Math.min(usual, first.orElse(usual));
        }
        double given = only.getAsDouble();
        if (problem.norm().leavesOut() && given >= start) {
            throw new BochnerException(
                    String.format(
                            Locale.ROOT,
                            "no channel gets a weight at lambda=%.4g; the largest penalty with a weight is just below"
                                    + " lambda=%.4g",
                            given,
                            start),
                    Remedy.advice("use a smaller penalty"));
        }
        return given;
    }

    /** Returns the index of the step with the smallest loss among those with a channel. */
    private int follow() {
        double penalty = first();
        int best = -1;
        int most = only.isPresent() ? 1 : mostSteps;
        for (int step = 0; step < most; step++, penalty *= problem.ratio()) {
            ChannelSolution all = problem.solve(problem.folds(), penalty);
            Losses tried = all == null ? null : compare(penalty, all);
            if (all == null || tried == null) {
                notePrecision();
                break;
            }
            if (best >= 0 && progress.stopRequested()) {
                steps.remove(steps.size() - 1);
                break;
            }
            solutions.add(all);
            losses.add(tried);
            boolean better = best < 0 || tried.mean < losses.get(best).mean;
            best = better && all.active() > 0 ? step : best;
            int nonZeros = problem.activeFeatures(all);
            Iteration iteration = new Iteration(step + 1, all.objective(), "residual", all.residual(), nonZeros);
            progress.iteration(String.format(Locale.ROOT, "lambda=%.4g", penalty), iteration, tried.mean);
            if (best >= 0 && (progress.stopRequested() || (step >= SHORTEST && step - best >= PATIENCE))) {
                break;
            }
        }
        if (best < 0 && only.isPresent()) {
            throw new BochnerException(
                    String.format(
                            Locale.ROOT,
                            "no channel has a weight at lambda=%.4g, which is too small for the precision of the features, or"
                                    + " too close to %.4g, at which all weights are 0",
                            only.getAsDouble(),
                            problem.start()),
                    OTHER_PENALTY);
        }
        if (best < 0) {
            throw new BochnerException(
                    "no channel has a weight at the penalties that were tried",
                    Remedy.set(Setting.STEPS, "tries smaller ones"));
        }
        if (steps.get(0).active() == 0 && losses.get(0).mean <= losses.get(best).mean) {
            notes.choice("without any channel, the cross-validated loss is not larger than with the chosen penalty");
        }
        if (progress.stopRequested()) {
            notes.solver("interrupted after " + steps.size() + " penalties; the best of them was chosen");
        } else if (best == mostSteps - 1 && only.isEmpty()) {
            notes.choice(
                    "the smallest penalty of the path has the smallest loss",
                    Remedy.set(Setting.STEPS, "with more steps may do better"));
        }
        return best;
    }

    /**
     * Applies the one-standard-error rule: among steps with fewer channels whose mean loss is within one standard error
     * of the best, returns the step with the smallest loss.
     */
    private int simplest(int least) {
        int best = least;
        while (problem.norm().leavesOut()) {
            int fewer = -1;
            for (int step = 0; step < steps.size(); step++) {
                boolean simpler = steps.get(step).active() < steps.get(best).active();
                if (simpler && (fewer < 0 || losses.get(step).mean < losses.get(fewer).mean)) {
                    fewer = step;
                }
            }
            if (fewer < 0 || losses.get(fewer).isWorseThan(losses.get(least), problem)) {
                return best;
            }
            best = fewer;
        }
        return best;
    }

    private void notePrecision() {
        if (steps.isEmpty() && only.isPresent()) {
            throw new BochnerException(
                    String.format(
                            Locale.ROOT, "lambda=%.4g is below the precision of the features", only.getAsDouble()),
                    OTHER_PENALTY,
                    Remedy.set(Setting.PRECISION, Precision.FLOAT64, "allows smaller ones"));
        }
        if (steps.isEmpty()) {
            throw new BochnerException(
                    "the penalty at which the first channel gets a weight is below the precision of the features",
                    Remedy.set(Setting.PRECISION, Precision.FLOAT64, ""));
        }
        notes.precision(String.format(
                Locale.ROOT,
                "the path ends at lambda=%.4g, the smallest that the precision of the features allows",
                steps.get(steps.size() - 1).lambda()));
    }

    /** Adds a step with the smallest loss over all l2 at a penalty; returns null if the precision ends. */
    private @Nullable Losses compare(double penalty, ChannelSolution all) {
        List<ChannelSolution> folded = problem.solveFolds(penalty);
        if (folded == null) {
            return null;
        }
        boolean converged = all.converged() && folded.stream().allMatch(ChannelSolution::converged);
        double l2 = problem.l2(penalty);
        Losses best =
                Losses.of(folded.stream().map(solution -> solution.fit().loss()).toList(), problem);
        if (problem.norm().leavesOut() && !plain) {
            Relaxation relaxation = new Relaxation(folded, l2, best);
            best = relaxation.search();
            l2 = relaxation.l2(relaxed);
        }
        steps.add(new LearnedSum.Step(
                penalty,
                l2,
                best.mean,
                best.standardError,
                all.active(),
                weights(all),
                problem.scaleFactors(),
                converged));
        return best;
    }

    /**
     * The search for the best factor of l2 at a penalty, {@link #RELAXATION} to the power 0, 1, 2, …. It starts one power
     * below the best one of the last penalty, which is close to the same l2, and goes on for as long as the loss falls.
     */
    private final class Relaxation {
        private final List<ChannelSolution> folded;
        private final double l2;
        private final Losses unrelaxed;

        Relaxation(List<ChannelSolution> folded, double l2, Losses unrelaxed) {
            this.folded = folded;
            this.l2 = l2;
            this.unrelaxed = unrelaxed;
        }

        double l2(int power) {
            double weaker = l2;
            for (int k = 0; k < power; k++) {
                weaker *= RELAXATION;
            }
            return weaker;
        }

        /** Returns the smallest losses; sets the power that has them. */
        Losses search() {
            int power = Math.max(0, relaxed - 1);
            Losses best = at(power);
            while (best == null) {
                // The precision does not allow such a small l2.
                best = at(--power);
            }
            boolean fewer = false;
            for (Losses next = at(power - 1); next != null && next.mean <= best.mean; next = at(power - 1)) {
                best = next;
                power--;
                fewer = true;
            }
            for (Losses next = fewer ? null : at(power + 1);
                    next != null && next.mean < best.mean;
                    next = at(power + 1)) {
                best = next;
                power++;
            }
            relaxed = power;
            return best;
        }

        /** Returns the losses at a power; null if it is negative, too large for the precision, or the user stops. */
        private @Nullable Losses at(int power) {
            if (power <= 0) {
                return power == 0 ? unrelaxed : null;
            }
            List<Double> tried = progress.stopRequested() ? null : problem.relaxedLosses(folded, l2(power));
            return tried == null ? null : Losses.of(tried, problem);
        }
    }

    /** The loss of cross-validation, its standard error, and the loss of each fold. */
    private record Losses(double mean, double standardError, List<Double> ofFolds) {
        static Losses of(List<Double> ofFolds, ChannelProblem problem) {
            double sum = 0;
            double weight = 0;
            for (int fold = 0; fold < ofFolds.size(); fold++) {
                sum += problem.totalRowWeight(fold) * ofFolds.get(fold);
                weight += problem.totalRowWeight(fold);
            }
            double mean = sum / weight;
            double squares = 0;
            for (int fold = 0; fold < ofFolds.size(); fold++) {
                double away = ofFolds.get(fold) - mean;
                squares += problem.totalRowWeight(fold) * away * away;
            }
            return new Losses(mean, Math.sqrt(squares / weight / (ofFolds.size() - 1)), ofFolds);
        }

        /**
         * Returns true if the mean difference from other losses of the same folds is larger than its standard error.
         */
        boolean isWorseThan(Losses other, ChannelProblem problem) {
            List<Double> differences = new ArrayList<>();
            for (int fold = 0; fold < ofFolds.size(); fold++) {
                differences.add(ofFolds.get(fold) - other.ofFolds.get(fold));
            }
            Losses excess = of(differences, problem);
            return excess.mean > excess.standardError;
        }
    }
}
