package org.bochner.model.train;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.Holdout;
import org.bochner.data.RowSource;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.solve.Needs;
import org.bochner.learn.solve.Training;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeatureStore;
import org.bochner.stats.FeatureStream;
import org.bochner.stats.JoinedFeatures;
import org.bochner.stats.MappedSource;
import org.bochner.stats.PackedFeatures;
import org.bochner.stats.StoredFeatures;
import org.jspecify.annotations.Nullable;

/**
 * Fits weights in passes over the features of the rows, which are kept in memory, kept in 16 bits, mapped in every pass or
 * streamed.
 */
final class FeatureFit extends WeightRoute {
    private final @Nullable LinearModel start;
    /** All features that this fit has mapped. */
    private final List<StoredFeatures> opened = new ArrayList<>();

    /** Creates a part of another fit, which begins at given weights; null for zeros. */
    FeatureFit(WeightRoute of, Transformer transformer, @Nullable LinearModel start) {
        super(of, transformer);
        this.start = start;
    }

    @Override
    public Learned run() {
        try {
            return learn();
        } finally {
            opened.forEach(StoredFeatures::close);
        }
    }

    private Learned learn() {
        Holdout split = split();
        long budget = budget();
        if (split == null) {
            return needs instanceof Needs.Stream ? fromStream() : isPacked(budget) ? fromPacked() : fromStore(budget);
        }
        Transformer searched = learner.isAuto() && !restricted
                ? HeldOutLandmarks.without(transformer, source, split.train())
                : transformer;
        if (leavesOut(searched, transformer)) {
            return withChoice(choose(searched, split, budget), given -> new FeatureFit(given, transformer, null));
        }
        boolean asked = setsAside();
        StoredFeatures rows = store(split.train(), transformer, weights, budget);
        StoredFeatures aside = store(split.test(), transformer, weights, Math.max(0, budget - rows.heldBytes()));
        Watch watch = new Watch(learner, aside, settings.patience, objects(), progress);
        long solving = System.nanoTime();
        Training training = training(transformer, watch);
        LinearFit fit;
        if (learner.isAuto()) {
            // By default, the final fit includes the held-out rows and is not tested on them.
            fit = asked
                    ? training.fit(rows, aside, rows)
                    : training.withRefitMonitors(new Watch(learner, null, 0, objects(), progress)::of)
                            .fit(rows, aside, new JoinedFeatures(rows, aside));
        } else {
            fit = training.fit(rows, start);
        }
        fit = asked ? watch.best(fit, notes) : fit;
        long learnedFrom = asked ? rows.rows() : rows.rows() + aside.rows();
        return finished(fit, learnedFrom, solving, rows, aside);
    }

    /** Chooses a penalty for the final fit on held-out rows. */
    private Training.Choice choose(Transformer from, Holdout split, long budget) {
        StoredFeatures rows = store(split.train(), from, weights, budget);
        StoredFeatures aside = store(split.test(), from, weights, Math.max(0, budget - rows.heldBytes()));
        times.mapNanos += rows.mapNanos() + aside.mapNanos();
        Watch watch = new Watch(learner, aside, settings.patience, objects(), progress);
        Training.Choice choice = training(from, watch).choose(rows, aside);
        return setsAside() ? choice : choice.scaled(1 + aside.totalRowWeight() / rows.totalRowWeight());
    }

    private Learned fromStore(long budget) {
        StoredFeatures rows = store(source, transformer, weights, budget);
        long solving = System.nanoTime();
        return finished(training().fit(rows, start), rows.rows(), solving, rows);
    }

    /**
     * Returns true if features should be kept in 16 bits: only for conjugate gradients, whose tolerance is far above
     * the rounding, and only if all features fit into memory with 16 bits but not as float32.
     */
    private boolean isPacked(long budget) {
        double values = (double) source.rows() * transformer.map().outputDimension();
        boolean dense = !transformer.map().makesSparse()
                && (!source.sparse() || !transformer.map().keepsSparsity());
        return needs instanceof Needs.RoundedFeatures
                && dense
                && !transformer.map().amplifiesRounding()
                && used == Precision.FLOAT32
                && Float.BYTES * values > budget
                && values > 0
                && Short.BYTES * values <= budget;
    }

    private Learned fromPacked() {
        PackedFeatures rows = PackedFeatures.map(mapped(source, transformer, weights), this::reportMapping);
        notes.precision(
                "features were kept in 16 bits each, because float32 would take more memory than there is for them");
        bytes += Short.BYTES * rows.rows() * rows.features();
        times.mapNanos += rows.mapNanos();
        long solving = System.nanoTime();
        return learned(training().fit(rows, start), rows.rows(), solving);
    }

    /** Learns from a stream of rows. */
    private Learned fromStream() {
        long solving = System.nanoTime();
        try (FeatureStream rows = FeatureStream.open(mapped(source, transformer, weights))) {
            LinearFit fit = training().fit(rows, start);
            // A pass that was stopped early does not know the number of all rows.
            return learned(fit, rows.knownRows().orElseGet(rows::rowsRead), solving);
        }
    }

    private Learned finished(LinearFit fit, long rows, long solving, StoredFeatures... stores) {
        long held = 0;
        long total = 0;
        for (StoredFeatures store : stores) {
            held += store.heldRows();
            total += store.rows();
            bytes += store.heldBytes();
            times.mapNanos += store.mapNanos();
        }
        if (held < total) {
            String some = String.format(Locale.ROOT, "%,d of %,d rows", held, total);
            notes.choice(
                    "the features of " + some + " were kept in memory, and the others were mapped in every pass",
                    Remedy.set(Setting.MEMORY, "with more memory is faster"),
                    Remedy.set(Setting.HEAP, "with a larger size is faster"));
        }
        return learned(fit, rows, solving);
    }

    /** Maps rows and keeps as many features as the budget holds. */
    StoredFeatures store(RowSource rows, Transformer from, ClassWeights factors, long budget) {
        StoredFeatures store = StoredFeatures.map(mapped(rows, from, factors), budget, this::reportMapping);
        opened.add(store);
        return store;
    }

    private MappedSource mapped(RowSource rows, Transformer from, ClassWeights factors) {
        return new MappedSource(rows, from.scaler(), from.map(), factors, used, workers);
    }

    private void reportMapping(long rows, double fraction) {
        progress.report("mapping", rows, fraction);
    }

    /** Checks and counts the memory of mapping; returns the bytes that features may take: as given, or half the heap. */
    long budget() {
        int features = transformer.map().outputDimension();
        MemoryCheck.requireMapping(features, fewer -> FeatureStore.bytesNeeded(fewer, workers.threads(), used));
        bytes = FeatureStore.bytesNeeded(features, workers.threads(), used);
        return MemoryBudget.kept(settings.memory, bytes).bytes();
    }
}
