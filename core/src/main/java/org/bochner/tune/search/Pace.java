package org.bochner.tune.search;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Predicts the times of tests and trainings from those of earlier tests of the same kind of work. With more rows, times grow
 * with a power of the rows that depends on the map. Threads: not safe.
 */
final class Pace {
    /** The power for exact machines: in samples of a few thousand rows, much of the time is not that of the factorisations. */
    private static final double EXACT_GROWTH = 1.45;

    /** The power for other maps: a large part of their work does not depend on the rows. */
    private static final double USUAL_GROWTH = 0.5;

    /** How much longer a machine with landmarks takes than an exact one with as many rows. */
    private static final double LANDMARKS_CHOSEN = 3;

    /** Predicted times are this much longer than those of smaller samples suggest. */
    private static final double MARGIN = 1.2;

    private final List<Rung> rungs;
    private final Map<String, NavigableMap<Long, Double>> secondsOfWork = new HashMap<>();
    private final Map<String, Double> secondsOfMethod = new HashMap<>();
    private double usual;

    Pace(List<Rung> rungs) {
        this.rungs = rungs;
    }

    /**
     * Takes the time of a test.
     *
     * @param firstFold the seconds of the first fold of the sample, if it was one of those tested; else 0
     */
    void take(Trial trial, Rung rung, double firstFold) {
        if (firstFold == 0) {
            return;
        }
        // Later tests say more: the first ones include the start of the virtual machine's compilers.
        secondsOfWork
                .computeIfAbsent(trial.candidate().work(), unused -> new TreeMap<>())
                .put(rung.rows(), firstFold);
        String method = trial.candidate().method();
        if (rung.index() == 0 && method != null) {
            secondsOfMethod.put(method, firstFold);
        }
        if (rung.index() == 0 && trial.role() == Trial.Role.USUAL) {
            usual = firstFold;
        }
    }

    /** Returns how much longer the work for some rows takes than that for fewer rows. */
    private static double growth(Candidate candidate, long from, long to) {
        if (to <= from) {
            return 1;
        }
        if (candidate.isExact()) {
            return Math.pow((double) to / from, EXACT_GROWTH);
        }
        // With fewer rows than landmarks, the machine is exact.
        long exact = Math.min(to, Math.max(from, candidate.landmarks()));
        double chosen = from < candidate.landmarks() && to > exact ? LANDMARKS_CHOSEN : 1;
        return chosen * Math.pow((double) exact / from, EXACT_GROWTH) * Math.pow((double) to / exact, USUAL_GROWTH);
    }

    /** Returns the predicted seconds of a test. */
    double test(Trial trial, Rung rung) {
        int first = rung.firstFold(rungs);
        double search = first == 0 ? search(trial, rung.rows()) : 0;
        int others = rung.folds() - Math.max(first, 1);
        return MARGIN * (search + others * further(trial, rung.rows()));
    }

    /** Returns the predicted seconds of training on all rows. */
    double training(Trial trial) {
        long all = rungs.get(rungs.size() - 1).rows();
        double more = growth(trial.candidate(), all * (Rung.FOLDS - 1) / Rung.FOLDS, all);
        boolean chosen =
                trial.tested() && trial.top().rows() == all && rungs.get(0).rows() < all;
        return MARGIN * more * (chosen ? further(trial, all) : search(trial, all));
    }

    /** Returns the seconds of a test on the first fold of a sample, in which all choices are made. */
    private double search(Trial trial, long rows) {
        Candidate candidate = trial.candidate();
        NavigableMap<Long, Double> known = secondsOfWork.get(candidate.work());
        if (!trial.tested()) {
            if (known == null) {
                return guess(candidate) * growth(candidate, rungs.get(0).rows(), rows);
            }
            Map.Entry<Long, Double> nearest = known.floorEntry(rows);
            return nearest.getValue() * growth(candidate, nearest.getKey(), rows);
        }
        long top = trial.top().rows();
        double own = trial.secondsOfFirstFold();
        if (known != null && known.containsKey(top) && rows > top) {
            Map.Entry<Long, Double> nearest = known.floorEntry(rows);
            if (nearest.getKey() > top) {
                // Another machine of the same work was tested with more rows.
                return own / known.get(top) * nearest.getValue() * growth(candidate, nearest.getKey(), rows);
            }
        }
        return own * growth(candidate, top, rows);
    }

    /** Returns the seconds of a test on another fold. */
    private double further(Trial trial, long rows) {
        return trial.tested() && trial.top().rows() == rows ? trial.secondsOfLastFold() : search(trial, rows);
    }

    /** Returns the seconds of a test of a kind of work that was not timed yet. */
    private double guess(Candidate candidate) {
        String method = candidate.method();
        double prior = usual * prior(candidate);
        return method == null ? prior : secondsOfMethod.getOrDefault(method, prior);
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
