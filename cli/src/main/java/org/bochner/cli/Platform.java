package org.bochner.cli;

import java.nio.file.Path;
import java.util.Optional;
import org.bochner.data.DataOptions;
import org.bochner.data.Encoding;
import org.bochner.data.RowSource;
import org.bochner.data.SurveyedSource;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * Where the commands run: how DATA becomes rows, and where models and predictions are kept. {@link Main#run} runs the commands
 * on a platform.
 *
 * <p>Failures that a user can correct are {@link org.bochner.base.BochnerException}s. Those of arguments are reported by
 * {@link #usage}.
 */
public interface Platform {
    /** Returns this machine: data, models and predictions are files. */
    static Platform files() {
        return new LocalPlatform();
    }

    /** Adds options and help texts to the commands, before the arguments are parsed. */
    default void configure(CommandLine line) {}

    /**
     * Returns why a command or an option of the command has no meaning here, and what to do instead; empty if it has one.
     *
     * @param option the longest name of an option, with its hyphens; or the name of a command
     */
    default Optional<String> refusal(String option) {
        return Optional.empty();
    }

    /** Surveys the rows of training data. */
    SurveyedSource open(DataOptions options, Progress progress);

    /** Opens rows that are read by the encoding of the training data. */
    SurveyedSource open(DataOptions options, Encoding encoding, Progress progress);

    /** Returns the file of this machine that a name in an argument stands for; null if it stands for something else. */
    @Nullable
    Path local(String name);

    /** Fails if a file or address cannot be written, before a long run. */
    void checkWritable(String name);

    /** Loads a model from a file or address. */
    KernelModel load(String name);

    /** Saves a model to a file or address. A failed write leaves nothing behind. */
    void save(KernelModel model, String name);

    /**
     * Writes predictions to an address where several processes write at once.
     *
     * @return false if the predictions are to be written to a file of this machine
     */
    default boolean predict(
            KernelModel model, RowSource rows, PredictionForm form, String output, Workers workers, Progress progress) {
        return false;
    }

    /** Returns the message of a failure that is not one of the library; empty for unknown ones. */
    default Optional<String> explain(Throwable failure) {
        return Optional.empty();
    }

    /** Returns an exception that reports wrong usage: exit code 2. */
    static RuntimeException usage(String message) {
        return new UsageException(message);
    }
}
