package org.bochner.model.train;

import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.Holdout;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.learn.UncertaintyRecipe;
import org.bochner.learn.calibrate.ScoreAccumulator;
import org.bochner.learn.solve.Formulation;
import org.bochner.learn.solve.Needs;
import org.bochner.learn.uncertainty.ErrorAccumulator;
import org.bochner.learn.uncertainty.Uncertainty;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.evaluate.ClassDisagreement;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;

/**
 * Measures the errors of a trained model on held-out rows, from which conformal intervals and sets follow. Rows of weight 0
 * are left out; all others count once.
 *
 * @param recipe a conformal recipe
 * @param seed draws the folds
 * @param workers the threads
 * @param progress receives reports
 * @param notes receives a note if there are few rows
 */
record UncertaintyFit(UncertaintyRecipe recipe, Seed seed, Workers workers, Progress progress, Notes notes) {
    /** A usual level that a few rows are too few for. */
    private static final double USUAL_LEVEL = 0.95;

    private static final Remedy CONFORMAL =
            Remedy.set(Setting.UNCERTAINTY, "conformal", "works with every map and learner");

    /** Returns the rows to learn from and those set aside; null if no rows are set aside. */
    static @Nullable Holdout split(TrainingSettings settings, RowSource source) {
        return settings.uncertainty instanceof UncertaintyRecipe.SplitConformal split
                ? Holdout.split(source, split.share(), settings.seed.derive("uncertainty"))
                : null;
    }

    /** Throws if a machine cannot have the uncertainty that its settings ask for. */
    static void check(TrainingSettings settings, RowSource source) {
        UncertaintyRecipe recipe = settings.uncertainty;
        if (recipe == null) {
            return;
        }
        recipe.check(source.labels());
        if (recipe.isConformal()) {
            return;
        }
        if (!settings.learner.isRidge()) {
            throw refusal("needs ridge regression, and the learner is " + settings.learner);
        }
        if (!(Formulation.of(settings.learner).needs() instanceof Needs.Statistics)) {
            throw refusal("needs the matrix of the features, which " + settings.learner + " does not compute");
        }
        if (settings.components != null) {
            throw refusal("needs the matrix of the features, not that of principal components");
        }
    }

    /** Returns the failure of {@code gaussian}. */
    static BochnerException refusal(String reason, Remedy... others) {
        Remedy[] remedies = new Remedy[others.length + 1];
        remedies[0] = CONFORMAL;
        System.arraycopy(others, 0, remedies, 1, others.length);
        return new BochnerException("the uncertainty gaussian " + reason, remedies);
    }

    /** Returns the model with the errors on rows that were set aside. */
    KernelModel aside(KernelModel model, RowSource rows) {
        Errors errors = new Errors(model, rows.rows());
        model.score(rows, workers, progress, errors::add);
        notes.choice(String.format(
                Locale.ROOT,
                "%,d %s set aside for the intervals of predictions; the model learned from the others",
                errors.of.rows(),
                (rows.ofSets() ? "set" : "row") + (errors.of.rows() == 1 ? " was" : "s were")));
        return errors.finish();
    }

    /**
     * Returns the model with the errors of a cross-validation, for a recipe with folds. Cost: one fit per fold.
     *
     * @param model fitted to all rows of the source
     * @param fit fits another model with equal settings to given rows
     */
    KernelModel crossed(KernelModel model, RowSource source, Function<RowSource, KernelModel> fit) {
        Errors errors = new Errors(model, source.rows());
        int folds = ((UncertaintyRecipe.CrossConformal) recipe).folds();
        HeldOutRows.folds(source, folds, seed).score(fit, workers, progress, errors::add);
        return errors.finish();
    }

    /** Returns the model of classes with the errors of held-out rows whose scores are known. */
    KernelModel known(KernelModel model, ScoreAccumulator heldOut) {
        Errors errors = new Errors(model, heldOut.rows());
        double[] scores = new double[heldOut.outputs()];
        for (int i = 0; i < heldOut.rows(); i++) {
            heldOut.copyScores(i, scores);
            errors.addClass(scores, 0, heldOut.label(i));
        }
        return errors.finish();
    }

    /** The errors of held-out rows. */
    private final class Errors {
        private final ModelParts parts;
        private final ErrorAccumulator of;
        private final @Nullable ClassDisagreement classes;
        /** The part of the intercepts that a calibration of the scores added; held-out scores lack it. */
        private final double @Nullable [] shifts;

        private final double[] ofRow;

        Errors(KernelModel model, long rows) {
            parts = ModelAccess.parts(model);
            int outputs = parts.labels() instanceof Labels.Classes
                    ? 1
                    : parts.labels().targets();
            MemoryBudget.kept()
                    .require(
                            ErrorAccumulator.bytesNeeded(Math.max(0, rows), outputs),
                            "the errors of " + rows + " rows, which conformal intervals follow from,",
                            "set a smaller share aside, as in conformal(share=0.01)");
            of = new ErrorAccumulator(outputs);
            ofRow = new double[outputs];
            classes = parts.labels() instanceof Labels.Classes ? new ClassDisagreement(parts) : null;
            shifts = recipe instanceof UncertaintyRecipe.SplitConformal
                    ? null
                    : parts.requireLinear().shifts();
        }

        void add(RowBlock block, double[] scores) {
            for (int i = 0; i < block.rows(); i++) {
                if (block.rowWeight(i) == 0) {
                    continue;
                }
                if (classes != null) {
                    addClass(scores, i, (int) block.target(i, 0));
                    continue;
                }
                for (int o = 0; o < ofRow.length; o++) {
                    ofRow[o] = Math.abs(block.target(i, o) - scores[i * ofRow.length + o]);
                }
                of.add(ofRow);
            }
        }

        void addClass(double[] scores, int row, int label) {
            ClassDisagreement disagreement = Objects.requireNonNull(classes);
            double[] shifted = scores;
            int at = row;
            if (shifts != null) {
                shifted = new double[shifts.length];
                for (int o = 0; o < shifts.length; o++) {
                    shifted[o] = scores[row * shifts.length + o] + shifts[o];
                }
                at = 0;
            }
            disagreement.take(shifted, at);
            of.add(disagreement.of(label));
        }

        KernelModel finish() {
            if (of.rows() == 0) {
                throw new BochnerException(
                        "no row with a weight was held out for the intervals of predictions; use more rows");
            }
            Uncertainty uncertainty = Uncertainty.conformal(recipe, of);
            double highest = uncertainty.highestLevel();
            if (highest < USUAL_LEVEL) {
                notes.choice(String.format(
                        Locale.ROOT,
                        "the errors of %,d held-out %s %s up to the level %s; above it, %s",
                        of.rows(),
                        of.rows() == 1 ? "row give" : "rows give",
                        classes == null ? "intervals" : "sets",
                        Spelling.roundedDown(highest, 3),
                        classes == null ? "intervals are infinite" : "sets have all classes"));
            }
            return ModelAccess.model(parts.withUncertainty(uncertainty));
        }
    }
}
