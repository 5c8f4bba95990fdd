package org.bochner.data.format;

import java.security.MessageDigest;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.bochner.base.DataException;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.DataFormat;
import org.bochner.data.DataIdentity;
import org.bochner.data.bytes.Input;
import org.bochner.data.cell.Decimal;
import org.bochner.data.cell.DecimalRule;

/** One pass over a CSV file, which finds its rows, the kind of every column, and its labels. */
public final class CsvSurvey {
    private static final int MOST_NAMES = 5;

    private CsvSurvey() {}

    /**
     * Reads the file.
     *
     * @param categorical the cells that the user says hold categories
     * @param texts the cells that the user says hold texts
     */
    static Survey run(
            DataTable table,
            TableShape shape,
            TableLayout layout,
            Set<Integer> categorical,
            Set<Integer> texts,
            LabelSurvey labels) {
        Input input = table.input();
        DataSettings options = table.options();
        MessageDigest digest = Survey.sha256();
        try (CsvReader reader = new CsvReader(input.open(digest), shape.delimiter())) {
            if (layout.labels() > 0) {
                labels.begin(input.name(), layout.labelNames());
            }
            ColumnSurvey.Shared shared = new ColumnSurvey.Shared(shape, options);
            List<ColumnSurvey> columns = IntStream.range(0, layout.cells())
                    .filter(c -> layout.feature(c) >= 0)
                    .mapToObj(c -> new ColumnSurvey(
                            shared, c, categorical.contains(c), texts.contains(c) ? options.textFeatures : null))
                    .toList();
            begin(reader, shape);
            List<String> labelColumns =
                    layout.labelPlaces().stream().map(shape::name).toList();
            Decimal weights = new Decimal();
            long rows = 0;
            while (reader.next()) {
                rows++;
                requireCells(reader, shape);
                add(reader, layout, columns, labels, labelColumns);
                if (layout.group() >= 0) {
                    CsvPart.group(reader, layout.group(), shape.name(layout.group()));
                }
                if (layout.set() >= 0) {
                    CsvPart.set(reader, layout.set(), shape.name(layout.set()));
                }
                if (layout.rowWeight() >= 0) {
                    CsvPart.weight(
                            reader, layout.rowWeight(), shape.name(layout.rowWeight()), weights, options.decimal);
                }
            }
            if (rows == 0) {
                throw input.problem("has no rows" + (shape.header() ? " after its header" : ""));
            }
            Notes notes = new Notes();
            notes.addAll(shape.notes());
            TableLayout kept = withoutIdentifiers(shape, layout, columns, rows, notes);
            DecimalRule rule = rule(options, shape, columns, labels);
            if (layout.labels() > 0) {
                labels.decide(rule);
            }
            MissingCells missing = new MissingCells(rows);
            List<ColumnEncoding> encodings = columns.stream()
                    .filter(column -> kept.feature(column.cell()) >= 0)
                    .map(column -> column.finish(rule, notes, missing))
                    .toList();
            requireColumns(input.name(), encodings);
            missing.note(notes);
            noteConstants(shape, columns, notes);
            PartEncoding encoding = PartEncoding.table(table.channel(), DataFormat.CSV, encodings, kept);
            DataIdentity.File identity = Survey.identity(input, reader.feed, rows, digest);
            return new Survey(encoding, rows, identity, kept, notes.list());
        }
    }

    private static void add(
            CsvReader reader,
            TableLayout layout,
            List<ColumnSurvey> columns,
            LabelSurvey labels,
            List<String> labelColumns) {
        for (int c = 0; c < reader.count; c++) {
            int feature = layout.feature(c);
            if (feature >= 0) {
                columns.get(feature).add(reader.feed, reader.from[c], reader.to[c], reader.line);
            }
        }
        for (int j = 0; j < layout.labels(); j++) {
            labels.add(reader.cell(layout.label(j), labelColumns.get(j)), j);
        }
    }

