package org.bochner.data.format;

import java.util.List;
import java.util.StringJoiner;
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
        super(columnNames.size(), labels, name -> CsvText.quoted(name, delimiter), file);
        this.delimiter = delimiter;
        this.row = new double[columns];
        StringJoiner header = new StringJoiner(String.valueOf(delimiter));
        columnNames.forEach(name -> header.add(named("x", name)));
        if (labels instanceof Labels.Numbers numbers) {
            numbers.names().forEach(name -> header.add(named("y", name)));
        } else if (labels.targets() > 0) {
            header.add("label");
        }
        text.append(header);
        endRow();
    }

    /** Returns a name for the header. Readers recognise a header by the absence of numbers. */
    private String named(String prefix, String name) {
        return CsvText.quoted(Double.isNaN(Decimal.of(name)) ? name : prefix + name, delimiter);
    }

    @Override
    public void write(RowBlock block) {
        Require.sameSize("CSV writer", "number of columns", block.columns(), columns);
        for (int i = 0; i < block.rows(); i++) {
            block.copyRow(i, row);
            for (int j = 0; j < columns; j++) {
                if (j > 0) {
                    text.append(delimiter);
                }
                add((float) row[j]);
            }
            for (int j = 0; j < labels.targets(); j++) {
                text.append(delimiter);
                // An unknown label is an empty cell.
                addLabel(block, i, j, "");
            }
            endRow();
        }
    }
}
