package org.bochner.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.util.CollectionAccumulator;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Note;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.text.Suggestion;
import org.bochner.data.DataIdentity;
import org.bochner.data.DataOptions;
import org.bochner.data.Encoding;
import org.bochner.data.FileColumn;
import org.bochner.data.Labels;
import org.bochner.data.Task;
import org.bochner.data.cell.Cells;
import org.bochner.data.format.LabelRule;
import org.bochner.model.file.ModelFile;
import org.jspecify.annotations.Nullable;

/** Reads DataFrames for the command: the same rows that files with the same cells give. */
final class ShellReader {
    private static final Pattern PLACE = Pattern.compile("(.*)\\[(\\d{1,9})\\]");

    private ShellReader() {}

    /** Surveys training data. */
    static FrameSource training(ShellFrames.Frame frame, DataOptions options) {
        ShellColumns columns = ShellColumns.of(frame, options);
        if (columns.features().isEmpty()) {
            throw DataException.in(frame.name(), "has no column beside the label");
        }
        Dataset<Row> values = columns.values(options);
        boolean libsvm = frame.format().equals(ShellFrames.LIBSVM);
        String label = columns.label();
        if (label == null) {
            if (options.positive() != null) {
                throw DataException.in(
                        frame.name(), "there are no labels, so none can be of the class '" + options.positive() + "'");
            }
            return source(
                    frame,
                    columns,
                    reader(frame, columns, FrameReader.Meaning.NUMBERS),
                    values,
                    hints(List.of(), libsvm),
                    LabelRule.noLabels(),
                    List.of());
        }
        FrameSurvey survey = labels(frame, label, values(columns, options, label));
        String positive = options.positive() == null ? null : Cells.canonical(options.positive());
        if (positive != null && options.task() == Task.REGRESS) {
            throw new BochnerException("a positive class is given, but the task is to predict numbers");
        }
        LabelRule rule = new LabelRule(
                positive == null ? options.task() : Task.CLASSIFY, positive, 1, survey.texts(), survey.fractions());
        if (!rule.classes(survey.labels())) {
            return source(
                    frame,
                    columns,
                    reader(frame, columns, FrameReader.Meaning.NUMBERS),
                    values,
                    hints(List.of(), libsvm),
                    rule.whyNumbers(),
                    List.of());
        }
        Map<String, Long> counts = survey.labels();
        List<String> names = counts.keySet().stream().sorted(Cells.ORDER).toList();
        List<Long> sizes = names.stream().map(counts::get).toList();
        List<String> order = names;
        if (positive != null) {
            requirePositive(frame.name(), positive, names);
            order = List.of(FrameReader.AGAINST + positive, positive);
            long own = Objects.requireNonNull(counts.get(positive));
            sizes = List.of(survey.rows() - own, own);
        }
        return source(
                frame,
                columns,
                reader(frame, columns, FrameReader.Meaning.CLASSES),
                values,
                hints(names.size() < 2 ? List.of() : order, libsvm),
                rule.whyClasses(names.size()),
                sizes);
    }

    private static void requirePositive(String name, String positive, List<String> known) {
        if (!known.contains(positive)) {
            throw DataException.in(
                    name,
                    "no class '" + positive + "'"
                            + Suggestion.hint(positive, known.subList(0, Math.min(50, known.size()))));
        }
        if (known.size() == 1) {
            throw DataException.in(
                    name, "all rows are of the class '" + positive + "'; there is nothing to tell apart");
        }
    }

    private static JavaRDD<Row> values(ShellColumns columns, DataOptions options, String label) {
        return columns.values(options.withPositive(null))
                .select(ShellColumns.column(label))
                .javaRDD();
    }

    /** Counts the labels in a pass over their column. */
    private static FrameSurvey labels(ShellFrames.Frame frame, String label, JavaRDD<Row> only) {
        String name = frame.name();
        DataType type = frame.type(label);
        if (!(type instanceof NumericType
                || type instanceof BooleanType
                || type.typeName().equals("string"))) {
            throw DataException.in(
                    name,
                    "the label column '" + label + "' is of type " + type.simpleString()
                            + ", which holds neither numbers nor classes",
                    Remedy.set(Setting.LABEL, "names another column"));
        }
        return FrameReader.survey(
                name, "survey of the labels", only, List.of(), FrameLabel.numbers(0, label), -1, List.of());
    }

    private static FrameReader reader(ShellFrames.Frame frame, ShellColumns columns, FrameReader.Meaning meaning) {
        return new FrameReader(frame.name(), columns.features(), columns.label(), meaning, columns.weight());
    }

