package org.bochner.model.train;

import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import org.bochner.base.BochnerException;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.RowSource;
import org.bochner.map.FeatureMap;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.TrainingRecord;
import org.bochner.model.Transformer;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.model.file.SavedRecord;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.Components;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.PrincipalComponents;

/**
 * Kernel principal component analysis: fits the scaling, the map and the principal components of its features, without
 * labels. The components are those of the whole map, also for a sum of kernels, and are computed in float64.
 *
 * @param context the settings, whose number of components is set, and the rows
 */
public record ComponentFit(TrainingContext context) {
    /** Fits the components. The labels of the rows, if there are any, only serve to choose missing kernel scales. */
    public KernelModel run() {
        // Fails now, not after learning, if the day of the training record is wrong.
        LocalDate unused = SavedRecord.today();
        TrainingSettings settings = context.settings();
        RowSource source = context.source();
        Workers workers = context.workers();
        Progress progress = context.progress();
        if (!settings.map.makesFeatures()) {
            throw ExactFit.noComponents();
        }
        if (settings.unlabelled != null) {
            throw new BochnerException(
                    "components without a learner are those of the rows alone, and rows without labels"
                            + " are given apart; join both in one source");
        }
        Components wanted = Objects.requireNonNull(settings.components, "the number of components is not set");
        TrainingContext.Prepared prepared = context.prepare();
        Transformer transformer = prepared.transformer();
        FeatureMap map = transformer.map();
        int features = map.outputDimension();
        wanted.most(features);
        double bytes = GramAccumulator.bytes(features, 0, workers.threads(), Precision.FLOAT64)
                + PrincipalComponents.bytesNeeded(new int[] {features}, false);
        MemoryBudget.whole()
                .require(bytes, "principal components of " + features + " features", MemoryCheck.FEWER_FEATURES);
        GramStatistics statistics = new GramPass(source.withoutLabels(), transformer, workers)
                .run(ClassWeights.none(), Precision.FLOAT64, progress);
        progress.report("finding components", statistics.rows(), Double.NaN);
        PrincipalComponents found = PrincipalComponents.of(List.of(statistics), List.of(), wanted);
        Transformer projected = new Transformer(transformer.scaler(), found.project(map));
        TrainingRecord record = settings.record(
                source, statistics.rows(), prepared.recipe(), null, Double.NaN, null, null, null, List.of());
        return ModelAccess.model(ModelParts.components(projected, source, Precision.FLOAT64, record));
    }
}
