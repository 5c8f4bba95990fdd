package org.bochner.cli;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.bochner.map.MapReport;
import org.bochner.map.MapStudy;

/** Prints the results of the error command as tables. */
final class ErrorText {
    private final ErrorFindings findings;
    private final StringBuilder text = new StringBuilder();

    private ErrorText(ErrorFindings findings) {
        this.findings = findings;
    }

    static String of(ErrorFindings findings) {
        ErrorText text = new ErrorText(findings);
        List<MapStudy.Entry> entries = findings.entries();
        text.line(heading(findings));
        text.line("");
        if (entries.size() == 1) {
            text.detail(entries.get(0));
        } else {
            text.sizes();
        }
        if (findings.comparison().size() > 1) {
            text.comparison();
        }
        findings.wanted().ifPresent(text::suggestion);
        return text.text.toString();
    }

    private static String heading(ErrorFindings findings) {
        return String.format(
                Locale.ROOT,
                "|<phi(x), phi(y)> - k(x, y)| of %s for %s%n%,d pairs of %,d rows %s",
                findings.map(),
                findings.kernel(),
                findings.entries().get(0).report().overall().absolute().pairs(),
                findings.rows().rows(),
                findings.where());
    }

    private void line(String line) {
        text.append(line).append(System.lineSeparator());
    }

    private void table(String title, Table table) {
        line("");
        line(title);
        text.append(table);
    }

    /** One map in detail. */
    private void detail(MapStudy.Entry entry) {
        MapReport report = entry.report();
        Table table = new Table().line("error", "pairs", "max", "99%", "rms", "mean");
        add(table, "absolute", report.overall().absolute());
        add(table, "relative", report.overall().relative());
        text.append(table);
        line(theory(entry));
        if (!report.ranges().isEmpty()) {
            table("by the value of the kernel", ranges(report));
        }
        if (!report.inputRanges().isEmpty()) {
            table("errors in one column, by the two values", inputRanges(report));
        }
    }

    private static void add(Table table, String name, MapReport.Errors errors) {
        table.line(
                name,
                Integer.toString(errors.pairs()),
                number(errors.max()),
                number(errors.percentile99()),
                number(errors.rms()),
                number(errors.mean()));
    }

    private static String theory(MapStudy.Entry entry) {
        MapReport theory = entry.report();
        String size = entry.report().features() + " features"
                + (entry.featuresPerColumn().isPresent()
                        ? ", " + entry.featuresPerColumn().getAsInt() + " per column"
                        : "");
        if (Double.isFinite(theory.expectedRms())) {
            String parts = theory.additiveRms() > 0
                    ? " (" + number(theory.fourierRms()) + " from the random features, " + number(theory.additiveRms())
                            + " from the additive map)"
                    : "";
            return size + "; theory for independent draws: rms " + number(theory.expectedRms()) + parts
                    + (Double.isFinite(theory.boundMax())
                            ? ", max with 95% probability below " + number(theory.boundMax())
                            : "");
        }
        return size
                + (Double.isFinite(theory.boundMax())
                        ? "; by theory, the rms is at most " + number(theory.boundRms()) + " and the max "
                                + number(theory.boundMax())
                        : "");
    }

    private static Table ranges(MapReport report) {
        Table table = new Table().line("k between", "pairs", "max", "99%", "rms", "mean", "relative max", "rms");
        for (MapReport.Range range : report.ranges()) {
            MapReport.Errors errors = range.absolute();
            table.line(
                    number(range.low()) + " and " + number(range.high()),
                    Integer.toString(errors.pairs()),
                    number(errors.max()),
                    number(errors.percentile99()),
                    number(errors.rms()),
                    number(errors.mean()),
                    number(range.relative().max()),
                    number(range.relative().rms()));
        }
        return table;
    }

