package org.bochner.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.SurveyedSource;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags for reading data for a model, which knows the columns. */
final class ModelDataFlags extends ReadingFlags {
    /** The values of {@code --unseen}. */
    enum Unseen {
        ERROR,
        ZEROS
    }

    @Option(
            names = "--unseen",
            paramLabel = "error|zeros",
            completionCandidates = Words.Unseens.class,
            description =
                    "Treatment of a category that training did not have, in one-hot encoded columns: fail (error), or"
                            + " encode it as all zeros (zeros). [default: error]")
    private Unseen unseen = Unseen.ERROR;

    // A model knows its columns. Scripts that give the flag to train may give it here too, with the same value.
    // It widens a LIBSVM model, whose support vectors may have fewer columns than its training data.
    @Option(names = "--columns", paramLabel = "N", hidden = true)
    private @Nullable Integer columns;

    @Override
    DataOptions options(@Nullable String path, String channelFlag, List<String> channelFiles) {
        return super.options(path, channelFlag, channelFiles).withUnseenAsZeros(unseen == Unseen.ZEROS);
    }

    /** Reads the model; says so if MODEL and DATA are exchanged. */
    KernelModel load(Path model, @Nullable String data) {
        try {
            return columns != null && KernelModel.isLibsvm(model)
                    ? KernelModel.loadLibsvm(model, columns)
                    : KernelModel.load(model);
        } catch (BochnerException e) {
            if (data != null && isModel(data)) {
                throw new UsageException(data + " is a model and " + model + " is not; the order is MODEL DATA");
            }
            throw e;
        }
    }

    private static boolean isModel(String file) {
        try {
            KernelModel.load(Path.of(file));
            return true;
        } catch (BochnerException | InvalidPathException e) {
            return false;
        }
    }

    /** Reads a model from a file or address of a platform; says so if MODEL and DATA are exchanged. */
    KernelModel load(Platform platform, String model, @Nullable String data) {
        Path file = platform.local(model);
        return file == null ? platform.load(model) : load(file, data);
    }

    /** Opens DATA on a platform by the encoding of the model. */
    SurveyedSource open(Platform platform, KernelModel model, DataOptions options, Progress progress) {
        requireColumns(model);
        return platform.open(options, model.requireEncoding(), progress);
    }

    /** Opens DATA by the encoding of the model. */
    FileSource open(KernelModel model, DataOptions options) {
        requireColumns(model);
        return model.open(options);
    }

    private void requireColumns(KernelModel model) {
        if (columns != null && columns != model.columns()) {
            throw new UsageException("--columns " + columns + ": the model takes rows of " + model.columns()
                    + " columns; remove --columns");
        }
    }
}
