package org.bochner.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.bochner.base.AtomicFile;
import org.bochner.base.Spelling;
import org.bochner.map.MapReport;
import org.bochner.map.MapStudy;

/** Writes the results of the error command as CSV: one line per map and size, and one per range of each. */
final class ErrorCsv {
    private static final String HEADER = "map,features,width,part,low,high,otherLow,otherHigh,"
            + "pairs,max,rms,mean,percentile99,"
            + "relativePairs,relativeMax,relativeRms,relativeMean,relativePercentile99,"
            + "expectedRms,fourierRms,additiveRms,boundRms,boundMax";

    private ErrorCsv() {}

    static void write(Path file, ErrorFindings findings) {
        List<String> lines = new ArrayList<>(List.of(HEADER));
        Stream.concat(findings.entries().stream(), findings.comparison().stream())
                .forEach(entry -> add(lines, entry));
        // A map may be one of the sizes and in the comparison too.
        byte[] bytes =
                (lines.stream().distinct().collect(Collectors.joining("\n")) + "\n").getBytes(StandardCharsets.UTF_8);
        try (AtomicFile output = AtomicFile.create(file)) {
            output.stream().write(bytes);
            output.commit();
        } catch (IOException e) {
            throw AtomicFile.unwritable(file.toString(), e);
        }
    }

    private static void add(List<String> lines, MapStudy.Entry entry) {
        MapReport report = entry.report();
        lines.add(line(
                        entry,
                        "all",
                        bounds(report.overall()),
                        report.overall().absolute(),
                        report.overall().relative())
                + numbers(
                        report.expectedRms(),
                        report.fourierRms(),
                        report.additiveRms(),
                        report.boundRms(),
                        report.boundMax()));
        for (MapReport.Range range : report.ranges()) {
            lines.add(line(entry, "value", bounds(range), range.absolute(), range.relative()) + ",,,,,");
        }
        for (MapReport.Range range : report.inputRanges()) {
            String bounds = numbers(range.low(), range.high(), range.otherLow(), range.otherHigh());
            lines.add(line(entry, "input", bounds, range.absolute(), range.relative()) + ",,,,,");
        }
    }

    private static String bounds(MapReport.Range range) {
        return numbers(range.low(), range.high()) + ",,";
    }

    private static String line(
            MapStudy.Entry entry, String part, String bounds, MapReport.Errors absolute, MapReport.Errors relative) {
        String width = entry.featuresPerColumn().isPresent()
                ? Integer.toString(entry.featuresPerColumn().getAsInt())
                : "";
        return Text.csvCell(entry.recipe().toString()) + "," + entry.report().features() + "," + width + "," + part
                + bounds + errors(absolute) + errors(relative);
    }

    private static String errors(MapReport.Errors errors) {
        return numbers(errors.pairs(), errors.max(), errors.rms(), errors.mean(), errors.percentile99());
    }

    /** Each number after a comma; nothing for those that are not known. */
    private static String numbers(double... values) {
        return DoubleStream.of(values)
                .mapToObj(value -> "," + (Double.isNaN(value) ? "" : Spelling.print(value)))
                .collect(Collectors.joining());
    }
}
