package org.bochner.spark;

import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.bochner.base.BochnerException;
import org.bochner.base.State;
import org.bochner.data.ChosenRowsTask;
import org.bochner.data.sample.CountedTask;
import org.bochner.kernel.SampleTask;
import org.bochner.learn.solve.InterceptTask;
import org.bochner.learn.solve.LossTask;
import org.bochner.learn.solve.SampledRowsTask;
import org.bochner.model.evaluate.FeatureErrorTask;
import org.bochner.scale.fit.ColumnTask;
import org.bochner.scale.fit.ScaledTask;
import org.bochner.stats.ClassCountTask;
import org.bochner.stats.PartedFeatures;

/** Names jobs and stages for Spark's UI: what each of them does. */
final class SparkJobs {
    private static final String DESCRIPTION = "spark.job.description";

    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry(ChosenRowsTask.TYPE, "fetch chosen rows"),
            Map.entry(ClassCountTask.TYPE, "count classes"),
            Map.entry(ColumnTask.TYPE, "scaling: measure columns"),
            Map.entry(FeatureErrorTask.TYPE, "test on held-out rows"),
            Map.entry(PartedFeatures.TotalsTask.TYPE, "map rows"),
            Map.entry("gram", "statistics of the features"),
            Map.entry(InterceptTask.TYPE, "find intercepts"),
            Map.entry(LossTask.TYPE, "losses and slopes"),
            Map.entry(SampleTask.TYPE, "sample"),
            Map.entry(SampledRowsTask.TYPE, "sample for the solver"));

    private static final Set<String> WRAPPERS = Set.of(CountedTask.TYPE, ScaledTask.TYPE, PartedFeatures.SumTask.TYPE);

    private SparkJobs() {}

    /** Returns what a task over rows does. */
    static String name(State task) {
        return WRAPPERS.contains(task.type())
                ? name(task.part("task"))
                : NAMES.getOrDefault(task.type(), task.type().replace('-', ' '));
    }

    /** Runs something whose jobs and stages have a name; a table that changed fails as in one process. */
    static <T> T named(SparkContext context, String name, Supplier<T> work) {
        String site = context.getLocalProperty("callSite.short");
        String description = context.getLocalProperty(DESCRIPTION);
        context.setCallSite("bochner: " + name);
        context.setLocalProperty(DESCRIPTION, "bochner: " + name);
        try {
            return work.get();
        } catch (Exception e) { // Spark's are checked ones that it does not declare
            Optional<BochnerException> changed = ChangedTable.cause(e);
            if (changed.isPresent()) {
                throw changed.get();
            }
            throw e;
        } finally {
            if (site == null) {
                context.clearCallSite();
            } else {
                context.setCallSite(site);
            }
            context.setLocalProperty(DESCRIPTION, description);
        }
    }

    /** Returns an iterator whose jobs have a name. */
    static <T> Iterator<T> named(SparkContext context, String name, Iterator<T> values) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return named(context, name, values::hasNext);
            }

            @Override
            public T next() {
                return named(context, name, values::next);
            }
        };
    }
}
