package org.bochner.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** Prints a completion script for bash and zsh. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        header = "Print a completion script for bash and zsh.",
        description = {"", "The script completes commands and flags. It works for the current shell."},
        footerHeading = "%nExample%n",
        footer = {
            "  source <(bochner completion)                                      now",
            "  bochner completion > ~/.local/share/bash-completion/completions/bochner   from now on"
        })
final class CompletionCommand extends Subcommand {
    @Override
    public Integer call() {
        out().print(AutoComplete.bash("bochner", Main.commandLine()));
        return 0;
    }
}
