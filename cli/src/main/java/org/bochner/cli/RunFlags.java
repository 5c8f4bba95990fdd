package org.bochner.cli;

import org.bochner.numeric.Workers;
import picocli.CommandLine.Option;

/** Flags that every command has which does real work. */
final class RunFlags {
    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads to use; all processors by default. Results do not depend on it.")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--json", description = "Print one JSON object on stdout instead of text.")
    private boolean json;

    @Option(names = "--quiet", description = "No progress and no remarks on stderr.")
    private boolean quiet;

    Workers workers() {
        if (threads < 1) {
            throw new UsageException("--threads must be at least 1, got " + threads);
        }
        return new Workers(threads);
    }

    boolean json() {
        return json;
    }

    Talk talk() {
        return new Talk(quiet);
    }
}
