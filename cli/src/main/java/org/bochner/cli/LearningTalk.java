package org.bochner.cli;

import java.util.Locale;
import org.bochner.learn.Iteration;
import org.bochner.model.Progress;

/** What is said while a kernel is learned, and whether Ctrl-C has ended it. */
final class LearningTalk implements Progress {
    private static final String LEARNING = "learning";

    private final Talk talk;
    private final boolean lines;
    private final Interruption interruption;
    private boolean learning;
    private boolean ended;

    /**
     * Tells of a run.
     *
     * @param lines whether every iteration has a line of its own
     */
    LearningTalk(Talk talk, boolean lines, Interruption interruption) {
        this.talk = talk;
        this.lines = lines;
        this.interruption = interruption;
    }

    @Override
    public void report(String stage, long rows, double fraction) {
        learning = stage.startsWith(LEARNING);
        if (!learning) {
            talk.report(stage, rows, fraction);
            return;
        }
        // The first value is there, and with it something to keep.
        interruption.solving();
        tell(stage + ", iteration " + rows);
    }

    @Override
    public void iteration(String learner, Iteration iteration, double validationError) {
        learning = false;
        tell(String.format(
                Locale.ROOT,
                "%s iteration %d: objective %.8g, %s %.2g",
                learner,
                iteration.number(),
                iteration.objective(),
                iteration.measure(),
                iteration.residual()));
    }

    private void tell(String line) {
        if (lines) {
            talk.say(line);
        } else {
            talk.report(line, 0, Double.NaN);
        }
    }

    /** Whether the kernel is no longer learned because the user said so. */
    boolean ended() {
        return ended;
    }

    /** An end that came while the kernel was learned ends that alone: the model with it gets its weights in full. */
    @Override
    public boolean stopRequested() {
        if (learning) {
            ended |= interruption.requested();
            return ended;
        }
        return interruption.requested() && !ended;
    }
}
