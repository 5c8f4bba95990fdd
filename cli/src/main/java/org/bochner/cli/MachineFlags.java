package org.bochner.cli;

import org.bochner.data.DataOptions;
import org.bochner.data.SurveyedSource;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that set the kernel, the map and the scaling of a machine. */
final class MachineFlags extends TaskFlags {
    static final String HEADING = "%nKernel, map and scaling%n";

    @Option(
            names = "--kernel",
            paramLabel = "K",
            completionCandidates = Words.KernelNames.class,
            description =
                    "Kernel; the list is at the end of 'bochner help train'. gaussian[length, diameter] uses only these columns."
                            + " [default: gaussian, or chi2 for sparse counts if its cross-validated error is smaller]")
    private @Nullable String kernel;

    @Option(
            names = "--bandwidth",
            paramLabel = "cv|median",
            description = "Method for choosing a missing sigma, gamma, beta or power, and a missing --scale:"
                    + " cross-validation on a sample of the rows (cv), or the median distance of standardised rows"
                    + " (median). [default: cv]")
    private String bandwidth = "cv";

    @Option(
            names = "--map",
            paramLabel = "M",
            completionCandidates = Words.MapNames.class,
            description =
                    "Feature map; the list is at the end of 'bochner help train'. auto takes fourier for shift-invariant kernels,"
                            + " the smallest map with an error of at most 0.01 (or auto(error=E)) for additive kernels, and"
                            + " one after the other for kernels of a distance; none trains an exact machine by ridge, svm"
                            + " or svr. [default: auto]")
    private String map = "auto";

    @Option(
            names = "--features",
            paramLabel = "D",
            description = "Number of features, if the map can have any number. [default: 1000]")
    private @Nullable Integer features;

    /** Returns the kernel as it was spelled, or the default one. */
    String kernel() {
        return kernel == null ? Recipes.DEFAULT_KERNEL : kernel;
    }

    /** Returns the map as it was spelled. */
    String map() {
        return map;
    }

    /** Returns the number of features; null for the default of the map. */
    @Nullable
    Integer features() {
        return features;
    }

    /** Returns a machine with the precision and the choice of scales that flags give. */
    KernelMachine tuned(KernelMachine machine) {
        return machine.withPrecision(precision())
                .withMeasuredScales(Recipes.measuredScales(bandwidth))
                .withSeed(new Seed(seed()));
    }

    /** Returns a machine with the map and all other settings that flags give, except kernel and scaling. */
    KernelMachine completed(KernelMachine machine) {
        KernelMachine mapped = machine.withMap(Recipes.map(map, features));
        return tuned(features == null ? mapped : mapped.withFeatures(features));
    }

    /** Returns the machine as far as flags describe it before the data are read. */
    KernelMachine before(DataOptions options) {
        return machine(spelled().before(options));
    }

    /** Returns the machine for data, whose names of channels and columns it takes. */
    KernelMachine in(SurveyedSource source) {
        return machine(spelled().in(source));
    }

    /**
     * Returns the machine that continues from a model, with the kernel of the model unless flags give another one.
     *
     * @param start the model; null for none
     */
    KernelMachine resuming(SurveyedSource source, @Nullable KernelModel start) {
        return start == null || kernel != null
                ? in(source)
                : machine(new Spelled(start.training().kernel().toString(), scale()).in(source));
    }

    /** Returns the machine for data, which may choose the kernel if flags give none. */
    KernelMachine automatic(SurveyedSource source) {
        return kernel == null ? in(source).withOpenKernel() : in(source);
    }

    private Spelled spelled() {
        return new Spelled(kernel(), scale());
    }

    private KernelMachine machine(Spelled spelled) {
        return tuned(Recipes.machine(spelled, map, features, seed()));
    }
}
