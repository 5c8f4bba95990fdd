package org.bochner.cli;

import picocli.CommandLine.Option;

/** The flags for threads and output of a command that prints a result. */
final class ResultFlags extends RunFlags {
    @Option(names = "--json", description = "Print one JSON object on stdout instead of text.")
    private boolean json;

    boolean json() {
        return json;
    }
}
