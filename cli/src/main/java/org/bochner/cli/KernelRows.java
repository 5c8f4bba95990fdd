package org.bochner.cli;

import org.bochner.base.Notes;
import org.bochner.data.FileSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;

/** A sample of the scaled rows of DATA, and the kernel with the scales that they may have given. */
record KernelRows(RowSample sample, Kernel kernel) {
    /**
     * Reads all rows, each of which must lie in the kernel's domain. Scaling and scales are those that train would take.
     *
     * @param notes receives sentences on what was left to the data
     */
    static KernelRows read(FileSource source, Spelled spelled, Seed seed, Workers workers, Notes notes) {
        KernelMachine machine = Recipes.machine(spelled.in(source), "auto", null, seed.value());
        KernelMachine.KernelFit fit = machine.fitKernel(source, workers, Progress.NONE, notes);
        return new KernelRows(fit.rows(), fit.kernel());
    }
}
