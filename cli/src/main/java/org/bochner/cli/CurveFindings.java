package org.bochner.cli;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.bochner.base.AtomicFile;
import org.bochner.base.Spelling;
import org.bochner.data.FileSource;
import org.bochner.model.AdditiveCurves;
import org.jspecify.annotations.Nullable;

/**
 * The results of the curves command.
 *
 * @param path the file of the model
 * @param source the rows that importance was measured on; null if there were none
 * @param columns the columns to show, the most important first
 * @param top the number of columns to print and to plot; null for the usual number
 */
record CurveFindings(
        Path path,
        @Nullable FileSource source,
        AdditiveCurves curves,
        List<Integer> columns,
        @Nullable Integer top) {
    private static final int PRINTED = 20;

    /** Returns the first columns, at most the usual number unless another is given. */
    List<Integer> first(int usual) {
        return columns.subList(0, Math.min(columns.size(), top == null ? usual : top));
    }

    String table() {
        Table table = new Table().line("column", "importance", "from", "to", "lowest", "highest");
        for (int column : first(PRINTED)) {
            double[] knots = curves.knots(column);
            double[] ends = ends(column, knots);
            table.line(
                    Spelling.line(curves.name(column)),
                    Text.number(curves.importance(column)),
                    knots.length == 0 ? "" : Text.number(curves.unscaled(column, knots[0])),
                    knots.length == 0 ? "" : Text.number(curves.unscaled(column, knots[knots.length - 1])),
                    Text.number(ends[0]),
                    Text.number(ends[1]));
        }
        return table
                + Text.of(
                        "%s of %s; importance: standard deviation of the contribution over %s%nintercept: %s%n",
                        Text.count(first(PRINTED).size(), "curve"),
                        Text.count(curves.columns().size()),
                        source == null ? "the knots of the column" : Text.count(curves.rows(), "row"),
                        Arrays.stream(intercepts()).mapToObj(Text::number).collect(Collectors.joining(", ")));
    }

    private double[] intercepts() {
        return curves.model().intercepts();
    }

    private static String cells(double[] numbers) {
        return Arrays.stream(numbers).mapToObj(number -> "," + number).collect(Collectors.joining());
    }

    /** Returns the values at which a curve is shown: its knots, or 0 and 1 if it has none, as a straight line. */
    double[] values(int column) {
        double[] knots = curves.knots(column);
        return knots.length == 0 ? new double[] {0, 1} : knots;
    }

    /** Returns the lowest and the highest contribution over the knots and outputs. */
    private double[] ends(int column, double[] knots) {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (double knot : knots.length == 0 ? new double[] {0} : knots) {
            for (double value : curves.at(column, knot)) {
                low = Math.min(low, value);
                high = Math.max(high, value);
            }
        }
        return new double[] {low, high};
    }

    void writeCsv(Path file) {
        try (AtomicFile output = AtomicFile.create(file)) {
            Writer writer = new BufferedWriter(new OutputStreamWriter(output.stream(), StandardCharsets.UTF_8));
            List<String> header = new ArrayList<>(List.of("column", "value"));
            header.addAll(curves.outputs());
            writer.write(header.stream().map(Text::csvCell).collect(Collectors.joining(",")) + "\n");
            writer.write("(intercept)," + cells(intercepts()) + "\n");
            for (int column : columns) {
                for (double value : values(column)) {
                    writer.write(Text.csvCell(curves.name(column)) + "," + curves.unscaled(column, value)
                            + cells(curves.at(column, value)) + "\n");
                }
            }
            writer.flush();
            output.commit();
        } catch (IOException e) {
            throw AtomicFile.unwritable(file.toString(), e);
        }
    }

    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("model", path.toString());
        map.put("data", source == null ? null : source.name());
        map.put("rows", curves.rows());
        map.put("form", curves.form());
        map.put("outputs", curves.outputs());
        map.put("intercepts", Arrays.stream(intercepts()).boxed().toList());
        map.put("curves", columns.stream().map(this::toMap).toList());
        return map;
    }

    private Map<String, Object> toMap(int column) {
        Map<String, Object> map = new LinkedHashMap<>();
        double[] knots = values(column);
        map.put("column", curves.name(column));
        map.put("index", column);
        map.put("importance", curves.importance(column));
        map.put(
                "values",
                Arrays.stream(knots)
                        .mapToObj(value -> curves.unscaled(column, value))
                        .toList());
        List<List<Double>> contributions = new ArrayList<>();
        for (int o = 0; o < curves.outputs().size(); o++) {
            int output = o;
            contributions.add(Arrays.stream(knots)
                    .mapToObj(value -> curves.at(column, value)[output])
                    .toList());
        }
        map.put("contributions", contributions);
        return map;
    }
}
