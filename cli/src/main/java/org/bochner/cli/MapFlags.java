package org.bochner.cli;

import org.bochner.model.KernelMachine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that describe a feature map, for commands that do not train. */
final class MapFlags {
    @Option(
            names = "--kernel",
            paramLabel = "K",
            completionCandidates = Words.KernelNames.class,
            description = "Kernel. [default: gaussian]")
    private @Nullable String kernel;

    @Option(
            names = "--map",
            paramLabel = "M",
            completionCandidates = Words.MapNames.class,
            description = "Feature map. [default: auto]")
    private @Nullable String map;

    @Option(
            names = "--features",
            paramLabel = "D",
            description =
                    "Number of features, if the map can have any number. [default: 1000; the command error measures"
                            + " several numbers]")
    private @Nullable Integer features;

    @Option(
            names = "--scale",
            paramLabel = "S",
            completionCandidates = Words.ScalingNames.class,
            description = "Scaling of the rows. [default: the scaling that train would choose]")
    @ReadsByScaling
    private @Nullable String scale;

    @Option(names = "--seed", paramLabel = "N", description = "Random seed. [default: 1]")
    private @Nullable Long seed;

    /** Returns true if any of the flags is given. */
    boolean given() {
        return kernel != null || map != null || features != null || scale != null || seed != null;
    }

    boolean scales() {
        return scale != null;
    }

    String map() {
        return map == null ? "auto" : map;
    }

    @Nullable
    Integer features() {
        return features;
    }

    long seed() {
        return seed == null ? 1 : seed;
    }

    Spelled spelled() {
        return new Spelled(kernel == null ? Recipes.DEFAULT_KERNEL : kernel, scale);
    }

    /** Returns the machine with a map of this kernel and scaling. */
    KernelMachine machine(Spelled spelled) {
        return Recipes.machine(spelled, map(), features, seed());
    }
}
