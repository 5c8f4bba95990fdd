package org.bochner.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.bochner.data.Labels;
import org.bochner.model.KernelModel;
import org.bochner.model.PrunedModel;
import org.bochner.model.Pruning;
import org.bochner.model.TrainingRecord;
import org.jspecify.annotations.Nullable;

/**
 * What the prune command found.
 *
 * @param path the model's file
 * @param model the model that was pruned
 * @param data what it was fitted to
 * @param test what sizes were measured on
 * @param sizes what was measured, from the whole model down
 * @param chosen the size that was taken
 * @param pruned the model of that size, as it is saved
 * @param output where; null where it is not
 * @param seconds how long it took
 */
record PruneFindings(
        Path path,
        KernelModel model,
        String data,
        String test,
        List<PrunedModel> sizes,
        PrunedModel chosen,
        KernelModel pruned,
        @Nullable Path output,
        double seconds) {
    PruneFindings {
        sizes = List.copyOf(sizes);
    }

    boolean classes() {
        return model.labels() instanceof Labels.Classes;
    }

    /** What was left out, in the plural. */
    String unit() {
        return Pruning.unit(model.map());
    }

    /** A line a size; the one that was taken has a mark. */
    String table() {
        Table table = new Table()
                .line("share", unit(), "features", "file", "speed", classes() ? "error" : "rmse", "loss", "");
        for (PrunedModel size : sizes) {
            table.line(
                    String.format(Locale.ROOT, "%.3f", size.share()),
                    String.format(Locale.ROOT, "%,d", size.units()),
                    String.format(Locale.ROOT, "%,d", size.model().map().outputDimension()),
                    bytes(size.bytes()),
                    String.format(Locale.ROOT, "%.1fx", size.speed()),
                    error(size),
                    loss(size),
                    size.equals(chosen) ? "<" : "");
        }
        return table
                + String.format(
                        Locale.ROOT,
                        "%s, measured on %s%s%n",
                        TrainingFacts.pruning(pruned.training()),
                        test,
                        output == null ? "" : ", saved to " + output);
    }

    private static String bytes(long bytes) {
        return bytes < 1e6
                ? String.format(Locale.ROOT, "%.1f kB", bytes * 1e-3)
                : String.format(Locale.ROOT, "%.1f MB", bytes * 1e-6);
    }

    private String error(PrunedModel size) {
        return classes()
                ? String.format(Locale.ROOT, "%.2f%%", 100 * size.evaluation().error())
                : String.format(Locale.ROOT, "%.5g", size.evaluation().rmse());
    }

    /** Points of error are told as such, shares of an rmse as percent. */
    private String loss(PrunedModel size) {
        return String.format(Locale.ROOT, classes() ? "%+.2f" : "%+.2f%%", 100 * size.loss());
    }

    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("model", path.toString());
        map.put("data", data);
        map.put("test", test);
        map.put("unit", unit());
        map.put("units", model.map().unitCount());
        map.put("sizes", sizes.stream().map(this::toMap).toList());
        map.put("chosen", toMap(chosen));
        TrainingRecord training = pruned.training();
        map.put("lambda", training.learner().isRidge() ? training.lambda() : null);
        map.put("pruneSeconds", seconds);
        map.put("peakMemoryBytes", Memory.peakBytes());
        map.put("output", output == null ? null : output.toString());
        return map;
    }

    private Map<String, Object> toMap(PrunedModel size) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("share", size.share());
        map.put("units", size.units());
        map.put("features", size.model().map().outputDimension());
        map.put("bytes", size.bytes());
        map.put("speed", size.speed());
        map.put("rows", size.evaluation().rows());
        if (classes()) {
            map.put("error", size.evaluation().error());
        } else {
            map.put("rmse", size.evaluation().rmse());
        }
        map.put("loss", size.loss());
        return map;
    }
}
