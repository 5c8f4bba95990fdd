package org.bochner.tune.search;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The trials of a search in order: those that were tested on higher rungs first, and on the same rung by their error. */
public final class Standings {
    private final List<Trial> ranked;
    private final List<Trial> all;
    private final Measure measure;
    private final Predicate<Trial> affordable;

    /**
     * Creates standings.
     *
     * @param affordable returns true for trials that there is time to train on all rows
     */
    Standings(List<Trial> trials, Measure measure, Predicate<Trial> affordable) {
        this.measure = measure;
        this.affordable = affordable;
        all = List.copyOf(trials);
        ranked = trials.stream()
                .filter(trial -> trial.tested() && trial.failure() == null)
                .sorted(Halving.HIGHEST
                        .thenComparing((one, other) -> by(one.top(), measure).compare(one, other))
                        .thenComparingInt(Trial::number))
                .toList();
    }

    /** Returns the order by the error on a rung; equal errors are ordered by the squared error of the scores. */
    static Comparator<Trial> by(Rung rung, Measure measure) {
        return Comparator.comparingDouble((Trial trial) -> trial.losses(rung).value(measure))
                .thenComparingDouble(trial -> trial.losses(rung).tieBreak())
                .thenComparingInt(Trial::number);
    }

    /** Returns true if the error of a trial on a rung is at most one standard error of the difference above another's. */
    static boolean isNear(Trial one, Trial other, Rung rung, Measure measure) {
        double difference = one.losses(rung).value(measure) - other.losses(rung).value(measure);
        return difference <= one.losses(rung).standardErrorOfDifference(other.losses(rung), measure);
    }

    /** Returns all trials that were tested, the best ones first. */
    public List<Trial> ranked() {
        return ranked;
    }

    /** Returns the trials that were tested on a rung, without the constant, those of the smallest error first. */
    public List<Trial> on(Rung rung) {
        return ranked.stream()
                .filter(trial -> trial.role() != Trial.Role.CONSTANT && trial.tested(rung))
                .sorted(by(rung, measure))
                .toList();
    }

    /** Returns the trials that could not be trained, in the order in which they were tried. */
    public List<Trial> failed() {
        return all.stream().filter(trial -> trial.failure() != null).toList();
    }

    /** Returns the number of trials that were not tested because there was no time. */
    public long untested() {
        return all.stream()
                .filter(trial -> !trial.tested() && trial.failure() == null)
                .count();
    }

    /** Returns the constant or the linear model, if it was tested. */
    public Optional<Trial> ofRole(Trial.Role role) {
        return ranked.stream().filter(trial -> trial.role() == role).findFirst();
    }

    /**
     * Returns the best trial of the highest rung for which there is time; the best one of the highest rung if there is time for
     * none. The constant is not among them: it is no kernel machine.
     */
    Optional<Trial> top() {
        List<Trial> machines = ranked.stream()
                .filter(trial -> trial.role() != Trial.Role.CONSTANT)
                .toList();
        return machines.stream()
                .filter(affordable)
                .findFirst()
                .or(() -> machines.stream().findFirst());
    }

    /**
     * Returns the best trial. It is that of the highest rung, unless a trial that was not tested there for lack of time is
     * better by more than one standard error on the highest rung that both have, its error there is smaller than that of the
     * best one with more rows, which gains more from rows perhaps, and it can still be trained.
     */
    public Optional<Trial> best() {
        Optional<Trial> top = top();
        if (top.isEmpty()) {
            return top;
        }
        Trial best = top.get();
        for (Trial trial : ranked) {
            if (trial.leftForTime()
                    && trial.height() < best.height()
                    && !trial.isBaseline()
                    && affordable.test(trial)
                    && !isNear(best, trial, trial.top(), measure)
                    && trial.losses(trial.top()).value(measure)
                            < best.losses(best.top()).value(measure)) {
                best = trial;
            }
        }
        return Optional.of(best);
    }

    /** Returns the machine that ranks first but cannot be trained in time, and is therefore not the best one. */
    public Optional<Trial> unaffordable() {
        return ranked.stream()
                .filter(trial -> trial.role() != Trial.Role.CONSTANT)
                .findFirst()
                .filter(trial -> !affordable.test(trial)
                        && best().filter(best -> best != trial).isPresent());
    }

    /** Returns the measure that orders the trials. */
    public Measure measure() {
        return measure;
    }
}
