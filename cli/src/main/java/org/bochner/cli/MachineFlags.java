package org.bochner.cli;

import java.util.Locale;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Task;
import org.bochner.model.KernelMachine;
import org.bochner.numeric.Precision;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a machine is made of, but for how it learns. */
final class MachineFlags {
    static final String HEADING = "%nThe machine%n";

    @Option(names = "--kernel", paramLabel = "K", description = "The kernel; gaussian by default.")
    private String kernel = "gaussian";

    @Option(
            names = "--map",
            paramLabel = "M",
            description =
                    "The feature map. By default auto: fourier; for additive kernels the smallest map with an error"
                            + " of at most 0.01, auto(error=E); for kernels of a distance both, one after the other.")
    private String map = "auto";

    @Option(
            names = "--features",
            paramLabel = "D",
            description = "How many features to make, where a map can make any number; 1000 by default.")
    private @Nullable Integer features;

    @Option(
            names = "--scale",
            paramLabel = "S",
            description =
                    "none, standard, standard(uncentred), min-max, unit-l1, unit-l2 or divide(by=N); or some columns each:"
                            + " unit-l1[0:20] + min-max[20:60]; or unit-l1[*] for every channel by itself. By default"
                            + " standard where DATA is dense and the bandwidth comes from the data, else none.")
    private @Nullable String scale;

    @Option(
            names = "--task",
            paramLabel = "T",
            completionCandidates = Words.Tasks.class,
            description =
                    "classify, regress or auto: text, two values, up to 10 whole numbers, or up to 100 that count from 0 or 1"
                            + " without a gap are classes.")
    private Task task = Task.AUTO;

    @Option(names = "--positive", paramLabel = "CLASS", description = "Tell this class from all others.")
    private @Nullable String positive;

    @Option(names = "--precision", paramLabel = "P", description = "float (default) or double.")
    private String precision = "float";

    @Option(names = "--seed", paramLabel = "N", description = "Where randomness starts; 1 by default.")
    private long seed = 1;

    long seed() {
        return seed;
    }

    @Nullable
    String positive() {
        return positive;
    }

    /** How the data are read for this task. */
    DataOptions reading(DataOptions options) {
        return options.withTask(task).withPositive(positive);
    }

    /** The machine as far as it is known before the data are. */
    KernelMachine before(DataOptions options) {
        return machine(new Spelled(kernel, scale).before(options));
    }

    /** The machine for data, whose channels have columns. */
    KernelMachine in(FileSource source) {
        return machine(new Spelled(kernel, scale).in(source));
    }

    private KernelMachine machine(Spelled spelled) {
        return Recipes.machine(spelled, map, features, seed).withPrecision(precision());
    }

    private Precision precision() {
        return switch (precision.toLowerCase(Locale.ROOT)) {
            case "float", "float32", "single" -> Precision.FLOAT32;
            case "double", "float64" -> Precision.FLOAT64;
            default -> throw new UsageException("--precision must be float or double, got '" + precision + "'");
        };
    }
}
