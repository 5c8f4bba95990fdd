package org.bochner.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bochner.data.FileSource;
import org.bochner.model.AdditiveCurves;
import org.jspecify.annotations.Nullable;

/**
 * The results of the compile command.
 *
 * @param path the file of the original model
 * @param source the rows that were measured; null if there were none
 * @param originalBytes the size of the original model as a file
 * @param output the file of the compiled model; null if it was not saved
 * @param seconds how long it took
 */
record CompileFindings(
        Path path,
        @Nullable FileSource source,
        long originalBytes,
        AdditiveCurves curves,
        @Nullable Path output,
        double seconds) {
    Facts facts() {
        int count = curves.columns().size();
        int columns = curves.model().columns();
        Facts facts = new Facts()
                .add(
                        "curves",
                        "%s of %s, %s, %s",
                        Text.count(count),
                        Text.count(columns, "column"),
                        Text.count(curves.outputs().size(), "output"),
                        curves.form())
                .add("knots", "%s, %.1f per curve", Text.count(curves.knotCount()), (double) curves.knotCount() / count)
                .add(
                        "size",
                        "%s (%s before)",
                        PruneFindings.bytes(curves.model().fileBytes()),
                        PruneFindings.bytes(originalBytes));
        if (source == null) {
            facts.add(
                    "error",
                    "at most %.3g, rms %.3g, of one curve between its knots",
                    curves.largestError(),
                    curves.rmsError());
        } else {
            facts.add(
                    "error",
                    "at most %.3g, rms %.3g: %.3g%% of the scores' standard deviation, on %s",
                    curves.largestError(),
                    curves.rmsError(),
                    100 * relative(),
                    Text.count(curves.rows(), "row"));
            if (!Double.isNaN(curves.agreement())) {
                facts.add("classes", "%.4g%% of the rows as before", 100 * curves.agreement());
            }
        }
        facts.add(
                "row",
                "%.3g us (%.3g us before), %.3gx the speed, one row at a time",
                curves.compiledNanos() * 1e-3,
                curves.originalNanos() * 1e-3,
                curves.originalNanos() / curves.compiledNanos());
        return output == null ? facts : facts.add("saved to", output);
    }

    /** Returns the sentence that the error says nothing about some columns; null if there are none. */
    @Nullable
    String note() {
        int constant = curves.constantColumns();
        return constant == 0
                ? null
                : Text.of(
                        "%s of %s with a curve are constant in DATA: the error does not cover their other values, and"
                                + " values outside the ranges of the columns are extrapolated.",
                        Text.count(constant), Text.count(curves.columns().size(), "column"));
    }

    private double relative() {
        return curves.rmsError() / curves.scoreDeviation();
    }

    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("model", path.toString());
        map.put("data", source == null ? null : source.name());
        map.put("form", curves.form());
        map.put("columns", curves.model().columns());
        map.put("curves", curves.columns().size());
        map.put("outputs", curves.outputs());
        map.put("knots", curves.knotCount());
        map.put("bytes", curves.model().fileBytes());
        map.put("originalBytes", originalBytes);
        map.put("rows", curves.rows());
        map.put("constantColumns", curves.constantColumns());
        map.put("maxError", curves.largestError());
        map.put("rmsError", curves.rmsError());
        map.put("scoreDeviation", source == null ? null : curves.scoreDeviation());
        map.put("relativeError", source == null ? null : relative());
        map.put("agreement", Double.isNaN(curves.agreement()) ? null : curves.agreement());
        map.put("originalRowSeconds", curves.originalNanos() * 1e-9);
        map.put("rowSeconds", curves.compiledNanos() * 1e-9);
        map.put("speed", curves.originalNanos() / curves.compiledNanos());
        map.put("compileSeconds", seconds);
        map.put("peakMemoryBytes", Memory.peakBytes());
        map.put("output", output == null ? null : output.toString());
        return map;
    }
}
