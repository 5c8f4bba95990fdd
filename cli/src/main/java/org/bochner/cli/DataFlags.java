package org.bochner.cli;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.bochner.data.DataFormat;
import org.bochner.data.DataOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags for reading data whose columns are not known yet. */
final class DataFlags extends ReadingFlags {
    @Option(
            names = "--columns",
            paramLabel = "N",
            description = "Number of columns of a sparse file. [default: its largest index]")
    private @Nullable Integer columns;

    @Option(
            names = "--categorical",
            paramLabel = "COLUMN",
            split = ",",
            description = "Take these columns of numbers, separated by commas, for categories. Columns of names always"
                    + " are; see --category-features.")
    private List<String> categorical = new ArrayList<>();

    @Option(
            names = "--category-features",
            paramLabel = "SPEC",
            completionCandidates = Words.CategoryFeatures.class,
            description =
                    "How categories become columns. one-hot: one column per category. hash(buckets=B): a column of up to"
                            + " B categories is one-hot encoded; one with more gets B columns, and a hash assigns each"
                            + " category to one of them. means: a column with more than 40 categories becomes the mean of"
                            + " the target per category. means(above=N, smoothing=M, folds=K): N, the most categories that"
                            + " stay one-hot; M, the strength of smoothing in rows; K, the number of folds, where the mean"
                            + " of a training row comes from the other folds. [default: hash(buckets=1024)]")
    private @Nullable String categoryFeatures;

    @Option(
            names = "--date-features",
            paramLabel = "days|parts|cyclic",
            completionCandidates = Words.DateFeatures.class,
            description = "How dates become columns: days since 1970-01-01; parts: year, month, day of the week, day of"
                    + " the year and, for dates with times, hour; cyclic: days, and the sines and cosines of the time of"
                    + " the year, of the week and, for dates with times, of the day. [default: days]")
    private @Nullable String dateFeatures;

    @Option(
            names = "--text",
            paramLabel = "COLUMN",
            // A comma at the end stays in the name, to be refused.
            split = ",(?!$)",
            splitSynopsisLabel = ",",
            description = "Count the words of the texts in these columns of a CSV file, separated by commas, or their"
                    + " characters: see --text-features.")
    private List<String> text = new ArrayList<>();

    @Option(
            names = "--text-features",
            paramLabel = "SPEC",
            description = "N-grams of the texts to count, and the number of columns, to which a hash assigns them:"
                    + " words(n=1:2) counts words and pairs of words, chars(n=3:5) counts 3 to 5 characters in a row"
                    + " within words. Other parameters: buckets=2^16 (columns per text), min-length=2 (of words), case"
                    + " (keep upper case), across (characters across words). [default: words(n=1, buckets=2^16)]")
    private @Nullable String textFeatures;

    @Option(
            names = "--weight",
            paramLabel = "COLUMN",
            description = "Column of the row weights. [default: all weights are 1]")
    private @Nullable String weight;

    @Option(
            names = "--group",
            paramLabel = "COLUMN",
            description = "Column of the group of each row; it is not used as a feature. All rows of a group are on the"
                    + " same side of each hold-out and in the same fold. Shares of held-out rows are then approximate.")
    private @Nullable String group;

    @Option(
            names = "--set",
            paramLabel = "COLUMN",
            description = "Column of the set of each row, such as the image of a patch; it is not used as a feature."
                    + " One object is then a set of rows with one label: features are averaged over the rows of a set."
                    + " The rows of a set must stand together.")
    private @Nullable String set;

    private DataOptions features(DataOptions options) {
        DataOptions categories = categoryFeatures == null ? options : options.withCategoryFeatures(categoryFeatures);
        return dateFeatures == null ? categories : categories.withDateFeatures(dateFeatures);
    }

    /** Returns the number of columns that was asked for; 0 if none was. */
    int columns() {
        if (columns != null && columns < 1) {
            throw new UsageException("--columns must be at least 1, got " + columns);
        }
        return columns == null ? 0 : columns;
    }

    @Override
    DataOptions options(@Nullable String path, String channelFlag, List<String> channelFiles) {
        DataOptions options = UsageException.orUsage(() -> features(super.options(path, channelFlag, channelFiles)))
                .withColumns(columns())
                .withCategorical(categorical)
                .withText(text)
                .withRowWeight(weight)
                .withGroup(group)
                .withSet(set);
        if (text.stream().anyMatch(name -> name.isBlank() || name.endsWith(","))) {
            throw new UsageException("--text has an empty name between commas: " + String.join(",", text));
        }
        if (new HashSet<>(text).size() < text.size()) {
            throw new UsageException("--text names a column twice: " + String.join(",", text));
        }
        if (!text.isEmpty() && format() != DataFormat.AUTO && format() != DataFormat.CSV) {
            throw new UsageException("--text needs a CSV file, not --format " + Text.word(format()));
        }
        String features = textFeatures;
        if (features == null) {
            return options;
        }
        if (text.isEmpty()) {
            throw new UsageException("--text-features needs --text COLUMN");
        }
        return UsageException.orUsage(() -> options.withTextFeatures(features));
    }
}
