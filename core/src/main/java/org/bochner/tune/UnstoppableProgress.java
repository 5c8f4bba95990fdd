package org.bochner.tune;

import org.bochner.learn.Iteration;
import org.bochner.model.Progress;

/** Tells someone else how it goes, without asking whether to stop. */
final class UnstoppableProgress implements Progress {
    private final Progress other;

    private UnstoppableProgress(Progress other) {
        this.other = other;
    }

    static Progress of(Progress other) {
        return new UnstoppableProgress(other);
    }

    @Override
    public void report(String stage, long rows, double fraction) {
        other.report(stage, rows, fraction);
    }

    @Override
    public void iteration(String learner, Iteration iteration, double validationError) {
        other.iteration(learner, iteration, validationError);
    }
}