    private static Table inputRanges(MapReport report) {
        Table table = new Table().line("values of", "pairs", "max", "99%", "rms", "mean", "relative max", "rms");
        for (MapReport.Range range : report.inputRanges()) {
            MapReport.Errors errors = range.absolute();
            table.line(
                    decade(range.low(), range.high()) + " with " + decade(range.otherLow(), range.otherHigh()),
                    Integer.toString(errors.pairs()),
                    number(errors.max()),
                    number(errors.percentile99()),
                    number(errors.rms()),
                    number(errors.mean()),
                    number(range.relative().max()),
                    number(range.relative().rms()));
        }
        return table;
    }

    /** One map in several sizes. */
    private void sizes() {
        boolean additive = findings.entries().get(0).featuresPerColumn().isPresent();
        boolean random = Double.isFinite(findings.entries().get(0).report().expectedRms());
        Table table = new Table()
                .line(
                        additive || !random ? "map" : "features",
                        "max",
                        "99%",
                        "rms",
                        "mean",
                        "relative max",
                        "rms",
                        random ? "theory: max (95%)" : "theory: max",
                        "rms");
        for (MapStudy.Entry entry : findings.entries()) {
            MapReport report = entry.report();
            MapReport.Errors absolute = report.overall().absolute();
            MapReport.Errors relative = report.overall().relative();
            table.line(
                    entry.features().isPresent()
                            ? Integer.toString(report.features())
                            : entry.recipe().toString(),
                    number(absolute.max()),
                    number(absolute.percentile99()),
                    number(absolute.rms()),
                    number(absolute.mean()),
                    number(relative.max()),
                    number(relative.rms()),
                    number(report.boundMax()),
                    number(random ? report.expectedRms() : report.boundRms()));
        }
        text.append(table);
    }

    /** The RMS errors of all maps: one line per size, one column per map. */
    private void comparison() {
        boolean byColumn = findings.comparison().stream()
                .allMatch(entry -> entry.featuresPerColumn().isPresent());
        Map<Integer, Map<String, Double>> lines = new TreeMap<>();
        Set<String> names = new LinkedHashSet<>();
        for (MapStudy.Entry entry : findings.comparison()) {
            int size = entry.featuresPerColumn().orElse(entry.report().features());
            names.add(entry.recipe().name());
            // A map may have fewer numbers than it was asked for, so that two of its sizes are one.
            lines.computeIfAbsent(size, key -> new HashMap<>())
                    .putIfAbsent(
                            entry.recipe().name(),
                            entry.report().overall().absolute().rms());
        }
        Table table = new Table();
        List<String> head = new ArrayList<>(List.of(byColumn ? "features per column" : "features"));
        head.addAll(names);
        table.line(head.toArray(String[]::new));
        lines.forEach((size, errors) -> {
            List<String> cells = new ArrayList<>(List.of(Integer.toString(size)));
            names.forEach(name -> cells.add(errors.containsKey(name) ? number(errors.get(name)) : ""));
            table.line(cells.toArray(String[]::new));
        });
        table("all maps, rms", table);
    }

    private void suggestion(ErrorFindings.Wanted wanted) {
        line("");
        String found = wanted.suggestion().report() == null
                ? "computed by the formula, because there are too many features to measure"
                : "measured " + number(wanted.suggestion().error());
        line(
                wanted.suggestion().reached()
                        ? "for an error (" + wanted.measureName() + ") of at most " + number(wanted.error()) + ":"
                        : "no map was found with an error (" + wanted.measureName() + ") of at most "
                                + number(wanted.error()) + "; the best is");
        line("  " + wanted.flags() + "    (" + found + ")");
    }

    static String number(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        return value == 0 ? "0" : String.format(Locale.ROOT, "%.4g", value);
    }

    private static String decade(double low, double high) {
        return power(low) + "-" + power(high);
    }

    private static String power(double value) {
        return value >= 1e-4 && value < 1e7
                ? new BigDecimal(value).round(new MathContext(1)).toPlainString()
                : String.format(Locale.ROOT, "%.0e", value);
    }
}
