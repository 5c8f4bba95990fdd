package org.bochner.cli;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.data.DataFiles;
import org.bochner.data.DataFormat;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.model.KernelModel;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How DATA is read, whatever it is read for. */
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
        MEAN
    }

    static final String HEADING = "%nHow DATA is read%n";

    @Option(
            names = "--format",
            paramLabel = "F",
            completionCandidates = Words.Formats.class,
            description = "libsvm, csv (cells separated by commas, semicolons, tabs, bars or blanks), npy or idx; found"
                    + " out by default.")
    private DataFormat format = DataFormat.AUTO;

    @Option(
            names = "--label",
            paramLabel = "COLUMN",
            description =
                    "The label's column: a name, an index from 0, or from -1 backwards, first, last or none; several with"
                            + " commas between are several numbers to predict. By default the last column of a CSV file, the first of"
                            + " a LIBSVM file, none of an NPY or IDX file.")
    private String label = "auto";

    @Option(
            names = "--labels",
            paramLabel = "FILE",
            description = "Labels in a file of their own, a row each (text, CSV, NPY, NPZ or IDX).")
    @Reads
    private @Nullable String labelsFile;

    @Option(
            names = "--channel",
            paramLabel = "NAME=FILE",
            description = "A file whose columns are joined to the others row by row, under a name; repeat it.")
    @Reads
    private List<String> channels = new ArrayList<>();

    @Option(
            names = "--ignore",
            paramLabel = "COLUMN",
            split = ",",
            description =
                    "Columns to leave out: names, indices from 0, or from -1 backwards, with commas between. For a model,"
                            + " names of columns that its training data lacked.")
    private List<String> ignored = new ArrayList<>();

    @Option(
            names = "--header",
            paramLabel = "yes|no|auto",
            completionCandidates = Words.Headers.class,
            description = "Whether a CSV file starts with column names; found out by default.")
    private Header header = Header.AUTO;

    @Option(
            names = "--delimiter",
            paramLabel = "C",
            description = "The character that separates CSV cells, or tab, space, comma, semicolon, bar; found out by"
                    + " default.")
    private @Nullable Character delimiter;

    @Option(
            names = "--decimal",
            paramLabel = "point|comma|auto",
            completionCandidates = Words.Decimals.class,
            description =
                    "The decimal sign of the numbers in a CSV file; found out by default in training, and that of the"
                            + " training data in later files.")
    private DataOptions.Decimal decimal = DataOptions.Decimal.AUTO;

    @Option(
            names = "--encoding",
            paramLabel = "NAME",
            description =
                    "The character encoding of text files, as ISO-8859-1, windows-1252 or UTF-16; UTF-8 by default.")
    private @Nullable Charset encoding;

    @Option(
            names = "--missing",
            paramLabel = "error|mean",
            completionCandidates = Words.Missings.class,
            description = "What becomes of missing cells: an error (default), or the column's mean (or most frequent"
                    + " category) in the training data.")
    private Missing missing = Missing.ERROR;

    @Option(
            names = "--index-base",
            paramLabel = "0|1",
            description = "Whether the indices of a sparse file count from 0 or 1; found out in training by default.")
    private @Nullable Integer indexBase;

    /** Whether channels were given, in place of DATA or beside it. */
    boolean hasChannels() {
        return !channels.isEmpty();
    }

    /** The options for a data file, or for channels where they are given. */
    DataOptions options(@Nullable String path) {
        return options(path, "--channel", channels);
    }

    /** The options for another file, or other channels, to be read in the same way. */
    DataOptions options(@Nullable String path, String channelFlag, List<String> channelFiles) {
        if (path == null && channelFiles.isEmpty()) {
            throw new UsageException(
                    "no data given: name a DATA file, or files to join with " + channelFlag + " NAME=FILE");
        }
        if (indexBase != null && indexBase != 0 && indexBase != 1) {
            throw new UsageException("--index-base must be 0 or 1, got " + indexBase);
        }
        return UsageException.orUsage(() -> {
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
                    .withMissingFilled(missing == Missing.MEAN);
        });
    }

    /** Opens DATA to be read as the model's training data were. */
    static FileSource openFor(KernelModel model, DataOptions options) {
        return DataFiles.open(
                options,
                model.encoding()
                        .orElseThrow(() -> new BochnerException(
                                "the model was trained from rows in memory and does not know how to read files")));
    }
}
