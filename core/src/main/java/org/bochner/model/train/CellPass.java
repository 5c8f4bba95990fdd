package org.bochner.model.train;

import java.util.List;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.Holdout;
import org.bochner.data.RowSource;
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

    /** The length-scales from which a search starts, besides the measured ones, in steps of √2. */
    static final List<Integer> STARTS = List.of(-4, -8);

    /** The share of the sampled rows that are held out to compare kernels. */
    private static final double TESTED = 0.25;

    /** Returns the grids with which kernels are compared, if the map has grids; else null. */
    static @Nullable BinningRecipe compared(TrainingSettings settings, RowSource source) {
        return settings.map instanceof BinningRecipe recipe && !source.ofSets()
                ? new BinningRecipe(COMPARED, recipe.least())
                : null;
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
        Holdout split = Holdout.split(source, TESTED, seed.derive("holdout"));
        CellRows training = CellRows.read(mapped(split.train(), map, weights), Long.MAX_VALUE, (read, fraction) -> {});
        CellRows validation =
                training.readOther(mapped(split.test(), map, weights), Long.MAX_VALUE, (read, fraction) -> {});
        double share = training.totalRowWeight() / (training.totalRowWeight() + validation.totalRowWeight());
        Learner own = learner.isAuto() ? learner : learner.withLambda(share * learner.lambda());
        return new CellRidge(own, unused -> Monitor.NONE).heldOutError(training, validation);
    }

    private MappedSource mapped(RowSource rows, BinningMap map, ClassWeights weights) {
        return new MappedSource(rows, scaler, map, weights, Precision.FLOAT32, workers);
    }
}
