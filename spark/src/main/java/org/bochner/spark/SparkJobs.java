package org.bochner.spark;

import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.bochner.base.BochnerException;
import org.bochner.base.State;

/** Names jobs and stages for Spark's UI: what each of them does. */
final class SparkJobs {
    private static final String DESCRIPTION = "spark.job.description";

    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("chosen-rows", "fetch chosen rows"),
            Map.entry("class-counts", "count classes"),
            Map.entry("columns", "scaling: measure columns"),
            Map.entry("feature-error", "check the precision of features"),
            Map.entry("gram", "statistics of the features"),
            Map.entry("loss", "loss and gradient"),
            Map.entry("mappable-sample", "sample for the map"),
            Map.entry("sampled-rows", "sample for the solver"));

    private SparkJobs() {}

    /** Returns what a task over rows does. */
    static String name(State task) {
        boolean wraps = task.type().equals("scaled") || task.type().equals("counted");
        return wraps ? name(task.part("task")) : NAMES.getOrDefault(task.type(), task.type());
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
