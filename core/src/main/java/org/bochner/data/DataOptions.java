package org.bochner.data;

import java.nio.charset.Charset;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.bochner.base.Require;
import org.bochner.base.SpellingException;
import org.bochner.data.cell.CategoryFeatures;
import org.bochner.data.cell.DateFeatures;
import org.bochner.data.format.DataSettings;
import org.bochner.data.text.TextFeatures;
import org.jspecify.annotations.Nullable;

/**
 * The files that hold the data, and how they are read.
 *
 * <pre>{@code
 * FileSource rows = FileSource.open(DataOptions.of("train.csv").withLabel("price").withTask(Task.REGRESS));
 * }</pre>
 *
 * <p>A column is given by its name in the header, by its index from 0, or by a negative index, where -1 is the last column.
 * If a name looks like an index, the name takes precedence.
 *
 * <p>Threads: safe; an immutable value. Each {@code with} method returns a changed copy.
 */
public final class DataOptions {
    /** The decimal sign of the numbers in a CSV file. */
    public enum Decimal {
        /** A comma if commas do not separate cells and the numbers of the file have commas, else a point. */
        AUTO,
        POINT,
        COMMA
    }

    final DataSettings settings;

    private DataOptions(DataSettings settings) {
        this.settings = settings;
    }

    /** Reads one file. {@code -} is the standard input, and {@code FILE:NAME} is an array of an NPZ file. */
    public static DataOptions of(String path) {
        return channelled().with(copy -> copy.channels = Map.of("", path));
    }

    /** Reads no file yet; {@link #withChannel} adds files. */
    public static DataOptions channelled() {
        return new DataOptions(new DataSettings());
    }

    private DataOptions with(Consumer<DataSettings> change) {
        DataSettings copy = settings.copy();
        change.accept(copy);
        return new DataOptions(copy);
    }

    /**
     * Adds a file, which is joined to the others row by row. Its columns follow theirs and form a channel of this name. A
     * file that was given without a name becomes the channel {@code data}.
     */
    public DataOptions withChannel(String name, String path) {
        Require.that(
                ColumnNames.isName(name),
                "channel: a name is a letter or '_', then letters, digits, '.', '_' or '-'; got '" + name + "'");
        Map<String, String> all = new LinkedHashMap<>();
        settings.channels.forEach((known, file) -> all.put(known.isEmpty() ? "data" : known, file));
        Require.that(all.put(name, path) == null, "channel", "'" + name + "' is given twice");
        return with(copy -> copy.channels = Collections.unmodifiableMap(all));
    }

    public DataOptions withFormat(DataFormat format) {
        return with(copy -> copy.format = format);
    }

    /**
     * Sets the label column: a name, an index, {@code first}, {@code last} or {@code none}. Several columns, separated by
     * commas, are several numbers to predict. A column with the name {@code none} or {@code auto} goes by its index.
     *
     * <p>The default {@code auto} is the last column of a CSV file that is not ignored. NPY and IDX files then have no
     * label, and no file has one if the labels have a file of their own. A LIBSVM file has its label first.
     */
    public DataOptions withLabel(String label) {
        return with(copy -> copy.label = label.strip());
    }

    /** Sets the file that holds the labels, one row per row of data: text lines, CSV, NPY, NPZ or IDX. */
    public DataOptions withLabelsFile(@Nullable String labelsFile) {
        return with(copy -> copy.labelsFile = labelsFile);
    }

    /**
     * Sets whether the first line of a CSV file names its columns. By default (null), the first line is compared with the
     * lines below it.
     */
    public DataOptions withHeader(@Nullable Boolean header) {
        return with(copy -> copy.header = header);
    }

    /** Sets the character that separates the cells of a CSV file; null to detect it. */
    public DataOptions withDelimiter(@Nullable Character delimiter) {
        if (delimiter != null) {
            char c = delimiter;
            Require.that(
                    c < 128 && !Character.isLetterOrDigit(c) && "\"+-.\r\n".indexOf(c) < 0 && c != 0,
                    "delimiter: must be one character that is no letter, digit, quote, sign or point, as ';' or tab; got '"
                            + c + "'");
        }
        return with(copy -> copy.delimiter = delimiter);
    }

    /** Sets the number of columns of a sparse file; 0 to take it from the largest index. */
    public DataOptions withColumns(int columns) {
        Require.atLeast("columns", "number of columns", columns, 0);
        return with(copy -> copy.columns = columns);
    }

    /** Sets whether the indices of a sparse file count from 0 or 1; -1 to detect it. */
    public DataOptions withIndexBase(int indexBase) {
        Require.that(indexBase >= -1 && indexBase <= 1, "index base", "must be 0 or 1, got " + indexBase);
        return with(copy -> copy.indexBase = indexBase);
    }

    /**
     * Sets whether missing values are replaced: by the mean of the column in the training data, or by the most frequent
     * category. Otherwise (the default) reading a missing value fails. Missing are empty cells and the texts {@code ?},
     * {@code NA}, {@code N/A}, {@code NaN} and {@code null}.
     */
    public DataOptions withMissingFilled(boolean filled) {
        return with(copy -> copy.missingFilled = filled);
    }

    /**
     * Sets whether each column in which the training data have missing values gets one more column, which is 1 where its
     * value is missing and 0 elsewhere. Missing values are then also filled, as by {@link #withMissingFilled}; a missing
     * category becomes zeros.
     */
    public DataOptions withMissingIndicators(boolean indicators) {
        return with(copy -> {
            copy.missingIndicators = indicators;
            copy.missingFilled |= indicators;
        });
    }

