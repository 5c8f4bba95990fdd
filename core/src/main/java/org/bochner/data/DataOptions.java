package org.bochner.data;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import org.bochner.base.Require;
import org.jspecify.annotations.Nullable;

/**
 * Which files hold the data and how they are to be read: what the command line's data flags say.
 *
 * <pre>{@code
 * FileSource rows = DataFiles.open(DataOptions.of("train.csv").withLabel("price").withTask(Task.REGRESS));
 * }</pre>
 *
 * <p>Columns are named by their name in the header, or by their index from 0, or from -1 backwards; where a name looks like an index, the name
 * wins. Immutable.
 */
public final class DataOptions {
    /** Whether the first line of a CSV file names its columns. */
    public enum Header {
        /** Found out by comparing the first line with those below it. */
        AUTO,
        YES,
        NO
    }

    /** What becomes of a cell without a value: empty, {@code ?}, {@code NA}, {@code N/A}, {@code NaN}, {@code null}. */
    public enum Missing {
        ERROR,
        /** The column's mean in the training data; the most frequent level of a categorical column. */
        MEAN
    }

    /** What becomes of a level of a categorical column that the training data did not have. */
    public enum Unseen {
        ERROR,
        /** All columns of that category are zero. */
        ZEROS
    }

    /** The decimal sign of the numbers in a CSV file. */
    public enum Decimal {
        /** A comma where commas do not separate cells and the numbers of the file have commas, else a point. */
        AUTO,
        POINT,
        COMMA
    }

    /** A file and the name its columns go by; the name is empty for the only file. */
    public record Channel(String name, String path) {}

    // Set only on a fresh copy, before anyone else sees it.
    private List<Channel> channels = List.of();
    private DataFormat format = DataFormat.AUTO;
    private String label = "auto";
    private @Nullable String labelsFile;
    private Header header = Header.AUTO;
    private @Nullable Character delimiter;
    private int columns;
    private int indexBase = -1;
    private Missing missing = Missing.ERROR;
    private List<String> categorical = List.of();
    private @Nullable String rowWeight;
    private Task task = Task.AUTO;
    private Unseen unseen = Unseen.ERROR;
    private @Nullable String positive;
    private @Nullable Charset charset;
    private Decimal decimal = Decimal.AUTO;
    private List<String> ignored = List.of();
    private @Nullable String group;
    private List<String> carried = List.of();

    private DataOptions() {}

    private DataOptions(DataOptions from) {
        channels = from.channels;
        format = from.format;
        label = from.label;
        labelsFile = from.labelsFile;
        header = from.header;
        delimiter = from.delimiter;
        columns = from.columns;
        indexBase = from.indexBase;
        missing = from.missing;
        categorical = from.categorical;
        rowWeight = from.rowWeight;
        task = from.task;
        unseen = from.unseen;
        positive = from.positive;
        charset = from.charset;
        decimal = from.decimal;
        ignored = from.ignored;
        group = from.group;
        carried = from.carried;
    }

    /** One file; {@code -} is the standard input, and {@code FILE:NAME} an array of an NPZ file. */
    public static DataOptions of(String path) {
        DataOptions options = new DataOptions();
        options.channels = List.of(new Channel("", path));
        return options;
    }

    /** No file yet: one is added with {@link #withChannel} for each channel. */
    public static DataOptions channelled() {
        return new DataOptions();
    }

    /**
     * One file more, joined to the others row by row; its columns follow theirs and are known as this channel. The file
     * given without a name, if any, becomes the channel {@code data}.
     */
    public DataOptions withChannel(String name, String path) {
        Require.that(
                ColumnNames.isName(name),
                "channel",
                "a name is a letter or '_', then letters, digits, '.', '_' or '-'; got '" + name + "'");
        DataOptions copy = new DataOptions(this);
        List<Channel> all = new ArrayList<>();
        for (Channel channel : channels) {
            Channel named = channel.name().isEmpty() ? new Channel("data", channel.path()) : channel;
            Require.that(!named.name().equals(name), "channel", "'" + name + "' is given twice");
            all.add(named);
        }
        all.add(new Channel(name, path));
        copy.channels = List.copyOf(all);
        return copy;
    }

    public DataOptions withFormat(DataFormat format) {
        DataOptions copy = new DataOptions(this);
        copy.format = format;
        return copy;
    }

    /**
     * Which column is the label: a name, an index from 0, or from the end where it is negative, {@code first}, {@code last}
     * or {@code none}; several, with commas between, are several numbers to predict. By default ({@code auto}) the last
     * column of a CSV file that is not ignored, none of
     * an NPY or IDX file, and none of any where the labels have a file of their own. A LIBSVM file has its label first.
     */
    public DataOptions withLabel(String label) {
        DataOptions copy = new DataOptions(this);
        copy.label = label.strip();
        return copy;
    }

    /** Labels in a file of their own, a row each: text lines, CSV, NPY, NPZ or IDX. */
    public DataOptions withLabelsFile(@Nullable String labelsFile) {
        DataOptions copy = new DataOptions(this);
        copy.labelsFile = labelsFile;
        return copy;
    }

