package org.bochner.tune.search;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Predicts the times of tests and trainings from those of earlier tests. Times of the same kind of work grow with a power of
 * the rows, which two sizes of samples tell; before that it is guessed. Threads: not safe.
 */
final class Pace {
    /** The power for exact machines before it is known. */
    private static final double EXACT_GROWTH = 1.8;

    /** The power for other machines: a part of their work does not depend on the rows. */
    private static final double USUAL_GROWTH = 0.5;

    /** Powers grow with the rows. */
    private static final double STEEPER = 0.15;

    private static final double MOST_GROWTH = 3;

    /** Predicted times are this much longer than those of smaller samples suggest. */
    private static final double MARGIN = 1.2;

    private final List<Rung> rungs;
    private final Map<String, Double> secondsOfWork = new HashMap<>();
    private final Map<String, Double> secondsOfMethod = new HashMap<>();
    private final Map<String, Double> growthOfWork = new HashMap<>();
    private double usual;

    Pace(List<Rung> rungs) {
        this.rungs = rungs;
    }

    /**
     * Takes the time of a test, before the trial has its result.
     *
     * @param firstFold the seconds of the first fold of the sample, if it was one of those tested; else 0
     */
    void take(Trial trial, Rung rung, double firstFold) {
        long rowsBefore = trial.tested() ? trial.top().rows() : 0;
        double secondsBefore = trial.tested() ? trial.secondsOfFirstFold() : 0;
        String work = trial.candidate().work();
        if (rung.index() == 0) {
            // Later tests say more: the first ones include the start of the virtual machine's compilers.
            secondsOfWork.put(work, firstFold);
            String method = trial.candidate().method();
            if (method != null) {
                secondsOfMethod.put(method, firstFold);
            }
            if (trial.role() == Trial.Role.USUAL) {
                usual = firstFold;
            }
        } else if (rowsBefore > 0 && rung.rows() > rowsBefore && secondsBefore > 0 && firstFold > 0) {
            double growth = Math.log(firstFold / secondsBefore) / Math.log((double) rung.rows() / rowsBefore);
            growthOfWork.put(work, Math.min(MOST_GROWTH, Math.max(0, growth) + STEEPER));
        }
    }

    /** Returns how much longer the work for some rows takes than that for fewer rows. */
    private double growth(Candidate candidate, double from, double to) {
        Double known = growthOfWork.get(candidate.work());
        if (known != null) {
            return Math.pow(to / from, known);
        }
        // With fewer rows than landmarks, the machine is exact.
        double exact = candidate.isExact() ? to : Math.min(to, Math.max(from, candidate.landmarks()));
        return Math.pow(exact / from, EXACT_GROWTH) * Math.pow(to / exact, USUAL_GROWTH);
    }

    /** Returns the predicted seconds of a test. */
    double test(Trial trial, Rung rung) {
        int first = rung.firstFold(rungs);
        double growth = growth(trial, rung.rows());
        double search = first == 0 ? growth * first(trial) : 0;
        int others = rung.folds() - Math.max(first, 1);
        return MARGIN * (search + others * growth * further(trial));
    }

    /** Returns the predicted seconds of training on all rows. */
    double training(Trial trial) {
        long all = rungs.get(rungs.size() - 1).rows();
        double more = growth(trial.candidate(), all * (Rung.FOLDS - 1.0) / Rung.FOLDS, all);
        boolean chosen =
                trial.tested() && trial.top().rows() == all && rungs.get(0).rows() < all;
        return MARGIN * more * growth(trial, all) * (chosen ? further(trial) : first(trial));
    }

    private double growth(Trial trial, long rows) {
        double from = trial.tested() ? trial.top().rows() : rungs.get(0).rows();
        return growth(trial.candidate(), from, Math.max(from, rows));
    }

    /** Returns the seconds of a test on the first fold, in which all choices are made. */
    private double first(Trial trial) {
        if (trial.tested()) {
            return trial.secondsOfFirstFold();
        }
        Double known = secondsOfWork.get(trial.candidate().work());
        return known == null ? guess(trial.candidate()) : known;
    }

    /** Returns the seconds of a test of a kind of work that was not timed yet. */
    private double guess(Candidate candidate) {
        String method = candidate.method();
        double prior = usual * prior(candidate);
        return method == null ? prior : secondsOfMethod.getOrDefault(method, prior);
    }

    /** Returns the seconds of a test on another fold. */
    private double further(Trial trial) {
        return trial.tested() ? trial.secondsOfLastFold() : first(trial);
    }

    /** Returns about how much longer a test takes than that of the default, for kinds of work that were not timed yet. */
    private static double prior(Candidate candidate) {
        String method = candidate.method();
        // The default is the first to be tested: its time includes the start of the virtual machine's compilers.
        return method == null || method.equals(Candidate.SAMPLED_RATIOS)
                ? 1
                : method.equals(Portfolio.GRADIENT) ? 3 : 2;
    }
}
