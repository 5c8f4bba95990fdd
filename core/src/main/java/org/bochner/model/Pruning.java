package org.bochner.model;

import java.util.List;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Note;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.Encoding;
import org.bochner.data.Holdout;
import org.bochner.data.RowSource;
import org.bochner.data.cell.CategoryFeatures;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.Convergence;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.ScoreAxes;
import org.bochner.learn.ridge.Elimination;
import org.bochner.learn.ridge.Ridge;
import org.bochner.map.FeatureMap;
import org.bochner.map.curve.CurveMap;
import org.bochner.map.landmark.LandmarkForm;
import org.bochner.map.landmark.LandmarkMap;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.map.layout.Penalty;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.train.Calibrator;
import org.bochner.model.train.GramPass;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.stats.ClassWeighting;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.Statistics;
import org.bochner.stats.UnknownClassException;
import org.jspecify.annotations.Nullable;

/**
 * Makes a model smaller and faster: removes the least useful {@linkplain FeatureMap#units units} from its map and
 * fits the weights of the others again. A unit is a group of features that are computed together, such as the cosine
 * and sine of a frequency, or a column of an additive map.
 *
 * <pre>{@code
 * PruningResult result = Pruning.of(model).withShare(0.25).prune(rows, testRows, Workers.all(), Progress.NONE);
 * KernelModel quarter = result.model();
 * }</pre>
 *
 * <p>Units are removed one by one by backward elimination of ridge regression, on the statistics of one pass over
 * labelled rows. The weights of the others are then fitted again by the learner of the model with the penalty of the
 * model. Three kinds of models have no usable penalty, and get one chosen from the rows: models of sparse learners,
 * which get the learner with the same loss and l2 alone; models without a recorded penalty; and ridge regression with
 * λ = 0. A calibrated model is calibrated again, by the same recipe, at every size that is measured.
 *
 * <p>Immutable; change it with the {@code with} methods.
 */
public final class Pruning {
    private static final String OWNER = "pruning";
    private static final Remedy LABEL = Remedy.set(Setting.LABEL, "says where they are");
    private static final Remedy LABELS_FILE = Remedy.set(Setting.LABELS_FILE, "reads them from a file");

    /**
     * The factor of the penalty while units are chosen. With about as many features as rows, a choice at the model's
     * own penalty would fit noise. Optdigits, exp-chi2, a quarter of 2000 projections: three seeds lose 0.39, 0.56
     * and 0.78 points with 1, 0.33, 0.28 and 0.33 with 10, 0.61, 0.56 and 0.56 with 100.
     */
    private static final double CHOOSING = 10;

    private final KernelModel model;

    /** The map of the model, with the penalty that its weights were learned with. */
    private final FeatureMap map;

    /** The learner of the weights; its penalty is given, or chosen from the rows. */
    private final Learner learner;

    /** The share of the units to keep; NaN to keep as few as {@link #mostLoss} allows. */
    private final double share;

    private final double mostLoss;

    private Pruning(KernelModel model, double share, double mostLoss) {
        if (model.map() instanceof CurveMap) {
            throw new BochnerException(
                    "a compiled model has no features to remove", Remedy.advice("prune the model, then compile it"));
        }
        if (model.encoding().filter(Encoding::hasMeans).isPresent()) {
            throw new BochnerException(
                    "a model with category means cannot be pruned: the labels of its training rows are in the means, so"
                            + " weights fitted again to these rows would be wrong",
                    Remedy.set(Setting.FEATURES, "makes a smaller model, in training"),
                    Remedy.set(Setting.CATEGORY_FEATURES, CategoryFeatures.DEFAULT.toString(), "needs no labels"));
        }
        this.model = model;
        map = penalised(model);
        learner = learnerOf(model.training());
        this.share = share;
        this.mostLoss = mostLoss;
    }

    /** Creates a pruning that fits the weights again with the learner that the model was trained with. */
    public static Pruning of(KernelModel model) {
        ModelAccess.parts(model).requireOneStage("pruning");
        return new Pruning(model, Double.NaN, 0);
    }

    /**
     * Returns the map of a model, with the penalty that its weights were learned with. Exact machines have the squared
     * norm of the function in the space of the kernel, αᵀKα, as penalty; their maps need no penalty to predict.
     */
    private static FeatureMap penalised(KernelModel model) {
        return !model.training().map().makesFeatures() && model.map() instanceof LandmarkMap rows
                ? rows.withForm(LandmarkForm.KERNEL)
                : model.map();
    }

    private static Learner learnerOf(TrainingRecord training) {
        if (training.refit() != null) {
            return training.refit();
        }
        if (training.requireLearner().sparse()) {
            return training.requireLearner().dense();
        }
        double lambda = training.lambda();
        boolean usable = lambda > 0 && lambda < Double.POSITIVE_INFINITY;
        if (training.requireLearner().isRidge()) {
            // Ridge regression is solved directly, from the statistics that the elimination uses.
            return usable ? Learner.ridge(lambda) : Learner.ridge();
        }
        return usable ? training.fittedLearner() : training.requireLearner();
    }

