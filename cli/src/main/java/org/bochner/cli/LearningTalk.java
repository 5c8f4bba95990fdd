package org.bochner.cli;

import org.bochner.learn.Iteration;
import org.bochner.model.Progress;

/** Prints the progress of kernel learning, and asks it to stop after Ctrl-C. */
final class LearningTalk implements Progress {
    private final Talk talk;
    private final boolean lines;
    private final Interruption interruption;

    /** True between an iteration of kernel learning and the next report of another kind. */
    private boolean learning;

    /** True after Ctrl-C has ended kernel learning. */
    private boolean ended;

    /**
     * Creates the progress of one run.
     *
     * @param lines true to print one line per iteration
     */
    LearningTalk(Talk talk, boolean lines, Interruption interruption) {
        this.talk = talk;
        this.lines = lines;
        this.interruption = interruption;
    }

    @Override
    public void report(String stage, long rows, double fraction) {
        learning = false;
        talk.report(stage, rows, fraction);
    }

    @Override
    public void cost(String text) {
        talk.cost(text);
    }

    @Override
    public void memory(String owner, double bytes) {
        talk.memory(owner, bytes);
    }

    @Override
    public void kernelIteration(String stage, int iteration) {
        learning = true;
        // After the first value there is a kernel to keep.
        interruption.solving();
        tell(stage + ", iteration " + iteration);
    }

    @Override
    public void iteration(String learner, Iteration iteration, double validationError) {
        learning = false;
        tell(Text.of(
                "%s iteration %d: objective %.8g, %s %.2g",
                learner, iteration.number(), iteration.objective(), iteration.measure(), iteration.residual()));
    }

    private void tell(String line) {
        if (lines) {
            talk.say(line);
        } else {
            talk.report(line, 0, Double.NaN);
        }
    }

    /** Returns true after Ctrl-C during kernel learning. The weights of the model are then still learned to the end. */
    @Override
    public boolean stopRequested() {
        if (learning) {
            ended |= interruption.requested();
            return ended;
        }
        return interruption.requested() && !ended;
    }
}
