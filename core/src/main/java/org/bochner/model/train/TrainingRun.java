package org.bochner.model.train;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.bochner.base.BochnerException;
import org.bochner.base.Note;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.Holdout;
import org.bochner.data.RowSource;
import org.bochner.data.sample.CountingSource;
import org.bochner.design.Design;
import org.bochner.kernel.Kernel;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.Convergence;
import org.bochner.learn.Learner;
import org.bochner.learn.UncertaintyRecipe;
import org.bochner.learn.calibrate.ScoreAccumulator;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.solve.Formulation;
import org.bochner.learn.solve.Needs;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapRecipe;
import org.bochner.map.landmark.UnmappedKernel;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.LearningPath;
import org.bochner.model.Progress;
import org.bochner.model.TrainingRecord;
import org.bochner.model.TrainingReport;
import org.bochner.model.TrainingResult;
import org.bochner.model.Transformer;
import org.bochner.model.evaluate.FeatureError;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.model.file.SavedRecord;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.scale.Scaler;
import org.bochner.stats.Statistics;
import org.jspecify.annotations.Nullable;

/** One training of a machine on a source. */
public final class TrainingRun {
    private TrainingSettings settings;
    private final CountingSource source;
    private TrainingContext context;
    private final Notes notes = new Notes();
    private final @Nullable Transformer given;
    private MapRecipe mapRecipe;
    /** Rows that the model does not learn from, on which its errors are measured; null for none. */
    private @Nullable RowSource aside;

    /**
     * Trains a machine. If its uncertainty is measured on rows set aside, the run learns from the others.
     *
     * @param given the fitted scaling and map; null if the run fits them
     */
    public static TrainingResult train(
            TrainingSettings settings,
            RowSource source,
            Workers workers,
            Progress progress,
            @Nullable Transformer given) {
        Holdout split = UncertaintyFit.split(settings, source);
        RowSource training = (split == null ? source : split.train()).forTraining();
        TrainingRun run = new TrainingRun(settings, training, workers, progress, given);
        run.aside = split == null ? null : split.test();
        return run.run();
    }

    /**
     * Creates a run.
     *
     * @param given the fitted scaling and map; null if the run fits them
     */
    public TrainingRun(
            TrainingSettings settings,
            RowSource source,
            Workers workers,
            Progress progress,
            @Nullable Transformer given) {
        this.source = new CountingSource(source);
        // The record of a given map names it, because training would choose another map for a rough kernel.
        TrainingSettings own = given == null ? settings : RoughMap.random(settings);
        context = TrainingContext.of(own, this.source, workers, progress, notes);
        this.settings = context.settings();
        this.given = given;
        mapRecipe = own.map;
    }

    /**
     * Trains: prepares scaling and map, fits the weights, drops features without weights, calibrates, and measures the
     * uncertainty of predictions.
     */
    private TrainingResult run() {
        return run(null);
    }

    /**
     * Trains, as {@link #run()} does.
     *
     * @param heldOut receives the scores of the held-out rows that the calibration is fitted to; null if nobody needs them
     */
    TrainingResult run(@Nullable Consumer<ScoreAccumulator> heldOut) {
        checkLabels();
        long preparing = System.nanoTime();
        if (given == null && heldOut == null) {
            settings = RoughMap.choose(settings, source, context.workers(), notes);
            RowSource rows = CellPass.rows(settings, source);
            context = TrainingContext.of(settings, rows, context.workers(), context.progress(), notes);
            mapRecipe = settings.map;
        }
        if (given == null) {
            BinningCost.report(settings, source, context.progress());
        }
        double designedBefore = Design.secondsOnThread();
        Function<TrainingContext, FitRoute> routes = prepare();
        double prepareSeconds = (System.nanoTime() - preparing) * 1e-9;
        double designSeconds = Design.secondsOnThread() - designedBefore;
        FitRoute route = routes.apply(context);
        // Loads BLAS before the times below are taken.
        Blas.get();
        long start = System.nanoTime();
        FitRoute.Learned learned = route.run();
        long end = System.nanoTime();
        noteRows(learned.transformer());
        noteConvergence(settings.learner, learned.fit(), notes);
        Learner chosen = settings.learner.withLambda(learned.fit().chosen().lambda());
        KernelModel finished = finished(model(route, learned), chosen, route, routes, heldOut);
        double threads = context.workers().threads();
        TrainingReport report = new TrainingReport(
                learned.rows(),
                learned.transformer().map().kernel(),
                mapRecipe,
                chosen,
                learned.fit().chosen(),
                learned.fit().reason(),
                learned.fit().path(),
                learned.fit().convergence(),
                learned.fit().model().features(),
                learned.fit().model().nonZeros(),
                notes.list(),
                prepareSeconds,
                designSeconds,
                (end - start) * 1e-9,
                route.times.mapNanos * 1e-9 / threads,
                route.times.productNanos * 1e-9 / threads,
                (end - learned.solving()) * 1e-9,
                route.bytes);
        return new TrainingResult(finished, report);
    }

