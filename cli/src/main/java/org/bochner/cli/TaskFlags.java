package org.bochner.cli;

import java.util.Locale;
import org.bochner.data.DataOptions;
import org.bochner.data.Task;
import org.bochner.model.KernelModel;
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
            description = "Scaling of the rows: none, standard, standard(uncentred), centre, min-max, quantile, robust,"
                    + " robust(uncentred), log1p, clip(share=0.01), clip(deviations=4), unit-l1, unit-l2,"
                    + " divide(by=N) or linear(file=M.csv). log1p then standard is a chain, unit-l1[0:20] + min-max[20:60] scales columns differently, standard[age, height]"
                    + " names columns of a header, and unit-l1[*] scales each channel separately. [default: if the"
                    + " kernel lacks a scale such as sigma, chosen by cross-validation (in mkl, standard for dense"
                    + " rows); otherwise none]")
    @ReadsByScaling
    private @Nullable String scale;

    @Option(
            names = "--task",
            order = 2,
            paramLabel = "T",
            completionCandidates = Words.Tasks.class,
            description =
                    "classify, regress or auto. auto treats labels as classes if they are text, have two different"
                            + " values, are at most 10 different integers, or are at most 100 different integers that count"
                            + " from 0 or 1 without a gap and have similar numbers of rows. [default: auto]")
    private Task task = Task.AUTO;

    @Option(
            names = "--positive",
            order = 3,
            paramLabel = "CLASS",
            description = "Two-class task: this class against all others.")
    private @Nullable String positive;

    @Option(
            names = "--precision",
            order = 4,
            paramLabel = "float|double",
            completionCandidates = Words.Precisions.class,
            description = "Floating-point type of the features. [default: float]")
    private String precision = "float";

    @Option(
            names = "--seed",
            order = 5,
            paramLabel = "N",
            description = "Random seed. [default: 1, or the seed of the model to continue from]")
    private @Nullable Long seed;

    private long defaultSeed = 1;

    final long seed() {
        return seed == null ? defaultSeed : seed;
    }

    /** Takes the seed of a model as the default, so that a run that continues from it holds out the same rows. */
    final void continueFrom(@Nullable KernelModel model) {
        if (model != null) {
            defaultSeed = model.training().seed().value();
        }
    }

    /** Returns the scaling as it was spelled; null if the library chooses it. */
    final @Nullable String scale() {
        return Spelled.chosen(scale);
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
