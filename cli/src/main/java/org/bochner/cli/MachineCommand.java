package org.bochner.cli;

import org.bochner.data.DataOptions;
import org.bochner.data.SurveyedSource;
import org.bochner.model.KernelMachine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;

/** A command that trains kernel machines on DATA. */
abstract class MachineCommand extends DataCommand {
    @ArgGroup(validate = false, heading = MachineFlags.HEADING, order = 2)
    private MachineFlags machineFlags = new MachineFlags();

    @ArgGroup(validate = false, heading = LearningFlags.HEADING, order = 3)
    private LearningFlags learningFlags = new LearningFlags();

    final MachineFlags machineFlags() {
        return machineFlags;
    }

    final LearningFlags learningFlags() {
        return learningFlags;
    }

    /** Applies the command's own flags to a machine. */
    KernelMachine configured(KernelMachine machine) {
        return machine;
    }

    /**
     * Opens DATA and the test rows, after all flags are checked as far as possible without data.
     *
     * @param tests the flags of the test rows; null if the command has none
     */
    final Session open(@Nullable TestFlags tests) {
        DataOptions options = machineFlags.reading(options());
        configured(learningFlags.apply(machineFlags.before(options))).requireMemory(run().workers());
        return open(options, machineFlags, tests);
    }

    /** Returns the machine that the flags describe; if no kernel is given, the data may choose one. */
    final KernelMachine machine(SurveyedSource source) {
        return configured(learningFlags.apply(machineFlags.automatic(source)));
    }
}
