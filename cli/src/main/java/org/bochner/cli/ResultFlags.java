package org.bochner.cli;

import picocli.CommandLine.Option;

/** How a command runs that prints a result. */
final class ResultFlags extends RunFlags {
    @Option(names = "--json", description = "Print one JSON object on stdout instead of text.")
    private boolean json;

    boolean json() {
        return json;
    }
}