    /** Keeps a share of the units, above 0 and at most 1. */
    public Pruning withShare(double share) {
        Require.that(share > 0 && share <= 1, OWNER, "the share to keep must be above 0 and at most 1, got " + share);
        return new Pruning(model, share, mostLoss);
    }

    /**
     * Keeps as few units as lose at most this much on the test rows, compared with the whole model: 0.005 is half a
     * percentage point of error, or half a percent of the rmse. 0 by default.
     */
    public Pruning withMostLoss(double loss) {
        return new Pruning(model, Double.NaN, Require.notNegative(OWNER, "loss", loss));
    }

    /**
     * Prunes the model, and measures its sizes on test rows.
     *
     * @param rows rows to fit the weights to: the training rows, or similar ones
     * @param test labelled rows that the model was not trained on
     */
    public PruningResult prune(RowSource rows, RowSource test, Workers workers, Progress progress) {
        PruningPath path = fit(rows.bySet(), fewest(), workers, progress);
        return chosen(new PruningStudy(path, model, test.bySet()));
    }

    /**
     * Prunes the model, and measures its sizes on rows that are held out. The whole model is fitted without them too,
     * because it may have been trained on them. The result is fitted to all rows.
     *
     * @param rows rows to fit the weights to: the training rows, or similar ones
     * @param holdout share of the rows to hold out
     */
    public PruningResult prune(RowSource rows, double holdout, Seed seed, Workers workers, Progress progress) {
        RowSource all = rows.bySet();
        Holdout split = Holdout.split(all, holdout, seed);
        PruningPath path = fit(split.train(), fewest(), workers, progress);
        PruningResult measured = chosen(new PruningStudy(path, path.model(path.units()), split.test()));
        return measured.withModel(keep(path.kept(measured.chosen().units()), all, workers, progress));
    }

    private int fewest() {
        return Double.isNaN(share) ? 1 : Math.max(1, (int) Math.rint(share * map.unitCount()));
    }

    private PruningResult chosen(PruningStudy study) {
        PrunedModel chosen = Double.isNaN(share) ? study.smallestWithin(mostLoss) : study.downTo(fewest());
        return new PruningResult(chosen.model(), chosen, study.measured(), TrainingRecord.MapUnit.of(map), notes());
    }

    private List<Note> notes() {
        Notes notes = new Notes();
        TrainingRecord training = model.training();
        if (training.requireLearner().isRidge() && training.lambda() == 0) {
            notes.choice(
                    "the model was trained with lambda=0, for which the effect of removing features is not defined;"
                            + " the pruned model has a lambda chosen from the rows");
        }
        if (training.components() != null) {
            notes.choice(
                    "the model was learned from principal components; the pruned model is learned from the features");
        }
        return notes.list();
    }

    /** Returns the model to be pruned. */
    public KernelModel model() {
        return model;
    }

    /**
     * Finds the order in which units are removed, in one pass over the rows.
     *
     * @param rows rows with the model's columns and labels: the training rows, or similar ones
     * @param fewest the smallest number of units; the path has a model of every size from there up
     */
    PruningPath fit(RowSource rows, int fewest, Workers workers, Progress progress) {
        requireRows(rows);
        FeatureGroups units = FeatureGroups.unitsOf(map);
        requireMemory(workers);
        GramStatistics statistics;
        try {
            statistics = new GramPass(rows, new Transformer(model.scaler(), map), workers)
                    .accumulateParts(weights(rows), model.precision(), progress)
                    .get(0)
                    .freeze();
        } catch (UnknownClassException e) {
            throw unknownClass(rows, e);
        }
        progress.report("choosing projections", statistics.rows(), Double.NaN);
        double lambda = learner.isRidge() && !learner.isAuto()
                ? learner.lambda()
                : Ridge.auto()
                        .fit(penalised(statistics), model.precision(), workers)
                        .chosen()
                        .lambda();
        Elimination order = Elimination.of(statistics, units, this::penaltyOf, CHOOSING * lambda, fewest, workers);
        return new PruningPath(this, rows, statistics, order, workers, progress);
    }

    private GramStatistics penalised(GramStatistics statistics) {
        return map.hasPlainPenalty()
                ? statistics
                : statistics.restrict(IntStream.range(0, statistics.features()).toArray(), Penalty.of(map));
    }

    private Penalty penaltyOf(int[] features) {
        return map.hasPlainPenalty() ? Penalty.PLAIN : Penalty.of(map.restrict(features));
    }

    /** Returns the model of the given units, ascending, with weights fitted to the rows in a separate pass. */
    KernelModel keep(int[] units, RowSource rows, Workers workers, Progress progress) {
        requireRows(rows);
        return keep(units, null, rows, workers, progress);
    }

