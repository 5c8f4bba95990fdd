package org.bochner.tune;

import org.bochner.base.Notes;
import org.bochner.data.Holdout;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.data.sample.RowCount;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.FeatureMaps;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.train.TrainingSettings;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.jspecify.annotations.Nullable;

/**
 * Ratios of length-scales that were learned from the kernel values between the rows of a sample, for machines with other
 * kernels and maps. Exact derivatives are cheap for few rows, and ratios need fewer rows than weights do. The kernel that
 * learns them is smoother than rough kernels, whose derivatives say little, and rougher than the Gaussian kernel, which suits
 * few tables exactly.
 *
 * @param sigma the learned length-scales
 * @param scaling the scaling of the rows that they belong to
 */
record SampledRatios(Bandwidth sigma, Scaling scaling) {
    /** The most rows of the sample. One evaluation of the criterion takes about 0.85·n³ operations. */
    private static final int MOST_ROWS = 1000;

    private static final String KERNEL = "matern(nu=1.5)";
    private static final String SCALING = "standard";

    /** The fold of the smallest sample whose other rows are learned from, and the scaling. */
    record Key(int fold, @Nullable String scaling) {}

    /**
     * Learns ratios.
     *
     * @param base the machine with the settings of all candidates
     * @param scaling the scaling; null for standardised columns
     */
    static SampledRatios learn(
            KernelMachine base, @Nullable String scaling, RowSource training, Workers workers, Progress progress) {
        TrainingSettings settings = ModelAccess.settings(base).copy();
        settings.kernelIsOpen = false;
        settings.kernel = Kernels.recipe(KERNEL);
        settings.map = FeatureMaps.none();
        settings.scaling = Scalings.parse(scaling == null ? SCALING : scaling);
        RowSource sample = RowCount.of(training) <= MOST_ROWS
                ? training
                : MemorySource.load(
                        Holdout.sample(training, MOST_ROWS, base.seed().derive("rows to learn ratios from")));
        Transformer learned =
                KernelLearning.of(ModelAccess.machine(settings)).transformer(sample, workers, progress, new Notes());
        return new SampledRatios(((ShiftInvariantKernel) learned.map().kernel()).sigma(), settings.scaling);
    }

    /** Returns a machine whose kernel has these ratios; their common factor is chosen by the data. */
    KernelMachine machine(KernelMachine candidate) {
        TrainingSettings settings = ModelAccess.settings(candidate).copy();
        Kernel unit = settings.kernel.withUnitScales();
        Kernel scaled = ((ShiftInvariantKernel) unit).withSigma(sigma);
        settings.kernelIsOpen = false;
        settings.kernel = Kernels.recipe(scaled.toString()).withOpenFactors();
        settings.scaling = scaling;
        return ModelAccess.machine(settings);
    }
}
