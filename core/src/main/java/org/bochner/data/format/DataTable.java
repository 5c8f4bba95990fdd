package org.bochner.data.format;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bochner.base.DataException;
import org.bochner.data.DataFormat;
import org.bochner.data.DataOptions;
import org.bochner.data.Encoding;
import org.bochner.data.bytes.Input;
import org.bochner.data.cell.Decimal;
import org.jspecify.annotations.Nullable;

/** A file of a known format and, if it is a table, of a known shape. It can be surveyed or matched to an encoding. */
public final class DataTable {

    public final Input input;
    private final String channel;
    private final DataFormat format;
    private final @Nullable TableShape shape;

    private DataTable(Input input, String channel, DataFormat format, @Nullable TableShape shape) {
        this.input = input;
        this.channel = channel;
        this.format = format;
        this.shape = shape;
    }

    /** Creates a file to survey. */
    public static DataTable of(Input input, String channel, DataOptions options) {
        DataFormat format = FormatFinder.find(input, options.format(), options.charset());
        return new DataTable(input, channel, format, shape(input, format, options, CsvHeader.training(known(options))));
    }

    /** Creates a file to match to an encoding, whose names its header may have. */
    public static DataTable of(Input input, PartEncoding part, DataOptions options) {
        DataFormat format = FormatFinder.find(input, options.format(), options.charset());
        List<String> names =
                part.named() ? part.columns().stream().map(ColumnEncoding::name).toList() : List.of();
        Set<String> known = known(options);
        known.addAll(names);
        if (part.named()) {
            known.addAll(part.labelNames());
            known.addAll(part.ignoredNames());
        }
        return new DataTable(
                input, part.channel(), format, shape(input, format, options, CsvHeader.later(known, names)));
    }

    /** Creates a file of labels, which is never LIBSVM and whose header is detected. */
    public static DataTable ofLabels(Input input, DataOptions options) {
        DataFormat found = FormatFinder.find(input, DataFormat.AUTO, options.charset());
        DataFormat format = found == DataFormat.LIBSVM ? DataFormat.CSV : found;
        return new DataTable(
                input, "", format, shape(input, format, labelOptions(options), CsvHeader.labels(known(options))));
    }

    /** Returns the options for a file of labels: those of the data, except for delimiter, header and format. */
    private static DataOptions labelOptions(DataOptions options) {
        return DataOptions.channelled().withDecimal(options.decimal());
    }

    private static @Nullable TableShape shape(Input input, DataFormat format, DataOptions options, CsvHeader header) {
        return switch (format) {
            case LIBSVM -> null;
            case CSV -> CsvShape.of(input, options, header);
            default -> MatrixSurvey.shape(input, format);
        };
    }