    /**
     * Returns the model with its calibration and its uncertainty.
     *
     * @param heldOut receives the scores of the held-out rows that the calibration is fitted to; null if nobody needs them
     */
    private KernelModel finished(
            KernelModel model,
            Learner chosen,
            FitRoute route,
            Function<TrainingContext, FitRoute> routes,
            @Nullable Consumer<ScoreAccumulator> heldOut) {
        // Folds reuse the penalty and the map, but not the weights, which were learned from the fold's rows.
        TrainingSettings ofFolds = settings.copy();
        ofFolds.learner = chosen;
        ofFolds.uncertainty = null;
        Function<RowSource, KernelModel> ofRows = foldRows -> {
            FitRoute ofFold = routes.apply(context.with(ofFolds, foldRows));
            return model(ofFold, ofFold.run());
        };
        // Rows that are kept in memory need no parsing.
        RowSource rows = context.source();
        CalibrationRecipe recipe = settings.calibration;
        UncertaintyRecipe uncertainty = settings.uncertainty;
        ScoreAccumulator[] shared = new ScoreAccumulator[1];
        KernelModel calibrated = model;
        if (recipe != null) {
            Calibrator calibrator =
                    new Calibrator(recipe, route.weights, settings.seed, context.workers(), context.progress());
            Consumer<ScoreAccumulator> receiver = heldOut;
            if (uncertainty instanceof UncertaintyRecipe.CrossConformal crossed && recipe.folds() == crossed.folds()) {
                // Equal folds: the models are trained once for both.
                receiver = scores -> shared[0] = scores;
            }
            calibrated = receiver == null
                    ? calibrator.calibrate(model, rows, ofRows)
                    : calibrator.withProbabilities(model, rows, ofRows, receiver);
        }
        if (uncertainty == null) {
            return calibrated;
        }
        if (!uncertainty.isConformal()) {
            return ModelAccess.model(ModelAccess.parts(calibrated).withUncertainty(route.uncertainty));
        }
        UncertaintyFit fit =
                new UncertaintyFit(uncertainty, settings.seed, context.workers(), context.progress(), notes);
        if (aside != null) {
            return fit.aside(calibrated, aside);
        }
        return shared[0] == null ? fit.crossed(calibrated, rows, ofRows) : fit.known(calibrated, shared[0]);
    }

