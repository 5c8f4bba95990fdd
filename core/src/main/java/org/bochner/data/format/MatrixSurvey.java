package org.bochner.data.format;

import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.bochner.base.DataException;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.DataFormat;
import org.bochner.data.DataIdentity;
import org.bochner.data.bytes.ByteFeed;
import org.bochner.data.bytes.Input;
import org.bochner.data.cell.Cell;
import org.bochner.data.cell.ColumnOrigin;
import org.bochner.data.cell.Notation;

/**
 * One pass over an NPY or IDX file, which checks that its values are finite and finds the replacements of missing
 * values and the labels.
 */
public final class MatrixSurvey {
    private MatrixSurvey() {}

    /** Returns the shape of the rows, read from the header. */
    static TableShape shape(Input input, DataFormat format) {
        MatrixHeader header = header(input, format, NpyHeader.LONGEST + 16);
        // The header is not trusted: nothing is allocated by its number of columns before a whole row was read.
        int firstRow = header.bytes() + header.rowBytes();
        if (firstRow < 0 || input.head(firstRow).bytes().length < firstRow) {
            throw input.problem("is cut off in row 1 of the " + header.rows() + " that its header announces");
        }
        return new TableShape(input.name(), header.columns(), List.of(), ',');
    }

    private static MatrixHeader header(Input input, DataFormat format, int look) {
        try (ByteFeed feed = new ByteFeed(input.name(), input.head(look).bytes())) {
            return MatrixReader.header(feed, format);
        }
    }

    static Survey run(DataTable table, TableShape shape, TableLayout layout, LabelSurvey labels) {
        Input input = table.input();
        MessageDigest digest = Survey.sha256();
        boolean fill = table.options().missingFilled;
        try (MatrixReader reader = new MatrixReader(input, table.format(), digest)) {
            requireNumbers(reader, layout);
            if (layout.labels() > 0) {
                labels.begin(input.name(), layout.labelNames());
            }
            double[] sums = new double[0];
            ColumnOrigin[] origins = new ColumnOrigin[0];
            long[] counts = new long[0];
            double[] last = new double[0];
            boolean[] counting = new boolean[0];
            while (reader.next()) {
                if (sums.length == 0) {
                    sums = new double[layout.cells()];
                    counts = new long[layout.cells()];
                    origins = new ColumnOrigin[layout.cells()];
                    Arrays.setAll(origins, c -> new ColumnOrigin());
                    last = new double[layout.cells()];
                    counting = new boolean[layout.cells()];
                    Arrays.fill(counting, true);
                }
                for (int c = 0; c < sums.length; c++) {
                    // Arrays of text can only be labels and have no numbers.
                    if (layout.feature(c) >= 0 && !(fill && Double.isNaN(reader.values[c]))) {
                        check(reader, c, reader.values[c], ColumnSurvey.MARKED);
                        sums[c] += reader.values[c];
                        origins[c].add(reader.values[c]);
                        counting[c] &= counts[c] == 0 || reader.values[c] == last[c] + 1;
                        last[c] = reader.values[c];
                        counts[c]++;
                    }
                }
                for (int j = 0; j < layout.labels(); j++) {
                    label(reader, j, layout.label(j), labels, shape);
                }
                if (layout.rowWeight() >= 0) {
                    MatrixPart.weight(reader, layout.rowWeight());
                }
                if (layout.group() >= 0) {
                    MatrixPart.group(reader, layout.group());
                }
                if (layout.set() >= 0) {
                    MatrixPart.set(reader, layout.set());
                }
            }
            List<ColumnEncoding> columns = new ArrayList<>();
            Notes notes = new Notes();
            MissingCells missingCells = new MissingCells(reader.row);
            for (int c = 0; c < layout.cells(); c++) {
                if (layout.feature(c) >= 0) {
                    if (counts[c] == 0) {
                        throw input.problem(
                                "column " + shape.name(c) + " has no value in any row",
                                Remedy.set(Setting.IGNORED, Integer.toString(c), "leaves it out"));
                    }
                    origins[c].note(shape.name(c), notes);
                    boolean missing = counts[c] < reader.row;
                    if (counting[c] && !missing && counts[c] >= ColumnSurvey.FEWEST_COUNTED) {
                        ColumnSurvey.noteCounting(shape.name(c), Integer.toString(c), notes);
                    }
                    ColumnEncoding column = ColumnEncoding.ofNumbers(
                                    Integer.toString(c), sums[c] / counts[c], Notation.PLAIN, origins[c].value())
                            .withIndicator(table.options().missingIndicators && missing);
                    missingCells.add(shape.name(c), reader.row - counts[c], "", column);
                    columns.add(column);
                }
            }
            missingCells.note(notes);
            PartEncoding encoding = PartEncoding.table(table.channel(), table.format(), columns, layout);
            DataIdentity.File identity = Survey.identity(input, reader.disk, reader.row, digest);
            return new Survey(encoding, reader.row, identity, null, notes.list());
        }
    }

    private static void label(MatrixReader reader, int j, int cell, LabelSurvey labels, TableShape shape) {
        if (reader.header.type().text()) {
            ByteFeed text = reader.text(cell);
            labels.add(new Cell(text, 0, text.limit, reader.row, shape.name(cell)), j);
        } else {
            labels.add(reader.values[cell], shape.file(), reader.row);
        }
    }

    /** Fails if an array of text has columns that are not labels. */
    static void requireNumbers(MatrixReader reader, TableLayout layout) {
        if (reader.header.type().text() && (layout.labels() < layout.cells() || layout.rowWeight() >= 0)) {
            throw DataException.in(
                    reader.feed.name(),
                    "holds text, which can be labels but not columns",
                    Remedy.set(Setting.LABELS_FILE, "reads labels"),
                    Remedy.advice("save numbers with array.astype(numpy.float32)"));
        }
    }

    /**
     * Fails if a value is outside the range of float32.
     *
     * @param more what else users can do about a missing value
     */
    static void check(MatrixReader reader, int cell, double value, Remedy... more) {
        if (!(Math.abs((float) value) <= Float.MAX_VALUE)) {
            String place = reader.feed.name() + ": row " + reader.row + ", column " + cell + " (from 0)";
            throw Double.isNaN(value)
                    ? DataException.in(
                            place,
                            "the value is NaN",
                            Stream.concat(
                                            Stream.of(Remedy.set(Setting.MISSING, "fills in the column's mean")),
                                            Stream.of(more))
                                    .toArray(Remedy[]::new))
                    : DataException.in(place, "the value must be finite and within ±3.4e38 (float32), got " + value);
        }
    }
}
