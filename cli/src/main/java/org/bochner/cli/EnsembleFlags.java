package org.bochner.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of models that are averages or trees of machines. */
final class EnsembleFlags {
    static final String HEADING = "%nSeveral machines%n";

    @Option(
            names = "--average",
            paramLabel = "N",
            description = "Train N machines that differ in their seed, and hence in their random features, and save the"
                    + " model whose scores are the means of theirs. Scaling and scales of the kernel are chosen once."
                    + " At most 1,000. [default: 1]")
    private @Nullable Integer average;

    @Option(
            names = "--member",
            paramLabel = "MODEL",
            description = "Make a weighted sum of saved models instead of training: this model is a member. May be"
                    + " repeated. DATA are rows that no member was trained on; the weights, at least 0, are fitted to"
                    + " them.")
    @Reads
    private List<Path> members = new ArrayList<>();

    @Option(
            names = "--cells",
            paramLabel = "C",
            description =
                    "Divide the rows by a tree and train a machine, with --features of its own, in each leaf: a number of"
                            + " leaves, columns(leaves=8, overlap=0.05), or agop(leaves=8, overlap=0.05) for splits along"
                            + " several columns. Rows near a split belong to both sides, and scores are continuous.")
    private @Nullable String cells;

    /** Returns the files of the models to average; empty if machines are trained. */
    List<Path> members() {
        return members;
    }

    /** Returns the flag that asks for several machines; null if none does. */
    @Nullable
    String given() {
        return average != null ? "--average" : cells != null ? "--cells" : null;
    }

    /** Fails if a flag is wrong, as far as this can be seen without data. */
    void check() {
        if (average != null && (average < 1 || average > KernelMachine.MOST_AVERAGED)) {
            throw new UsageException(
                    Text.of("--average must be between 1 and %,d, got %,d", KernelMachine.MOST_AVERAGED, average));
        }
    }

    KernelMachine apply(KernelMachine machine) {
        KernelMachine one = average == null ? machine : machine.withAverage(average);
        return cells == null ? one : one.withCells(cells);
    }

    /** Loads the models to average. */
    List<KernelModel> load() {
        if (members.size() < 2) {
            throw new UsageException("--member must be given at least twice");
        }
        return members.stream().map(path -> KernelModel.load(path)).toList();
    }
}
