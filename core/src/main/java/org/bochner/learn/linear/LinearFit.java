package org.bochner.learn.linear;

import java.util.List;
import org.bochner.learn.Convergence;
import org.bochner.learn.PathPoint;

/**
 * The result of a learner: the model, its penalty and how it was chosen, and how the solver ended.
 *
 * @param model the linear functions
 * @param chosen the chosen penalty
 * @param path the penalties tried, ascending; only the chosen one if the penalty was given
 * @param reason the reason of the choice, for display
 * @param convergence how the solver ended
 */
public record LinearFit(
        LinearModel model, PathPoint chosen, List<PathPoint> path, String reason, Convergence convergence) {
    public LinearFit {
        path = path.isEmpty() ? List.of(chosen) : List.copyOf(path);
    }

    /** Returns a fit with other linear functions. */
    public LinearFit withModel(LinearModel other) {
        return new LinearFit(other, chosen, path, reason, convergence);
    }
}
