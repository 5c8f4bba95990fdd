package org.bochner.data;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.State;
import org.bochner.data.format.ColumnEncoding;
import org.bochner.data.format.LabelEncoding;
import org.bochner.data.format.PartEncoding;
import org.bochner.data.format.RecordEncoder;
import org.bochner.data.format.TargetMeans;
import org.jspecify.annotations.Nullable;

/**
 * How cells of files become columns and targets. A survey of the training data finds the encoding, and models save it
 * so that later files are read in the same way. It holds the number and the names of the columns, the first index of
 * sparse files, the categories, the replacements of missing values and the classes.
 *
 * <p>Threads: safe; immutable.
 */
public final class Encoding {
    private static final String TYPE = "encoding";

    private final List<PartEncoding> parts;
    private final LabelEncoding labels;
    private final boolean fillsMissing;
    private final int columns;
    private final double @Nullable [] origin;
    /** Created for the first record. Two threads that create it at the same time create equal ones. */
    private volatile @Nullable RecordEncoder records;

    Encoding(List<PartEncoding> parts, LabelEncoding labels, boolean fillsMissing) {
        this.parts = List.copyOf(parts);
        this.labels = labels;
        this.fillsMissing = fillsMissing;
        long total = parts.stream().mapToLong(part -> part.totalColumns()).sum();
        if (total > Integer.MAX_VALUE || total == 0) {
            throw new BochnerException("encoding: " + total + " columns cannot be held");
        }
        this.columns = (int) total;
        // Rows with texts and rows of sparse files have no origin; they may have billions of columns.
        this.origin = !hasText() && parts.stream().anyMatch(PartEncoding::hasOrigin)
                ? join(parts.stream().map(PartEncoding::origin))
                : null;
    }

    /**
     * Returns the encoding of LIBSVM files whose columns are those of the support vectors of a LIBSVM model.
     *
     * @param base the first index, 0 or 1
     */
    public static Encoding ofSupportVectors(int columns, int base, Labels labels) {
        return new Encoding(List.of(PartEncoding.ofSupportVectors(base, columns)), ofLabels(labels), false);
    }

    /**
     * Returns the encoding of sparse vectors that have no file, as that of a LIBSVM file.
     *
     * @param base the first index, 0 or 1
     */
    public static Encoding ofSparse(int columns, int base, Labels labels) {
        return new Encoding(List.of(PartEncoding.libsvm("", base, columns)), ofLabels(labels), false);
    }

    private static LabelEncoding ofLabels(Labels labels) {
        if (labels instanceof Labels.Classes classes) {
            return LabelEncoding.classes(classes.names());
        }
        return labels.targets() == 0 ? LabelEncoding.none() : LabelEncoding.numbers(labels.names(), List.of());
    }

    /**
     * A column of a table that has no file.
     *
     * @param categories the categories in order, each of which becomes a column of zeros and ones; empty for numbers
     * @param origin the number that is subtracted in float64 before values are rounded to float32; 0 for categories
     */
    public record TableColumn(String name, List<String> categories, double origin) {
        public TableColumn {
            categories = List.copyOf(categories);
        }
    }

    /**
     * Returns the encoding of a table that has no file, as that of a file with a header: models can then read files and records
     * with these columns.
     *
     * @param columns the columns of the features, in order
     * @param label the name of the column of the labels, after the others; unused if there are no labels
     */
    public static Encoding ofTable(List<TableColumn> columns, Labels labels, String label) {
        List<ColumnEncoding> cells = columns.stream()
                .map(column -> ColumnEncoding.of(column.name(), column.categories(), column.origin()))
                .toList();
        List<String> names =
                new ArrayList<>(columns.stream().map(TableColumn::name).toList());
        if (labels.targets() > 0) {
            names.add(label);
        }
        return new Encoding(List.of(PartEncoding.ofTable(cells, names)), ofLabels(labels), false);
    }

    /** Returns the number of columns of the encoded rows. */
    public int columns() {
        return columns;
    }

    /** Returns the meaning of the targets. */
    public Labels labels() {
        return labels.labels();
    }

