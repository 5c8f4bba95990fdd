package org.bochner.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bochner.data.DataFormat;
import org.bochner.data.DataOptions;
import org.bochner.data.Task;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How DATA is read. */
final class DataFlags {
    @Option(
            names = "--format",
            paramLabel = "F",
            description = "libsvm, csv (also tab- and semicolon-separated), npy or idx; found out by default.")
    private DataFormat format = DataFormat.AUTO;

    @Option(
            names = "--label",
            paramLabel = "COLUMN",
            description =
                    "The label's column: a name, an index from 0, first, last or none; several with commas between"
                            + " are several numbers to predict. By default the last column of a CSV file.")
    private String label = "auto";

    @Option(
            names = "--labels",
            paramLabel = "FILE",
            description = "Labels in a file of their own, a row each (text, CSV, NPY or IDX).")
    private @Nullable String labelsFile;

    @Option(
            names = "--header",
            paramLabel = "yes|no|auto",
            description = "Whether a CSV file starts with column names.")
    private DataOptions.Header header = DataOptions.Header.AUTO;

    @Option(names = "--delimiter", paramLabel = "C", description = "What separates CSV cells; found out by default.")
    private @Nullable Character delimiter;

    @Option(
            names = "--columns",
            paramLabel = "N",
            description = "The width of a sparse file; its largest index by default.")
    private int columns;

    @Option(
            names = "--index-base",
            paramLabel = "0|1",
            description = "Whether the indices of a sparse file count from 0 or 1; found out by default.")
    private int indexBase = -1;

    @Option(
            names = "--missing",
            paramLabel = "error|mean",
            description = "What becomes of missing cells: an error (default), or the column's mean (or most frequent"
                    + " category) in the training data.")
    private DataOptions.Missing missing = DataOptions.Missing.ERROR;

    @Option(
            names = "--categorical",
            paramLabel = "COLUMN",
            split = ",",
            description = "Columns of numbers to be one-hot encoded, as columns of text are anyway.")
    private List<String> categorical = new ArrayList<>();

    @Option(
            names = "--unseen",
            paramLabel = "error|zeros",
            description = "What becomes of a category that training did not have: an error (default), or zeros.")
    private DataOptions.Unseen unseen = DataOptions.Unseen.ERROR;

    @Option(names = "--weight", paramLabel = "COLUMN", description = "The column that holds the rows' weights.")
    private @Nullable String weight;

    /** The width that was asked for; 0 where it was not. */
    int columns() {
        return columns;
    }

    /** The options for a data file, or for channels where they are given. */
    DataOptions options(@Nullable String path, Map<String, String> channels) {
        return UsageException.orUsage(() -> {
            if (path == null && channels.isEmpty()) {
                throw new UsageException("no data given: name a DATA file, or channels with --channel NAME=FILE");
            }
            DataOptions options = path == null ? DataOptions.channelled() : DataOptions.of(path);
            for (Map.Entry<String, String> channel : channels.entrySet()) {
                options = options.withChannel(channel.getKey(), channel.getValue());
            }
            return options.withFormat(format)
                    .withLabel(label)
                    .withLabelsFile(labelsFile)
                    .withHeader(header)
                    .withDelimiter(delimiter)
                    .withColumns(columns)
                    .withIndexBase(indexBase)
                    .withMissing(missing)
                    .withCategorical(categorical)
                    .withUnseen(unseen)
                    .withWeight(weight)
                    .withTask(Task.AUTO);
        });
    }
}