    /**
     * Sets how categories become columns: {@code one-hot}, or {@code hash(buckets=1024)}, the default, which encodes a column
     * with more than 1024 categories in 1024 columns. A hash assigns each category to a column, also categories that the
     * training data did not have.
     *
     * <p>{@code means(above=40, smoothing=auto, folds=5)} encodes a column with more than 40 categories by the smoothed mean of
     * the target per category, minus the mean of all rows. Each training computes the means from its own rows
     * ({@link RowSource#forTraining}); training rows get the means of other folds, so that no row sees its own label.
     *
     * @throws SpellingException if the spelling cannot be read
     */
    public DataOptions withCategoryFeatures(String spelling) {
        CategoryFeatures features = CategoryFeatures.parse(spelling);
        return with(copy -> copy.categoryFeatures = features);
    }

    /**
     * Sets how dates become columns: {@code days} since 1970-01-01, the default; {@code parts}, the year, the month, the day
     * of the week, the day of the year and, for dates with times, the hour; or {@code cyclic}, the days and the sines and
     * cosines of the times of the year, of the week and, for dates with times, of the day.
     *
     * @throws SpellingException if the spelling cannot be read
     */
    public DataOptions withDateFeatures(String spelling) {
        DateFeatures features = DateFeatures.parse(spelling);
        return with(copy -> copy.dateFeatures = features);
    }

    /** Sets the columns of numbers that are one-hot encoded. Columns of names always are. */
    public DataOptions withCategorical(List<String> categorical) {
        return with(copy -> copy.categorical = List.copyOf(categorical));
    }

    /**
     * Sets the columns that hold texts. Each becomes sparse columns that count the n-grams of its texts; see {@link
     * #withTextFeatures}. Only CSV files have texts.
     */
    public DataOptions withText(List<String> text) {
        return with(copy -> copy.text = List.copyOf(text));
    }

    /**
     * Sets which n-grams of the texts are counted, and in how many columns: {@code words(n=1:2, buckets=2^16)}, {@code
     * chars(n=3:5)}. A hash assigns each n-gram to a column, so no dictionary is needed.
     *
     * @throws SpellingException if the spelling cannot be read
     */
    public DataOptions withTextFeatures(String spelling) {
        TextFeatures features = TextFeatures.parse(spelling);
        return with(copy -> copy.textFeatures = features);
    }

    /** Sets the column that holds the row weights; null for none. */
    public DataOptions withRowWeight(@Nullable String column) {
        return with(copy -> copy.rowWeight = column);
    }

    public DataOptions withTask(Task task) {
        return with(copy -> copy.task = task);
    }

    /**
     * Sets whether a category that the training data did not have is encoded as zeros. Otherwise (the default) reading
     * it fails.
     */
    public DataOptions withUnseenAsZeros(boolean zeros) {
        return with(copy -> copy.unseenAsZeros = zeros);
    }

    /** Sets the class to tell from all others; null to tell all classes apart. */
    public DataOptions withPositive(@Nullable String positive) {
        return with(copy -> copy.positive = positive);
    }

    /** Sets the character encoding of text files; null for UTF-8. NPY and IDX files are not text. */
    public DataOptions withCharset(@Nullable Charset charset) {
        return with(copy -> copy.charset = charset);
    }

    /** Sets the decimal sign of the numbers in CSV files. */
    public DataOptions withDecimal(Decimal decimal) {
        return with(copy -> copy.decimal = decimal);
    }

    /** Sets the columns that are left out. */
    public DataOptions withIgnored(List<String> ignored) {
        return with(copy -> copy.ignored = List.copyOf(ignored));
    }

    /** Sets the column of the row groups, which hold-outs and folds keep together; null for none. */
    public DataOptions withGroup(@Nullable String group) {
        return with(copy -> copy.group = group);
    }

    /**
     * Sets the column of the set ids; null for none. The rows of a set stand together and have one label: a machine learns
     * from sets, and a model predicts sets.
     *
     * @see RowSource#bySet
     */
    public DataOptions withSet(@Nullable String set) {
        return with(copy -> copy.set = set);
    }

    /** Sets the columns whose texts accompany the rows of data that are read for a model: {@link RowBlock#carried}. */
    public DataOptions withCarried(List<String> carried) {
        return with(copy -> copy.carried = List.copyOf(carried));
    }

    /** Returns the paths of the files by channel, in order; the name of the channel is empty if there is one file. */
    public Map<String, String> channels() {
        return settings.channels;
    }

    public @Nullable String labelsFile() {
        return settings.labelsFile;
    }

    /** Returns the label column as it was given; {@code auto} by default. */
    public String label() {
        return settings.label;
    }

    public @Nullable Boolean header() {
        return settings.header;
    }

    public @Nullable Character delimiter() {
        return settings.delimiter;
    }

    /** Returns the number of columns of a sparse file; 0 if it comes from the data. */
    public int columns() {
        return settings.columns;
    }

    public List<String> categorical() {
        return settings.categorical;
    }

    public @Nullable String rowWeight() {
        return settings.rowWeight;
    }

    public Task task() {
        return settings.task;
    }

    public boolean unseenAsZeros() {
        return settings.unseenAsZeros;
    }

    public @Nullable String positive() {
        return settings.positive;
    }

    public @Nullable Charset charset() {
        return settings.charset;
    }

    public List<String> ignored() {
        return settings.ignored;
    }

    public List<String> carried() {
        return settings.carried;
    }
}
