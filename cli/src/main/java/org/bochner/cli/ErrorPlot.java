package org.bochner.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.bochner.cli.plot.Axis;
import org.bochner.cli.plot.Chart;
import org.bochner.cli.plot.Panel;
import org.bochner.cli.plot.Point;
import org.bochner.cli.plot.Series;
import org.bochner.map.MapCurve;
import org.bochner.map.MapReport;
import org.bochner.map.MapStudy;

/** Draws the results of the error command: the error against the size, and the kernel with its approximations. */
final class ErrorPlot {
    private static final int WIDTH = 620;
    private static final int HEIGHT = 280;

    /** The number of curves that readers can tell apart in one panel. */
    private static final int MOST_CURVES = 3;

    private final ErrorFindings findings;

    /** One map in several sizes. */
    private final List<MapStudy.Entry> sizes;

    private ErrorPlot(ErrorFindings findings, List<MapStudy.Entry> sizes) {
        this.findings = findings;
        this.sizes = sizes;
    }

    /**
     * Returns the picture.
     *
     * @param sizes one map in several sizes, also where the findings are about one of them
     */
    static Chart of(ErrorFindings findings, List<MapStudy.Entry> sizes) {
        return new ErrorPlot(findings, sizes).chart();
    }

    private Chart chart() {
        List<Panel> panels = new ArrayList<>();
        if (sizes.size() > 1) {
            panels.add(sizePanel());
        }
        if (findings.comparison().size() > 1) {
            panels.add(comparisonPanel());
        }
        List<MapStudy.Entry> shown = shown();
        List<MapCurve> signatures = shown.stream()
                .flatMap(entry -> MapCurve.signature(entry.map(), findings.rows()).stream())
                .toList();
        // A sum has a signature in one of its terms only where all of them are additive.
        boolean additive = !findings.comparison().isEmpty() && signatures.size() == shown.size();
        panels.addAll(additive ? signaturePanels(shown, signatures) : wayPanels(shown));
        String title = findings.map() + " for " + findings.kernel();
        return Chart.stacked(title, panels.toArray(Panel[]::new)).withPanelSize(WIDTH, HEIGHT);
    }

    /** Returns the maps whose curves are drawn: one, or the smallest, a middle and the largest. */
    private List<MapStudy.Entry> shown() {
        List<MapStudy.Entry> entries = findings.entries();
        if (entries.size() <= MOST_CURVES) {
            return entries;
        }
        return entries.get(0).featuresPerColumn().isPresent()
                ? entries.subList(0, MOST_CURVES)
                : List.of(entries.get(0), entries.get(entries.size() / 2), entries.get(entries.size() - 1));
    }

    private Panel sizePanel() {
        boolean additive = sizes.get(0).featuresPerColumn().isPresent();
        boolean random = Double.isFinite(sizes.get(0).report().expectedRms());
        Panel panel = Panel.of(
                        "error against the number of features",
                        additive ? Axis.linear("features per column") : Axis.logarithmic("features D"),
                        Axis.logarithmic("|<phi(x), phi(y)> - k(x, y)|"))
                .with(line("max", report -> report.overall().absolute().max()))
                .with(line("99%", report -> report.overall().absolute().percentile99()))
                .with(line("rms", report -> report.overall().absolute().rms()))
                .with(dashed(random ? "95% bound on max" : "bound on max", report -> report.boundMax()))
                .with(
                        random
                                ? dashed("rms of independent draws", report -> report.expectedRms())
                                : dashed("bound on rms", report -> report.boundRms()));
        return findings.wanted().isPresent()
                ? panel.withHorizontal("wanted", findings.wanted().get().error())
                : panel;
    }

    private Series line(String name, ToDoubleFunction<MapReport> error) {
        return series(name, Series.Style.LINE, sizes, error);
    }

    private Series dashed(String name, ToDoubleFunction<MapReport> error) {
        return series(name, Series.Style.DASHED, sizes, error);
    }

    private static Series series(
            String name, Series.Style style, List<MapStudy.Entry> entries, ToDoubleFunction<MapReport> error) {
        return new Series(
                name,
                style,
                entries.stream()
                        .map(entry -> new Point(size(entry), error.applyAsDouble(entry.report())))
                        .toList());
    }

    private static double size(MapStudy.Entry entry) {
        return entry.featuresPerColumn().isPresent()
                ? entry.featuresPerColumn().getAsInt()
                : entry.report().features();
    }

    private Panel comparisonPanel() {
        boolean columns = findings.comparison().stream()
                .allMatch(entry -> entry.featuresPerColumn().isPresent());
        Map<String, List<MapStudy.Entry>> byName = new LinkedHashMap<>();
        for (MapStudy.Entry entry : findings.comparison()) {
            byName.computeIfAbsent(entry.recipe().name(), name -> new ArrayList<>())
                    .add(entry);
        }
        Panel panel = Panel.of(
                "all maps, rms error",
                Axis.linear(columns ? "features per column" : "features"),
                Axis.logarithmic("rms error"));
        for (Map.Entry<String, List<MapStudy.Entry>> map : byName.entrySet()) {
            panel = panel.with(series(
                    map.getKey(),
                    Series.Style.LINE,
                    map.getValue(),
                    report -> report.overall().absolute().rms()));
        }
        return panel;
    }

    private static List<Panel> signaturePanels(List<MapStudy.Entry> entries, List<MapCurve> curves) {
        String kernel = curves.get(0).kernel().toString();
        Axis ratio = Axis.linear("lambda = |log(y/x)|");
        Panel values = Panel.of("signature K of " + kernel, ratio, Axis.linear("K(lambda)"));
        Panel errors = Panel.of(
                "error of the kernel, with one value the largest", ratio, Axis.linear("error / largest value"));
        return panels(values, errors, "K", entries, curves);
    }

    private List<Panel> wayPanels(List<MapStudy.Entry> entries) {
        List<MapCurve> curves = entries.stream()
                .map(entry -> MapCurve.alongTheWay(entry.map(), findings.rows()))
                .toList();
        Axis way =
                Axis.linear(curves.get(0).distance() ? "distance |x - y|" : "share of the way from one row to another");
        Panel values = Panel.of("kernel along one direction", way, Axis.linear("k(x, y)"));
        Panel errors = Panel.of("error along one direction", way, Axis.linear("estimate - k(x, y)"));
        return panels(values, errors, "k", entries, curves);
    }

    private static List<Panel> panels(
            Panel values, Panel errors, String exact, List<MapStudy.Entry> entries, List<MapCurve> curves) {
        Panel withValues = values;
        Panel withErrors = errors;
        for (int c = 0; c < curves.size(); c++) {
            MapStudy.Entry entry = entries.get(c);
            String name = entry.features().isPresent()
                    ? entry.report().features() + " features"
                    : entry.recipe().toString();
            withValues = withValues.with(curve(name, Series.Style.LINE, curves.get(c), MapCurve::estimate));
            withErrors = withErrors.with(curve(name, Series.Style.LINE, curves.get(c), MapCurve::error));
        }
        // Last, so that a map has the same colour in both panels.
        withValues = withValues.with(curve(exact, Series.Style.DASHED, curves.get(0), MapCurve::exact));
        return List.of(withValues, withErrors);
    }

    private static Series curve(
            String name, Series.Style style, MapCurve curve, Function<MapCurve, List<Double>> values) {
        return new Series(
                name,
                style,
                IntStream.range(0, curve.at().size())
                        .mapToObj(i ->
                                new Point(curve.at().get(i), values.apply(curve).get(i)))
                        .toList());
    }
}
