package org.bochner.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.bochner.base.AtomicFile;
import org.bochner.data.DataOptions;
import org.bochner.data.Encoding;
import org.bochner.data.FileSource;
import org.bochner.data.SurveyedSource;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.jspecify.annotations.Nullable;

/** Reads and writes files of this machine. */
final class LocalPlatform implements Platform {
    @Override
    public SurveyedSource open(DataOptions options, Progress progress) {
        return FileSource.open(options);
    }

    @Override
    public SurveyedSource open(DataOptions options, Encoding encoding, Progress progress) {
        return FileSource.open(options, encoding);
    }

    @Override
    public @Nullable Path local(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    @Override
    public void checkWritable(String name) {
        AtomicFile.checkWritable(path(name));
    }

    @Override
    public KernelModel load(String name) {
        return KernelModel.load(path(name));
    }

    @Override
    public void save(KernelModel model, String name) {
        model.save(path(name));
    }

    private static Path path(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw (UsageException) new UsageException("'" + name + "' cannot be the name of a file").initCause(e);
        }
    }
}
