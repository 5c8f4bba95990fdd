package org.bochner.cli;

import java.util.Optional;
import org.bochner.numeric.Workers;
import picocli.CommandLine.Option;

/** The flags for threads and output to stderr. */
class RunFlags {
    static final String HEADING = "%nRunning%n";

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Number of threads, at most one per processor. Results do not depend on it. [default: all"
                    + " processors]")
    private int threads = PROCESSORS;

    @Option(names = "--quiet", description = "Print no progress and no notes on stderr.")
    private boolean quiet;

    Workers workers() {
        if (threads < 1) {
            throw new UsageException("--threads must be at least 1, got " + threads);
        }
        // More threads than processors only cost memory, because all threads compute all the time.
        return new Workers(Math.min(threads, PROCESSORS));
    }

    /** Returns a note if these flags cannot be followed. */
    Optional<String> note() {
        return threads <= PROCESSORS
                ? Optional.empty()
                : Optional.of("note: --threads " + threads + " is more than the number of processors; "
                        + (PROCESSORS == 1 ? "1 thread is" : PROCESSORS + " threads are") + " used");
    }

    boolean quiet() {
        return quiet;
    }
}