    /**
     * Assembles a model: drops features to which a sparse learner gave no weight, fits the weights again if the
     * learner has a refit, and adds probabilities for logistic losses.
     */
    private KernelModel model(FitRoute route, FitRoute.Learned learned) {
        Transformer transformer = learned.transformer();
        Transformer left = transformer;
        LinearModel linear = learned.fit().model();
        List<TrainingRecord.PruningStep> steps = List.of();
        if (route.learner.sparse()) {
            Compaction compaction = Compaction.of(transformer.map(), linear);
            if (compaction.kept() < compaction.of()) {
                boolean none = Compaction.unitsUsed(transformer.map(), linear) == 0;
                String kept = String.format(Locale.ROOT, "%,d of %,d ", none ? 0 : compaction.kept(), compaction.of())
                        + TrainingRecord.MapUnit.of(transformer.map());
                route.notes.choice(
                        none
                                ? kept
                                        + " have weights: the model predicts the same for every row; use a smaller penalty"
                                : kept + " have weights; the others are not in the model");
                left = new Transformer(transformer.scaler(), compaction.map());
                linear = compaction.linear();
                steps = List.of(compaction.step(transformer.map()));
            }
        }
        Learner refit = route.learner.refit().orElse(null);
        if (refit != null) {
            TrainingRecord record = record(route.settings, learned, null, steps);
            ModelParts sparse = ModelParts.of(left, linear, route.source, route.used, record);
            LinearFit again = refit(route, refit, ModelAccess.model(sparse));
            refit = refit.withLambda(again.chosen().lambda());
            linear = again.model();
            route.notes.choice("weights were learned anew from what was kept, by " + refit);
        }
        TrainingRecord record = record(route.settings, learned, refit, steps);
        ModelParts model = ModelParts.of(left, linear, route.source, route.used, record);
        Loss loss = Formulation.of(route.learner).loss();
        return ModelAccess.model(
                model.withProbabilitiesOf(loss).withAxes(learned.fit().axes()));
    }

    /** Fits the weights of a sparse model again, starting from its weights. */
    private LinearFit refit(FitRoute route, Learner learner, KernelModel sparse) {
        TrainingSettings again = route.settings.copy();
        again.learner = learner;
        // Principal components have no weights to start from.
        again.start = again.components == null ? sparse : null;
        TrainingContext own = context.with(again, route.source);
        LinearFit fit =
                new WeightFit(own, sparse.transformer(), own.weights()).run().fit();
        noteConvergence(learner, fit, own.notes());
        List<Note> notes = own.notes().list();
        route.notes.addAll(
                notes.stream().filter(note -> note.kind() == Note.Kind.SOLVER).toList());
        return fit;
    }

    /**
     * Fits at several strengths of the penalty, from the strongest down, and measures the error of each on other rows.
     *
     * @param count the number of strengths
     */
    public LearningPath path(RowSource testing, int count) {
        checkLabels();
        Transformer transformer = transformer();
        FeatureMap map = transformer.map();
        PathFit.Fits fits = new WeightFit(context, transformer, context.weights()).path(testing, count);
        List<LearningPath.Step> steps = new ArrayList<>();
        for (LinearFit fit : fits.fits()) {
            noteConvergence(settings.learner, fit, notes);
            Learner learner = settings.learner.withLambda(fit.chosen().lambda());
            int units = Compaction.unitsUsed(map, fit.model());
            double error = FeatureError.of(fits.tests(), fit.model());
            steps.add(new LearningPath.Step(
                    learner, fit.chosen(), fit.convergence(), fit.model().nonZeros(), units, error));
        }
        int features = map.outputDimension();
        long tested = fits.tests().rows();
        return new LearningPath(
                steps, map.kernel(), mapRecipe, features, map.unitCount(), fits.rows(), tested, notes.list());
    }

    private void checkLabels() {
        // Fails now, not after learning, if the day of the training record is wrong.
        LocalDate unused = SavedRecord.today();
        OutputCoding.require(source.name(), source.encoding() != null, source.labels());
        settings.learner.requireFits(source.labels());
        CalibrationRecipe calibration = settings.calibration;
        if (calibration != null) {
            calibration.check(source.labels());
        }
        UncertaintyFit.check(settings, source);
    }

