package org.bochner.data.format;

import java.util.List;
import org.bochner.base.Require;
import org.bochner.base.text.CsvText;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.cell.Decimal;

/** Writes CSV text with a header; labels are the last columns. */
final class CsvWriter extends TextWriter {
    private final char delimiter;
    private final double[] row;

    CsvWriter(List<String> columnNames, Labels labels, char delimiter, TargetFile file) {
        super(columnNames.size(), labels, file);
        this.delimiter = delimiter;
        this.row = new double[columns];
        String separator = "";
        for (String name : columnNames) {
            // Readers recognise a header by the absence of numbers.
            add(separator).add(quoted(Double.isNaN(Decimal.of(name)) ? name : "x" + name));
            separator = String.valueOf(delimiter);
        }
        if (labels instanceof Labels.Numbers numbers) {
            for (String name : numbers.names()) {
                add(delimiter).add(quoted(Double.isNaN(Decimal.of(name)) ? name : "y" + name));
            }
        } else if (labels.targets() > 0) {
            add(delimiter).add("label");
        }
        endRow();
    }

    private String quoted(String cell) {
        return CsvText.quoted(cell, delimiter);
    }

    @Override
    public void write(RowBlock block) {
        Require.sameSize("CSV writer", "number of columns", block.columns(), columns);
        for (int i = 0; i < block.rows(); i++) {
            block.copyRow(i, row);
            for (int j = 0; j < columns; j++) {
                if (j > 0) {
                    add(delimiter);
                }
                add((float) row[j]);
            }
            for (int j = 0; j < labels.targets(); j++) {
                add(delimiter);
                label(block.targets() == 0 ? Double.NaN : block.target(i, j));
            }
            endRow();
        }
    }

    /** Writes a label; an unknown one is an empty cell. */
    private void label(double target) {
        if (Double.isNaN(target)) {
            return;
        }
        if (labels instanceof Labels.Classes classes) {
            add(quoted(classes.names().get((int) target)));
        } else {
            add(target);
        }
    }
}
