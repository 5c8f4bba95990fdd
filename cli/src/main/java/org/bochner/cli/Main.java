package org.bochner.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.bochner.base.BochnerException;
import org.bochner.base.Spelling;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code bochner} command. Exit codes: 0 for success, 1 for failure, 2 for wrong usage. */
@Command(
        name = "bochner",
        mixinStandardHelpOptions = true,
        description = {
            "",
            "Trains kernel machines at the cost of linear models. An explicit feature map replaces the"
                    + " kernel. Training time is therefore linear in the number of rows, memory does not depend on the"
                    + " number of rows, and models are small."
        },
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands%n",
        footerHeading = "%nStart with%n",
        footer = {
            "  bochner demo          train and evaluate a model on a bundled sample, in seconds",
            "  bochner help train    all options of training",
            "",
            "Environment",
            "  BOCHNER_DESIGNS    folder that keeps designs of maps, or off; by default bochner/designs in the cache folder",
            "  BOCHNER_OPTS       options for the Java virtual machine; -Xmx8g gives it 8 GB",
            "  JAVA_HOME          the Java to run on, 17 or newer",
            "  SOURCE_DATE_EPOCH  the day recorded in models, in seconds since 1970"
        })
public final class Main implements Runnable {
    static final int WORKED = 0;
    static final int FAILED = 1;
    static final int USAGE = 2;

    /** The subcommands, in the order of the help page. */
    private static final List<Class<?>> COMMANDS = List.of(
            TrainCommand.class,
            PathCommand.class,
            CvCommand.class,
            CompareCommand.class,
            TuneCommand.class,
            LearnKernelCommand.class,
            MklCommand.class,
            PredictCommand.class,
            EvaluateCommand.class,
            TransformCommand.class,
            InspectCommand.class,
            PruneCommand.class,
            CompileCommand.class,
            CurvesCommand.class,
            ErrorCommand.class,
            DesignCommand.class,
            DemoCommand.class,
            CompletionCommand.class,
            HelpCommand.class);

    /** The subcommands that describe the other subcommands. */
    private static final Set<Class<?>> ABOUT_OTHERS = Set.of(CompletionCommand.class, HelpCommand.class);

    // Held here because the log manager drops loggers, and their levels, that are not referenced.
    private static final Logger LIBRARY_LOG = Logger.getLogger("org.bochner");

    @Spec
    private CommandSpec spec;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Print a stack trace when the command fails.")
    private boolean debug;

    private DesignFolder designs = DesignFolder.none();
    private Platform platform = Platform.files();