    /** Prepares scaling and map; returns how rows are fitted with them. */
    private Function<TrainingContext, FitRoute> prepare() {
        boolean unmapped = given != null && given.map() instanceof UnmappedKernel;
        if (unmapped || (given == null && settings.start == null && !settings.map.makesFeatures())) {
            if (source.ofSets()) {
                throw new BochnerException(
                        "sets are learned from the means of features, and the map none has no features",
                        Remedy.set(Setting.MAP, "landmarks", "has features"),
                        Remedy.set(Setting.MAP, "must be left out"));
            }
            ExactFit.requireSettings(settings);
            if (given != null) {
                Scaler scaler = given.scaler();
                Kernel kernel = given.map().kernel();
                return rows -> new ExactFit(rows, rows.weights(), scaler, kernel);
            }
            KernelMachine.KernelFit fit = context.fitKernel(false);
            return rows -> new ExactFit(rows, rows.weights(), fit.scaler(), fit.kernel());
        }
        Transformer transformer = transformer();
        return rows -> {
            // Folds of a calibration have rows of their own. Weights to start from are those of all landmarks.
            Transformer own = rows.source().equals(context.source()) || settings.start != null
                    ? transformer
                    : HeldOutLandmarks.without(transformer, source, rows.source());
            return CellFit.takes(rows, own)
                    ? new CellFit(rows, own, rows.weights())
                    : new WeightFit(rows, own, rows.weights());
        };
    }

    private Transformer transformer() {
        if (given != null) {
            return given;
        }
        KernelModel start = settings.start;
        if (start != null) {
            if (start.columns() != source.columns() || !start.labels().equals(source.labels())) {
                throw new BochnerException(
                        source.name() + ": the model to start from has other columns or labels than the"
                                + " rows; start from a model of the same kind of rows");
            }
            if (ModelAccess.parts(start).ofSets() != source.ofSets()) {
                throw new BochnerException(source.name() + ": the model to start from was trained on "
                        + (source.ofSets() ? "rows, not on sets" : "sets, not on rows"));
            }
            WarmStart.require(settings, start);
            mapRecipe = start.training().map();
            return start.transformer();
        }
        if (settings.features.isPresent() && Formulation.of(settings.learner).needs() instanceof Needs.Statistics) {
            MemoryCheck.of(settings, source.columns(), Statistics.targets(source.labels()), context.workers())
                    .requireStatistics(settings.features.getAsInt(), settings.precision, OptionalLong.empty());
        }
        TrainingContext.Prepared prepared = context.prepare();
        mapRecipe = prepared.recipe();
        return prepared.transformer();
    }

    /** Notes all-zero rows, and classes with one training row or none. */
    private void noteRows(Transformer transformer) {
        source.requireTargets();
        source.noteLabels(notes);
        if (source.zeros() == 0 || !transformer.scaler().keepsZeros()) {
            return;
        }
        double[] zeros = new double[source.columns()];
        Kernel kernel = transformer.map().kernel();
        if (transformer.scaler().scaling().normalises() || kernel.value(zeros, zeros) == 0) {
            notes.data("all-zero rows: " + source.zeros() + " (first: row " + (source.firstZero() + 1)
                    + " of those trained on); they stay zero, and the model gives all of them the same answer");
        }
    }

    private static void noteConvergence(Learner learner, LinearFit fit, Notes noted) {
        Convergence convergence = fit.convergence();
        // A stream ends after the given number of passes.
        boolean asTold = Formulation.of(learner).needs() instanceof Needs.Stream
                && convergence.end() == Convergence.End.ITERATIONS;
        if (!convergence.converged() && !asTold) {
            noted.solver(String.format(
                    Locale.ROOT,
                    "the solver (%s) did not converge: %s after %d iterations, %s %.2g, where %.2g was asked for",
                    convergence.method(),
                    convergence.end().reason(),
                    convergence.iterations(),
                    convergence.measure(),
                    convergence.residual(),
                    convergence.tolerance()));
        }
    }

    private TrainingRecord record(
            TrainingSettings used,
            FitRoute.Learned learned,
            @Nullable Learner refit,
            List<TrainingRecord.PruningStep> steps) {
        LinearFit fit = learned.fit();
        double lambda = fit.chosen().lambda();
        return used.record(
                source, learned.rows(), mapRecipe, used.learner, lambda, refit, null, fit.convergence(), steps);
    }
}
