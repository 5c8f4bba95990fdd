package org.bochner.cli;

import java.util.Locale;
import org.bochner.data.DataOptions;
import org.bochner.data.Task;
import org.bochner.numeric.Precision;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags for scaling, task, precision and seed. Help pages list them after the flags of the subclass. */
class TaskFlags {
    @Option(
            names = "--scale",
            order = 1,
            paramLabel = "S",
            completionCandidates = Words.ScalingNames.class,
            description =
                    "Scaling of the rows: none, standard, standard(uncentred), centre, min-max, unit-l1, unit-l2 or"
                            + " divide(by=N); different scalings of columns: unit-l1[0:20] + min-max[20:60], or"
                            + " standard[age, height] by the names of a header; or unit-l1[*] for each channel."
                            + " [default: chosen by cross-validation with a missing bandwidth; none if no bandwidth"
                            + " is missing]")
    private @Nullable String scale;

    @Option(
            names = "--task",
            order = 2,
            paramLabel = "T",
            completionCandidates = Words.Tasks.class,
            description =
                    "classify, regress or auto. auto takes labels as classes if they are text, two values, up to 10"
                            + " whole numbers, or up to 100 whole numbers from 0 or 1 without a gap with classes of"
                            + " similar size. [default: auto]")
    private Task task = Task.AUTO;

    @Option(
            names = "--positive",
            order = 3,
            paramLabel = "CLASS",
            description = "Learn to tell this class from all others.")
    private @Nullable String positive;

    @Option(
            names = "--precision",
            order = 4,
            paramLabel = "float|double",
            completionCandidates = Words.Precisions.class,
            description = "Floating-point type of the features. [default: float]")
    private String precision = "float";

    @Option(names = "--seed", order = 5, paramLabel = "N", description = "Seed of everything random. [default: 1]")
    private long seed = 1;

    final long seed() {
        return seed;
    }

    /** Returns the scaling as it was spelled; null or "auto" if the library chooses it. */
    final @Nullable String scale() {
        return scale;
    }

    final @Nullable String positive() {
        return positive;
    }

    /** Returns the options for reading the data for this task. */
    final DataOptions reading(DataOptions options) {
        return options.withTask(task).withPositive(positive);
    }

    final Precision precision() {
        return switch (precision.toLowerCase(Locale.ROOT)) {
            case "float", "float32", "single" -> Precision.FLOAT32;
            case "double", "float64" -> Precision.FLOAT64;
            default -> throw new UsageException("--precision must be float or double, got '" + precision + "'");
        };
    }
}