    /** Returns the class that is told from all others; empty if all classes are told apart, or if labels are numbers. */
    public Optional<String> positive() {
        return Optional.ofNullable(labels.positive());
    }

    /** Returns this encoding with labels that tell a class, index 1, from all others, index 0. */
    public Encoding withPositive(String positive) {
        return new Encoding(parts, LabelEncoding.against(positive), fillsMissing);
    }

    /** Returns the columns of each named channel, in order; empty if a single file was read. */
    public List<ColumnRange> channels() {
        List<ColumnRange> ranges = new ArrayList<>();
        int from = 0;
        for (PartEncoding part : parts) {
            if (!part.channel().isEmpty()) {
                ranges.add(new ColumnRange(part.channel(), from, from + part.totalColumns()));
            }
            from += part.totalColumns();
        }
        return List.copyOf(ranges);
    }

    /**
     * Returns the names of the columns: the name in the header, {@code name=category} for a category, or the index as
     * the file counts it. Data with channels have {@code channel:} before each name. Names of sparse columns are
     * computed on demand.
     */
    public List<String> columnNames() {
        return new ColumnNames(parts.stream().map(PartEncoding::tableNames).toList());
    }

    /**
     * Returns the columns of each cell that has a name in a header: one for a number, one per category. Data with
     * channels have {@code channel:} before each name. Files without a header have no such cells.
     */
    public List<ColumnRange> columnRanges() {
        List<ColumnRange> ranges = new ArrayList<>();
        int from = 0;
        for (PartEncoding part : parts) {
            int next = from;
            for (ColumnEncoding column : part.named() ? part.columns() : List.<ColumnEncoding>of()) {
                String name = part.channel().isEmpty() ? column.name() : part.channel() + ":" + column.name();
                ranges.add(new ColumnRange(name, next, next + column.columns()));
                next += column.columns();
            }
            from += part.totalColumns();
        }
        return List.copyOf(ranges);
    }

    /** Returns the columns of the files, in their order: what becomes of each. */
    public List<FileColumn> fileColumns() {
        return FileColumn.of(parts, fillsMissing);
    }

    /**
     * Returns the number per column that is subtracted in float64 before values are rounded to float32: 0 for most
     * columns, and a number near the mean for columns far from 0 compared with their spread, such as timestamps. Null
     * if all are 0, as they are if a {@linkplain #hasText column holds texts}. The array is new.
     */
    public double @Nullable [] origin() {
        return origin == null ? null : origin.clone();
    }

    /** Returns the origins of joined files; null if all are 0. */
    static double @Nullable [] join(Stream<double[]> origins) {
        double[] joined = origins.flatMapToDouble(Arrays::stream).toArray();
        return Arrays.stream(joined).allMatch(origin -> origin == 0) ? null : joined;
    }

    /** Returns true if a column of any file holds texts. The rows of all joined files are then read as sparse rows. */
    public boolean hasText() {
        return parts.stream().anyMatch(PartEncoding::hasText);
    }

    /** Returns the columns of each cell that holds a text, in order. */
    public List<ColumnRange> textRanges() {
        return ranges(column -> column.text() != null);
    }

    /** Returns the columns of each cell that holds a category, in order: one per category or hash value, but no means. */
    public List<ColumnRange> categoryRanges() {
        return ranges(column -> column.categorical() && column.means() == null);
    }

    private List<ColumnRange> ranges(Predicate<ColumnEncoding> chosen) {
        List<ColumnRange> ranges = new ArrayList<>();
        int from = 0;
        for (PartEncoding part : parts) {
            int next = from;
            for (ColumnEncoding column : part.columns()) {
                if (chosen.test(column)) {
                    ranges.add(new ColumnRange(column.name(), next, next + column.columns()));
                }
                next += column.columns();
            }
            from += part.totalColumns();
        }
        return List.copyOf(ranges);
    }

    /**
     * Returns true if categories are encoded by means of the targets that are still to be computed from training rows
     * ({@link RowSource#forTraining}). Rows that are read with this encoding have the codes of categories in the columns of
     * the means.
     */
    boolean needsMeans() {
        return parts.stream().anyMatch(PartEncoding::needsMeans);
    }

