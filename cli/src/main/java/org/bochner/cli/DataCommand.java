package org.bochner.cli;

import org.bochner.data.DataOptions;
import org.bochner.data.SurveyedSource;
import org.bochner.numeric.LinearAlgebra;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Parameters;

/** A command that reads DATA, whose columns are not known yet. */
abstract class DataCommand extends Subcommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "DATA",
            description = "Data file: LIBSVM, CSV, NPY, NPZ or IDX, compressed or not. - is stdin, which is copied to a"
                    + " temporary file.")
    @Reads
    private @Nullable String data;

    @ArgGroup(validate = false, heading = ReadingFlags.HEADING, order = 5)
    private DataFlags dataFlags = new DataFlags();

    @ArgGroup(validate = false, heading = RunFlags.HEADING, order = 6)
    private ResultFlags run = new ResultFlags();

    /** Returns DATA as it was typed; null if it was not given. */
    final @Nullable String data() {
        return data;
    }

    /** Returns true if there are files to read. */
    final boolean hasData() {
        return data != null || dataFlags.hasChannels();
    }

    final DataFlags dataFlags() {
        return dataFlags;
    }

    final ResultFlags run() {
        return run;
    }

    /** Returns the options for reading DATA. */
    final DataOptions options() {
        return dataFlags.options(data);
    }

    /** Opens DATA, and prints its size and task. */
    final SurveyedSource open(DataOptions options, Talk talk) {
        LinearAlgebra.preload();
        SurveyedSource source = platform().open(options, talk);
        talk.say(source);
        return source;
    }

    /**
     * Opens DATA and the test rows, after all flags about them are checked.
     *
     * @param task the flags of the task
     * @param tests the flags of the test rows; null if the command has none
     */
    final Session open(DataOptions options, TaskFlags task, @Nullable TestFlags tests) {
        DataOptions testOptions = tests == null ? null : tests.options(dataFlags, options, task.positive());
        Talk talk = talk(run);
        long start = System.nanoTime();
        SurveyedSource source = open(options, talk);
        double seconds = (System.nanoTime() - start) * 1e-9;
        TestFlags.Split split = tests == null
                ? new TestFlags.Split(source, null)
                : tests.split(platform(), source, testOptions, task.seed(), talk);
        return new Session(source, split.training(), split.testing(), seconds, run.workers(), talk);
    }
}
