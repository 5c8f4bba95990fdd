package org.bochner.cli;

import java.io.PrintWriter;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.bochner.base.BochnerException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The {@code bochner} command: exit code 0 when it worked, 1 when it failed, 2 when it was called wrongly. */
@Command(
        name = "bochner",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        description = "Kernel machines at linear cost: train, evaluate and use them.%n",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            TrainCommand.class,
            PredictCommand.class,
            EvaluateCommand.class,
            TransformCommand.class,
            InspectCommand.class,
            ErrorCommand.class,
            DemoCommand.class,
            CompletionCommand.class,
            HelpCommand.class
        },
        footerHeading = "%nStart with:%n",
        footer = {
            "  bochner demo                 the whole path on a bundled sample, in seconds",
            "  bochner help train           everything about training",
            "",
            "Exit codes: 0 it worked, 1 it failed, 2 it was called wrongly."
        })
public final class Main implements Runnable {
    // Held here because the log manager forgets loggers, and their levels, that nobody holds.
    private static final Logger LIBRARY_LOG = Logger.getLogger("org.bochner");

    static final int FAILED = 1;
    static final int USAGE = 2;

    @Spec
    private CommandSpec spec;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Show where a failure happened.")
    private boolean debug;

    @SuppressWarnings("NullAway.Init") // picocli fills the field before anything runs
    public Main() {}

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getErr());
        throw new ParameterException(spec.commandLine(), "no command was given");
    }

    public static void main(String[] arguments) {
        // The library logs which linear algebra it found; the command says so itself where it matters.
        LIBRARY_LOG.setLevel(Level.WARNING);
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Main());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setUsageHelpAutoWidth(true);
        line.setUsageHelpLongOptionsMaxWidth(30);
        line.setParameterExceptionHandler(Main::wrongUsage);
        line.setExecutionExceptionHandler(Main::failed);
        return line;
    }

    private static int wrongUsage(ParameterException e, String[] arguments) {
        PrintWriter err = e.getCommandLine().getErr();
        CommandSpec command = e.getCommandLine().getCommandSpec();
        err.println("bochner: " + e.getMessage());
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(e, err)) {
            err.println("Try '" + command.qualifiedName() + " --help'.");
        }
        return USAGE;
    }

    private static int failed(Exception e, CommandLine line, ParseResult parsed) {
        PrintWriter err = line.getErr();
        boolean debug = ((Main) line.getCommandSpec().root().userObject()).debug;
        if (e instanceof UsageException || e instanceof IllegalArgumentException || e instanceof BochnerException) {
            err.println("bochner: " + e.getMessage());
        } else {
            err.println("bochner: unexpected failure: " + e + (debug ? "" : " (--debug shows where)"));
        }
        if (debug) {
            e.printStackTrace(err);
        }
        return e instanceof UsageException ? USAGE : FAILED;
    }
}
