package org.bochner.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** Prints a completion script for bash and zsh. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        header = "Print a completion script for bash and zsh.",
        footerHeading = "%nExample%n",
        footer = "  source <(bochner completion)")
final class CompletionCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        System.out.print(AutoComplete.bash("bochner", Main.commandLine()));
        return 0;
    }
}