    private static FrameSource source(
            ShellFrames.Frame frame,
            ShellColumns columns,
            FrameReader reader,
            Dataset<Row> values,
            FrameReader.Hints hints,
            Note reason,
            List<Long> counts) {
        SparkRows rows = reader.read(values, hints);
        Encoding encoding = rows.encoding();
        if (encoding == null) {
            rows.release();
            throw DataException.in(
                    frame.name(),
                    "sparse vectors stand beside texts; make the texts numbers, for example with StringIndexer");
        }
        FrameSource.Facts facts = new FrameSource.Facts(
                frame.name(),
                rows.rows(),
                encoding,
                rows.labels(),
                rows.sparse(),
                reason,
                frame.notes(),
                counts,
                columns.label() == null || hints.sparse() ? List.of() : List.of(columns.label()),
                List.of());
        ShellColumns without = new ShellColumns(
                frame,
                null,
                columns.weight(),
                columns.label() == null ? columns.ignored() : added(columns.ignored(), columns.label()));
        FrameSource source = new FrameSource(
                facts,
                () -> rows,
                () -> reader(frame, without, FrameReader.Meaning.NUMBERS)
                        .read(without.values(DataOptions.channelled()), hints(List.of(), hints.sparse())));
        // The source releases the rows that it has returned.
        SparkRows unused = source.converted();
        return source;
    }

    private static FrameReader.Hints hints(List<String> classes, boolean sparse) {
        return new FrameReader.Hints(
                classes,
                sparse,
                List.of(
                        Remedy.set(Setting.IGNORED, "leaves the column out"),
                        Remedy.advice("fill in missing values in a view, and read table:VIEW")));
    }

    private static List<String> added(List<String> names, String more) {
        List<String> all = new ArrayList<>(names);
        all.add(more);
        return all;
    }

    /** Returns true if an encoding is that of sparse files. */
    static boolean sparseFiles(Encoding encoding) {
        return encoding.fileColumns().stream().anyMatch(column -> column.kind() == FileColumn.Kind.SPARSE);
    }

    /** Returns rows that are read by the encoding of a model. */
    static FrameSource encoded(ShellFrames.Frame frame, DataOptions options, Encoding encoding) {
        if (!encoding.channels().isEmpty() || encoding.setColumn().isPresent()) {
            throw DataException.in(
                    frame.name(),
                    "the model was trained on "
                            + (encoding.channels().isEmpty() ? "sets of rows" : "files joined as channels")
                            + ", which Spark's command does not read; use bochner on one machine");
        }
        String label = label(frame, options, encoding);
        Labels labels = label == null ? Labels.none() : encoding.labels();
        if (labels.targets() > 1) {
            throw DataException.in(
                    frame.name(), "the model predicts several numbers, which Spark's command does not evaluate");
        }
        FrameSource.Facts facts = new FrameSource.Facts(
                frame.name(),
                -1,
                encoding,
                labels,
                sparseFiles(encoding) || encoding.hasText(),
                new Note(Note.Kind.CHOICE, "as the model was trained"),
                frame.notes(),
                List.of(),
                label == null ? List.of() : List.of(label),
                options.carried());
        return new FrameSource(
                facts, () -> rows(frame, options, encoding, label), () -> rows(frame, options, encoding, null));
    }

    private static @Nullable String label(ShellFrames.Frame frame, DataOptions options, Encoding encoding) {
        List<String> names = Arrays.asList(frame.rows().columns());
        String given = options.label();
        if (given.equals("none")) {
            return null;
        }
        if (!given.equals("auto")) {
            return ShellColumns.find(frame.name(), names, given);
        }
        if (sparseFiles(encoding)) {
            return names.contains("label") ? "label" : null;
        }
        return encoding.fileColumns().stream()
                .filter(column -> column.kind() == FileColumn.Kind.LABEL)
                .map(FileColumn::name)
                .filter(name -> names.contains(name))
                .findFirst()
                .orElse(null);
    }