    /** Returns true if categories are encoded by means of the targets, computed or not. */
    public boolean hasMeans() {
        return !meanColumns().isEmpty();
    }

    /** Fails if rows have codes of categories in the columns of means, because the means are not computed yet. */
    public static void requireComplete(RowSource rows) {
        Encoding encoding = rows.encoding();
        if (encoding != null && encoding.needsMeans()) {
            throw new BochnerException(
                    rows.name() + ": the category means are not computed yet",
                    Remedy.advice("use RowSource.forTraining for training rows, and encodedBy for others"));
        }
    }

    /** Returns the columns of categories that are encoded by means, in order. */
    List<MeanColumns> meanColumns() {
        List<MeanColumns> found = new ArrayList<>();
        int next = 0;
        for (PartEncoding part : parts) {
            for (ColumnEncoding column : part.columns()) {
                TargetMeans means = column.means();
                if (means != null) {
                    found.add(new MeanColumns(
                            column.name(),
                            next,
                            means.columns(),
                            TargetMeans.codes(column.categories().size()),
                            means.recipe()));
                }
                next += column.columns();
            }
            next += part.table() ? 0 : part.totalColumns();
        }
        return found;
    }

    /** Returns the means of each of the {@link #meanColumns}, code by code from 1; of an encoding that has them. */
    List<double[]> means() {
        return parts.stream()
                .flatMap(part -> part.columns().stream())
                .flatMap(column -> Stream.ofNullable(column.means()))
                .map(TargetMeans::requireValues)
                .toList();
    }

    /** Returns this encoding with the means of each of the {@link #meanColumns}, code by code from 1. */
    Encoding withMeans(List<double[]> means) {
        Iterator<double[]> next = means.iterator();
        return new Encoding(parts.stream().map(part -> part.withMeans(next)).toList(), labels, fillsMissing);
    }

    /** Returns the name of the column of the set ids, or its index if the file had no header; empty if there is none. */
    public Optional<String> setColumn() {
        return parts.stream()
                .flatMap(part -> Stream.ofNullable(part.layout().setName()))
                .findFirst();
    }

    /** Returns the index of the part with the set ids; 0 if there are none. */
    int setPart() {
        return IntStream.range(0, parts.size())
                .filter(t -> parts.get(t).layout().setName() != null)
                .findFirst()
                .orElse(0);
    }

    /** Returns true if missing values are replaced, as they were in training. */
    public boolean fillsMissing() {
        return fillsMissing;
    }

    /**
     * Encodes one record as a row of the training file with the same values was encoded: one number per column.
     *
     * <p>The keys are the names of the file's columns: the header's names, or the index from 0 as text if the file has
     * no header. For a LIBSVM file the keys are the indices that the file uses; absent ones are 0. Data with channels
     * have {@code channel:} before the name. The label, the weight and ignored columns may be present and are not used.
     *
     * <p>The values are numbers, texts, dates of {@code java.time}, or null:
     *
     * <ul>
     *   <li>A text is read as a cell of the file: {@code "1,5"}, {@code "12 %"} and {@code "31.01.2024"} are read as
     *       the column was written in training.
     *   <li>A number is the value itself: 0.12 for 12 %, days since 1970-01-01 for a date. In a column of categories it
     *       names a category.
     *   <li>A value in a column of texts is a text, which is not changed. Null is an empty text.
     *   <li>Null, NaN and the texts that stand for a missing value in files are replaced as in training, or refused if
     *       missing values were refused in training.
     * </ul>
     *
     * @throws BochnerException if a column is absent, a name is unknown, a value cannot be read, or a category did not
     *     occur in training
     */
    public double[] encode(Map<String, ? extends @Nullable Object> record) {
        return records().encode(record);
    }

    /**
     * Encodes one record as a sparse row with the values of {@link #encode}, rounded to float32. Time and memory depend on
     * the record, not on the number of columns, which may be large for texts.
     */
    public RowBlock encodeSparse(Map<String, ? extends @Nullable Object> record) {
        return records().sparse(record);
    }

    private RecordEncoder records() {
        RecordEncoder encoder = records;
        if (encoder == null) {
            encoder = new RecordEncoder(parts, columns, fillsMissing);
            records = encoder;
        }
        return encoder;
    }

