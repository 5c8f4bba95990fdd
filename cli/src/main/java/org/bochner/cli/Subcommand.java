package org.bochner.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.bochner.base.Json;
import org.bochner.base.Spelling;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The base of all commands: streams, given flags and checks. */
abstract class Subcommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // picocli fills the field before anything runs
    Subcommand() {}

    /** Returns the stream of results. */
    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** Returns the printer of notes and progress. */
    final Talk talk(RunFlags run) {
        Talk talk = new Talk(run.quiet(), spec.commandLine().getErr());
        run.note().ifPresent(talk::say);
        ((Main) spec.root().userObject()).designs().tell(talk::say);
        return talk;
    }

    /** Returns where the command runs. */
    final Platform platform() {
        return ((Main) spec.root().userObject()).platform();
    }

    /** Returns the value of a flag as it was typed; null if the flag is not given. */
    final @Nullable String given(String flag) {
        ParseResult parsed = spec.commandLine().getParseResult();
        OptionSpec option = parsed.matchedOption(flag);
        return option == null || option.stringValues().isEmpty()
                ? null
                : option.stringValues().get(option.stringValues().size() - 1);
    }

    /** Returns the options that were given. */
    final List<OptionSpec> matched() {
        return spec.commandLine().getParseResult().matchedOptions();
    }

    /** Fails as wrong usage if the value of a flag is too small. */
    static void requireAtLeast(String flag, int value, int least) {
        if (value < least) {
            throw new UsageException(flag + " must be at least " + least + ", got " + value);
        }
    }

    /** Fails as wrong usage if the value of a flag is not positive and finite; a flag that is not given is fine. */
    static void requirePositive(String flag, @Nullable Double value) {
        if (value != null && !(value > 0 && value < Double.POSITIVE_INFINITY)) {
            throw new UsageException(flag + " must be positive, got " + Spelling.print(value));
        }
    }

    final void printJson(Map<String, Object> object) {
        out().println(Json.writePretty(object));
    }
}
