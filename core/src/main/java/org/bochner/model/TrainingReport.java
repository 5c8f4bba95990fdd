package org.bochner.model;

import java.util.List;
import org.bochner.base.Note;
import org.bochner.kernel.Kernel;
import org.bochner.learn.Convergence;
import org.bochner.learn.Learner;
import org.bochner.learn.PathPoint;
import org.bochner.map.MapRecipe;

/**
 * What training did, for people and for JSON.
 *
 * @param rows rows read
 * @param kernel the kernel, with every bandwidth that was taken from the data
 * @param map the recipe of the map
 * @param learner how it was learned, with the penalty that was chosen
 * @param chosen the penalty that was chosen, with its errors
 * @param reason why it was chosen, in words
 * @param path the penalties that were tried
 * @param convergence how the solver ended
 * @param features the number of features that were learned from
 * @param nonZeros the number of features with a weight that is not zero
 * @param notes sentences on choices the run made by itself, such as a bandwidth or a precision
 * @param prepareSeconds wall time before that: fitting scalings, measuring scales, choosing, designing or drawing the
 *     map
 * @param fitSeconds wall time of reading, mapping, Gram matrices and solving
 * @param mapSeconds time spent in the feature map, averaged over the threads
 * @param gramSeconds time spent in statistics, averaged over the threads; 0 where rows were gone over again and again
 * @param solveSeconds wall time of the solution; passes over the rows count, where it makes them
 * @param bytesNeeded memory for the statistics, as checked before the run
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
