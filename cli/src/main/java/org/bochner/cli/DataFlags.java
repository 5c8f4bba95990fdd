package org.bochner.cli;

import java.util.ArrayList;
import java.util.List;
import org.bochner.data.DataOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How DATA is read where nothing is known of it yet. */
final class DataFlags extends ReadingFlags {
    @Option(
            names = "--columns",
            paramLabel = "N",
            description = "The width of a sparse file; its largest index by default.")
    private @Nullable Integer columns;

    @Option(
            names = "--categorical",
            paramLabel = "COLUMN",
            split = ",",
            description = "Columns of numbers to be one-hot encoded, as columns of text are anyway.")
    private List<String> categorical = new ArrayList<>();

    @Option(names = "--weight", paramLabel = "COLUMN", description = "The column that holds the rows' weights.")
    private @Nullable String weight;

    @Option(
            names = "--group",
            paramLabel = "COLUMN",
            description =
                    "The column that says which group a row is in. All rows of a group are on the same side of every"
                            + " hold-out and in the same fold, and shares of rows are then approximate. The column is no"
                            + " feature.")
    private @Nullable String group;

    /** The width that was asked for; 0 where it was not. */
    int columns() {
        if (columns != null && columns < 1) {
            throw new UsageException("--columns must be at least 1, got " + columns);
        }
        return columns == null ? 0 : columns;
    }

    @Override
    DataOptions options(@Nullable String path, String channelFlag, List<String> channelFiles) {
        return super.options(path, channelFlag, channelFiles)
                .withColumns(columns())
                .withCategorical(categorical)
                .withRowWeight(weight)
                .withGroup(group);
    }
}
