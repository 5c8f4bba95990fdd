package org.bochner.tune;

import java.util.List;
import org.bochner.base.Note;
import org.bochner.data.ColumnRange;
import org.bochner.kernel.Kernel;
import org.bochner.learn.Learner;
import org.bochner.map.MapRecipe;
import org.bochner.model.KernelModel;

/**
 * A sum of kernels whose weights were learned.
 *
 * @param channels all channels, with what was learned of them
 * @param kernel {@code Σⱼ dⱼ·kⱼ[from:to]}, without the channels that have no weight; dⱼ to six digits
 * @param learner how the kernel is learned to the same model: with l2 alone, at the strength that belongs to the weights. The
 *     model has the features that the weights were learned with; a machine that is trained on the kernel draws its own, the
 *     more of a term the larger its weight
 * @param lambda the strength taken: λ of block-ℓ1, l2 of others
 * @param path all strengths that were tried, from the strongest down
 * @param chosen the place of the strength taken on it
 * @param model learned on all rows at that strength; channels without weight are not in it
 * @param rows how many it was learned from
 * @param features how many all channels together have
 * @param map the recipe of the map
 * @param notes sentences on choices the run made by itself
 * @param prepareSeconds wall time of fitting scalings, measuring scales and making maps
 * @param mapSeconds wall time of reading rows, mapping them and, for squares, summing them up
 * @param solveSeconds wall time of all solutions
 */
public record LearnedSum(
        List<Channel> channels,
        Kernel kernel,
        Learner learner,
        double lambda,
        List<Step> path,
        int chosen,
        KernelModel model,
        long rows,
        int features,
        MapRecipe map,
        List<Note> notes,
        double prepareSeconds,
        double mapSeconds,
        double solveSeconds) {
    public LearnedSum {
        channels = List.copyOf(channels);
        path = List.copyOf(path);
        notes = List.copyOf(notes);
    }

    /**
     * One channel.
     *
     * @param columns its name and columns
     * @param kernel its kernel, of its columns alone, with every scale that was taken from the data
     * @param features how many it has
     * @param norm |wⱼ|, of its weights for all outputs, under the penalty on channels
     * @param weight dⱼ, of its kernel: |wⱼ|/√2 for block-ℓ1
     * @param share of all weights
     */
    public record Channel(ColumnRange columns, Kernel kernel, int features, double norm, double weight, double share) {}

    /**
     * One strength.
     *
     * @param lambda the strength
     * @param l2 of the model with these weights of kernels: λ/√2 of block-ℓ1, or less, where that does better
     * @param loss the mean loss on rows that were not learned from, over all folds
     * @param standardError of the loss, by how much it differs between folds
     * @param active how many channels have a weight
     * @param weights dⱼ learned on all rows
     * @param converged whether every solution came to its tolerance
     */
    public record Step(
            double lambda,
            double l2,
            double loss,
            double standardError,
            int active,
            List<Double> weights,
            boolean converged) {
        public Step {
            weights = List.copyOf(weights);
        }
    }
}
