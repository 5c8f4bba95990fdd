package org.bochner.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.bochner.model.Progress;
import org.bochner.numeric.optimise.DescentMonitor;

/** The steps and evaluations of a search, and whether the user has stopped it. */
final class SearchLog {
    private final Progress progress;
    private final List<LearnedKernel.Step> steps = new ArrayList<>();
    private boolean stopped;
    private int evaluations;
    private long nanoseconds;

    SearchLog(Progress progress) {
        this.progress = progress;
    }

    /** Returns a monitor that records steps and stops when the user asks for it. */
    DescentMonitor monitor(Sharing sharing, String rows) {
        return (iteration, value, point, slope) -> {
            steps.add(new LearnedKernel.Step(sharing + ", " + rows, iteration, value, slope));
            progress.kernelIteration(
                    String.format(Locale.ROOT, "learning scales (%s, %s): %.5g", sharing, rows, value), iteration);
            stopped |= progress.stopRequested();
            return !stopped;
        };
    }

    /** Records a round of fits and gradients. */
    void round(LearningMethod method, String rows, int round, double value) {
        steps.add(new LearnedKernel.Step(method + ", " + rows, round, value, Double.NaN));
        progress.kernelIteration(
                String.format(Locale.ROOT, "learning scales (%s, %s): %.5g", method, rows, value), round);
        stopped |= progress.stopRequested();
    }

    /** Counts evaluations of the criterion that began at a time of {@link System#nanoTime}. */
    void addEvaluations(int count, long began) {
        evaluations += count;
        nanoseconds += System.nanoTime() - began;
    }

    boolean stopped() {
        return stopped;
    }

    List<LearnedKernel.Step> steps() {
        return steps;
    }

    int evaluations() {
        return evaluations;
    }

    /** Returns the mean time of an evaluation; NaN if there was none. */
    double secondsPerEvaluation() {
        return evaluations == 0 ? Double.NaN : nanoseconds * 1e-9 / evaluations;
    }
}
