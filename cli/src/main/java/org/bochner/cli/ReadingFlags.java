package org.bochner.cli;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.bochner.data.DataFormat;
import org.bochner.data.DataOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags for reading data, in all commands. */
class ReadingFlags {
    /** The values of {@code --header}. */
    enum Header {
        AUTO,
        YES,
        NO
    }

    /** The values of {@code --missing}. */
    enum Missing {
        ERROR,
        MEAN,
        INDICATOR
    }

    static final String HEADING = "%nReading DATA%n";

    @Option(
            names = "--format",
            paramLabel = "F",
            completionCandidates = Words.Formats.class,
            description =
                    "File format: libsvm, csv (cells separated by commas, semicolons, tabs, bars or blanks), npy or"
                            + " idx. [default: detected]")
    private DataFormat format = DataFormat.AUTO;

    @Option(
            names = "--label",
            paramLabel = "COLUMN",
            description = "Label column: a name, an index (0 is the first column, -1 the last), first, last or none."
                    + " Several columns, separated by commas, are several regression targets. [default: the last"
                    + " column of a CSV file, the first of a LIBSVM file, none of an NPY or IDX file]")
    private String label = "auto";

    @Option(
            names = "--labels",
            paramLabel = "FILE",
            description = "Read the labels from this file, one per row: text, CSV, NPY, NPZ or IDX.")
    @Reads
    private @Nullable String labelsFile;

    @Option(
            names = "--channel",
            paramLabel = "NAME=FILE",
            description = "Join the columns of this file to the others, row by row, under a name. May be repeated.")
    @Reads
    private List<String> channels = new ArrayList<>();

    @Option(
            names = "--ignore",
            paramLabel = "COLUMN",
            split = ",",
            description = "Ignore these columns: names or indices (0 is the first column, -1 the last), separated by"
                    + " commas. Commands that read a model take names of columns that its training data did not have.")
    private List<String> ignored = new ArrayList<>();

    @Option(
            names = "--header",
            paramLabel = "yes|no|auto",
            completionCandidates = Words.Headers.class,
            description = "Whether a CSV file starts with column names. [default: detected]")
    private Header header = Header.AUTO;

    @Option(
            names = "--delimiter",
            paramLabel = "C",
            description = "Character between CSV cells, or tab, space, comma, semicolon, bar. [default: detected]")
    private @Nullable Character delimiter;

    @Option(
            names = "--decimal",
            paramLabel = "point|comma|auto",
            completionCandidates = Words.Decimals.class,
            description =
                    "Decimal sign of the numbers in a CSV file. [default: detected; for a model, the decimal sign of"
                            + " its training data]")
    private DataOptions.Decimal decimal = DataOptions.Decimal.AUTO;

    @Option(
            names = "--encoding",
            paramLabel = "NAME",
            description =
                    "Character encoding of text files, such as ISO-8859-1, windows-1252 or UTF-16. [default: UTF-8]")
    private @Nullable Charset encoding;

    @Option(
            names = "--missing",
            paramLabel = "error|mean|indicator",
            completionCandidates = Words.Missings.class,
            description =
                    "Treatment of missing cells: fail (error), or fill in the mean, or the most frequent category,"
                            + " of the column in the training data (mean), or also add a column that is 1 where the cell"
                            + " is missing, for each column with missing cells in the training data (indicator)."
                            + " [default: error]")
    private Missing missing = Missing.ERROR;

    @Option(
            names = "--index-base",
            paramLabel = "0|1",
            description =
                    "First index of a sparse file. [default: detected; for a model, the first index of its training"
                            + " data]")
    private @Nullable Integer indexBase;

    /** Returns the format that was asked for. */
    DataFormat format() {
        return format;
    }

    /** Returns true if channels were given, in place of DATA or beside it. */
    boolean hasChannels() {
        return !channels.isEmpty();
    }

    /** Returns the options for a data file, or for channels if they are given. */
    DataOptions options(@Nullable String path) {
        return options(path, "--channel", channels);
    }

    /** Returns the options for another file, or other channels, to be read in the same way. */
    DataOptions options(@Nullable String path, String channelFlag, List<String> channelFiles) {
        if (path == null && channelFiles.isEmpty()) {
            throw new UsageException(
                    "no data given: name a DATA file, or files to join with " + channelFlag + " NAME=FILE");
        }
        if (indexBase != null && indexBase != 0 && indexBase != 1) {
            throw new UsageException("--index-base must be 0 or 1, got " + indexBase);
        }
        return requireOneStdin(UsageException.orUsage(() -> {
            DataOptions options = path == null ? DataOptions.channelled() : DataOptions.of(path);
            for (String channel : channelFiles) {
                int equals = channel.indexOf('=');
                if (equals < 0) {
                    throw new UsageException(channelFlag + " must be NAME=FILE, got '" + channel + "'");
                }
                options = options.withChannel(channel.substring(0, equals), channel.substring(equals + 1));
            }
            return options.withFormat(format)
                    .withLabel(label)
                    .withLabelsFile(labelsFile)
                    .withHeader(header == Header.AUTO ? null : header == Header.YES)
                    .withDelimiter(delimiter)
                    .withDecimal(decimal)
                    .withCharset(encoding)
                    .withIndexBase(indexBase == null ? -1 : indexBase)
                    .withIgnored(ignored)
                    .withMissingFilled(missing != Missing.ERROR)
                    .withMissingIndicators(missing == Missing.INDICATOR);
        }));
    }

    /** Fails as wrong usage if several files are stdin; returns the options. */
    static DataOptions requireOneStdin(DataOptions options) {
        if (Collections.frequency(options.channels().values(), "-") + ("-".equals(options.labelsFile()) ? 1 : 0) > 1) {
            throw new UsageException("stdin (-) can be only one of the files");
        }
        return options;
    }
}
