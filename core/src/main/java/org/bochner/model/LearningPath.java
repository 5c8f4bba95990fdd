package org.bochner.model;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.bochner.base.Note;
import org.bochner.kernel.Kernel;
import org.bochner.learn.Convergence;
import org.bochner.learn.Learner;
import org.bochner.learn.PathPoint;
import org.bochner.map.MapRecipe;

/**
 * The fits of a learner at several strengths of its penalty.
 *
 * @param steps the fits, from the strongest penalty down
 * @param kernel the kernel with all its bandwidths
 * @param map the recipe of the map
 * @param features the number of features of the map
 * @param projections the number of groups of features that are computed together
 * @param rows the number of training rows
 * @param testRows the number of test rows
 * @param notes the choices that the run made
 */
public record LearningPath(
        List<Step> steps,
        Kernel kernel,
        MapRecipe map,
        int features,
        int projections,
        long rows,
        long testRows,
        List<Note> notes) {
    public LearningPath {
        steps = List.copyOf(steps);
        notes = List.copyOf(notes);
    }

    /** Returns the index of the step with the smallest error on the test rows. */
    public int best() {
        return steps.indexOf(Collections.min(steps, Comparator.comparingDouble(Step::errorOrRmse)));
    }

    /**
     * The fit at one strength.
     *
     * @param learner the learner with this strength
     * @param chosen the penalty, with its errors
     * @param convergence how the solver ended
     * @param nonZeros the number of features with a weight that is not zero
     * @param projections the number of groups of features with a weight that is not zero
     * @param errorOrRmse the share of wrong classes on the test rows, or the root mean squared error
     */
    public record Step(
            Learner learner,
            PathPoint chosen,
            Convergence convergence,
            int nonZeros,
            int projections,
            double errorOrRmse) {}
}