    @SuppressWarnings("NullAway.Init") // picocli fills the field before anything runs
    public Main() {}

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getErr());
        throw new ParameterException(spec.commandLine(), "no command was given");
    }

    public static void main(String[] arguments) {
        System.exit(run(Platform.files(), arguments));
    }

    /**
     * Runs a command, and prints to stdout and stderr.
     *
     * @return the exit code of the process
     */
    public static int run(Platform platform, String... arguments) {
        // The library logs which linear algebra it found; the command prints it itself.
        LIBRARY_LOG.setLevel(Level.WARNING);
        StandardOutput stdout = new StandardOutput();
        PrintWriter out = stdout.writer();
        PrintWriter err = new PrintWriter(
                new OutputStreamWriter(new FileOutputStream(FileDescriptor.err), StandardCharsets.UTF_8), true);
        CommandLine line = on(platform, commandLine(arguments)).setOut(out).setErr(err);
        storeDesigns(line, DesignFolder.use(System.getenv(), System.getProperty("user.home")));
        int code = line.execute(arguments);
        out.flush();
        IOException failure = stdout.failure();
        if (failure != null && !stdout.closedByReader()) {
            Talk.complain(
                    err,
                    "stdout: cannot be written: " + failure.getMessage()
                            + "; files of the run, such as --model, are complete");
            code = FAILED;
        } else if (failure != null) {
            code = WORKED;
        }
        return code;
    }

    /** Runs a command on a platform, and prints to other streams; returns the exit code. */
    public static int run(Platform platform, PrintWriter out, PrintWriter err, String... arguments) {
        int code = on(platform, commandLine(arguments)).setOut(out).setErr(err).execute(arguments);
        out.flush();
        err.flush();
        return code;
    }

    private static CommandLine on(Platform platform, CommandLine line) {
        ((Main) line.getCommandSpec().userObject()).platform = platform;
        platform.configure(line);
        return line;
    }

    /** Sets the folder of designs, whose notes the commands print. */
    static void storeDesigns(CommandLine line, DesignFolder designs) {
        ((Main) line.getCommandSpec().userObject()).designs = designs;
    }

    DesignFolder designs() {
        return designs;
    }

    Platform platform() {
        return platform;
    }

    /** Returns the command with all its subcommands. */
    static CommandLine commandLine() {
        return of(COMMANDS);
    }

    /**
     * Returns the command that runs the arguments. It has only the subcommand that they begin with, because setting up all
     * subcommands takes longer than many of them run.
     */
    static CommandLine commandLine(String... arguments) {
        return COMMANDS.stream()
                .filter(type -> arguments.length > 0 && !ABOUT_OTHERS.contains(type))
                .filter(type -> type.getAnnotation(Command.class).name().equals(arguments[0]))
                .findFirst()
                .map(type -> of(List.of(type)))
                .orElseGet(() -> of(COMMANDS));
    }

    private static CommandLine of(List<Class<?>> subcommands) {
        CommandLine line = new CommandLine(new Main());
        subcommands.forEach(line::addSubcommand);
        Words.register(line);
        // The name of a data file may start with @.
        line.setExpandAtFiles(false);
        line.setUsageHelpAutoWidth(true);
        line.setParameterExceptionHandler(Main::wrongUsage);
        line.setExecutionExceptionHandler(Main::failed);
        line.setExecutionStrategy(Main::execute);
        unify(line);
        line.getSubcommands().values().forEach(Main::unify);
        return line;
    }

    /** Sets the version, the layout of the help page and the exit codes of a command and its subcommands. */
    private static void unify(CommandLine line) {
        line.getCommandSpec().versionProvider(new VersionProvider());
        HelpPage.install(line);
        UsageMessageSpec help = line.getCommandSpec().usageMessage();
        help.synopsisHeading(line.getParent() == null ? "Usage: " : "%nUsage: ");
        help.parameterListHeading("%nArguments%n");
        help.exitCodeListHeading("%nExit codes%n");
        Map<String, String> codes = new LinkedHashMap<>();
        codes.put(" " + WORKED, "success");
        codes.put(
                " " + FAILED,
                "failure; stderr says why, and no file was written or changed, except if stdout cannot be written");
        codes.put(" " + USAGE, "wrong usage; stderr says why, and nothing was done");
        help.exitCodeList(codes);
    }

    private static int execute(ParseResult parsed) {
        refuseRepeats(parsed);
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        try {
            if (!last.isUsageHelpRequested()) {
                Platform platform = ((Main) last.commandSpec().root().userObject()).platform;
                requireMeaning(last, platform);
                FileRoles.check(last.commandSpec(), platform);
            }
        } catch (UsageException | BochnerException e) {
            return failed(e, last.commandSpec().commandLine(), last);
        }
        try {
            return new CommandLine.RunLast().execute(parsed);
        } catch (OutOfMemoryError | StackOverflowError e) {
            CommandLine line = parsed.commandSpec().commandLine();
            String what = e instanceof OutOfMemoryError
                    ? outOfMemory(
                            String.valueOf(e.getMessage()), Runtime.getRuntime().maxMemory())
                    : "an argument or a file is nested too deeply";
            return complain(line, e, what, FAILED);
        }
    }

    /** Fails if a platform has no use for the command or one of its options. */
    private static void requireMeaning(ParseResult parsed, Platform platform) {
        CommandSpec command = parsed.commandSpec();
        if (command.parent() != null) {
            platform.refusal(command.name()).ifPresent(reason -> {
                throw new UsageException(command.name() + " " + reason);
            });
        }
        for (OptionSpec option : parsed.matchedOptions()) {
            platform.refusal(option.longestName()).ifPresent(reason -> {
                throw new UsageException(option.longestName() + " " + reason);
            });
        }
    }

    /** Returns the message of a process without memory; it advises at least twice the memory that the process has. */
    static String outOfMemory(String reason, long heap) {
        long gigabytes = Math.max(8, 2 * ((heap + (1L << 30) - 1) >> 30));
        return String.format(
                Locale.ROOT,
                "out of memory (%s): this process may use %.2f GB; use fewer --threads, --features or buckets of"
                        + " --text-features, or allow more memory with BOCHNER_OPTS=-Xmx%dg",
                reason,
                heap * 1e-9,
                gigabytes);
    }

    /**
     * Refuses a flag that is given twice. Picocli would start its group of flags again and forget the earlier flags of
     * the group.
     */
    private static void refuseRepeats(ParseResult parsed) {
        for (OptionSpec option : parsed.commandSpec().options()) {
            long times = parsed.getGroupMatches().stream()
                    .flatMap(root -> root.matchedSubgroups().values().stream())
                    .flatMap(group -> group.matches().stream())
                    .filter(match -> !match.matchedValues(option).isEmpty())
                    .count();
            if (times > 1) {
                throw new ParameterException(
                        parsed.commandSpec().commandLine(),
                        "option '" + option.longestName() + "' is given " + times + " times; give it once");
            }
        }
        if (parsed.hasSubcommand()) {
            refuseRepeats(parsed.subcommand());
        }
    }

    private static int wrongUsage(ParameterException e, String[] arguments) {
        CommandLine line = e.getCommandLine();
        String message = e instanceof UnmatchedArgumentException unmatched
                ? unmatched(unmatched)
                : arguments.length == 2 && arguments[0].equals("help") && arguments[1].equals(e.getValue())
                        ? unknownCommand(line.getCommandSpec(), arguments[1])
                        : String.valueOf(e.getMessage());
        return complain(line, e, message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1), USAGE);
    }

    /** Returns the message for unknown arguments, with a suggestion. */
    private static String unmatched(UnmatchedArgumentException e) {
        CommandSpec command = e.getCommandLine().getCommandSpec();
        String word = e.getUnmatched().get(0);
        if (e.isUnknownOption()) {
            String name = word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
            return "unknown option '" + name + "'"
                    + (name.equals("--target") && command.optionsMap().containsKey("--label")
                            ? "; did you mean '--label'?"
                            : Spelling.hintIfSimilar(name, command.optionsMap().keySet()));
        }
        if (command.subcommands().isEmpty()) {
            return "one argument too many: '" + word + "'";
        }
        return unknownCommand(command, word);
    }

    private static String unknownCommand(CommandSpec command, String word) {
        String kind = Words.kindOf(word);
        return "unknown command '" + word + "'"
                + (kind.isEmpty()
                        ? Spelling.hint(word, command.subcommands().keySet())
                        : "; it is a " + kind + ", and 'bochner help train' lists them");
    }

    private static int failed(Exception e, CommandLine line, ParseResult parsed) {
        if (e instanceof OutputException) {
            return FAILED;
        }
        boolean expected =
                e instanceof UsageException || e instanceof IllegalArgumentException || e instanceof BochnerException;
        Optional<String> explained = expected
                ? Optional.empty()
                : ((Main) line.getCommandSpec().root().userObject()).platform.explain(e);
        return complain(
                line,
                e,
                expected
                        ? message(e, line.getCommandSpec())
                        : explained.orElseGet(() -> "unexpected failure: " + e + " (--debug prints the stack trace)"),
                e instanceof UsageException ? USAGE : FAILED);
    }

    private static String message(Exception e, CommandSpec command) {
        return e instanceof BochnerException known
                ? SettingFlags.message(known, command)
                : String.valueOf(e.getMessage());
    }

    private static int complain(CommandLine line, Throwable e, String message, int code) {
        PrintWriter err = line.getErr();
        Talk.complain(err, message);
        if (code == USAGE) {
            err.println("Try '" + line.getCommandSpec().qualifiedName() + " --help'.");
        }
        if (((Main) line.getCommandSpec().root().userObject()).debug) {
            e.printStackTrace(err);
        }
        return code;
    }
}
