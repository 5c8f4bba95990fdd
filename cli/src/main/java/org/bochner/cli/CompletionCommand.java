package org.bochner.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** Prints a completion script for bash and zsh. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        header = "Print a completion script for bash and zsh.",
        description = {
            "",
            "The script completes commands, flags, and the names of kernels, maps, learners and scalings."
        })
final class CompletionCommand extends Subcommand {
    // The generated script turns file names off, and DATA could not be completed.
    private static final String NO_FILES = "  type compopt &>/dev/null && compopt +o default\n";

    @Override
    public Integer call() {
        out().print(AutoComplete.bash("bochner", Main.commandLine()).replace(NO_FILES, ""));
        return 0;
    }
}
