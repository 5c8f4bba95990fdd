package org.bochner.model.train;

import org.bochner.base.Notes;
import org.bochner.data.Holdout;
import org.bochner.data.RowSource;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.uncertainty.Uncertainty;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.stats.ClassWeights;
import org.jspecify.annotations.Nullable;

/** A way to fit the functions of a model to rows: the weights of a map's features, or those of kernel values. */
public abstract sealed class FitRoute permits WeightRoute, CellFit, ExactFit {
    /** The default share of rows that are held out to choose a penalty. */
    static final double USUAL_VALIDATION = 0.1;

    final TrainingSettings settings;
    final Learner learner;
    final RowSource source;
    final ClassWeights weights;
    final Workers workers;
    final Progress progress;
    final Notes notes;
    /** The times of the passes over the rows. */
    final PassTimes times = new PassTimes();
    /** The precision of features and products. */
    Precision used;
    /** The bytes of memory that the fit needed. */
    long bytes;
    /** The uncertainty that the fit found with the weights; null for none. */
    @Nullable
    Uncertainty uncertainty;

    /** Creates a fit, which adds its choices to the notes of the context. */
    FitRoute(TrainingContext context, ClassWeights weights, Precision used) {
        settings = context.settings();
        learner = settings.learner;
        source = context.source();
        this.weights = weights;
        workers = context.workers();
        progress = context.progress();
        notes = context.notes();
        this.used = used;
    }

    /** Creates a part of another fit, whose time and memory count on their own. */
    FitRoute(FitRoute of) {
        settings = of.settings;
        learner = of.learner;
        source = of.source;
        weights = of.weights;
        workers = of.workers;
        progress = of.progress;
        notes = of.notes;
        used = of.used;
    }

    /**
     * The result of a fit.
     *
     * @param transformer the scaling and the map, whose features the functions have
     * @param rows the number of training rows
     * @param solving the {@link System#nanoTime} at which the solver started
     */
    public record Learned(Transformer transformer, LinearFit fit, long rows, long solving) {}

    /** Runs the fit, once. */
    public abstract Learned run();

    /** Holds out the share of the rows that was asked for, or the usual one. */
    final Holdout heldOut() {
        double share = settings.validation > 0 ? settings.validation : USUAL_VALIDATION;
        return Holdout.split(source, share, settings.seed.derive("validation"));
    }
}
