package org.bochner.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.bochner.base.Notes;
import org.bochner.learn.linear.LinearModel;
import org.bochner.model.Progress;
import org.bochner.tune.channels.ChannelFeatures;
import org.bochner.tune.channels.ChannelFit;
import org.bochner.tune.channels.ChannelNorm;
import org.bochner.tune.channels.ChannelProblem;
import org.bochner.tune.channels.ChannelSolution;
import org.bochner.tune.channels.PenaltyPath;
import org.junit.jupiter.api.Test;

/** The path over penalties, on a problem whose losses are known. */
class PenaltyPathTest {
    private static final int FOLDS = 2;

    /** A problem whose loss has its minimum over l2 at 0.03 for every penalty, and over penalties at 30. */
    private static final class Known implements ChannelProblem {
        private int refits;

        private static double loss(double penalty, double l2) {
            double away = Math.log10(l2 / 0.03);
            return 1 + 0.01 * away * away + 0.1 * Math.abs(Math.log10(penalty / 30));
        }

        @Override
        public ChannelNorm norm() {
            return ChannelNorm.BLOCK_L1;
        }

        @Override
        public ChannelFeatures channels() {
            throw new IllegalStateException("the problem has no features");
        }

        @Override
        public int activeFeatures(ChannelSolution solution) {
            return 2;
        }

        @Override
        public int folds() {
            return FOLDS;
        }

        @Override
        public double start() {
            return 1000;
        }

        @Override
        public double totalRowWeight(int fold) {
            return 1;
        }

        @Override
        public double shareWithout(int fold, int ofClass) {
            return 0.5;
        }

        @Override
        public ChannelSolution solve(int fold, double penalty) {
            // The kernel weight carries the penalty to the refits.
            double[] weights = {penalty};
            return new ChannelSolution(fit(penalty, l2(penalty)), weights, weights, 1, 0, true);
        }

        @Override
        public ChannelFit relaxed(int fold, ChannelSolution solution, double l2) {
            refits += fold < FOLDS ? 1 : 0;
            return fit(solution.kernelWeights()[0], l2);
        }

        private static ChannelFit fit(double penalty, double l2) {
            LinearModel model = new LinearModel(1, 1, new double[] {l2}, new double[] {0});
            return new ChannelFit(loss(penalty, l2), () -> model);
        }
    }

    @Test
    void refitsAreSearchedFromThoseOfTheLastPenalty() {
        Known problem = new Known();
        PenaltyPath path = new PenaltyPath(problem, 25, Progress.NONE, new Notes());
        PenaltyPath.Chosen chosen = path.choose();
        List<LearnedSum.Step> steps = path.steps();
        for (LearnedSum.Step step : steps) {
            // The steps of l2 are factors of √10, so the best one is at most a factor of 10^(1/4) away.
            assertEquals(0, Math.log10(step.l2() / 0.03), 0.25 + 1e-9);
        }
        assertEquals(0, Math.log10(steps.get(chosen.place()).lambda() / 30), 0.25);
        assertEquals(steps.get(chosen.place()).l2(), chosen.model().weight(0, 0));
        // The first penalty takes 10 refits, from l2 = 398 to 0.0126; later ones the best one and its neighbours, and
        // one
        // more if the best one has moved.
        assertTrue(problem.refits <= FOLDS * (10 + 4 * (steps.size() - 1)), () -> problem.refits + " refits");
    }

    @Test
    void plainPathsHaveNoRefits() {
        Known problem = new Known();
        PenaltyPath path = new PenaltyPath(problem, 25, Progress.NONE, new Notes()).setPlain(true);
        PenaltyPath.Chosen chosen = path.choose();
        assertEquals(0, problem.refits);
        assertEquals(1000, path.steps().get(0).lambda());
        LearnedSum.Step step = path.steps().get(chosen.place());
        assertEquals(step.lambda() / Math.sqrt(2), chosen.model().weight(0, 0), 1e-12);
    }
}
