package org.bochner.learn.linear;

import java.util.List;
import org.bochner.learn.Convergence;
import org.bochner.learn.PathPoint;
import org.jspecify.annotations.Nullable;

/**
 * The result of a learner: the model, its penalty and how it was chosen, and how the solver ended.
 *
 * @param model the linear functions
 * @param chosen the chosen penalty
 * @param path the penalties tried, ascending; only the chosen one if the penalty was given
 * @param reason the reason of the choice, for display
 * @param convergence how the solver ended
 * @param axes the discriminant axes; null if the learner finds none
 */
public record LinearFit(
        LinearModel model,
        PathPoint chosen,
        List<PathPoint> path,
        String reason,
        Convergence convergence,
        @Nullable ScoreAxes axes) {
    public LinearFit {
        path = path.isEmpty() ? List.of(chosen) : List.copyOf(path);
    }

    /** Creates the result of a learner without axes. */
    public LinearFit(
            LinearModel model, PathPoint chosen, List<PathPoint> path, String reason, Convergence convergence) {
        this(model, chosen, path, reason, convergence, null);
    }

    /** Returns this result with the search that chose its penalty. */
    public LinearFit withSearch(double validationError, List<PathPoint> tried, String why) {
        PathPoint point =
                new PathPoint(chosen.lambda(), chosen.degreesOfFreedom(), chosen.trainingLoss(), validationError);
        return new LinearFit(model, point, tried, why, convergence, axes);
    }

    /** Returns this result with equal scores that another model computes from other features. */
    public LinearFit withModel(LinearModel other) {
        return new LinearFit(other, chosen, path, reason, convergence, axes);
    }
}
