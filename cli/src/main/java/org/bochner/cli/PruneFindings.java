package org.bochner.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bochner.data.Labels;
import org.bochner.model.PrunedModel;
import org.bochner.model.PruningResult;
import org.bochner.model.TrainingRecord;
import org.jspecify.annotations.Nullable;

/**
 * The results of the prune command.
 *
 * @param path the file of the model
 * @param data the name of the rows that weights were fitted to
 * @param test the name of the rows that sizes were measured on
 * @param output the file of the pruned model; null if it was not saved
 * @param seconds how long it took
 */
record PruneFindings(
        Path path,
        String data,
        String test,
        PruningResult result,
        @Nullable Path output,
        double seconds) {
    boolean classes() {
        return result.model().labels() instanceof Labels.Classes;
    }

    /** Returns one line per size; the chosen size is marked. */
    String table() {
        Table table = new Table()
                .line(
                        "share",
                        result.unit() == TrainingRecord.MapUnit.FEATURES
                                ? "units"
                                : result.unit().toString(),
                        "features",
                        "file",
                        "speed",
                        classes() ? "error" : "rmse",
                        "loss",
                        "");
        for (PrunedModel size : result.sizes()) {
            table.line(
                    Text.of("%.3f", size.share()),
                    Text.count(size.units()),
                    Text.count(size.model().map().outputDimension()),
                    bytes(size.bytes()),
                    Text.of("%.1fx", size.speed()),
                    Text.error(classes(), error(size)),
                    // Percentage points of error, or percent of the rmse.
                    Text.of(classes() ? "%+.2f" : "%+.2f%%", 100 * size.loss()),
                    size.equals(result.chosen()) ? "<" : "");
        }
        return table
                + Text.of(
                        "%s, measured on %s%s%n",
                        TrainingFacts.pruning(result.model().training()),
                        test,
                        output == null ? "" : ", saved to " + output);
    }

    static String bytes(long bytes) {
        return bytes < 1e6 ? Text.of("%.1f kB", bytes * 1e-3) : Text.of("%.1f MB", bytes * 1e-6);
    }

    double error(PrunedModel size) {
        return classes() ? size.evaluation().error() : size.evaluation().rmse();
    }

    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("model", path.toString());
        map.put("data", data);
        map.put("test", test);
        map.put("unit", result.unit().toString());
        map.put("units", result.units());
        map.put("sizes", result.sizes().stream().map(this::toMap).toList());
        map.put("chosen", toMap(result.chosen()));
        TrainingRecord training = result.model().training();
        map.put("lambda", training.requireLearner().isRidge() ? training.lambda() : null);
        map.put("pruneSeconds", seconds);
        map.put("peakMemoryBytes", Memory.peakBytes());
        map.put("output", output == null ? null : output.toString());
        map.put("notes", SettingFlags.texts(result.notes()));
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
        map.put(classes() ? "error" : "rmse", error(size));
        map.put("loss", size.loss());
        return map;
    }
}
