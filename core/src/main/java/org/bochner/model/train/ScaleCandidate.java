package org.bochner.model.train;

import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.SpellingException;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.RowSample;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scaling;
import org.jspecify.annotations.Nullable;

/** A kernel and a scaling that are compared with others on a sample of the rows. */
final class ScaleCandidate {
    private final ScaleSample sample;
    private final KernelRecipe kernel;
    private final Scaling scaling;
    private final Comparison comparison;
    private final List<Boolean> lengths;
    private @Nullable Scaler scaler;
    private @Nullable RowSample rows;

    ScaleCandidate(ScaleSample sample, KernelRecipe kernel, Scaling scaling, Comparison comparison) {
        this.sample = sample;
        this.kernel = kernel;
        this.scaling = scaling;
        this.comparison = comparison;
        lengths = kernel.openLengths();
    }

    /** Returns the same kernel and scaling, to be compared on other rows. */
    ScaleCandidate on(ScaleSample other) {
        return new ScaleCandidate(other, kernel, scaling, comparison);
    }

    KernelRecipe kernel() {
        return kernel;
    }

    Scaling scaling() {
        return scaling;
    }

    Comparison comparison() {
        return comparison;
    }

    /** Returns, for each missing scale, true if it is a length and false if it is an inverse length. */
    List<Boolean> lengths() {
        return lengths;
    }

    /** Returns the name that distinguishes this candidate from the others. */
    String name(List<ScaleCandidate> others) {
        boolean oneKernel = others.stream().allMatch(other -> other.kernel.equals(kernel));
        return oneKernel ? scaling.toString() : kernel + " with " + scaling;
    }

    /** Returns the error with factors of the measured scales; infinite if the candidate cannot be fitted. */
    double error(double[] factors) {
        try {
            if (scaler == null || rows == null) {
                scaler = scaling.fit(sample.rows().localRows(), sample.workers());
                rows = TrainingContext.sample(
                        sample.settings(), kernel, sample.rows().localRows(), scaler);
            }
            double error = comparison.error(
                    sample, scaler, rows, ScaleChoice.scaled(kernel, rows, factors), factors.length > 0);
            // NaN if all targets of the sample are equal.
            return Double.isNaN(error) ? Double.POSITIVE_INFINITY : error;
        } catch (SpellingException e) {
            // A wrong spelling is wrong for every candidate.
            throw e;
        } catch (BochnerException e) {
            // Another candidate may fit. If none does, the caller measures scales and reports the failure.
            return Double.POSITIVE_INFINITY;
        }
    }
}
