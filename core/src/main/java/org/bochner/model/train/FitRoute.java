package org.bochner.model.train;

import org.bochner.base.Notes;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.learn.linear.LinearFit;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.stats.ClassWeights;

/** A way to fit the functions of a model to rows: the weights of a map's features, or those of kernel values. */
public sealed interface FitRoute permits WeightFit, ExactFit {
    /**
     * The result of a fit.
     *
     * @param transformer the scaling and the map, whose features the functions have
     * @param rows the number of training rows
     * @param solving the {@link System#nanoTime} at which the solver started
     */
    record Learned(Transformer transformer, LinearFit fit, long rows, long solving) {}

    /** Runs the fit, once. */
    Learned run();

    /** Returns the precision of features and products that was used. */
    Precision used();

    /** Returns the bytes of memory that the fit needed. */
    long bytes();

    /** Returns the times of the passes over the rows. */
    PassTimes times();

    /** What is known before a fit. */
    sealed interface Prepared {
        /** Returns the fit to rows; its choices are added to the notes. */
        FitRoute route(
                TrainingSettings settings,
                RowSource source,
                ClassWeights weights,
                Workers workers,
                Progress progress,
                Notes notes);
    }

    /** A scaling and a map. */
    record Mapped(Transformer transformer) implements Prepared {
        @Override
        public FitRoute route(
                TrainingSettings settings,
                RowSource source,
                ClassWeights weights,
                Workers workers,
                Progress progress,
                Notes notes) {
            return new WeightFit(settings, source, transformer, weights, workers, progress, notes);
        }
    }

    /** A scaling and the kernel of an exact machine. */
    record Exact(Scaler scaler, Kernel kernel) implements Prepared {
        @Override
        public FitRoute route(
                TrainingSettings settings,
                RowSource source,
                ClassWeights weights,
                Workers workers,
                Progress progress,
                Notes notes) {
            return new ExactFit(settings, source, this, weights, workers, progress, notes);
        }
    }
}