    /** Returns the names in the options; a first line that holds one of them is a header. */
    private static Set<String> known(DataOptions options) {
        Set<String> known = new HashSet<>(options.categorical());
        for (String label : options.label().split(",", -1)) {
            known.add(label.strip());
        }
        if (options.rowWeight() != null) {
            known.add(options.rowWeight());
        }
        known.addAll(options.ignored());
        known.addAll(options.carried());
        if (options.group() != null) {
            known.add(options.group());
        }
        known.removeAll(Set.of("", "auto", "none", "first", "last"));
        // A number is an index, or may be a value of a row.
        known.removeIf(name -> !Double.isNaN(Decimal.of(name)));
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
            throw DataException.in(input.name(), "a LIBSVM file has no " + what + " column '" + name + "'");
        }
        return TableLayout.find(shape, what, name);
    }

    /** Surveys the file. */
    public Survey survey(
            DataOptions options,
            String label,
            @Nullable String weight,
            @Nullable String group,
            LabelSurvey labels,
            List<Part> parts) {
        if (shape == null) {
            if (group != null) {
                cell("group", group);
            }
            requireLibsvmLabel(label);
            if (weight != null) {
                cell("weight", weight);
            }
            boolean labelled = !label.equals("none");
            Survey survey = LibsvmSurvey.run(input, channel, options, labelled, labels);
            parts.add(new LibsvmPart(
                    input, survey.encoding().base(), survey.encoding().totalColumns(), labelled));
            return survey;
        }
        Set<Integer> ignored = cells(shape, "ignored", options.ignored(), options);
        TableLayout layout = TableLayout.choose(shape, resolved(label), weight, group, ignored);
        if (format == DataFormat.CSV) {
            Set<Integer> categorical = categorical(shape, layout, options);
            Survey survey = CsvSurvey.run(input, channel, options, shape, layout, categorical, labels);
            parts.add(new CsvPart(
                    input,
                    shape,
                    survey.layout() == null ? layout : survey.layout(),
                    survey.encoding(),
                    options.missingFilled(),
                    false,
                    options.decimal()));
            return survey;
        }
        Survey survey = MatrixSurvey.run(input, channel, format, options, shape, layout, labels);
        parts.add(new MatrixPart(input, format, layout, survey.encoding(), options.missingFilled()));
        return survey;
    }

    /** Returns the spelling of the label cells; for {@code auto}, null (the last cell) in text and none in an array. */
    private @Nullable String resolved(String label) {
        if (!label.equals("auto")) {
            return label;
        }
        return format == DataFormat.CSV ? null : "none";
    }

    private void requireLibsvmLabel(String label) {
        if (!Set.of("auto", "none", "first", "0").contains(label)) {
            throw DataException.in(
                    input.name(), "no label column '" + label + "': a LIBSVM file has its label first in every row");
        }
    }

    private Set<Integer> categorical(TableShape table, TableLayout layout, DataOptions options) {
        Set<Integer> cells = cells(table, "categorical", options.categorical(), options);
        for (int cell : cells) {
            if (layout.feature(cell) < 0) {
                throw DataException.in(
                        input.name(),
                        "column " + table.name(cell)
                                + " is label, weight, group or ignored, so it cannot be categorical");
            }
        }
        return cells;
    }

    /** Returns the cells of the named columns that this file has. If files are joined, an index names no column. */
    private static Set<Integer> cells(TableShape table, String what, List<String> names, DataOptions options) {
        Set<Integer> cells = new HashSet<>();
        for (String name : names) {
            if (table.names().contains(name) || options.channels().size() == 1) {
                cells.add(TableLayout.find(table, what, name));
            }
        }
        return cells;
    }

    /** Returns the part that reads this file by an encoding. */
    public Part match(DataOptions options, PartEncoding part, Encoding encoding, String label, List<Integer> carried) {
        int labelWidth = encoding.labels().targets();
        if (shape == null) {
            if (!part.allNumeric()) {
                throw DataException.in(
                        input.name(),
                        "is LIBSVM text, but the model was trained on categories, as a CSV file has them");
            }
            requireLibsvmLabel(label);
            int base = part.table() ? (options.indexBase() == 0 ? 0 : 1) : part.base();
            return new LibsvmPart(input, base, part.totalColumns(), !label.equals("none") && labelWidth == 1);
        }
        TableLayout layout = LayoutMatch.of(shape, part, label, labelWidth, options.ignored(), carried);
        boolean fill = encoding.fillsMissing() || options.missingFilled();
        if (format == DataFormat.CSV) {
            return new CsvPart(input, shape, layout, part, fill, options.unseenAsZeros(), options.decimal());
        }
        if (!part.allNumeric()) {
            throw DataException.in(
                    input.name(),
                    "is a " + format + " array, but the model was trained on categories, as a CSV file has them");
        }
        return new MatrixPart(input, format, layout, part, fill);
    }

    /** Surveys a file of labels. */
    public Survey surveyLabels(LabelSurvey labels, DataOptions options) {
        TableShape table = table();
        TableLayout layout = TableLayout.onlyLabels(table);
        return format == DataFormat.CSV
                ? CsvSurvey.run(input, "", labelOptions(options), table, layout, Set.of(), labels)
                : MatrixSurvey.run(input, "", format, labelOptions(options), table, layout, labels);
    }

    /** Returns the part that reads a file of labels. */
    public Part labelsPart(DataOptions.Decimal decimal) {
        TableShape table = table();
        TableLayout layout = TableLayout.onlyLabels(table);
        PartEncoding none = PartEncoding.table("", format, List.of(), table.header(), layout);
        return format == DataFormat.CSV
                ? new CsvPart(input, table, layout, none, false, false, decimal)
                : new MatrixPart(input, format, layout, none, false);
    }

    private TableShape table() {
        if (shape == null) {
            throw new IllegalStateException("a file of labels is a table");
        }
        return shape;
    }
}
