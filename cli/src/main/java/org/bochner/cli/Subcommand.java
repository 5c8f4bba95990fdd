package org.bochner.cli;

import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import org.bochner.base.Json;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What the commands share: where they print. */
abstract class Subcommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // picocli fills the field before anything runs
    Subcommand() {}

    /** Where data go. */
    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** Where remarks and progress go. */
    final Talk talk(RunFlags run) {
        return new Talk(run.quiet(), spec.commandLine().getErr());
    }

    final void printJson(Map<String, Object> object) {
        out().println(Json.writePretty(object));
    }
}
