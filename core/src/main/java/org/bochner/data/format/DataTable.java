package org.bochner.data.format;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bochner.base.DataException;
import org.bochner.data.DataFormat;
import org.bochner.data.Encoding;
import org.bochner.data.bytes.Input;
import org.jspecify.annotations.Nullable;

/** A file of a known format and, if it is a table, of a known shape. It can be surveyed or matched to an encoding. */
public record DataTable(
        Input input,
        String channel,
        DataFormat format,
        DataSettings options,
        @Nullable TableShape shape) {
    private DataTable(Input input, String channel, DataFormat format, DataSettings options, CsvHeader header) {
        this(
                input,
                channel,
                format,
                options,
                switch (format) {
                    case LIBSVM -> null;
                    case CSV -> CsvShape.of(input, options, header);
                    default -> MatrixSurvey.shape(input, format);
                });
    }

    /** Creates a file to survey. */
    public static DataTable of(Input input, String channel, DataSettings options) {
        DataFormat format = FormatFinder.find(input, options.format, options.charset);
        return new DataTable(input, channel, format, options, CsvHeader.training(known(options)));
    }

    /** Creates a file to match to an encoding, whose names its header may have. */
    public static DataTable of(Input input, PartEncoding part, DataSettings options) {
        DataFormat format = FormatFinder.find(input, options.format, options.charset);
        List<String> names =
                part.named() ? part.columns().stream().map(ColumnEncoding::name).toList() : List.of();
        Set<String> known = known(options);
        known.addAll(part.layout().names());
        return new DataTable(input, part.channel(), format, options, CsvHeader.later(known, names));
    }

    /**
     * Creates a file of labels, which is never LIBSVM and whose delimiter and header are detected.
     *
     * @param options the options of the data
     */
    public static DataTable ofLabels(Input input, DataSettings options) {
        DataFormat found = FormatFinder.find(input, DataFormat.AUTO, options.charset);
        DataFormat format = found == DataFormat.LIBSVM ? DataFormat.CSV : found;
        DataSettings own = new DataSettings();
        own.decimal = options.decimal;
        return new DataTable(input, "", format, own, CsvHeader.labels(known(options)));
    }

    /** Returns the names in the options; a first line that holds one of them is a header. */
    private static Set<String> known(DataSettings options) {
        Set<String> known = new HashSet<>(options.categorical);
        if (LabelChoice.of(options) instanceof LabelChoice.Columns label) {
            known.addAll(label.parts());
        }
        if (options.rowWeight != null) {
            known.add(options.rowWeight);
        }
        known.addAll(options.text);
        known.addAll(options.ignored);
        known.addAll(options.carried);
        if (options.group != null) {
            known.add(options.group);
        }
        if (options.set != null) {
            known.add(options.set);
        }
        known.removeAll(Set.of("", TableLayout.FIRST, TableLayout.LAST));
        return known;
    }

    public String file() {
        return input.name();
    }

    public List<String> names() {
        return shape == null ? List.of() : shape.names();
    }

    /** Returns the index of the cell with a name or index; fails with a list of the names if there is none. */
    public int cell(String what, String name) {
        if (shape == null) {
            throw input.problem("a LIBSVM file has no " + what + " column '" + name
                    + "'; save the data as CSV or NPY, which have" + " columns");
        }
        return TableLayout.find(shape, what, name);
    }

    /** Surveys the file and adds the part that reads it. */
    public Survey survey(
            LabelChoice label,
            @Nullable String weight,
            @Nullable String group,
            @Nullable String set,
            LabelSurvey labels,
            List<Part> parts) {
        if (shape == null) {
            if (group != null) {
                cell("group", group);
            }
            if (set != null) {
                cell("set", set);
            }
            requireLibsvmLabel(label);
            if (weight != null) {
                cell("weight", weight);
            }
            boolean labelled = label != LabelChoice.Word.NONE;
            Survey survey = LibsvmSurvey.run(this, labelled, labels);
            PartEncoding encoding = survey.encoding();
            parts.add(new LibsvmPart(input, encoding, encoding.base(), labelled ? 1 : 0));
            return survey;
        }
        Set<Integer> ignored = cells(shape, "ignored", options.ignored);
        boolean none = label == LabelChoice.Word.AUTO && format != DataFormat.CSV;
        Set<Integer> texts = cells(shape, "text", options.text);
        TableLayout layout =
                TableLayout.choose(shape, none ? LabelChoice.Word.NONE : label, weight, group, set, ignored, texts);
        Survey survey = survey(shape, layout, texts, labels);
        TableLayout kept = survey.layout() == null ? layout : survey.layout();
        parts.add(part(shape, kept, survey.encoding(), options.missingFilled));
        return survey;
    }

    private Survey survey(TableShape table, TableLayout layout, Set<Integer> texts, LabelSurvey labels) {
        Set<Integer> categorical = cells(table, "categorical", options.categorical);
        requireFeatures(table, layout, "categorical", categorical);
        if (format == DataFormat.CSV) {
            requireFeatures(table, layout, "text", texts);
            for (int cell : texts) {
                if (categorical.contains(cell)) {
                    throw input.problem("column " + table.name(cell) + " is categorical, so it cannot be text");
                }
            }
            return CsvSurvey.run(this, table, layout, categorical, texts, labels);
        }
        if (!categorical.isEmpty()) {
            throw input.problem("is a " + format + " array, whose columns cannot be categorical; save the data as CSV");
        }
        return MatrixSurvey.run(this, table, layout, labels);
    }

    private Part part(TableShape table, TableLayout layout, PartEncoding encoding, boolean fill) {
        return format == DataFormat.CSV
                ? new CsvPart(
                        input, table, layout, encoding, fill, options.unseenAsZeros, options.decimal, new OddCells())
                : new MatrixPart(input, format, layout, encoding, fill, new OddCells());
    }

    private void requireLibsvmLabel(LabelChoice label) {
        if (label instanceof LabelChoice.Columns columns
                && !Set.of(TableLayout.FIRST, "0").contains(columns.spelling())) {
            throw input.problem(
                    "no label column '" + columns.spelling() + "': a LIBSVM file has its label first in every row");
        }
    }

    private void requireFeatures(TableShape table, TableLayout layout, String kind, Set<Integer> cells) {
        for (int cell : cells) {
            if (layout.feature(cell) < 0) {
                throw input.problem("column " + table.name(cell)
                        + " is label, weight, group, set or ignored, so it cannot be " + kind);
            }
        }
    }

    /** Returns the failure of a file whose format has no columns of text. */
    public DataException noText() {
        return input.problem("is " + described() + ", which has no columns of text; save the data as CSV");
    }

    /** Returns the failure of a file whose format has no columns of categories. */
    public DataException noCategories() {
        return input.problem("is " + described() + ", which has no columns of categories; save the data as CSV");
    }

    private String described() {
        return shape == null ? "LIBSVM text" : "a " + format + " array";
    }

    /** Returns the cells of the named columns that this file has. If files are joined, an index names no column. */
    private Set<Integer> cells(TableShape table, String what, List<String> names) {
        Set<Integer> cells = new HashSet<>();
        for (String name : names) {
            if (table.names().contains(name) || options.channels.size() == 1) {
                cells.add(TableLayout.find(table, what, name));
            }
        }
        return cells;
    }

    /** Returns the part that reads this file by an encoding. */
    public Part match(PartEncoding part, Encoding encoding, LabelChoice label, List<Integer> carried) {
        if (shape == null && part.table() && part.allNumeric() && !part.oneColumnPerCell()) {
            throw input.problem("is " + described()
                    + ", but the model was trained on dates or missing values, which tables have; save the data as CSV"
                    + " or NPY");
        }
        if (format != DataFormat.CSV && !part.allNumeric()) {
            throw input.problem("is " + described() + ", but the model was trained on "
                    + (part.hasText() ? "texts" : "categories") + ", as a CSV file has them");
        }
        int targets = encoding.labels().targets();
        if (shape == null) {
            requireLibsvmLabel(label);
            int base = part.table() ? (options.indexBase == 0 ? 0 : 1) : part.base();
            return new LibsvmPart(input, part, base, label == LabelChoice.Word.NONE || targets != 1 ? 0 : 1);
        }
        TableLayout layout = LayoutMatch.of(shape, part, label, targets, options.ignored, carried);
        return part(shape, layout, part, encoding.fillsMissing() || options.missingFilled);
    }

    /**
     * Returns the cell of the set ids if the columns are matched to those of training by position; -1 if they are matched
     * by name, or if the file has no set ids.
     */
    public int setCellByPosition(PartEncoding part, Encoding encoding, LabelChoice label) {
        if (shape == null || (part.named() && shape.header())) {
            return TableLayout.UNUSED;
        }
        return LayoutMatch.of(shape, part, label, encoding.labels().targets(), options.ignored, List.of())
                .set();
    }

    /** Surveys a file of labels. */
    public Survey surveyLabels(LabelSurvey labels) {
        return survey(table(), TableLayout.onlyLabels(table()), Set.of(), labels);
    }

    /** Returns the part that reads a file of labels. */
    public Part labelsPart() {
        TableLayout layout = TableLayout.onlyLabels(table());
        PartEncoding none = PartEncoding.table("", format, List.of(), layout);
        return part(table(), layout, none, false);
    }

    private TableShape table() {
        if (shape == null) {
            throw new IllegalStateException("a file of labels is a table");
        }
        return shape;
    }
}
