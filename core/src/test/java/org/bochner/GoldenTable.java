package org.bochner;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A table of reference values: provenance in lines that start with '#', then a header, then rows. */
public final class GoldenTable {
    private GoldenTable() {}

    /** The rows of {@code golden/<name>} among the test resources, each from column name to text. */
    public static List<Map<String, String>> read(String name) {
        try (InputStream in = GoldenTable.class.getResourceAsStream("/golden/" + name)) {
            if (in == null) {
                throw new IllegalArgumentException("no golden table " + name);
            }
            List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .toList();
            String[] header = lines.get(0).split(",", -1);
            List<Map<String, String>> rows = new ArrayList<>();
            for (String line : lines.subList(1, lines.size())) {
                String[] cells = line.split(",", -1);
                Map<String, String> row = new LinkedHashMap<>();
                for (int j = 0; j < header.length; j++) {
                    row.put(header[j], cells[j]);
                }
                rows.add(row);
            }
            return rows;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The text of a cell. */
    public static String text(Map<String, String> row, String column) {
        return Objects.requireNonNull(row.get(column), column);
    }

    /** The number of a cell. */
    public static double number(Map<String, String> row, String column) {
        return Double.parseDouble(text(row, column));
    }

    /** The numbers of a cell, which spaces separate. */
    public static double[] numbers(Map<String, String> row, String column) {
        return Arrays.stream(text(row, column).split(" ", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }
}
