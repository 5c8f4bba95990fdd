package org.bochner.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.bochner.base.BochnerException;
import org.bochner.data.DataFiles;
import org.bochner.data.DataOptions;
import org.bochner.data.Encoding;
import org.bochner.data.FileSource;
import org.bochner.model.KernelModel;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** DATA that is read as a model's training data were. */
final class ModelFlags {
    @Option(
            names = "--channel",
            paramLabel = "NAME=FILE",
            description = "A file whose columns are joined to the others row by row; repeat it.")
    private Map<String, String> channels = new LinkedHashMap<>();

    @Mixin
    private DataFlags dataFlags = new DataFlags();

    FileSource open(KernelModel model, @Nullable String path) {
        DataOptions options = dataFlags.options(path, channels);
        return DataFiles.open(options, encoding(model));
    }

    /** How the model's files become rows. */
    static Encoding encoding(KernelModel model) {
        return model.encoding()
                .orElseThrow(() -> new BochnerException(
                        "the model was trained from rows in memory and does not know how to read files"));
    }
}
