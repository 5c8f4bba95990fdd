package org.bochner.model.train;

import java.util.List;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.Holdout;
import org.bochner.data.RowSource;
import org.bochner.data.sample.CountingSource;
import org.bochner.data.sample.KeptRows;
import org.bochner.kernel.Kernel;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.Monitor;
import org.bochner.learn.solve.CellRidge;
import org.bochner.map.binning.BinningMap;
import org.bochner.map.binning.BinningRecipe;
import org.bochner.map.binning.CellAccumulator;
import org.bochner.model.Progress;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scaler;
import org.bochner.scale.fit.ScaledRows;
import org.bochner.stats.CellRows;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeatureStore;
import org.bochner.stats.FiniteFeatures;
import org.bochner.stats.MappedSource;
import org.jspecify.annotations.Nullable;

/**
 * The pass that finds the cells of a random binning map.
 *
 * @param source the rows, not sets
 */
record CellPass(BinningRecipe recipe, RowSource source, Scaler scaler, Workers workers) {
    /** The grids with which kernels are compared. With fewer, errors are so noisy that the search finds a lucky draw. */
    private static final int COMPARED = 32;

    /**
     * The rows with which kernels are compared. Fewer rows would favour length-scales that are too long, because the best ones
     * become shorter as the number of rows grows.
     */
    static final int SAMPLED = 24_000;

    /** The sampled rows that tell scalings, and length-scales in steps of two, apart. */
    static final int FIRST = 8000;

    /** The most bytes of rows that are kept in memory. */
    private static final long KEPT_BYTES = 1 << 26;

    /** The length-scales from which a search starts, besides the measured ones, in steps of √2. */
    static final List<Integer> STARTS = List.of(-4, -8);

    private static final int FOLDS = 4;

    /** The share of the sampled rows that are held out to compare kernels. */
    private static final double TESTED = 1.0 / FOLDS;

    /** With at most this many rows, each of up to {@link #FOLDS} parts of them is held out once: a quarter would be too few. */
    private static final long MOST_FOLDED = 5000;

    /**
     * Returns the rows of a training, in memory if its map is binning and they are few: parsing a file takes longer than a pass
     * that finds cells, and there are several.
     */
    static RowSource rows(TrainingSettings settings, CountingSource source) {
        return settings.map instanceof BinningRecipe && !source.ofSets() && !source.inMemory()
                ? KeptRows.of(source, Math.min(KEPT_BYTES, MemoryBudget.spare().bytes()))
                : source;
    }

    /** Returns the grids with which kernels are compared, if the map has grids; else null. */
    static @Nullable BinningRecipe compared(TrainingSettings settings, RowSource source) {
        return settings.map instanceof BinningRecipe recipe && !source.ofSets() ? recipe.withGrids(COMPARED) : null;
    }

    /** Finds the cells of all rows and makes the map. */
    BinningMap map(Kernel kernel, Seed seed, Progress progress, Notes notes) {
        CellAccumulator cells = recipe.fit(kernel, source.columns(), seed, workers);
        BinningMap map = cells.run(found -> {
            long[] rows = {0};
            ScaledRows.read(source, scaler, BinningMap.BLOCK_ROWS, (scaled, fraction) -> {
                FiniteFeatures.requireMappable(scaled);
                found.accept(scaled);
                rows[0] += scaled.rows();
                progress.report("making the map", rows[0], fraction);
            });
        });
        if (cells.passes() > 1) {
            notes.choice(
                    "the cells of the grids were found in " + cells.passes() + " passes over the rows",
                    Remedy.set(Setting.HEAP, "with a larger size needs one"));
        }
        return map;
    }

    /**
     * Returns the squared error of ridge regression on held-out rows, as a share of the error of the mean.
     *
     * @param learner ridge regression with its penalty for all these rows, or an automatic one
     */
    double heldOutError(Kernel kernel, Learner learner, ClassWeights weights, Seed seed) {
        CellPass cells = new CellPass(recipe.withTermsOf(kernel), source, scaler, workers);
        BinningMap map = cells.map(kernel, seed.derive("map"), Progress.NONE, new Notes());
        CellFolds.Reader reader = (rows, before) -> read(mapped(rows, map, weights), before);
        Seed holdout = seed.derive("holdout");
        List<CellRidge.Split> splits;
        if (isFolded(source.rows())) {
            splits = new CellFolds(source, FOLDS, holdout).read(reader);
        } else {
            Holdout split = Holdout.split(source, TESTED, holdout);
            CellRows training = reader.read(split.train(), null);
            splits = List.of(new CellRidge.Split(training, reader.read(split.test(), training)));
        }
        Learner own = learner.isAuto() ? learner : learner.withLambda((1 - TESTED) * learner.lambda());
        return new CellRidge(own, unused -> Monitor.NONE).heldOutError(splits);
    }

    /** Returns true if so few rows are compared that each of them is held out once. */
    static boolean isFolded(long rows) {
        return rows <= MOST_FOLDED;
    }

    private static CellRows read(MappedSource rows, @Nullable CellRows before) {
        FeatureStore.Listener silent = (read, fraction) -> {};
        return before == null
                ? CellRows.read(rows, Long.MAX_VALUE, silent)
                : before.readOther(rows, Long.MAX_VALUE, silent);
    }

    private MappedSource mapped(RowSource rows, BinningMap map, ClassWeights weights) {
        return new MappedSource(rows, scaler, map, weights, Precision.FLOAT32, workers);
    }
}