    /**
     * Returns the first difference between this encoding and that of a model, as a sentence without a full stop; null if
     * rows that were read with this encoding have the meaning that the model expects. Compared are the number, names and
     * categories of the columns, the first index of sparse files, the replacements of missing values, and the labels.
     * Names are compared where both files have a header. A class of the model may be absent.
     *
     * @param labelled whether the labels are compared too
     */
    @SuppressWarnings("ReferenceEquality") // a shortcut for parts of the training data
    public @Nullable String differenceFrom(Encoding trained, boolean labelled) {
        if (trained == this) {
            return null;
        }
        if (columns != trained.columns && isNumeric() && trained.isNumeric()) {
            return "it has " + columns + " columns, the model has " + trained.columns;
        }
        if (parts.size() != trained.parts.size()) {
            return columns == trained.columns
                    ? null
                    : "it has " + parts.size() + " channels, the model has " + trained.parts.size();
        }
        for (int p = 0; p < parts.size(); p++) {
            String difference =
                    parts.get(p).differenceFrom(trained.parts.get(p), fillsMissing || trained.fillsMissing, labelled);
            if (difference != null) {
                return difference;
            }
        }
        return labelled ? labelDifference(trained.labels()) : null;
    }

    private boolean isNumeric() {
        return parts.stream().allMatch(PartEncoding::allNumeric);
    }

    private @Nullable String labelDifference(Labels known) {
        Labels own = labels();
        if (own instanceof Labels.Classes classes && known instanceof Labels.Classes trained) {
            Set<String> names = Set.copyOf(trained.names());
            return classes.names().stream()
                    .filter(name -> !names.contains(name))
                    .findFirst()
                    .map(name -> "its labels have the class '" + name + "', those of the model do not")
                    .orElse(null);
        }
        if (own.targets() == 0 || own.getClass() == known.getClass()) {
            return null;
        }
        return "its labels were taken for " + (own instanceof Labels.Classes ? "classes" : "numbers")
                + ", the model predicts " + (known instanceof Labels.Classes ? "classes" : "numbers");
    }

    List<PartEncoding> parts() {
        return parts;
    }

    LabelEncoding labelEncoding() {
        return labels;
    }

    /** Returns the saved form, which {@link #load} reads. */
    public State state() {
        State state = State.of(TYPE)
                .with("parts", parts.size())
                .with("missing", fillsMissing ? "MEAN" : "ERROR")
                .with("labels", labels.state());
        for (int i = 0; i < parts.size(); i++) {
            state.with("part" + i, parts.get(i).state());
        }
        return state;
    }

    /** Reads an encoding from its saved form, which is not trusted: parts that do not fit together are refused. */
    public static Encoding load(State state) {
        if (!state.type().equals(TYPE)) {
            throw new BochnerException("encoding: the saved form has type '" + state.type() + "'");
        }
        int count = state.count("parts");
        List<PartEncoding> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            parts.add(PartEncoding.load(state.part("part" + i)));
        }
        String missing = state.text("missing");
        return new Encoding(parts, LabelEncoding.load(state.part("labels")), missing.equals("MEAN"));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Encoding that && state().equals(that.state());
    }

    @Override
    public int hashCode() {
        return state().hashCode();
    }

    @Override
    public String toString() {
        return columns + " columns, " + labels.labels();
    }

    /** The list of column names. Names that are numbers are computed on demand. */
    private final class ColumnNames extends AbstractList<String> implements RandomAccess {
        private final List<List<String>> tables;

        ColumnNames(List<List<String>> tables) {
            this.tables = tables;
        }

        @Override
        public String get(int index) {
            int j = Objects.checkIndex(index, columns);
            int p = 0;
            while (j >= parts.get(p).totalColumns()) {
                j -= parts.get(p++).totalColumns();
            }
            PartEncoding part = parts.get(p);
            String name = part.table() ? tables.get(p).get(j) : Integer.toString(j + part.base());
            return part.channel().isEmpty() ? name : part.channel() + ":" + name;
        }

        @Override
        public int size() {
            return columns;
        }
    }
}
