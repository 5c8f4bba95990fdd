package org.bochner.model;

import java.util.List;
import org.bochner.base.Note;
import org.bochner.kernel.Kernel;
import org.bochner.learn.Convergence;
import org.bochner.learn.Learner;
import org.bochner.learn.PathPoint;
import org.bochner.map.MapRecipe;

/**
 * The report of a training, for display and for JSON.
 *
 * @param rows the number of training rows
 * @param kernel the kernel with all its bandwidths
 * @param map the recipe of the map
 * @param learner the learner with the chosen penalty
 * @param chosen the chosen penalty with its errors
 * @param reason the reason of the choice, in words
 * @param path the penalties that were tried
 * @param convergence how the solver ended
 * @param features the number of features
 * @param nonZeros the number of features with a weight that is not zero
 * @param notes the choices that the run made, such as a bandwidth or a precision
 * @param prepareSeconds wall time of the preparation: fitting the scaling, measuring scales, choosing and building
 *     the map
 * @param designSeconds the part of prepareSeconds in the design of maps; 0 if no map is designed
 * @param fitSeconds wall time of reading, mapping, Gram matrices and solving
 * @param mapSeconds time spent in the feature map, averaged over the threads
 * @param gramSeconds time spent in statistics, averaged over the threads; 0 for learners that read rows
 * @param solveSeconds wall time of the solution, including its passes over the rows
 * @param bytesNeeded the bytes of memory that were checked before the run
 */
public record TrainingReport(
        long rows,
        Kernel kernel,
        MapRecipe map,
        Learner learner,
        PathPoint chosen,
        String reason,
        List<PathPoint> path,
        Convergence convergence,
        int features,
        int nonZeros,
        List<Note> notes,
        double prepareSeconds,
        double designSeconds,
        double fitSeconds,
        double mapSeconds,
        double gramSeconds,
        double solveSeconds,
        long bytesNeeded) {
    public TrainingReport {
        path = List.copyOf(path);
        notes = List.copyOf(notes);
    }
}
