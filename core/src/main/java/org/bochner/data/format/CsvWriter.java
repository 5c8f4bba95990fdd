package org.bochner.data.format;

import java.util.List;
import org.bochner.base.Require;
import org.bochner.base.text.CsvText;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowWriter;
import org.bochner.data.cell.Decimal;

/** Writes CSV text with a header; labels are the last columns. */
public final class CsvWriter implements RowWriter {
    private final int columns;
    private final Labels labels;
    private final char delimiter;
    private final TargetFile file;
    private final TextRows text;
    private final double[] row;

    CsvWriter(List<String> columnNames, Labels labels, char delimiter, TargetFile file) {
        this.columns = columnNames.size();
        this.labels = labels;
        this.delimiter = delimiter;
        this.file = file;
        this.text = new TextRows(file);
        this.row = new double[columns];
        String separator = "";
        for (String name : columnNames) {
            // Readers recognise a header by the absence of numbers.
            text.add(separator).add(quoted(Double.isNaN(Decimal.of(name)) ? name : "x" + name));
            separator = String.valueOf(delimiter);
        }
        if (labels instanceof Labels.Numbers numbers) {
            for (String name : numbers.names()) {
                text.add(delimiter).add(quoted(Double.isNaN(Decimal.of(name)) ? name : "y" + name));
            }
        } else if (labels.targets() > 0) {
            text.add(delimiter).add("label");
        }
        text.endRow();
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
                    text.add(delimiter);
                }
                text.add((float) row[j]);
            }
            for (int j = 0; j < labels.targets(); j++) {
                text.add(delimiter);
                label(block.targets() == 0 ? Double.NaN : block.target(i, j));
            }
            text.endRow();
        }
    }

    /** Writes a label; an unknown one is an empty cell. */
    private void label(double target) {
        if (Double.isNaN(target)) {
            return;
        }
        if (labels instanceof Labels.Classes classes) {
            text.add(quoted(classes.names().get((int) target)));
        } else {
            text.add(target);
        }
    }

    @Override
    public void finish() {
        text.flush();
        file.finish(new byte[0]);
    }

    @Override
    public void close() {
        file.close();
    }
}
