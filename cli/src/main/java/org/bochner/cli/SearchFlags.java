package org.bochner.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bochner.model.KernelMachine;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.tune.Tuning;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of the search for the best machine. */
final class SearchFlags extends TaskFlags {
    static final String HEADING = "%nSearch%n";

    private static final Pattern TIME = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)([smh])");

    @Option(
            names = "--budget",
            paramLabel = "TIME",
            description = "Wall time of the search with the training of the best machine, such as 90s, 5m or 1.5h. The"
                    + " machines that are tried then depend on the speed of the computer. [default: no limit]")
    private @Nullable String budget;

    @Option(
            names = "--trials",
            paramLabel = "N",
            description = "Number of machines to try, besides the constant and the linear model. The same command then"
                    + " gives the same result. [default: 24; with --budget, any number]")
    private @Nullable Integer trials;

    @Option(
            names = "--metric",
            paramLabel = "M",
            completionCandidates = Words.Metrics.class,
            description =
                    "Error that machines are compared by: error or balanced-error (each class counts the same) for"
                            + " classes, rmse or mae for numbers. [default: error, or rmse]")
    private @Nullable String metric;

    @Option(
            names = "--ensemble",
            description = "Average the best machines, with weights that are fitted to their scores of held-out rows, if"
                    + " this lowers the error on them.")
    private boolean ensemble;

    @Option(
            names = "--log",
            paramLabel = "FILE",
            description = "Write the result of each test to this new file, from which --resume continues.")
    @Writes
    private @Nullable Path log;

    @Option(
            names = "--resume",
            paramLabel = "FILE",
            description = "Continue the search of this log: finished tests are not repeated, and new ones are appended."
                    + " Data and flags must be those of the log; --trials and --budget may differ.")
    @Reads
    private @Nullable Path resume;

    @Option(names = "--balanced", description = LearningFlags.BALANCED)
    private boolean balanced;

    @Option(names = "--class-weight", paramLabel = "CLASS=W", description = LearningFlags.CLASS_WEIGHT)
    private List<String> classWeights = new ArrayList<>();

    /** Returns the log file of the run; null for none. */
    @Nullable
    Path log() {
        return resume == null ? log : resume;
    }

    /** Returns the search; fails if a flag is wrong. */
    Tuning search() {
        KernelMachine machine = UsageException.orUsage(() -> KernelMachine.of(Recipes.DEFAULT_KERNEL)
                .withPrecision(precision())
                .withSeed(new Seed(seed()))
                .withBalancedClasses(balanced)
                .withClassWeights(LearningFlags.weights(classWeights)));
        Tuning tuning = Tuning.of(machine).withEnsemble(ensemble);
        Integer count = trials;
        if (count != null) {
            Subcommand.requireAtLeast("--trials", count, 1);
            tuning = tuning.withTrials(count);
        }
        String time = budget;
        if (time != null) {
            tuning = tuning.withBudget(time(time));
        }
        String name = metric;
        if (name != null) {
            Tuning compared = tuning;
            tuning = UsageException.in("--metric", () -> compared.withMetric(name));
        }
        String scale = scale();
        if (scale != null) {
            Tuning scaled = tuning;
            tuning = UsageException.orUsage(() -> scaled.withScaling(Scalings.parse(scale)));
        }
        if (log != null && resume != null) {
            throw new UsageException("--resume appends to the log that it continues; remove --log " + log);
        }
        if (resume != null) {
            return tuning.withResumedLog(resume);
        }
        return log == null ? tuning : tuning.withLog(log);
    }

    /** Parses a time such as 90s, 5m or 1.5h. */
    static Duration time(String text) {
        Matcher matcher = TIME.matcher(text);
        if (!matcher.matches()) {
            throw new UsageException("--budget must be a time such as 90s, 5m or 1.5h, got '" + text + "'"
                    + (text.matches("\\d+(\\.\\d+)?") ? "; add the unit s, m or h" : ""));
        }
        double seconds = Double.parseDouble(matcher.group(1))
                * switch (matcher.group(2)) {
                    case "h" -> 3600;
                    case "m" -> 60;
                    default -> 1;
                };
        if (!(seconds > 0)) {
            throw new UsageException("--budget must be longer than 0, got '" + text + "'");
        }
        return Duration.ofMillis(Math.round(1000 * seconds));
    }
}
