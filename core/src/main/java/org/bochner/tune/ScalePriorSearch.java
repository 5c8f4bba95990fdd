package org.bochner.tune;

import org.bochner.model.Progress;
import org.bochner.tune.channels.JointProblem;
import org.bochner.tune.channels.PenaltyPath;
import org.bochner.tune.scales.ScalePenalty;

/** Chooses the scale prior by cross-validation, at the best penalty for the initial scales. */
final class ScalePriorSearch {
    private static final double FIRST = 0.1;
    private static final double LARGEST = 10;
    private static final double SMALLEST = 1e-3;

    private final JointProblem joint;
    private final PenaltyPath pilot;
    private final Progress progress;
    private double penalty;
    private double initialLoss = Double.POSITIVE_INFINITY;

    /**
     * Creates a search.
     *
     * @param pilot a path of the problem, whose notes are dropped
     */
    ScalePriorSearch(JointProblem joint, PenaltyPath pilot, Progress progress) {
        this.joint = joint;
        this.pilot = pilot;
        this.progress = progress;
    }

    /** Returns the cross-validated loss with the initial scales; infinite before {@link #choose}. */
    double initialLoss() {
        return initialLoss;
    }

    /** Returns the best scale prior, or the best so far if the user stops the search. */
    ScalePenalty choose() {
        joint.setMoves(false);
        LearnedSum.Step step = pilot.chosenStep();
        joint.setMoves(true);
        penalty = step.lambda();
        initialLoss = step.loss();
        double best = FIRST;
        double least = loss(FIRST);
        for (double factor : new double[] {Math.sqrt(0.1), Math.sqrt(10)}) {
            boolean gains = true;
            while (gains && !progress.stopRequested()) {
                double next = best * factor;
                next = next < SMALLEST / 2 ? 0 : next;
                double loss = next > 2 * LARGEST ? Double.POSITIVE_INFINITY : loss(next);
                gains = loss < least;
                best = gains ? next : best;
                least = gains ? loss : least;
                gains &= best > 0;
            }
        }
        return new ScalePenalty(0, 0, best);
    }

    private double loss(double scalePrior) {
        joint.restart(new ScalePenalty(0, 0, scalePrior));
        return pilot.lossAt(penalty);
    }
}
