package org.bochner.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.base.Spelling;
import org.bochner.learn.Learner;
import org.bochner.model.KernelMachine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that set the learner of a machine. */
final class LearningFlags {
    static final String HEADING = "%nLearning%n";

    // Groups of flags cannot share the flags themselves: picocli refuses mixins in groups.
    static final String BALANCED = "Give each class the same total weight.";
    static final String CLASS_WEIGHT = "Multiply the weights of the rows of a class by W. May be repeated.";

    @Option(
            names = "--learner",
            paramLabel = "L",
            completionCandidates = Words.LearnerNames.class,
            description =
                    "Loss, penalties and solver; the list is at the end of 'bochner help train'. [default: ridge(lambda=auto)]")
    private String learner = "ridge";

    @Option(names = "--balanced", description = BALANCED)
    private boolean balanced;

    @Option(names = "--class-weight", paramLabel = "CLASS=W", description = CLASS_WEIGHT)
    private List<String> classWeights = new ArrayList<>();

    @Option(
            names = "--validation",
            paramLabel = "SHARE",
            converter = Words.Shares.class,
            description = "Hold out this share of the rows, such as 0.1 or 10%%, to test each iteration and to choose a"
                    + " penalty that is auto. [default: a tenth if a penalty needs it; the final fit then uses these"
                    + " rows too]")
    private @Nullable Double validation;

    @Option(
            names = "--patience",
            paramLabel = "N",
            description =
                    "Stop if the error on the rows of --validation has not improved for N iterations, and keep the"
                            + " best model.")
    private @Nullable Integer patience;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description =
                    "Memory for keeping features, such as 2G or 500M, if the learner needs several passes. Features"
                            + " that do not fit are recomputed in each pass. [default: half of the process's memory]")
    private @Nullable String memory;

    /** Returns the learner. */
    Learner learner() {
        return UsageException.orUsage(() -> Learner.parse(learner));
    }

    /** Sets the learner of a machine. */
    KernelMachine apply(KernelMachine machine) {
        KernelMachine learning = UsageException.orUsage(() ->
                machine.withLearner(learner()).withBalancedClasses(balanced).withClassWeights(weights(classWeights)));
        if (validation != null) {
            if (!(validation > 0 && validation < 1)) {
                throw new UsageException(
                        "--validation must lie strictly between 0 and 1, got " + Spelling.print(validation));
            }
            learning = learning.withValidation(validation);
        }
        if (patience != null) {
            if (patience < 1 || validation == null) {
                throw new UsageException(
                        patience < 1
                                ? "--patience must be at least 1, got " + patience
                                : "--patience needs rows to test on: add --validation 0.1");
            }
            learning = learning.withPatience(patience);
        }
        return memory == null ? learning : learning.withMemory(bytes(memory));
    }

    /** Parses values of --class-weight. */
    static Map<String, Double> weights(List<String> texts) {
        Map<String, Double> weights = new LinkedHashMap<>();
        for (String given : texts) {
            int equals = given.lastIndexOf('=');
            if (equals < 1) {
                throw new UsageException("--class-weight must be CLASS=WEIGHT, got '" + given + "'");
            }
            String text = given.substring(equals + 1);
            weights.put(
                    given.substring(0, equals),
                    UsageException.orUsage(
                            () -> Spelling.toNumber("--class-weight", given.substring(0, equals), text)));
        }
        return weights;
    }

    /** Parses a size such as 500M or 2G, in bytes. */
    static long bytes(String text) {
        if (!text.matches("\\d{1,9}(\\.\\d{1,6})?[KMGkmg]?")) {
            throw new UsageException("--memory must be a size such as 500M or 2G, got '" + text + "'");
        }
        char unit = Character.toUpperCase(text.charAt(text.length() - 1));
        double number = Double.parseDouble(Character.isDigit(unit) ? text : text.substring(0, text.length() - 1));
        return (long) (number
                * switch (unit) {
                    case 'K' -> 1e3;
                    case 'M' -> 1e6;
                    case 'G' -> 1e9;
                    default -> 1;
                });
    }
}
