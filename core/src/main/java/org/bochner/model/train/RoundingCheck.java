package org.bochner.model.train;

import org.bochner.base.Notes;
import org.bochner.base.text.Digits;
import org.bochner.learn.Learner;
import org.bochner.learn.discriminant.DiscriminantAnalysis;
import org.bochner.learn.discriminant.Priors;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.ridge.Ridge;
import org.bochner.learn.solve.Formulation;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.Statistics;

/** Decides whether float32 statistics are too coarse for a learner, and notes the reason. */
final class RoundingCheck {
    /** The number of digits of a computed number in a note. */
    private static final int SHOWN = 4;

    private final Learner learner;
    private final Workers workers;
    private final Notes notes;

    RoundingCheck(Learner learner, Workers workers, Notes notes) {
        this.learner = learner;
        this.workers = workers;
        this.notes = notes;
    }

    /** Returns true if the rounding of float32 statistics may change the predictions of a fit too much. */
    boolean tooCoarse(Statistics statistics, LinearFit fit) {
        if (!learner.isRidge() || !(Ridge.roundingError(statistics, Precision.FLOAT32, fit) > Ridge.LARGEST_ERROR)) {
            return false;
        }
        notes.precision("at lambda=" + Digits.rounded(fit.chosen().lambda(), SHOWN)
                + " the rounding of float32 statistics may change predictions by more than "
                + Digits.rounded(Ridge.LARGEST_ERROR, SHOWN) + " standard deviations: computed in float64 instead");
        return true;
    }

    /** Returns true if the rounding of float32 statistics matters at the given penalty. */
    boolean tooCoarse(Statistics statistics) {
        double smallest = Ridge.smallestLambda(statistics, Precision.FLOAT32);
        Priors priors = Formulation.of(learner).priors();
        if (priors != null) {
            return tooCoarse(new DiscriminantAnalysis((GramStatistics) statistics, priors, workers), smallest);
        }
        if (!learner.isRidge() || learner.isAuto() || learner.lambda() >= smallest) {
            return false;
        }
        notes.precision("lambda=" + Digits.shortest(learner.lambda()) + " is below " + Digits.rounded(smallest, SHOWN)
                + ", where the rounding of float32 statistics starts to matter: computed in float64 instead");
        return true;
    }

    private boolean tooCoarse(DiscriminantAnalysis analysis, double smallest) {
        double shrinkage = learner.isAuto() ? analysis.ledoitWolf() : learner.lambda();
        if (analysis.equivalentLambda(shrinkage) >= smallest) {
            return false;
        }
        notes.precision("with shrinkage " + Digits.rounded(shrinkage, SHOWN)
                + " the rounding of float32 statistics starts to matter: computed in float64 instead");
        return true;
    }
}
