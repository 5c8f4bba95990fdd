package org.bochner.tune;

import java.util.List;
import org.bochner.base.Note;
import org.bochner.data.ColumnRange;
import org.bochner.kernel.Kernel;
import org.bochner.learn.Learner;
import org.bochner.map.MapRecipe;
import org.bochner.model.KernelModel;

/**
 * The result of {@link MultipleKernels}: a sum of kernels with learned weights, and a model.
 *
 * @param channels all channels with their results
 * @param kernel {@code Σⱼ dⱼ·kⱼ[from:to]} without the channels of weight 0; dⱼ is rounded to six digits
 * @param learner the learner that trains the same kind of model with the kernel: with l2 alone, at the penalty that
 *     belongs to the kernel weights. The model has the features that the weights were learned with; a machine that is
 *     trained with the kernel draws its own, more of them for terms with larger weights
 * @param lambda the chosen penalty: λ of block-ℓ1, l2 of other norms
 * @param path all penalties that were tried, from the largest down
 * @param chosen the index of the chosen penalty on the path
 * @param before the training objective at the chosen penalty with the initial scales and the best weights for them,
 *     relative to the loss of a constant; NaN if the scales were not learned together with the weights
 * @param after the training objective with the learned scales
 * @param model the model, trained on all rows at that penalty, without the channels of weight 0
 * @param rows the number of training rows
 * @param features the number of features of all channels; the number of rows without a map
 * @param map the map recipe
 * @param notes the choices that the run made
 * @param prepareSeconds wall time of fitting scalings, finding scales and making maps
 * @param mapSeconds wall time of reading and mapping rows and, for the square loss, of summing them up
 * @param solveSeconds wall time of all solutions
 */
public record LearnedSum(
        List<Channel> channels,
        Kernel kernel,
        Learner learner,
        double lambda,
        List<Step> path,
        int chosen,
        double before,
        double after,
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
     * The result of one channel.
     *
     * @param columns the name and the columns
     * @param initialKernel the kernel of these columns with the initial scales
     * @param kernel the kernel of these columns, with the scales that came from the data
     * @param features the number of features
     * @param norm |wⱼ| over all outputs, with the penalty on channels
     * @param kernelWeight dⱼ, the factor of the kernel: |wⱼ|/√2 for block-ℓ1
     * @param share the share of all kernel weight
     */
    public record Channel(
            ColumnRange columns,
            Kernel initialKernel,
            Kernel kernel,
            int features,
            double norm,
            double kernelWeight,
            double share) {}

    /**
     * The result at one penalty.
     *
     * @param lambda the penalty
     * @param l2 the ridge penalty of the model with these kernel weights: λ/√2 for block-ℓ1, or less if that does
     *     better
     * @param loss the mean loss on held-out rows, over all folds
     * @param standardError the standard error of the loss, from its differences between folds
     * @param active the number of channels with a positive kernel weight
     * @param kernelWeights dⱼ, learned on all rows
     * @param scaleFactors the learned length-scales of the channels, divided by the initial ones; empty if the scales were
     *     not learned together with the weights
     * @param converged true if all solutions reached their tolerance
     */
    public record Step(
            double lambda,
            double l2,
            double loss,
            double standardError,
            int active,
            List<Double> kernelWeights,
            List<Double> scaleFactors,
            boolean converged) {
        public Step {
            kernelWeights = List.copyOf(kernelWeights);
            scaleFactors = List.copyOf(scaleFactors);
        }
    }
}
