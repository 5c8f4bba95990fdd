package org.bochner.model.train;

import java.util.Locale;
import java.util.function.Supplier;
import org.bochner.base.Notes;
import org.bochner.data.Labels;
import org.bochner.learn.Iteration;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Monitor;
import org.bochner.model.Progress;
import org.bochner.model.evaluate.FeatureError;
import org.bochner.stats.FeatureSource;
import org.jspecify.annotations.Nullable;

/**
 * Monitors solvers: reports every iteration, tests it on held-out rows, and stops the solver on request or when the
 * validation error has not fallen for some iterations.
 */
public final class Watch {
    private final Learner learner;
    private final @Nullable FeatureSource aside;
    private final int patience;
    private final String objects;
    private final Progress progress;
    private @Nullable Run last;

    /**
     * Creates a watch.
     *
     * @param aside held-out rows to test on; null for none
     * @param patience iterations without a lower validation error before a solver stops; 0 for any number
     * @param objects what the rows are, in the plural: rows or sets
     */
    Watch(Learner learner, @Nullable FeatureSource aside, int patience, String objects, Progress progress) {
        this.learner = learner;
        this.aside = aside;
        this.patience = patience;
        this.objects = objects;
        this.progress = progress;
    }

    /** Returns the monitor of one solution, given the learner with its penalty. */
    Monitor of(Learner trying) {
        Run run = new Run(trying.toString());
        last = run;
        return run;
    }

    /** Returns the fit with the model of the last solution's best iteration, if patience is set, and notes the choice. */
    LinearFit best(LinearFit fit, Notes notes) {
        if (patience == 0 || last == null || last.best == null) {
            return fit;
        }
        if (last.ended) {
            notes.solver(learner.name() + " was ended after " + patience
                    + " iterations without gain on the " + objects + " set aside; the model is that of iteration "
                    + last.bestIteration + ", with " + last.error());
        }
        return fit.withModel(last.best);
    }

    private final class Run implements Monitor {
        private final String trying;
        private @Nullable LinearModel best;
        private double bestError = Double.POSITIVE_INFINITY;
        private int bestIteration;
        private boolean ended;

        Run(String trying) {
            this.trying = trying;
        }

        @Override
        public boolean goOn(Iteration iteration, Supplier<LinearModel> model) {
            double error = Double.NaN;
            if (aside != null) {
                LinearModel current = model.get();
                error = FeatureError.of(aside, current);
                if (error < bestError) {
                    bestError = error;
                    best = current;
                    bestIteration = iteration.number();
                }
            }
            progress.iteration(trying, iteration, error);
            ended = patience > 0 && iteration.number() - bestIteration >= patience;
            return !ended && !progress.stopRequested();
        }

        private String error() {
            boolean classes = aside != null && aside.labels() instanceof Labels.Classes;
            return classes
                    ? String.format(Locale.ROOT, "an error of %.2f%%", 100 * bestError)
                    : String.format(Locale.ROOT, "a root mean squared error of %.4g", bestError);
        }
    }
}
