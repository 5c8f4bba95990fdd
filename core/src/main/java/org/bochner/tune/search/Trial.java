package org.bochner.tune.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A candidate with the results of its tests, rung by rung. Threads: not safe. */
public final class Trial {
    /** What a trial is compared with, or part of. */
    public enum Role {
        /** Predicts the mean, or the most frequent class. */
        CONSTANT,
        /** The linear model. */
        LINEAR,
        /** The machine that is trained if nothing is asked for. */
        USUAL,
        /** Any other. */
        OTHER
    }

    private final int number;
    private final Role role;
    private final Candidate candidate;
    private final List<Losses> losses = new ArrayList<>();
    private final List<Rung> rungs = new ArrayList<>();
    private double seconds;
    private double secondsOfFirstFold;
    private double secondsOfLastFold;
    private @Nullable String failure;
    private boolean leftForTime;
    private boolean halted;

    Trial(int number, Role role, Candidate candidate) {
        this.number = number;
        this.role = role;
        this.candidate = candidate;
    }

    /**
     * Adds the test on the next rung.
     *
     * @param first the seconds of the first fold of the sample; 0 if a lower rung has tested it
     * @param last the seconds of the last fold
     */
    void add(Rung rung, Losses all, double first, double last) {
        rungs.add(rung);
        losses.add(all);
        secondsOfFirstFold = first > 0 ? first : secondsOfFirstFold;
        secondsOfLastFold = last;
    }

    void spend(double more) {
        seconds += more;
    }

    void fail(String reason) {
        failure = reason;
    }

    void leaveForTime() {
        leftForTime = true;
    }

    /** Records that a test was ended before its end. It is not repeated. */
    void halt() {
        leftForTime = true;
        halted = true;
    }

    /** Allows a further test, if there is time for it now. */
    void tryAgain() {
        leftForTime = halted;
    }

    boolean halted() {
        return halted;
    }

    /** Returns true if a further test did not fit into the budget. */
    boolean leftForTime() {
        return leftForTime;
    }

    /** Returns the number of the trial, from 1; 0 for the constant, and for the linear model if it is only compared. */
    public int number() {
        return number;
    }

    public Role role() {
        return role;
    }

    boolean isBaseline() {
        return role == Role.CONSTANT || role == Role.LINEAR;
    }

    public Candidate candidate() {
        return candidate;
    }

    /** Returns true if the trial was tested on a rung. */
    public boolean tested(Rung rung) {
        return rung.index() < losses.size();
    }

    /** Returns the number of rungs with a test. */
    int height() {
        return losses.size();
    }

    /** Returns true if the trial was tested at all. */
    public boolean tested() {
        return !losses.isEmpty();
    }

    /** Returns the losses on a rung, which was tested. */
    public Losses losses(Rung rung) {
        return losses.get(rung.index());
    }

    /** Returns the highest rung that was tested; there is one. */
    public Rung top() {
        return rungs.get(rungs.size() - 1);
    }

    /** Returns wall time of all tests. */
    public double seconds() {
        return seconds;
    }

    /** Returns the seconds of the first fold of the largest sample. */
    double secondsOfFirstFold() {
        return secondsOfFirstFold;
    }

    /** Returns the seconds of the last fold of the largest sample, the first one if there are no others. */
    double secondsOfLastFold() {
        return secondsOfLastFold;
    }

    /** Returns why the candidate cannot be trained; null if it can. */
    public @Nullable String failure() {
        return failure;
    }

    String requireFailure() {
        return Objects.requireNonNull(failure);
    }
}
