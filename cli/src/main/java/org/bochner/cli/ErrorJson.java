package org.bochner.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.bochner.map.MapReport;
import org.bochner.map.MapStudy;
import org.jspecify.annotations.Nullable;

/** Makes the JSON object of the error command. */
final class ErrorJson {
    private ErrorJson() {}

    static Map<String, Object> of(ErrorFindings findings) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("kernel", findings.kernel().toString());
        map.put("map", findings.map());
        map.put("rows", findings.rows().rows());
        map.put("notes", SettingFlags.texts(findings.notes()));
        map.put(
                "reports",
                findings.entries().stream().map(entry -> report(entry, true)).toList());
        if (!findings.comparison().isEmpty()) {
            map.put(
                    "comparison",
                    findings.comparison().stream()
                            .map(entry -> report(entry, false))
                            .toList());
        }
        findings.wanted().ifPresent(wanted -> map.put("suggestion", suggestion(wanted)));
        return map;
    }

    private static Map<String, @Nullable Object> report(MapStudy.Entry entry, boolean withRanges) {
        MapReport report = entry.report();
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("map", entry.recipe().toString());
        map.put("features", report.features());
        entry.featuresPerColumn().ifPresent(width -> map.put("width", width));
        addRange(map, report.overall());
        map.put("expectedRms", report.expectedRms());
        map.put("fourierRms", report.fourierRms());
        map.put("additiveRms", report.additiveRms());
        map.put("boundRms", report.boundRms());
        map.put("boundMax", report.boundMax());
        if (withRanges) {
            map.put("ranges", report.ranges().stream().map(ErrorJson::range).toList());
            map.put(
                    "inputRanges",
                    report.inputRanges().stream().map(ErrorJson::inputRange).toList());
        }
        return map;
    }

    private static Map<String, @Nullable Object> range(MapReport.Range range) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        addRange(map, range);
        return map;
    }

    private static void addRange(Map<String, @Nullable Object> map, MapReport.Range range) {
        map.put("low", range.low());
        map.put("high", range.high());
        addErrors(map, range.absolute());
        map.put("relative", errors(range.relative()));
    }

    private static Map<String, @Nullable Object> inputRange(MapReport.Range range) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("low", range.low());
        map.put("high", range.high());
        map.put("otherLow", range.otherLow());
        map.put("otherHigh", range.otherHigh());
        addErrors(map, range.absolute());
        map.put("relative", errors(range.relative()));
        return map;
    }

    private static Map<String, @Nullable Object> errors(MapReport.Errors errors) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        addErrors(map, errors);
        return map;
    }

    private static void addErrors(Map<String, @Nullable Object> map, MapReport.Errors errors) {
        map.put("pairs", errors.pairs());
        map.put("max", errors.max());
        map.put("rms", errors.rms());
        map.put("mean", errors.mean());
        map.put("percentile99", errors.percentile99());
    }

    private static Map<String, @Nullable Object> suggestion(ErrorFindings.Wanted wanted) {
        MapStudy.Suggestion suggestion = wanted.suggestion();
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("wanted", wanted.error());
        map.put("measure", wanted.measureName());
        map.put("map", suggestion.recipe().toString());
        map.put(
                "features",
                suggestion.features().isPresent() ? suggestion.features().getAsInt() : null);
        map.put("error", suggestion.error());
        map.put("reached", suggestion.reached());
        map.put("measured", suggestion.report() != null);
        map.put("flags", wanted.flags());
        return map;
    }
}
