package org.bochner.cli;

import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.model.KernelMachine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a machine is made of, but for how it learns. */
final class MachineFlags extends TaskFlags {
    static final String HEADING = "%nThe machine%n";

    @Option(
            names = "--kernel",
            paramLabel = "K",
            description = "The kernel, of all columns or of some: gaussian[length, diameter]; gaussian by default.")
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

    /** The machine as far as it is known before the data are. */
    KernelMachine before(DataOptions options) {
        return machine(new Spelled(kernel, scale()).before(options));
    }

    /** The machine for data, whose channels have columns. */
    KernelMachine in(FileSource source) {
        return machine(new Spelled(kernel, scale()).in(source));
    }

    private KernelMachine machine(Spelled spelled) {
        return Recipes.machine(spelled, map, features, seed()).withPrecision(precision());
    }
}
