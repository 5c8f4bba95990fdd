package org.bochner.model.train;

import java.util.function.Consumer;
import java.util.function.Function;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.calibrate.Calibration;
import org.bochner.learn.calibrate.ScoreAccumulator;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.file.ModelAccess;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.stats.ClassWeights;

/**
 * Calibrates a model that was fitted to all rows of a source. The calibration is fitted to scores of rows from models
 * that were trained without these rows, because scores of training rows are too optimistic.
 *
 * @param recipe the method of calibration
 * @param classWeights the class weights of training; probabilities are those for classes with the weighted frequencies
 * @param seed draws the folds or the held-out rows
 * @param workers the threads
 * @param progress receives reports
 */
public record Calibrator(
        CalibrationRecipe recipe, ClassWeights classWeights, Seed seed, Workers workers, Progress progress) {
    /**
     * Returns the calibrated model. Cost: one fit per fold, or one fit if a share is held out; none for {@code
     * quantile}.
     *
     * @param model the model, fitted to all rows of the source
     * @param fit fits another model with equal settings to given rows
     */
    public KernelModel calibrate(KernelModel model, RowSource source, Function<RowSource, KernelModel> fit) {
        recipe.check(model.labels());
        return recipe.method() == CalibrationRecipe.Method.QUANTILE
                ? ScoreLevels.level(model, source, recipe.rank(), workers, progress)
                : withProbabilities(model, source, fit, scores -> {});
    }

    /**
     * Returns the model with probabilities.
     *
     * @param heldOut receives the scores of the held-out rows, in an order that depends only on the source, the recipe and
     *     the seed
     */
    public KernelModel withProbabilities(
            KernelModel model,
            RowSource source,
            Function<RowSource, KernelModel> fit,
            Consumer<ScoreAccumulator> heldOut) {
        int classes = model.labels().names().size();
        requireMemory(source, classes, recipe.holdout() == 0 ? 1 : recipe.holdout());
        HeldOutRows rows = recipe.holdout() == 0
                ? HeldOutRows.folds(source, recipe.folds(), seed)
                : HeldOutRows.share(source, recipe.holdout(), seed);
        ScoreAccumulator scores = new ScoreAccumulator(classes);
        rows.score(fit, workers, progress, (block, values) -> add(block, values, scores));
        progress.report("calibrating", scores.rows(), Double.NaN);
        heldOut.accept(scores);
        return ModelAccess.model(
                ModelAccess.parts(model).withCalibration(Calibration.fit(recipe.method(), scores, workers)));
    }

    private void add(RowBlock rows, double[] values, ScoreAccumulator scores) {
        for (int i = 0; i < rows.rows(); i++) {
            int label = (int) rows.target(i, 0);
            scores.add(values, i, label, rows.rowWeight(i) * classWeights.factor(label), rows.group(i));
        }
    }

    private static void requireMemory(RowSource source, int classes, double share) {
        long needed = (long) (share * ScoreAccumulator.bytesNeeded(Math.max(0, source.rows()), classes));
        MemoryBudget budget = MemoryBudget.kept();
        String scores =
                "the scores of " + source.rows() + " rows for " + classes + " classes, which calibration keeps,";
        double smaller = Math.max(0.001, Math.floor(1000 * share * budget.bytes() / needed) / 1000);
        String remedy = "hold out a smaller share, as in platt(holdout=" + smaller + ")";
        budget.require((double) needed, source.name() + ": " + scores, remedy);
    }
}
