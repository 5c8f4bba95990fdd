package org.bochner.model.train;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.bochner.data.Holdout;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;

/**
 * Rows that models are tested on which were trained without them: the folds of a cross-validation, or a share of the rows.
 *
 * @param splits the training rows and the held-out rows of each model
 */
record HeldOutRows(List<Holdout> splits) {
    /** Returns the folds of a source. They are equal for all users of one seed. */
    static HeldOutRows folds(RowSource source, int count, Seed seed) {
        return new HeldOutRows(Holdout.folds(source, count, seed.derive("calibration")));
    }

    /** Returns a share of the rows of a source. */
    static HeldOutRows share(RowSource source, double share, Seed seed) {
        return new HeldOutRows(List.of(Holdout.split(source, share, seed.derive("calibration"))));
    }

    /**
     * Scores each held-out row by a model that was trained without it. Cost: one fit per split.
     *
     * @param fit fits a model to given rows
     * @param sink receives blocks of rows and their scores, in an order that depends only on the source and the splits
     */
    void score(
            Function<RowSource, KernelModel> fit,
            Workers workers,
            Progress progress,
            BiConsumer<RowBlock, double[]> sink) {
        for (Holdout split : splits) {
            fit.apply(split.train()).score(split.test(), workers, progress, sink);
        }
    }
}
