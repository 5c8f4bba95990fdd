package org.bochner.cli;

import org.bochner.numeric.Workers;
import picocli.CommandLine.Option;

/** How a command runs. */
class RunFlags {
    static final String HEADING = "%nHow it runs%n";

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads to use; all processors by default. Results do not depend on it.")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--quiet", description = "No progress and no remarks on stderr.")
    private boolean quiet;

    Workers workers() {
        if (threads < 1) {
            throw new UsageException("--threads must be at least 1, got " + threads);
        }
        return new Workers(threads);
    }

    boolean quiet() {
        return quiet;
    }
}