    public DataOptions withHeader(Header header) {
        DataOptions copy = new DataOptions(this);
        copy.header = header;
        return copy;
    }

    /** What separates the cells of a CSV file; null to find out. */
    public DataOptions withDelimiter(@Nullable Character delimiter) {
        if (delimiter != null) {
            char c = delimiter;
            Require.that(
                    c < 128 && !Character.isLetterOrDigit(c) && "\"+-.\r\n".indexOf(c) < 0 && c != 0,
                    "delimiter",
                    "must be one character that is no letter, digit, quote, sign or point, as ';' or tab; got '" + c
                            + "'");
        }
        DataOptions copy = new DataOptions(this);
        copy.delimiter = delimiter;
        return copy;
    }

    /** The width of a sparse file; 0 to take it from its largest index. */
    public DataOptions withColumns(int columns) {
        DataOptions copy = new DataOptions(this);
        copy.columns = Require.atLeast("columns", "width", columns, 0);
        return copy;
    }

    /** Whether indices of a sparse file count from 0 or 1; -1 to find out. */
    public DataOptions withIndexBase(int indexBase) {
        Require.that(indexBase >= -1 && indexBase <= 1, "index base", "must be 0 or 1, got " + indexBase);
        DataOptions copy = new DataOptions(this);
        copy.indexBase = indexBase;
        return copy;
    }

    public DataOptions withMissing(Missing missing) {
        DataOptions copy = new DataOptions(this);
        copy.missing = missing;
        return copy;
    }

    /** Columns of numbers that are names of things, to be one-hot encoded. Columns of text are so anyway. */
    public DataOptions withCategorical(List<String> categorical) {
        DataOptions copy = new DataOptions(this);
        copy.categorical = List.copyOf(categorical);
        return copy;
    }

    /** The column that holds the rows' weights; null for none. */
    public DataOptions withRowWeight(@Nullable String weight) {
        DataOptions copy = new DataOptions(this);
        copy.rowWeight = weight;
        return copy;
    }

    public DataOptions withTask(Task task) {
        DataOptions copy = new DataOptions(this);
        copy.task = task;
        return copy;
    }

    public DataOptions withUnseen(Unseen unseen) {
        DataOptions copy = new DataOptions(this);
        copy.unseen = unseen;
        return copy;
    }

    /** The class to tell from the rest; null for all classes. */
    public DataOptions withPositive(@Nullable String positive) {
        DataOptions copy = new DataOptions(this);
        copy.positive = positive;
        return copy;
    }

    /** The character encoding of text files; null for UTF-8. NPY and IDX files are not text. */
    public DataOptions withCharset(@Nullable Charset charset) {
        DataOptions copy = new DataOptions(this);
        copy.charset = charset;
        return copy;
    }

    /** The decimal sign of the numbers in CSV files. */
    public DataOptions withDecimal(Decimal decimal) {
        DataOptions copy = new DataOptions(this);
        copy.decimal = decimal;
        return copy;
    }

    /** Columns to be left out, by name, by index from 0, or by a negative index from the end. */
    public DataOptions withIgnored(List<String> ignored) {
        DataOptions copy = new DataOptions(this);
        copy.ignored = List.copyOf(ignored);
        return copy;
    }

    /** The same way of reading with other places of the same files. */
    DataOptions withPaths(List<Channel> channels, @Nullable String labelsFile) {
        DataOptions copy = new DataOptions(this);
        copy.channels = List.copyOf(channels);
        copy.labelsFile = labelsFile;
        return copy;
    }

    /** The column whose cells say which group a row is in, which splits and folds keep together; null for none. */
    public DataOptions withGroup(@Nullable String group) {
        DataOptions copy = new DataOptions(this);
        copy.group = group;
        return copy;
    }

    /** Columns whose texts are carried along beside the rows of data that are read for a model: {@link RowBlock#carried}. */
    public DataOptions withCarried(List<String> carried) {
        DataOptions copy = new DataOptions(this);
        copy.carried = List.copyOf(carried);
        return copy;
    }

    public List<Channel> channels() {
        return channels;
    }

    public DataFormat format() {
        return format;
    }

    public String label() {
        return label;
    }

    public @Nullable String labelsFile() {
        return labelsFile;
    }

    public Header header() {
        return header;
    }

    public @Nullable Character delimiter() {
        return delimiter;
    }

    public int columns() {
        return columns;
    }

    public int indexBase() {
        return indexBase;
    }

    public Missing missing() {
        return missing;
    }

    public List<String> categorical() {
        return categorical;
    }

    public @Nullable String rowWeight() {
        return rowWeight;
    }

    public Task task() {
        return task;
    }

    public Unseen unseen() {
        return unseen;
    }

    public @Nullable String positive() {
        return positive;
    }

    public @Nullable Charset charset() {
        return charset;
    }

    public Decimal decimal() {
        return decimal;
    }

    public List<String> ignored() {
        return ignored;
    }

    public @Nullable String group() {
        return group;
    }

    public List<String> carried() {
        return carried;
    }
}
