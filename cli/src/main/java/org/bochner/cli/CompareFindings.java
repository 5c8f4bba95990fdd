package org.bochner.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.bochner.cli.plot.Axis;
import org.bochner.cli.plot.Chart;
import org.bochner.cli.plot.Panel;
import org.bochner.cli.plot.Series;
import org.bochner.model.ComparedMethod;
import org.bochner.model.Peer;

/**
 * Prints a comparison of methods.
 *
 * @param spelled the kernel and the scaling
 * @param training the words of a command that trains on DATA
 * @param interrupted true if Ctrl-C or SIGTERM ended the comparison before all methods were finished
 * @param seconds the time of the whole comparison
 */
record CompareFindings(
        Session session,
        Spelled spelled,
        List<String> training,
        long seed,
        int seeds,
        List<ComparedMethod> methods,
        boolean interrupted,
        double seconds) {
    private static final int WIDTH = 460;
    private static final int HEIGHT = 320;

    String text() {
        boolean classes = session.classes();
        Table table = new Table()
                .line(
                        "method",
                        "rows",
                        "features",
                        classes ? "error" : "rmse",
                        "std. error",
                        "fit s",
                        "heap MB",
                        "predict us/row",
                        "model kB");
        for (ComparedMethod method : measured()) {
            table.line(
                    method.name(),
                    Text.count(method.trainRows()),
                    method.features() == 0 ? "-" : Text.count(method.features()),
                    Text.error(classes, method.errorOrRmse()),
                    standardError(method),
                    Text.of("%.2f", method.fitSeconds()),
                    Text.of("%,.0f", method.memoryBytes() * 1e-6),
                    Text.of("%.3g", method.predictSeconds() * 1e6),
                    Text.of("%,.1f", method.modelBytes() * 1e-3));
        }
        StringBuilder text = new StringBuilder(table.toString());
        methods.stream()
                .filter(method -> !method.measured())
                .forEach(method -> text.append("left out: ")
                        .append(method.name())
                        .append(": ")
                        .append(method.leftOut().orElse(""))
                        .append(System.lineSeparator()));
        return text.append(System.lineSeparator())
                .append(recommendation())
                .append(System.lineSeparator())
                .toString();
    }

    private List<ComparedMethod> measured() {
        return methods.stream().filter(ComparedMethod::measured).toList();
    }

    private String standardError(ComparedMethod method) {
        return session.classes()
                ? Text.of("%.2f%%", 100 * method.standardError())
                : Text.of("%.2g", method.standardError());
    }

    private Recommendation recommendation() {
        return new Recommendation(training, spelled.kernel(), session.classes(), methods);
    }

    Map<String, Object> toMap(List<Peer<?>> peers) {
        boolean classes = session.classes();
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("data", session.source().name());
        ComparedMethod constant = methods.get(0);
        map.put("rows", constant.trainRows());
        map.put("testRows", constant.testRows());
        map.put("columns", session.source().columns());
        map.put("task", session.task());
        map.put("kernel", spelled.kernel());
        map.put("seed", seed);
        map.put("seeds", seeds);
        map.put("peers", peers.stream().map(Peer::name).toList());
        List<Map<String, Object>> lines = new ArrayList<>();
        for (ComparedMethod method : methods) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("name", method.name());
            line.put("kind", method.kind());
            line.put("features", method.features());
            if (method.measured()) {
                line.put("rows", method.trainRows());
                line.put(classes ? "error" : "rmse", method.errorOrRmse());
                line.put("standardError", method.standardError());
                line.put("fitSeconds", method.fitSeconds());
                line.put("heapBytes", method.memoryBytes());
                line.put("predictSecondsPerRow", method.predictSeconds());
                line.put("modelBytes", method.modelBytes());
            }
            method.leftOut().ifPresent(reason -> line.put("leftOut", reason));
            lines.add(line);
        }
        map.put("methods", lines);
        map.put("interrupted", interrupted);
        ComparedMethod.best(methods).ifPresent(best -> map.put("best", best.name()));
        ComparedMethod.recommended(methods).ifPresent(chosen -> map.put("recommended", chosen.name()));
        map.put("recommendation", recommendation().toString());
        map.put("threads", session.workers().threads());
        map.put("seconds", seconds);
        map.put("peakMemoryBytes", Memory.peakBytes());
        map.put("notes", session.notes(List.of()));
        return map;
    }

    Chart chart() {
        return Chart.sideBySide(
                        "methods on " + session.source().name(),
                        panel("error against fit time", "fit time, s", ComparedMethod::fitSeconds),
                        panel("error against size", "model, bytes", method -> (double) method.modelBytes()))
                .withPanelSize(WIDTH, HEIGHT);
    }

    private Panel panel(String title, String x, ToDoubleFunction<ComparedMethod> cost) {
        boolean classes = session.classes();
        Panel panel = Panel.of(title, Axis.logarithmic(x), Axis.logarithmic(classes ? "error, %" : "rmse"));
        Map<String, List<ComparedMethod>> groups = new LinkedHashMap<>();
        for (ComparedMethod method : measured()) {
            // Peers have one kind and different names. Kernel machines of one kind differ in their number of features.
            String group = method.settings().isPresent() ? method.kind() : method.name();
            groups.computeIfAbsent(group, unused -> new ArrayList<>()).add(method);
        }
        for (Map.Entry<String, List<ComparedMethod>> group : groups.entrySet()) {
            Series.Style style = group.getValue().size() > 1 ? Series.Style.LINE : Series.Style.POINTS;
            panel = panel.with(Series.of(
                    style == Series.Style.LINE
                            ? group.getKey()
                            : group.getValue().get(0).name(),
                    style,
                    group.getValue(),
                    cost,
                    method -> (classes ? 100 : 1) * method.errorOrRmse()));
        }
        return panel;
    }
}
