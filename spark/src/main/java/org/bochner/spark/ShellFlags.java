package org.bochner.spark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Option;

/** The flags that the command has only on Spark. */
final class ShellFlags {
    // Bochner replaces it by an argument before picocli sees it; here it is described for the help.
    @SuppressWarnings("UnusedVariable")
    @Option(
            names = "--table",
            paramLabel = "NAME",
            description =
                    "Read this table or view of Spark's catalogue, in place of DATA; DATA may also be table:NAME.")
    private @Nullable String table;

    @Option(
            names = "--option",
            paramLabel = "KEY=VALUE",
            description = "Option for Spark's reader of the format. May be repeated.")
    private Map<String, String> options = new LinkedHashMap<>();

    @Option(names = "--overwrite", description = "Replace files and folders that exist. [default: fail]")
    private boolean overwrite;

    private final CommandSpec command;

    private final PositionalParamSpec further;

    /**
     * Creates the flags of a command.
     *
     * @param arguments the number of arguments that the command has without further paths
     */
    ShellFlags(CommandSpec command, int arguments) {
        this.command = command;
        further = PositionalParamSpec.builder()
                .index(arguments + "..*")
                .arity("0..*")
                .paramLabel("MORE")
                .description("Further paths, read together with DATA.")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .initialValue(new ArrayList<String>())
                .build();
    }

    /** Adds the flags to their command. */
    ShellFlags add() {
        command.addMixin("spark", CommandSpec.forAnnotatedObject(this));
        command.addPositional(further);
        return this;
    }

    /** Returns the further paths. */
    List<String> more() {
        List<String> paths = further.getValue();
        return paths == null ? List.of() : paths;
    }

    /** Returns the models and data that the command reads, as they were given. */
    List<String> inputs() {
        List<String> given = new ArrayList<>();
        for (ArgSpec argument : command.args()) {
            boolean test = argument instanceof OptionSpec option
                    && option.longestName().equals("--test");
            if (argument.isPositional() || test) {
                given.addAll(argument.stringValues());
            }
        }
        return given;
    }

    Map<String, String> options() {
        return options;
    }

    boolean overwrite() {
        return overwrite;
    }
}
