package org.bochner.model.train;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.bochner.base.BochnerException;
import org.bochner.data.RowSource;
import org.bochner.learn.linear.LinearModel;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.PrincipalComponentsMap;
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
 * Learning from principal components of the features, in memory that does not depend on the number of rows: one pass
 * finds the components, on the rows to be learned from, or on these and others without labels. For a single kernel
 * the statistics of the components follow without another pass; for a sum of kernels, each of which has components of
 * its own, they take a second one. What was learned is {@linkplain #unfold unfolded} to the features themselves, so
 * that the components are not needed to predict.
 */
public final class PcaPass {
    private final RowSource training;
    private final @Nullable RowSource unlabelled;
    private final Transformer transformer;
    private final Workers workers;
    private final List<FeatureMap> parts;
    private @Nullable PrincipalComponents components;
    private @Nullable PrincipalComponentsMap reduced;
    private long mapNanos;
    private long productNanos;

    /** Fails where the rows without labels, of which there may be none, have other columns. */
    public PcaPass(RowSource training, @Nullable RowSource unlabelled, Transformer transformer, Workers workers) {
        this.training = training;
        this.unlabelled = unlabelled == null ? null : unlabelled.withoutLabels();
        this.transformer = transformer;
        this.workers = workers;
        parts = PrincipalComponentsMap.parts(transformer.map());
        if (unlabelled != null && unlabelled.columns() != training.columns()) {
            throw new BochnerException(unlabelled.name() + ": the unlabelled rows have " + unlabelled.columns()
                    + " columns, and those of " + training.name() + " have " + training.columns()
                    + "; both need the same columns in the same order");
        }
    }

    /** Finds the components. */
    public PrincipalComponents run(Components wanted, ClassWeights weights, Precision precision, Progress progress) {
        GramPass own = new GramPass(training, transformer.scaler(), parts, workers);
        List<GramStatistics> statistics = own.runEach(weights, precision, progress);
        count(own);
        List<GramStatistics> others = List.of();
        if (unlabelled != null) {
            GramPass other = new GramPass(unlabelled, transformer.scaler(), parts, workers);
            others = other.runEach(ClassWeights.none(), precision, progress);
            count(other);
        }
        progress.report("finding components", statistics.get(0).rows(), Double.NaN);
        components = PrincipalComponents.of(statistics, others, wanted);
        reduced = components.reduce(transformer.map());
        return components;
    }

    /** The components as a map, for learners that go over the rows. */
    public PrincipalComponentsMap map() {
        return Objects.requireNonNull(reduced, "the components are not known yet");
    }

    /** The statistics of the components over the rows to be learned from. */
    public GramStatistics statistics(ClassWeights weights, Precision precision, Progress progress) {
        if (parts.size() == 1) {
            return Objects.requireNonNull(components, "the components are not known yet")
                    .project(workers);
        }
        GramPass pass = new GramPass(training, transformer.scaler(), List.of(map()), workers);
        GramStatistics statistics = pass.run(weights, precision, progress);
        count(pass);
        return statistics;
    }

    /** Linear functions of the features that equal those of the components. */
    public LinearModel unfold(LinearModel model) {
        int outputs = model.outputs();
        double[] weights = new double[model.features() * outputs];
        Arrays.setAll(weights, i -> model.weight(i / outputs, i % outputs));
        double[] intercepts = map().shifts(weights, outputs);
        for (int o = 0; o < outputs; o++) {
            intercepts[o] += model.intercept(o);
        }
        return new LinearModel(
                transformer.map().outputDimension(), outputs, map().unfold(weights, outputs), intercepts);
    }

    /** Time spent in the feature map, summed over the threads and over all passes. */
    public long mapNanos() {
        return mapNanos;
    }

    /** Time spent in products of features, summed in the same way. */
    public long productNanos() {
        return productNanos;
    }

    private void count(GramPass pass) {
        mapNanos += pass.mapNanos();
        productNanos += pass.productNanos();
    }

    /** Bytes that the passes and the components need, so many of which are kept. */
    public static long bytesNeeded(
            FeatureMap map, int components, int targets, int threads, Precision precision, boolean joint) {
        int[] sizes = PrincipalComponentsMap.parts(map).stream()
                .mapToInt(FeatureMap::outputDimension)
                .toArray();
        double first = 0;
        double widest = 0;
        for (int size : sizes) {
            first += GramAccumulator.bytesNeeded(size, targets, threads, precision);
            widest = Math.max(widest, size);
        }
        double decomposition = PrincipalComponents.bytesNeeded(sizes, joint);
        double vectors = 20.0 * map.outputDimension() * components;
        double second = GramAccumulator.bytesNeeded(components, targets, threads, precision)
                + (double) threads * FeaturePass.TILE_ROWS * widest * precision.bytes();
        return (long) (vectors + Math.max(first + (joint ? 8 * widest * widest : 0), Math.max(decomposition, second)));
    }
}
