package org.bochner.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bochner.tune.LearnedKernel;

/**
 * What a model looks at: the columns and directions along which its scores change most, from the average gradient outer
 * product.
 *
 * @param columns all columns, the largest share first
 * @param directions the leading eigenvectors, the largest share first
 */
record GradientFindings(List<Part> columns, List<Direction> directions) {
    private static final int MOST_COLUMNS = 10;
    private static final int MOST_DIRECTIONS = 5;
    private static final int MOST_WEIGHTS = 5;

    /** Weights below this share of the largest are not shown. */
    private static final double LEAST = 0.01;

    /** A column and its share of the trace, or its weight in a direction. */
    record Part(String column, double number) {}

    /** A direction, its share of the trace, and the columns with the largest weights. */
    record Direction(double share, List<Part> parts) {}

    /** Returns the findings of the gradients of a model with columns of these names. */
    static GradientFindings of(List<String> names, LearnedKernel.Gradients gradients) {
        List<Part> columns = parts(names, gradients.shares())
                .sorted(Comparator.comparingDouble(Part::number).reversed())
                .toList();
        List<Direction> directions = gradients.directions().stream()
                .limit(MOST_DIRECTIONS)
                .map(direction -> new Direction(direction.share(), largest(names, direction.weights())))
                .toList();
        return new GradientFindings(columns, directions);
    }

    private static Stream<Part> parts(List<String> names, List<Double> numbers) {
        return IntStream.range(0, numbers.size()).mapToObj(l -> new Part(names.get(l), numbers.get(l)));
    }

    /** Returns the largest weights of a direction. */
    private static List<Part> largest(List<String> names, List<Double> weights) {
        List<Part> parts = parts(names, weights)
                .sorted(Comparator.comparingDouble((Part part) -> Math.abs(part.number))
                        .reversed())
                .limit(MOST_WEIGHTS)
                .toList();
        double first = parts.get(0).number;
        return parts.stream()
                .filter(part -> Math.abs(part.number) >= LEAST * first)
                .toList();
    }

    /** Returns a table of columns and one of directions; empty if there are none. */
    String text() {
        if (columns.isEmpty()) {
            return "";
        }
        Table table = new Table().line("the model looks at", "share");
        columns.stream()
                .limit(MOST_COLUMNS)
                .forEach(part -> table.line(part.column, Text.of("%.1f%%", 100 * part.number)));
        Table lines = new Table().line("direction", "share", "weights of the columns");
        for (Direction direction : directions) {
            lines.line(
                    Integer.toString(directions.indexOf(direction) + 1),
                    Text.of("%.1f%%", 100 * direction.share),
                    direction.parts.stream()
                            .map(part -> Text.of("%.2f %s", part.number, part.column))
                            .collect(Collectors.joining(", ")));
        }
        String more = columns.size() > MOST_COLUMNS
                ? Text.of("%,d more columns with smaller shares; --json lists all.%n", columns.size() - MOST_COLUMNS)
                : "";
        return table
                + more
                + Text.of(
                        "The share of a column is that of its squared derivatives of the model's scores; directions are"
                                + " eigenvectors of the average gradient outer product. Both are in units of the scaled columns.%n%n")
                + lines
                + System.lineSeparator();
    }

    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("columns", columns.stream().map(part -> toMap(part, "share")).toList());
        List<Map<String, Object>> lines = new ArrayList<>();
        for (Direction direction : directions) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("share", direction.share);
            line.put(
                    "columns",
                    direction.parts.stream().map(part -> toMap(part, "weight")).toList());
            lines.add(line);
        }
        map.put("directions", lines);
        return map;
    }

    private static Map<String, Object> toMap(Part part, String key) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("column", part.column);
        map.put(key, part.number);
        return map;
    }
}
