package org.bochner.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.bochner.cli.plot.Axis;
import org.bochner.cli.plot.Chart;
import org.bochner.cli.plot.Panel;
import org.bochner.cli.plot.Series;
import org.bochner.model.ComparedMethod;
import org.bochner.model.Peer;
import org.jspecify.annotations.Nullable;

/**
 * Prints a comparison of methods.
 *
 * @param spelled the kernel and the scaling
 * @param training the words of a command that trains on DATA
 * @param seconds the time of the whole comparison
 */
record CompareFindings(
        Session session,
        Spelled spelled,
        List<String> training,
        long seed,
        int seeds,
        List<ComparedMethod> methods,
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

    /** Returns the recommendation in words. */
    private String recommendation() {
        List<ComparedMethod> near = ComparedMethod.nearBest(methods);
        Optional<ComparedMethod> lowest = ComparedMethod.best(methods);
        if (near.isEmpty() || lowest.isEmpty()) {
            return "No method could be trained.";
        }
        ComparedMethod best = lowest.get();
        ComparedMethod chosen = near.get(0);
        StringBuilder text = new StringBuilder("Recommended: " + chosen.name() + ".");
        String error = Text.error(session.classes(), chosen.errorOrRmse());
        if (near.size() == 1) {
            text.append(" Its ")
                    .append(measure())
                    .append(", ")
                    .append(error)
                    .append(", is the lowest, and no other method is within one standard error of it.");
        } else if (chosen.equals(best)) {
            text.append(" Its ")
                    .append(measure())
                    .append(", ")
                    .append(error)
                    .append(", is the lowest, and its model is the smallest of the ")
                    .append(near.size())
                    .append(" methods within one standard error of it.");
        } else {
            text.append(" Its ")
                    .append(measure())
                    .append(", ")
                    .append(error)
                    .append(", is within one standard error of the lowest, ")
                    .append(Text.error(session.classes(), best.errorOrRmse()))
                    .append(" of ")
                    .append(best.name())
                    .append(", and its model is the smallest of the ")
                    .append(near.size())
                    .append(" methods that are.");
        }
        near.stream()
                .min(Comparator.comparingDouble(ComparedMethod::fitSeconds))
                .filter(fastest -> fastest.fitSeconds() < chosen.fitSeconds() / 2)
                .ifPresent(fastest -> text.append(Text.of(
                        " The fastest fit among them is %s: %.2f s instead of %.2f s.",
                        fastest.name(), fastest.fitSeconds(), chosen.fitSeconds())));
        String command = command(chosen);
        return command == null ? text.toString() : text + System.lineSeparator() + "Train it on all rows: " + command;
    }

    private String measure() {
        return session.classes() ? "error" : "rmse";
    }

    /** Returns the command that trains a method of this program; null for others. */
    private @Nullable String command(ComparedMethod method) {
        List<String> words = new ArrayList<>(training);
        if (method.kind().equals("linear")) {
            words.addAll(List.of("--kernel", "linear"));
            if (spelled.scale() == null && !session.source().sparse()) {
                words.addAll(List.of("--scale", "standard"));
            }
        } else if (!spelled.kernel().equals(Recipes.DEFAULT_KERNEL)) {
            words.addAll(List.of("--kernel", spelled.kernel()));
        }
        switch (method.kind()) {
            case "linear", "default" -> {}
            case "map" -> words.addAll(List.of("--features", Integer.toString(method.features())));
            case "landmarks" ->
                words.addAll(List.of("--map", "landmarks(features=" + method.features() + ", by=k-means)"));
            case "exact" -> words.addAll(List.of("--map", "none"));
            default -> {
                return null;
            }
        }
        words.addAll(List.of("--model", "FILE"));
        return words.stream().map(Text::quoted).collect(Collectors.joining(" "));
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
        ComparedMethod.best(methods).ifPresent(best -> map.put("best", best.name()));
        ComparedMethod.recommended(methods).ifPresent(chosen -> map.put("recommended", chosen.name()));
        map.put("recommendation", recommendation());
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
            String group =
                    switch (method.kind()) {
                        case "map" -> "default map";
                        case "landmarks" -> "landmarks";
                        default -> method.name();
                    };
            groups.computeIfAbsent(group, unused -> new ArrayList<>()).add(method);
        }
        for (Map.Entry<String, List<ComparedMethod>> group : groups.entrySet()) {
            Series.Style style = group.getValue().size() > 1 ? Series.Style.LINE : Series.Style.POINTS;
            panel = panel.with(Series.of(
                    group.getKey(),
                    style,
                    group.getValue(),
                    cost,
                    method -> (classes ? 100 : 1) * method.errorOrRmse()));
        }
        return panel;
    }
}
