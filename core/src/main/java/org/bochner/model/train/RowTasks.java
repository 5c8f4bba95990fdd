package org.bochner.model.train;

import java.util.Map;
import java.util.function.Function;
import org.bochner.base.BochnerException;
import org.bochner.base.State;
import org.bochner.data.ChosenRowsTask;
import org.bochner.data.RowTask;
import org.bochner.data.sample.CountedTask;
import org.bochner.kernel.SampleTask;
import org.bochner.scale.fit.ColumnTask;
import org.bochner.scale.fit.ScaledTask;
import org.bochner.stats.ClassCountTask;

/** The types of tasks over rows that lie in parts, and how each is loaded in another process. */
public final class RowTasks {
    private static final Map<String, Function<State, RowTask<?, ?>>> LOADERS = Map.of(
            ChosenRowsTask.TYPE, ChosenRowsTask::load,
            ClassCountTask.TYPE, ClassCountTask::load,
            ColumnTask.TYPE, ColumnTask::load,
            CountedTask.TYPE, state -> CountedTask.load(state, RowTasks::load),
            GramTask.TYPE, GramTask::load,
            MappableSampleTask.TYPE, MappableSampleTask::load,
            SampleTask.TYPE, SampleTask::load,
            ScaledTask.TYPE, state -> ScaledTask.load(state, RowTasks::load));

    private RowTasks() {}

    /** Reads a task from its saved form. */
    public static RowTask<?, ?> load(State state) {
        Function<State, RowTask<?, ?>> loader = LOADERS.get(state.type());
        if (loader == null) {
            throw new BochnerException("'" + state.type() + "' is no task over rows");
        }
        return loader.apply(state);
    }
}
