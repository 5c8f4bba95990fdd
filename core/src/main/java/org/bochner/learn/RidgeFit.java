package org.bochner.learn;

import java.util.List;

/**
 * What ridge regression returns: the model, its place on the path, and how the penalty was found.
 *
 * @param model the linear functions
 * @param chosen the penalty taken
 * @param path the penalties tried, ascending; only the chosen one where the penalty was given
 * @param reason one sentence for people
 */
public record RidgeFit(LinearModel model, RidgePoint chosen, List<RidgePoint> path, String reason) {
    public RidgeFit {
        path = List.copyOf(path);
    }
}
