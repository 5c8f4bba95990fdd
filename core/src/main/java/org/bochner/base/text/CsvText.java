package org.bochner.base.text;

/** Writes cells as CSV text (RFC 4180). */
public final class CsvText {
    private CsvText() {}

    /** Returns a cell in quotes if its text holds the delimiter, a quote or a line end, or starts or ends with a blank. */
    public static String quoted(String cell, char delimiter) {
        boolean plain = cell.chars().noneMatch(c -> c == delimiter || c == '"' || c == '\n' || c == '\r')
                && cell.strip().equals(cell);
        return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }
}
