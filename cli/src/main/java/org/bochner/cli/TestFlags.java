package org.bochner.cli;

import java.util.List;
import org.bochner.base.DataException;
import org.bochner.data.DataOptions;
import org.bochner.data.Holdout;
import org.bochner.data.RowSource;
import org.bochner.data.SurveyedSource;
import org.bochner.model.Progress;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that choose test rows of a training. Its data determine the columns of test files. */
final class TestFlags extends TestRowFlags {
    @Option(
            names = "--unseen",
            paramLabel = "error|zeros",
            completionCandidates = Words.Unseens.class,
            description =
                    "Treatment of a category that the training data do not have, in one-hot encoded columns of other"
                            + " files: fail (error), or encode it as all zeros (zeros). [default: error]")
    private ModelDataFlags.Unseen unseen = ModelDataFlags.Unseen.ERROR;

    /**
     * Rows to train on, and rows to test on.
     *
     * @param testing null for none
     */
    record Split(RowSource training, @Nullable RowSource testing) {}

    /** Returns the options for reading a file by the encoding of the training data. */
    DataOptions encoded(DataOptions options) {
        return options.withUnseenAsZeros(unseen == ModelDataFlags.Unseen.ZEROS);
    }

    /** Returns the options for reading test files, checked against the training files; null if there are none. */
    @Nullable
    DataOptions options(DataFlags dataFlags, DataOptions training, @Nullable String positive) {
        DataOptions options = options(dataFlags);
        if (options == null) {
            return null;
        }
        if (readsStandardInput(training) && readsStandardInput(options)) {
            throw new UsageException("stdin (-) can be the training data or the test data, not both");
        }
        // The encoding holds the columns that training left out, and the indices of --ignore are those of the training
        // file.
        return encoded(options).withIgnored(List.of()).withPositive(positive);
    }

    /** Returns the rows of a source to train on, and those to test on. */
    Split split(Platform platform, SurveyedSource source, @Nullable DataOptions options, long seed, Progress progress) {
        RowSource rows = source.bySet();
        if (holdsOut()) {
            Holdout split = Holdout.split(rows, holdout(0), new Seed(seed));
            return new Split(split.train(), split.test());
        }
        if (options == null) {
            return new Split(rows, null);
        }
        SurveyedSource testing = platform.open(options, source.encoding(), progress);
        if (testing.labels().targets() == 0) {
            throw DataException.in(testing.name(), "has no labels; give them with --test-labels FILE");
        }
        return new Split(rows, testing);
    }
}
