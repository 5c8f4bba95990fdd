package org.bochner.cli;

import java.util.ArrayList;
import java.util.List;

/** A table of text with aligned columns: the first to the left, the others to the right unless all are to the left. */
final class Table {
    private final List<String[]> lines = new ArrayList<>();

    private boolean left;

    /** Aligns all columns to the left; returns this table. */
    Table leftAligned() {
        left = true;
        return this;
    }

    Table line(String... cells) {
        lines.add(cells);
        return this;
    }

    @Override
    public String toString() {
        int columns = lines.stream().mapToInt(cells -> cells.length).max().orElse(0);
        int[] widths = new int[columns];
        for (String[] cells : lines) {
            for (int c = 0; c < cells.length; c++) {
                widths[c] = Math.max(widths[c], cells[c].length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (String[] cells : lines) {
            StringBuilder line = new StringBuilder();
            for (int c = 0; c < cells.length; c++) {
                String space = " ".repeat(widths[c] - cells[c].length());
                line.append(c == 0 ? "" : "  ").append(c == 0 || left ? cells[c] + space : space + cells[c]);
            }
            text.append(line.toString().stripTrailing()).append(System.lineSeparator());
        }
        return text.toString();
    }
}
