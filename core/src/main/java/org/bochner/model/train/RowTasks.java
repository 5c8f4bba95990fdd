package org.bochner.model.train;

import java.util.Map;
import java.util.function.Function;
import org.bochner.base.BochnerException;
import org.bochner.base.State;
import org.bochner.data.ChosenRowsTask;
import org.bochner.data.RowTask;
import org.bochner.data.sample.CountedTask;
import org.bochner.kernel.SampleTask;
import org.bochner.learn.solve.InterceptTask;
import org.bochner.learn.solve.LossTask;
import org.bochner.learn.solve.SampledRowsTask;
import org.bochner.model.evaluate.FeatureErrorTask;
import org.bochner.scale.fit.ColumnTask;
import org.bochner.scale.fit.ScaledTask;
import org.bochner.stats.ClassCountTask;
import org.bochner.stats.FeatureTask;
import org.bochner.stats.PartedFeatures;

/** The types of tasks over rows that lie in parts, and how each is loaded in another process. */
public final class RowTasks {
    private static final Map<String, Function<State, RowTask<?, ?>>> LOADERS = Map.ofEntries(
            Map.entry(ChosenRowsTask.TYPE, ChosenRowsTask::load),
            Map.entry(ClassCountTask.TYPE, ClassCountTask::load),
            Map.entry(ColumnTask.TYPE, ColumnTask::load),
            Map.entry(CountedTask.TYPE, state -> CountedTask.load(state, RowTasks::load)),
            Map.entry(GramTask.TYPE, GramTask::load),
            Map.entry(LandmarkTask.TYPE, LandmarkTask::load),
            Map.entry(MappableSampleTask.TYPE, MappableSampleTask::load),
            Map.entry(PartedFeatures.SumTask.TYPE, state -> PartedFeatures.SumTask.load(state, RowTasks::sum)),
            Map.entry(PartedFeatures.TotalsTask.TYPE, state -> new PartedFeatures.TotalsTask()),
            Map.entry(SampleTask.TYPE, SampleTask::load),
            Map.entry(ScaledTask.TYPE, state -> ScaledTask.load(state, RowTasks::load)));

    private static final Map<String, Function<State, FeatureTask<?>>> SUMS = Map.of(
            FeatureErrorTask.TYPE, FeatureErrorTask::load,
            InterceptTask.TYPE, InterceptTask::load,
            LossTask.TYPE, LossTask::load,
            SampledRowsTask.TYPE, SampledRowsTask::load);

    private RowTasks() {}

    /** Reads a task from its saved form. */
    public static RowTask<?, ?> load(State state) {
        return load(state, LOADERS);
    }

    private static FeatureTask<?> sum(State state) {
        return load(state, SUMS);
    }

    private static <T> T load(State state, Map<String, Function<State, T>> loaders) {
        Function<State, T> loader = loaders.get(state.type());
        if (loader == null) {
            throw new BochnerException("'" + state.type() + "' is no task over rows");
        }
        return loader.apply(state);
    }
}