    private static SparkRows rows(
            ShellFrames.Frame frame, DataOptions options, Encoding encoding, @Nullable String label) {
        List<String> known = Arrays.asList(frame.rows().columns());
        Map<String, List<String>> sources =
                sparseFiles(encoding) ? vectors(frame, options, label) : columns(frame, known, encoding);
        List<Column> selected = new ArrayList<>();
        sources.keySet().forEach(column -> selected.add(ShellColumns.column(column)));
        int labelIndex = -1;
        if (label != null) {
            labelIndex = selected.size();
            Column value = ShellColumns.column(label);
            boolean flag = frame.rows().schema().apply(label).dataType() instanceof BooleanType;
            selected.add((flag ? value.cast(DataTypes.StringType) : value).as("label of the rows"));
        }
        String weight = options.rowWeight();
        int weightIndex = weight == null ? -1 : selected.size();
        if (weight != null) {
            selected.add(ShellColumns.column(ShellColumns.find(frame.name(), known, weight)));
        }
        List<Integer> carried = new ArrayList<>();
        for (String column : options.carried()) {
            carried.add(selected.size());
            selected.add(ShellColumns.column(ShellColumns.find(frame.name(), known, column)));
        }
        Dataset<Row> own = frame.rows().select(selected.toArray(new Column[0]));
        List<FrameCell> cells = IntStream.range(0, sources.size())
                .mapToObj(c -> cell(own.schema().fields()[c], c))
                .toList();
        FrameLabel ofRows = label == null
                ? FrameLabel.NONE
                : encoding.labels() instanceof Labels.Classes classes
                        ? FrameLabel.numbers(labelIndex, label).withClasses(classes.names())
                        : FrameLabel.numbers(labelIndex, label);
        EncodedReader reader = new EncodedReader(
                new Sent(ModelFile.toBytes(encoding.state())),
                cells,
                sparseFiles(encoding) ? List.of() : List.copyOf(sources.values()),
                ofRows,
                encoding.positive().isPresent() ? 0 : Double.NaN,
                weightIndex,
                carried,
                options.unseenAsZeros(),
                EncodedRows.zone(own.sparkSession()));
        boolean sparse = sparseFiles(encoding) || encoding.hasText();
        FrameLayout layout = new FrameLayout(
                frame.name(),
                List.of(new FrameCell(0, "columns", FrameCell.Kind.VECTOR, encoding.columns(), new String[0])),
                ofRows,
                weightIndex,
                sparse,
                sparse ? null : encoding.origin());
        CollectionAccumulator<BadRow> bad = own.sparkSession().sparkContext().collectionAccumulator();
        JavaRDD<RowChunk> converted = own.javaRDD()
                .mapPartitionsWithIndex(
                        (part, given) -> reader.convert(given, problem -> bad.add(new BadRow(part, problem))), true);
        return FrameReader.kept(converted, chunks -> {
            SparkRows rows = SparkRows.of(chunks, layout, DataIdentity.UNKNOWN, encoding);
            bad.value().stream().min(Comparator.comparingInt(BadRow::part)).ifPresent(first -> {
                throw new BochnerException(frame.name() + ": " + first.problem);
            });
            return rows;
        });
    }

    /** The first bad row of a partition. */
    private record BadRow(int part, String problem) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    /** Returns the cell of a column; a date is a text here, which the encoding reads. */
    private static FrameCell cell(StructField field, int index) {
        return ShellFrames.isDate(field.dataType())
                ? new FrameCell(index, field.name(), FrameCell.Kind.CATEGORY, 0, new String[0])
                : FrameCell.of(field, index);
    }

    /** Returns the columns of a DataFrame that hold the columns of a sparse file, one after the other. */
    private static Map<String, List<String>> vectors(
            ShellFrames.Frame frame, DataOptions options, @Nullable String label) {
        List<String> names = Arrays.asList(frame.rows().columns());
        List<String> left = new ArrayList<>(names);
        options.ignored().forEach(column -> left.remove(ShellColumns.find(frame.name(), names, column)));
        if (label == null) {
            left.remove("label");
        } else {
            left.remove(label);
        }
        if (options.rowWeight() != null) {
            left.remove(ShellColumns.find(frame.name(), names, options.rowWeight()));
        }
        Map<String, List<String>> columns = new LinkedHashMap<>();
        left.forEach(name -> columns.put(name, List.of()));
        return columns;
    }

    /** Returns the columns of a DataFrame that hold the columns of a table, with their names in the table. */
    private static Map<String, List<String>> columns(ShellFrames.Frame frame, List<String> known, Encoding encoding) {
        Map<String, List<String>> columns = new LinkedHashMap<>();
        for (FileColumn column : encoding.fileColumns()) {
            if (column.to() == column.from()) {
                continue;
            }
            String name = column.name();
            if (known.contains(name)) {
                columns.put(name, List.of(name));
                continue;
            }
            Matcher place = PLACE.matcher(name);
            boolean inVector = place.matches() && known.contains(place.group(1));
            if (inVector) {
                columns.computeIfAbsent(place.group(1), vector -> new ArrayList<>())
                        .add(name);
            } else if (name.matches("\\d{1,9}") && !frame.indexed()) {
                throw DataException.in(
                        frame.name(),
                        "lacks column '" + name + "' of the training data, which had no header; give data without a"
                                + " header, or name the columns 0, 1, 2, ... in a view");
            } else {
                throw DataException.in(
                        frame.name(),
                        "has no column '" + name + "', which the model was trained with"
                                + Suggestion.hint(name, known.subList(0, Math.min(50, known.size()))));
            }
        }
        return columns;
    }
}
