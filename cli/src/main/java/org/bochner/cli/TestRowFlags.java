package org.bochner.cli;

import java.util.ArrayList;
import java.util.List;
import org.bochner.base.Spelling;
import org.bochner.data.DataOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that choose test rows, for models and for training. */
class TestRowFlags {
    static final String HEADING = "%nTesting%n";

    @Option(names = "--test", paramLabel = "DATA", description = "Evaluate the model on this file.")
    @Reads
    private @Nullable String data;

    @Option(names = "--test-labels", paramLabel = "FILE", description = "Read the labels of --test from this file.")
    @Reads
    private @Nullable String labels;

    @Option(
            names = "--test-channel",
            paramLabel = "NAME=FILE",
            description = "Evaluate the model on these files, joined row by row; give one for each --channel. May be"
                    + " repeated.")
    @Reads
    private List<String> channels = new ArrayList<>();

    @Option(
            names = "--holdout",
            paramLabel = "SHARE",
            converter = Words.Shares.class,
            description =
                    "Hold out this share of the rows of DATA, such as 0.2 or 20%%, and evaluate the model on these"
                            + " rows. --seed determines the rows.")
    private @Nullable Double holdout;

    /** Returns true if there are test files. */
    private boolean files() {
        return data != null || !channels.isEmpty();
    }

    /** Returns true if there are test rows. */
    final boolean given() {
        return files() || holdsOut();
    }

    /** Returns true if rows of the training data are held out. */
    final boolean holdsOut() {
        return holdout != null;
    }

    /** Returns the share of rows to hold out, or a default. */
    final double holdout(double absent) {
        return holdout == null ? absent : holdout;
    }

    /** Returns the options for reading test files; null if there are none. */
    @Nullable
    DataOptions options(ReadingFlags readingFlags) {
        if (holdout != null && !(holdout > 0 && holdout < 1)) {
            throw new UsageException("--holdout must lie strictly between 0 and 1, got " + Spelling.print(holdout)
                    + (holdout > 1 && holdout < 100
                            ? "; write " + Spelling.print(holdout / 100) + " or " + Spelling.print(holdout) + "%"
                            : ""));
        }
        if (holdout != null && files()) {
            throw new UsageException("give either --holdout or --test, not both");
        }
        if (labels != null && !files()) {
            throw new UsageException("--test-labels needs test rows; add --test DATA");
        }
        if (!files()) {
            return null;
        }
        return ReadingFlags.requireOneStdin(
                readingFlags.options(data, "--test-channel", channels).withLabelsFile(labels));
    }

    /** Returns true if stdin is among the files. */
    static boolean readsStandardInput(DataOptions options) {
        return "-".equals(options.labelsFile()) || options.channels().containsValue("-");
    }
}