    /**
     * Returns the model of the given units, ascending.
     *
     * @param all the statistics of all units, whose features are not whitened; null to compute those of the given units in
     *     another pass
     */
    KernelModel keep(int[] units, @Nullable GramStatistics all, RowSource rows, Workers workers, Progress progress) {
        int[] kept = FeatureGroups.unitsOf(map).featuresOf(units);
        Transformer left = new Transformer(model.scaler(), map.restrict(kept));
        GramStatistics statistics = all == null ? null : all.restrict(kept, Penalty.of(left.map()));
        Weights weights = weights(learner, left, statistics, rows, workers, progress);
        TrainingRecord.PruningStep step = new TrainingRecord.PruningStep(
                units.length, map.unitCount(), TrainingRecord.MapUnit.of(map), rows.identity());
        TrainingRecord training = model.training().withPruning(step, learner, weights.lambda, weights.convergence);
        KernelModel pruned = pruned(left, weights, training);
        CalibrationRecipe calibration = training.calibration();
        if (calibration == null) {
            return pruned;
        }
        // Folds reuse the penalty, as they do in training.
        Learner fitted = learner.withLambda(weights.lambda);
        return new Calibrator(calibration, weights(rows), training.seed(), workers, progress)
                .calibrate(
                        pruned,
                        rows,
                        part -> pruned(left, weights(fitted, left, null, part, workers, progress), training));
    }

    /** Linear functions of features, with their penalty, the end of the solver, and axes if the learner has any. */
    private record Weights(
            LinearModel linear,
            double lambda,
            Convergence convergence,
            @Nullable ScoreAxes axes) {}

    /**
     * Fits linear functions of the features that are left.
     *
     * @param known the statistics of the rows; null to compute them if they are needed
     */
    private Weights weights(
            Learner by,
            Transformer left,
            @Nullable GramStatistics known,
            RowSource rows,
            Workers workers,
            Progress progress) {
        if (by.isRidge()) {
            GramStatistics statistics = known != null
                    ? known
                    : new GramPass(rows, left, workers).run(weights(rows), model.precision(), progress);
            LinearFit fit = new Ridge(by.lambda()).fit(statistics, model.precision(), workers);
            return new Weights(fit.model(), fit.chosen().lambda(), fit.convergence(), null);
        }
        TrainingRecord training = model.training();
        TrainingResult trained = KernelMachine.of(map.kernel())
                .withLearner(by)
                .withPrecision(model.precision())
                .withSeed(training.seed())
                .withBalancedClasses(training.balancedClasses())
                .withClassWeights(training.classWeights())
                .fit(rows, left, workers, progress);
        TrainingReport report = trained.report();
        ScoreAxes axes = ModelAccess.parts(trained.model()).axes();
        return new Weights(trained.model().linear(), report.chosen().lambda(), report.convergence(), axes);
    }

    private KernelModel pruned(Transformer left, Weights weights, TrainingRecord training) {
        return ModelAccess.model(ModelAccess.parts(model)
                .withMap(left.map(), weights.linear, training)
                .withAxes(weights.axes));
    }

    private void requireRows(RowSource rows) {
        model.require(rows);
        if (rows.labels().targets() == 0) {
            throw new BochnerException(rows.name() + ": has no labels to learn from", LABEL, LABELS_FILE);
        }
        if (!rows.labels().equals(model.labels())) {
            throw new BochnerException(rows.name() + ": its labels are not those of the model, or in another order; "
                    + "the rows must be read as those it was trained on");
        }
    }

    private DataException unknownClass(RowSource rows, UnknownClassException e) {
        List<String> names = model.labels().names();
        int shown = Math.min(6, names.size());
        String problem = "the label is none of the model's classes ("
                + String.join(", ", names.subList(0, shown))
                + (shown < names.size() ? ", ..." : "")
                + ")";
        Remedy rowsOfTraining = Remedy.advice("prune on rows labelled like those of training");
        return DataException.in(rows.place(e.row(), -1), problem, e, rowsOfTraining, LABEL, LABELS_FILE);
    }

    private ClassWeights weights(RowSource rows) {
        TrainingRecord training = model.training();
        return new ClassWeighting(training.balancedClasses(), training.classWeights()).of(rows);
    }

    private void requireMemory(Workers workers) {
        int features = map.outputDimension();
        int targets = Statistics.targets(model.labels());
        Precision precision = model.precision();
        double needed = Math.max(GramAccumulator.bytes(features, targets, workers.threads(), precision), (double)
                Elimination.bytesNeeded(features));
        if (!map.hasPlainPenalty()) {
            // The whitened statistics, the penalty and its factor.
            needed += 3 * 8.0 * features * features;
        }
        MemoryBudget.whole()
                .require(needed, OWNER + ": a model of " + features + " features", "train with fewer features");
    }
}
