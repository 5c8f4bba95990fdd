package org.bochner.tune;

import org.bochner.learn.Iteration;
import org.bochner.model.Progress;

/** A progress that reports to another one and never asks to stop. */
record UnstoppableProgress(Progress other) implements Progress {
    @Override
    public void report(String stage, long rows, double fraction) {
        other.report(stage, rows, fraction);
    }

    @Override
    public void cost(String text) {
        other.cost(text);
    }

    @Override
    public void memory(String owner, double bytes) {
        other.memory(owner, bytes);
    }

    @Override
    public void iteration(String learner, Iteration iteration, double validationError) {
        other.iteration(learner, iteration, validationError);
    }

    @Override
    public void kernelIteration(String stage, int iteration) {
        other.kernelIteration(stage, iteration);
    }
}
