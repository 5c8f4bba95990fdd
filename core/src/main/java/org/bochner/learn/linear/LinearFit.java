package org.bochner.learn.linear;

import java.util.List;
import org.bochner.learn.Convergence;
import org.bochner.learn.PathPoint;

/**
 * What a learner returns: the model, its penalty and how that was found, and how the solver ended.
 *
 * @param model the linear functions
 * @param chosen the penalty taken
 * @param path the penalties tried, ascending; only the chosen one where the penalty was given
 * @param reason one sentence for people
 * @param convergence how the solver ended
 */
public record LinearFit(
        LinearModel model, PathPoint chosen, List<PathPoint> path, String reason, Convergence convergence) {
    public LinearFit {
        path = List.copyOf(path);
    }
}