    /** Returns the rule for the decimal sign that the numbers of all columns give. */
    private static DecimalRule rule(
            DataSettings options, TableShape shape, List<ColumnSurvey> columns, LabelSurvey labels) {
        return new DecimalRule(
                options.decimal,
                shape.delimiter() == ',',
                columns.stream().anyMatch(ColumnSurvey::sureOfComma) || labels.sureOfComma(),
                columns.stream().anyMatch(ColumnSurvey::sureOfPoint) || labels.sureOfPoint());
    }

    /** Leaves out columns of identifiers, names or free text, and adds a note for each. */
    private static TableLayout withoutIdentifiers(
            TableShape shape, TableLayout layout, List<ColumnSurvey> columns, long rows, Notes notes) {
        Set<Integer> cells = new TreeSet<>();
        for (ColumnSurvey column : columns) {
            if (column.identifiers()) {
                cells.add(column.cell());
                String name = shape.plainName(column.cell());
                notes.data(
                        "column " + shape.name(column.cell()) + " is left out: it has " + column.categoriesInWords()
                                + " different texts in " + rows + " rows, as identifiers and free text have",
                        Remedy.set(Setting.TEXT, name, "counts their words"),
                        Remedy.set(Setting.CATEGORICAL, name, "makes categories of them"),
                        Remedy.set(Setting.IGNORED, name, "leaves it out without this note"));
            }
        }
        if (!cells.isEmpty() && cells.size() == columns.size()) {
            int first = cells.iterator().next();
            throw shape.problem(
                    "no column is left to learn from: " + shape.name(first)
                            + (cells.size() == 1 ? " has" : " and the others have")
                            + " nearly as many different texts as rows",
                    Remedy.set(Setting.TEXT, shape.plainName(first), "counts their words"),
                    Remedy.set(Setting.CATEGORICAL, shape.plainName(first), "makes categories of them"));
        }
        return cells.isEmpty() ? layout : layout.without(cells);
    }

    /**
     * Notes the columns of one value, if they have names: columns without names are often pixels, of which some are always
     * 0.
     */
    private static void noteConstants(TableShape shape, List<ColumnSurvey> columns, Notes notes) {
        List<String> names = columns.stream()
                .filter(column -> shape.header() && column.constant())
                .map(column -> shape.plainName(column.cell()))
                .toList();
        if (!names.isEmpty()) {
            int shown = Math.min(names.size(), MOST_NAMES);
            notes.data(
                    (names.size() == 1 ? "column '" : "columns '") + String.join("', '", names.subList(0, shown)) + "'"
                            + (names.size() > shown ? " and " + (names.size() - shown) + " more have" : "")
                            + (names.size() > shown ? "" : names.size() == 1 ? " has" : " have")
                            + " one value in all rows, from which nothing can be learned",
                    names.size() == 1
                            ? Remedy.set(Setting.IGNORED, names.get(0), "leaves it out")
                            : Remedy.set(Setting.IGNORED, "leaves them out"));
        }
    }

    private static void requireColumns(String file, List<ColumnEncoding> columns) {
        long total = columns.stream().mapToLong(ColumnEncoding::columns).sum();
        if (total > Integer.MAX_VALUE) {
            throw DataException.in(file, "its categories and texts make " + total + " columns, more than can be held");
        }
    }

    /** Goes to the first row. */
    static void begin(CsvReader reader, TableShape shape) {
        if (shape.header()) {
            reader.next();
        }
        if (shape.cells() == 1) {
            reader.keepBlankLines();
        }
    }

    /** Fails if a row has more or fewer cells than the first. */
    static void requireCells(CsvReader reader, TableShape shape) {
        if (reader.count != shape.cells()) {
            throw reader.problem(
                    "expected " + shape.cells() + (shape.cells() == 1 ? " cell" : " cells") + ", found " + reader.count
                            + " between the separators " + reader.separator(),
                    Remedy.set(Setting.DELIMITER, "sets another separator"),
                    Remedy.set(Setting.FORMAT, "sets another format"));
        }
    }
}
