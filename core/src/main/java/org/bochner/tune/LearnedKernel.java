package org.bochner.tune;

import java.util.List;
import org.bochner.base.Note;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.map.FeatureMap;
import org.bochner.model.KernelModel;
import org.bochner.model.TrainingResult;
import org.bochner.model.Transformer;
import org.bochner.numeric.Workers;

/**
 * The result of {@link KernelLearning}: a kernel and a model with it.
 *
 * @param kernel the learned kernel; the initial kernel if frequencies were learned
 * @param trained the model and the report of its training
 * @param initial the initial scaling and map
 * @param initialLambda the best penalty of the criterion with the initial kernel, for an exact machine with that kernel,
 *     whose own search costs more; NaN for maps with features, and if the search did not compare penalties
 * @param scales the learned scales by term and column; empty if frequencies were learned
 * @param steps the iterations of the optimiser
 * @param end why the optimiser ended, in words
 * @param lambda the penalty of the criterion: that of ridge regression, or that of the learner if the criterion is
 *     its own loss
 * @param before the criterion at the initial scales on the rows of the last stage, relative to that of a constant; without the
 *     penalty of scales
 * @param after the criterion at the learned scales
 * @param criterionEvaluations how often the criterion, and its derivatives if the method uses them, were computed in the last
 *     stage: on all rows with all features, or on a sample of the rows if the model has another map
 * @param evaluationSeconds mean wall time of one evaluation; NaN if there was none
 * @param seconds wall time of the search, without the preparation before it and the training of the model after it
 * @param reproducible true if a {@link org.bochner.model.KernelMachine} with the learned kernel, and with the scaling,
 *     map, number of features and seed of the model, makes the features of the model; false if frequencies were
 *     learned, now or in the model that learning continued from, or if that model was pruned
 * @param hasOtherMap true if scales were learned with Fourier features, and the model has another map: landmarks, cells, or
 *     kernel values without a map
 * @param notes the choices that the search made
 */
public record LearnedKernel(
        Kernel kernel,
        TrainingResult trained,
        Transformer initial,
        double initialLambda,
        List<LearnedScale> scales,
        List<Step> steps,
        String end,
        double lambda,
        double before,
        double after,
        int criterionEvaluations,
        double evaluationSeconds,
        double seconds,
        boolean reproducible,
        boolean hasOtherMap,
        List<Note> notes) {
    public LearnedKernel {
        scales = List.copyOf(scales);
        steps = List.copyOf(steps);
        notes = List.copyOf(notes);
    }

    /** Returns the initial map. */
    public FeatureMap initialMap() {
        return initial.map();
    }

    /**
     * Returns which columns and directions the model looks at, from the average gradient outer product of its scores,
     * {@code G = (1/n) Σ ∇f(x)∇f(x)ᵀ} over rows and scores. Gradients are those with respect to the scaled columns, before a
     * matrix of the scaling. Rows are averaged by their weights; if they are many for the work of their gradients, a sample is
     * averaged.
     */
    public Gradients gradients(RowSource rows, Workers workers) {
        KernelModel model = trained.model();
        return AverageGradients.of(model, rows.encodedBy(model.encoding().orElse(null)), workers);
    }

    /** Returns the absolute values of the initial frequencies along a column, ascending. Columns count from 0. */
    public double[] startFrequencies(int column) {
        return new MapFrequencies(initialMap()).along(column);
    }

    /** Returns the absolute values of the learned frequencies along a column, ascending. Columns count from 0. */
    public double[] learnedFrequencies(int column) {
        return new MapFrequencies(trained.model().map()).along(column);
    }

    /**
     * Returns the use of each learned frequency along a column as a share of the total, in the order of
     * {@link #learnedFrequencies}. The use is the sum over outputs of the squared weights of cosine and sine, times the
     * squared size of the features.
     */
    public double[] frequencyUse(int column) {
        return MapFrequencies.of(trained.model()).useAlong(column);
    }

    /**
     * Returns the use of each learned frequency as a share of the total, in the order of {@link #learnedFrequencyLengths}.
     * The use is that of {@link #frequencyUse}.
     */
    public double[] frequencyLengthUse() {
        return MapFrequencies.of(trained.model()).lengthUse();
    }

    /** Returns the lengths |ω| of the initial frequencies, ascending. */
    public double[] startFrequencyLengths() {
        return new MapFrequencies(initialMap()).lengths();
    }

    /** Returns the lengths |ω| of the learned frequencies, ascending. */
    public double[] learnedFrequencyLengths() {
        return new MapFrequencies(trained.model().map()).lengths();
    }

    /**
     * The average gradient outer product G of a model's scores. All shares are of the trace of G.
     *
     * @param shares the share of each column, which is its entry on the diagonal; empty if the model's map has no gradients, if all
     *     gradients are 0, or if there are more than 2,000 columns
     * @param directions the eigenvectors with a share of at least 1%, the largest share first
     */
    public record Gradients(List<Double> shares, List<Direction> directions) {
        /** The gradients of a model for which they are not known. */
        static final Gradients NONE = new Gradients(List.of(), List.of());

        public Gradients {
            shares = List.copyOf(shares);
            directions = List.copyOf(directions);
        }
    }

    /**
     * A direction along which scores change.
     *
     * @param share the eigenvalue divided by the trace
     * @param weights the eigenvector: one weight per column, of which the largest is positive
     */
    public record Direction(double share, List<Double> weights) {
        public Direction {
            weights = List.copyOf(weights);
        }
    }

    /**
     * One iteration of the optimiser.
     *
     * @param stage the parameters that moved, and on which rows
     * @param iteration index within the stage; 0 is the start
     * @param value the criterion with the penalty of scales
     * @param slope the largest absolute derivative
     */
    public record Step(String stage, int iteration, double value, double slope) {}
}
