package org.bochner.model.train;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.bochner.base.BochnerException;
import org.bochner.data.RowSource;
import org.bochner.learn.linear.LinearModel;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.ComponentMap;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.Components;
import org.bochner.stats.FeaturePass;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.PrincipalComponents;
import org.jspecify.annotations.Nullable;

/**
 * Learns from principal components of the features, in memory that does not depend on the number of rows. One pass
 * over the training rows, and over rows without labels if given, finds the components. For a single kernel, the
 * statistics of the components need no further pass; for a sum of kernels, each with its own components, they need a
 * second one. The weights are {@linkplain #unfold unfolded} to the features themselves; prediction does not need the
 * components.
 */
public final class PcaPass {
    private final RowSource training;
    private final @Nullable RowSource unlabelled;
    private final Transformer transformer;
    private final Workers workers;
    private final List<FeatureMap> parts;
    private @Nullable PrincipalComponents components;
    private @Nullable ComponentMap reduced;
    private final PassTimes times;

    /** Creates the pass; throws if the unlabelled rows, which may be null, have other columns. */
    PcaPass(
            RowSource training,
            @Nullable RowSource unlabelled,
            Transformer transformer,
            Workers workers,
            PassTimes times) {
        this.times = times;
        this.training = training;
        this.unlabelled = unlabelled == null
                ? null
                : unlabelled.bySet().encodedBy(training.encoding()).withoutLabels();
        this.transformer = transformer;
        this.workers = workers;
        parts = ComponentMap.parts(transformer.map());
        if (unlabelled != null && (unlabelled.inSets() || unlabelled.ofSets()) != training.ofSets()) {
            String sets = training.ofSets() ? "have no set ids, but" : "have set ids, unlike";
            throw new BochnerException(unlabelled.name() + ": the unlabelled rows " + sets + " those of "
                    + training.name() + (training.ofSets() ? " have" : ""));
        }
        if (unlabelled != null && unlabelled.columns() != training.columns()) {
            throw new BochnerException(unlabelled.name() + ": the unlabelled rows have " + unlabelled.columns()
                    + " columns, and those of " + training.name() + " have " + training.columns()
                    + "; both need the same columns in the same order");
        }
    }

    /** Finds and returns the components. */
    public PrincipalComponents run(Components wanted, ClassWeights weights, Precision precision, Progress progress) {
        List<GramStatistics> statistics = pass(training, parts).runEach(weights, precision, progress);
        List<GramStatistics> others = unlabelled == null
                ? List.of()
                : pass(unlabelled, parts).runEach(ClassWeights.none(), precision, progress);
        progress.report("finding components", statistics.get(0).rows(), Double.NaN);
        components = PrincipalComponents.of(statistics, others, wanted);
        reduced = components.reduce(transformer.map());
        return components;
    }

    /** Returns the map whose features are the components, for learners that read rows. */
    public ComponentMap map() {
        return Objects.requireNonNull(reduced, "the components are not known yet");
    }

    /** Returns the statistics of the components over the training rows. */
    public GramStatistics statistics(ClassWeights weights, Precision precision, Progress progress) {
        if (parts.size() == 1) {
            return Objects.requireNonNull(components, "the components are not known yet")
                    .project(workers);
        }
        return pass(training, List.of(map())).run(weights, precision, progress);
    }

    private GramPass pass(RowSource rows, List<FeatureMap> maps) {
        return new GramPass(rows, transformer.scaler(), maps, workers).setTimes(times);
    }

    /** Returns linear functions of the features that equal those of the components. */
    public LinearModel unfold(LinearModel model) {
        int outputs = model.outputs();
        double[] weights = model.weights();
        double[] intercepts = map().shifts(weights, outputs);
        for (int o = 0; o < outputs; o++) {
            intercepts[o] += model.intercept(o);
        }
        return new LinearModel(
                transformer.map().outputDimension(), outputs, map().unfold(weights, outputs), intercepts);
    }

    /** Returns the bytes that the passes and the given number of components need. */
    public static long bytesNeeded(
            FeatureMap map, int components, int targets, int threads, Precision precision, boolean joint) {
        int[] sizes = ComponentMap.parts(map).stream()
                .mapToInt(FeatureMap::outputDimension)
                .toArray();
        double first = Arrays.stream(sizes)
                .mapToDouble(size -> GramAccumulator.bytes(size, targets, threads, precision))
                .sum();
        double widest = Arrays.stream(sizes).max().orElse(0);
        double decomposition = PrincipalComponents.bytesNeeded(sizes, joint);
        double vectors = 20.0 * map.outputDimension() * components;
        double second = GramAccumulator.bytes(components, targets, threads, precision)
                + (double) threads * FeaturePass.TILE_ROWS * widest * precision.bytes();
        return (long) (vectors + Math.max(first + (joint ? 8 * widest * widest : 0), Math.max(decomposition, second)));
    }
}
