package org.bochner.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bochner.base.DataException;

/** One pass over a CSV file: its rows, the kind of every column, and its labels. */
final class CsvSurvey {
    private CsvSurvey() {}

    /**
     * Reads the file.
     *
     * @param categorical the cells that hold categories whatever they look like
     */
    static Survey run(
            Input input,
            String channel,
            DataOptions options,
            TableShape shape,
            TableLayout layout,
            Set<Integer> categorical,
            LabelSurvey labels) {
        Survey.Digest digest = new Survey.Digest();
        try (CsvReader reader = new CsvReader(input.open(digest.digest()), shape.delimiter())) {
            if (layout.labels() > 0) {
                labels.begin(input.name(), layout.labelNames());
            }
            List<ColumnSurvey> columns = columns(options, shape, layout, categorical);
            if (shape.header()) {
                reader.next();
            }
            long rows = 0;
            while (reader.next()) {
                rows++;
                requireWidth(reader, shape);
                add(reader, shape, layout, columns, labels);
            }
            if (rows == 0) {
                throw DataException.in(input.name(), "has no rows" + (shape.header() ? " after its header" : ""));
            }
            List<ColumnEncoding> encodings =
                    columns.stream().map(ColumnSurvey::finish).toList();
            requireWidth(input.name(), encodings);
            return new Survey(
                    PartEncoding.table(channel, DataFormat.CSV, encodings, shape.header(), layout),
                    rows,
                    digest.identity(input, reader.feed, rows));
        }
    }

    private static List<ColumnSurvey> columns(
            DataOptions options, TableShape shape, TableLayout layout, Set<Integer> categorical) {
        boolean fill = options.missing() == DataOptions.Missing.MEAN;
        List<ColumnSurvey> columns = new ArrayList<>();
        for (int c = 0; c < layout.cells(); c++) {
            if (layout.feature(c) >= 0) {
                String name = shape.header() ? shape.names().get(c) : Integer.toString(c);
                columns.add(new ColumnSurvey(shape.file(), name, shape.name(c), fill, categorical.contains(c)));
            }
        }
        return columns;
    }

    private static void add(
            CsvReader reader, TableShape shape, TableLayout layout, List<ColumnSurvey> columns, LabelSurvey labels) {
        byte[] bytes = reader.feed.bytes;
        for (int c = 0; c < reader.count; c++) {
            int feature = layout.feature(c);
            if (feature >= 0) {
                columns.get(feature).add(bytes, reader.from[c], reader.to[c], reader.line);
            }
        }
        for (int j = 0; j < layout.labels(); j++) {
            int c = layout.label(j);
            labels.add(bytes, reader.from[c], reader.to[c], shape.file(), reader.line, shape.name(c));
        }
        if (layout.weight() >= 0) {
            CsvPart.weight(reader, layout.weight(), shape.name(layout.weight()), new Decimal());
        }
        if (layout.group() >= 0) {
            CsvPart.group(reader, layout.group(), shape.name(layout.group()));
        }
    }

    private static void requireWidth(String file, List<ColumnEncoding> columns) {
        long width = columns.stream().mapToLong(ColumnEncoding::width).sum();
        if (width > Integer.MAX_VALUE) {
            throw DataException.in(file, "its categories make " + width + " columns, more than can be held");
        }
    }

    /** Fails on a row with more or fewer cells than the first. */
    static void requireWidth(CsvReader reader, TableShape shape) {
        if (reader.count != shape.width()) {
            throw DataException.at(
                    shape.file(),
                    reader.line,
                    "expected " + shape.width() + (shape.width() == 1 ? " cell" : " cells") + ", found "
                            + reader.count);
        }
    }
}
