package org.bochner.model.train;

import java.util.List;
import java.util.Locale;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.base.text.Digits;
import org.bochner.data.Holdout;
import org.bochner.data.RowSource;
import org.bochner.data.sample.KeptRows;
import org.bochner.data.sample.RowCount;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.solve.CellRidge;
import org.bochner.learn.solve.Formulation;
import org.bochner.learn.solve.SolverKind;
import org.bochner.map.binning.BinningMap;
import org.bochner.model.Transformer;
import org.bochner.stats.CellRows;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeatureStore;
import org.bochner.stats.MappedSource;
import org.jspecify.annotations.Nullable;

/** Ridge regression on the cells of a random binning map, by conjugate gradients without a matrix. */
public final class CellFit extends FitRoute {
    /** A search of the penalty for fewer rows needs no iterations: the matrix of the features, or that of the rows, is small. */
    private static final int FEWEST_ROWS = 200;

    /** The folds with which the penalty of few rows is searched. */
    private static final int FOLDS = 5;

    /** The most rows times outputs with folds. */
    private static final long MOST_FOLDED = 10_000;

    /** The most features of a direct solution, which takes 8 bytes per pair of features in each of five folds. */
    private static final int MOST_DIRECT = 4096;

    /** The factorisations of a direct solution with five folds and six penalties, a third of features³ operations each. */
    private static final double FACTORS = 10;

    /** The usual number of iterations for all penalties, each with two additions per row, grid and output. */
    private static final double ITERATIONS = 200;

    private final Transformer transformer;
    private final BinningMap map;

    /** Creates a fit, which adds its choices to the notes of the context. */
    CellFit(TrainingContext context, Transformer transformer, ClassWeights weights) {
        super(context, weights, context.settings().precision);
        this.transformer = transformer;
        map = (BinningMap) transformer.map();
    }

    /** Returns true if a training may take this route; other trainings learn from the sparse features of the map. */
    static boolean takes(TrainingContext context, Transformer transformer) {
        TrainingSettings settings = context.settings();
        boolean iterative = !settings.learner.hasSolver()
                || Formulation.of(settings.learner).solver() == SolverKind.CG;
        return transformer.map() instanceof BinningMap
                && settings.learner.isRidge()
                && iterative
                && settings.components == null
                && settings.start == null
                && settings.validation == 0
                && settings.patience == 0
                && !context.source().ofSets()
                && (settings.learner.hasSolver() || isFaster(context, (BinningMap) transformer.map()));
    }

    /** Returns true if iterations take less time than the matrix of the features and its factor, and a penalty can be chosen. */
    private static boolean isFaster(TrainingContext context, BinningMap map) {
        long rows = RowCount.of(context.source());
        if (context.settings().learner.isAuto() && rows < FEWEST_ROWS) {
            return false;
        }
        double features = map.outputDimension();
        double outputs = OutputCoding.of(context.source().labels()).count();
        double direct = rows * (double) map.grids() * map.grids() + FACTORS * features * features * features;
        return features > MOST_DIRECT || direct > ITERATIONS * 2 * outputs * rows * map.grids();
    }

    @Override
    public Learned run() {
        if (settings.uncertainty != null && !settings.uncertainty.isConformal()) {
            throw UncertaintyFit.refusal(
                    "needs the matrix of the features, which the map binning does not compute",
                    Remedy.set(Setting.MAP, "fourier", "computes it"));
        }
        int outputs = OutputCoding.of(source.labels()).count();
        long slots = (long) map.outputDimension() + map.grids();
        long count = learner.isAuto() ? RowCount.of(source) : source.rows();
        CellFolds folds = learner.isAuto() && count * outputs <= MOST_FOLDED
                ? new CellFolds(source, FOLDS, settings.seed.derive("validation"))
                : null;
        int splits = folds != null ? folds.count() : learner.isAuto() ? 1 : 0;
        double heldOut = folds != null ? count : splits * USUAL_VALIDATION * count;
        double needed = CellRidge.bytesNeeded(slots, count, splits, heldOut, outputs)
                + CellRows.bytesNeeded(map, count, outputs)
                + settings.map.bytesNeeded(source.columns(), map.outputDimension())
                + (source instanceof KeptRows kept ? kept.bytes() : 0);
        progress.memory(
                String.format(Locale.ROOT, "%,d cells of %d grids", map.outputDimension(), map.grids()), needed);
        MemoryBudget.whole()
                .require(
                        needed,
                        "ridge of " + map.outputDimension() + " cells",
                        "use fewer grids",
                        "choose larger length-scales");
        bytes = (long) needed;
        long budget = MemoryBudget.kept(settings.memory, bytes).bytes();
        CellRidge ridge = new CellRidge(learner, new Watch(learner, null, 0, "rows", progress)::of);
        LinearFit fit;
        CellRows rows;
        long solving;
        if (learner.isAuto()) {
            List<CellRidge.Split> all = folds == null
                    ? List.of(holdOut(budget))
                    : folds.read((part, before) -> read(part, before, budget / folds.count()));
            solving = System.nanoTime();
            fit = ridge.fit(all, "rows");
            rows = all.get(0).whole();
        } else {
            rows = read(source, null, budget);
            solving = System.nanoTime();
            fit = ridge.fit(rows);
        }
        bytes += rows.heldBytes();
        note(rows, fit);
        return new Learned(transformer, fit, rows.rows(), solving);
    }

    private CellRidge.Split holdOut(long budget) {
        Holdout split = heldOut();
        CellRows training = read(split.train(), null, (long) ((1 - USUAL_VALIDATION) * budget));
        return new CellRidge.Split(training, read(split.test(), training, Math.max(0, budget - training.heldBytes())));
    }

    /** Reads rows, which may be joined to others that were read before. */
    private CellRows read(RowSource from, @Nullable CellRows before, long budget) {
        MappedSource mapped = new MappedSource(from, transformer.scaler(), map, weights, used, workers);
        long start = System.nanoTime();
        FeatureStore.Listener listener = (read, fraction) -> progress.report("finding cells", read, fraction);
        CellRows rows =
                before == null ? CellRows.read(mapped, budget, listener) : before.readOther(mapped, budget, listener);
        times.mapNanos += (System.nanoTime() - start) * workers.threads();
        return rows;
    }

    private void note(CellRows rows, LinearFit fit) {
        double tolerance = fit.convergence().tolerance();
        notes.choice(
                String.format(
                                Locale.ROOT,
                                "ridge was solved by conjugate gradients on %,d cells of %d grids, up to a relative residual of ",
                                map.outputDimension(),
                                map.grids())
                        + Digits.shortest(tolerance),
                Remedy.set(
                        Setting.LEARNER,
                        learner.withTolerance(tolerance / 100).toString(),
                        "is closer to the exact solution and slower"));
        if (rows.heldRows() < rows.rows()) {
            notes.choice(
                    String.format(
                            Locale.ROOT,
                            "the cells of %,d of %,d rows were kept in memory, and those of the others were found in every pass",
                            rows.heldRows(),
                            rows.rows()),
                    Remedy.set(Setting.MEMORY, "with more memory is faster"),
                    Remedy.set(Setting.HEAP, "with a larger size is faster"));
        }
    }
}
