package org.bochner.model.train;

import java.util.function.Function;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.Holdout;
import org.bochner.data.RowSource;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.solve.Formulation;
import org.bochner.learn.solve.Needs;
import org.bochner.learn.solve.PenaltyChoice;
import org.bochner.learn.solve.Training;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.Statistics;
import org.jspecify.annotations.Nullable;

/** A way to fit the weights of the features of a map. */
abstract sealed class WeightRoute extends FitRoute permits WeightFit, StatisticsFit, FeatureFit {
    final Needs needs;
    final PenaltyChoice penaltyChoice;
    final Transformer transformer;
    /** True if the map has no landmarks among the rows that stay aside. */
    boolean restricted;
    /** The memory for the matrix of a direct solution; tests set less than there is. */
    MemoryBudget whole = MemoryBudget.whole();

    WeightRoute(TrainingContext context, Transformer transformer, ClassWeights weights) {
        super(context, weights, context.settings().precision);
        needs = Formulation.of(learner).needs();
        penaltyChoice = Formulation.of(learner).penaltyChoice();
        this.transformer = transformer;
        if (needs instanceof Needs.Statistics && transformer.map().amplifiesRounding()) {
            used = Precision.FLOAT64;
        }
    }

    /** Creates a part of another fit, with its own scaling and map. */
    WeightRoute(WeightRoute of, Transformer transformer) {
        super(of);
        needs = of.needs;
        penaltyChoice = of.penaltyChoice;
        restricted = of.restricted;
        whole = of.whole;
        this.transformer = transformer;
    }

    /** Returns true if the fit finds the uncertainty of a Gaussian process. */
    final boolean gaussian() {
        return settings.uncertainty != null && !settings.uncertainty.isConformal();
    }

    /** Returns true if rows are set aside from the final fit too. */
    final boolean setsAside() {
        return settings.validation > 0 && !(needs instanceof Needs.Statistics);
    }

    /** Returns true if the first of two transformers lacks landmarks that the second one has. */
    static boolean leavesOut(Transformer fewer, Transformer all) {
        return fewer.map().outputDimension() < all.map().outputDimension();
    }

    /** Returns the split into training and held-out rows; null if none are held out. */
    final @Nullable Holdout split() {
        if (penaltyChoice == PenaltyChoice.HELD_OUT_ROWS || setsAside()) {
            return heldOut();
        }
        if (settings.validation > 0) {
            notes.choice("no " + objects() + " were set aside: " + learner.name()
                    + " has one solution, without iterations to test");
        }
        return null;
    }

    final Training training() {
        return training(transformer, null);
    }

    final Training training(Transformer from, @Nullable Watch watch) {
        Watch watching = watch == null ? new Watch(learner, null, 0, objects(), progress) : watch;
        return new Training(learner, from.map(), workers, settings.seed.derive("learner"), watching::of)
                .withObjects(objects());
    }

    final MemoryCheck memory() {
        return MemoryCheck.of(settings, source.columns(), Statistics.targets(source.labels()), workers);
    }

    final GramPass pass(RowSource rows, Transformer from) {
        return new GramPass(rows, from, workers).setTimes(times);
    }

    final String objects() {
        return source.ofSets() ? "sets" : "rows";
    }

    final Learned learned(LinearFit fit, long rows, long solving) {
        return new Learned(transformer, fit, rows, solving);
    }

    /** Returns a fit of another learner. */
    final WeightFit with(Learner other) {
        TrainingSettings own = settings.copy();
        own.learner = other;
        return new WeightFit(TrainingContext.of(own, source, workers, progress, notes), transformer, weights);
    }

    /** Runs another fit, and counts its time and memory. */
    final Learned counted(WeightRoute fit) {
        Learned learned = fit.run();
        bytes = Math.max(bytes, fit.bytes);
        used = fit.used;
        uncertainty = fit.uncertainty;
        times.mapNanos += fit.times.mapNanos;
        times.productNanos += fit.times.productNanos;
        return learned;
    }

    /** Learns with a penalty that was chosen with fewer landmarks. */
    final Learned withChoice(Training.Choice choice, Function<WeightFit, WeightRoute> part) {
        WeightFit given = with(learner.withLambda(choice.strength()));
        Learned learned = counted(part.apply(given));
        LinearFit found = learned.fit().withSearch(choice.error(), choice.path(), choice.reason());
        return learned(found, learned.rows(), learned.solving());
    }
}
