package org.bochner.model.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The scales that were tried for each candidate, and steps from them to better ones. */
final class ScaleWalk {
    /**
     * The share by which the error must fall for a scale that is longer by √2. The sample has fewer rows and features
     * than the fit, which favours longer scales.
     */
    private static final double LONGER = 0.01;

    /** Scales stay within 2^(±FURTHEST/2) of the measured ones. */
    private static final int FURTHEST = 12;

    private final List<Attempt> attempts = new ArrayList<>();

    /**
     * A candidate with given scales.
     *
     * @param steps the factor of each measured scale, in steps of √2
     * @param error the error that is compared, which is larger for longer scales
     * @param measured the squared error as a share of the variance
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
    record Attempt(ScaleCandidate candidate, int[] steps, double error, double measured) {
        /** Returns the factors of the measured scales. */
        double[] factors() {
            return ScaleWalk.factors(steps);
        }

        /** Returns the number of scales. */
        int scales() {
            return steps.length;
        }
    }

    /** Returns the attempt with all measured scales of a candidate times a factor, in steps of √2. */
    Attempt at(ScaleCandidate candidate, int step) {
        int[] steps = new int[candidate.lengths().size()];
        Arrays.fill(steps, step);
        return at(candidate, steps);
    }

    private Attempt at(ScaleCandidate candidate, int[] steps) {
        for (Attempt attempt : attempts) {
            if (attempt.candidate == candidate && Arrays.equals(attempt.steps, steps)) {
                return attempt;
            }
        }
        double longer = 0;
        for (int s = 0; s < steps.length; s++) {
            longer += (candidate.lengths().get(s) ? steps[s] : -steps[s]) / (double) steps.length;
        }
        double measured = candidate.error(factors(steps));
        Attempt attempt = new Attempt(candidate, steps, measured * StrictMath.pow(1 + LONGER, longer), measured);
        attempts.add(attempt);
        return attempt;
    }

    /** Tries the factors of an attempt with another candidate. */
    Attempt again(Attempt attempt, ScaleCandidate candidate) {
        return at(candidate, attempt.steps);
    }

    private static double[] factors(int[] steps) {
        return Arrays.stream(steps)
                .mapToDouble(step -> StrictMath.pow(2, step / 2.0))
                .toArray();
    }

    /** Returns the attempt with the smaller error. */
    static Attempt better(Attempt one, Attempt other) {
        return other.error < one.error ? other : one;
    }

    /** Moves all scales together in steps of √2 while the error falls. */
    Attempt moveAll(Attempt from, int step) {
        boolean[] all = new boolean[from.scales()];
        Arrays.fill(all, true);
        return move(from, all, step);
    }

    /** Moves each of several scales on its own while the error falls. */
    Attempt moveEach(Attempt from, int step) {
        Attempt best = from;
        for (int s = 0; s < from.scales() && from.scales() > 1; s++) {
            boolean[] one = new boolean[from.scales()];
            one[s] = true;
            best = move(best, one, step);
        }
        return best;
    }

    /** Moves some scales in one direction while the error falls; in the other one if the first step does not help. */
    @SuppressWarnings("ReferenceEquality") // better returns one of its arguments
    private Attempt move(Attempt from, boolean[] moved, int step) {
        int first = from.candidate.comparison().shortensFirst() ? -step : step;
        for (int move : new int[] {first, -first}) {
            Attempt best = from;
            Attempt next = from;
            while (next == best) {
                int[] steps = best.steps.clone();
                boolean within = moved.length > 0;
                for (int s = 0; s < steps.length; s++) {
                    steps[s] += moved[s] ? move : 0;
                    within &= Math.abs(steps[s]) <= FURTHEST;
                }
                if (!within) {
                    break;
                }
                next = at(best.candidate, steps);
                best = better(best, next);
            }
            if (best != from) {
                return best;
            }
        }
        return from;
    }

    /** Returns the number of attempts. */
    int count() {
        return attempts.size();
    }

    /** Returns the measured error of the best attempt with a candidate. */
    double least(ScaleCandidate candidate) {
        return attempts.stream()
                .filter(attempt -> attempt.candidate == candidate)
                .min(Comparator.comparingDouble(Attempt::error))
                .map(Attempt::measured)
                .orElse(Double.NaN);
    }
}
