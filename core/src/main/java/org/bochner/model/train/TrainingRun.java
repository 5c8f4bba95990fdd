package org.bochner.model.train;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.bochner.base.BochnerException;
import org.bochner.base.Note;
import org.bochner.base.Notes;
import org.bochner.data.RowSource;
import org.bochner.data.sample.CountingSource;
import org.bochner.kernel.Kernel;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.Convergence;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.solve.Formulation;
import org.bochner.learn.solve.Needs;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapRecipe;
import org.bochner.map.landmark.NoMap;
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
import org.bochner.stats.ClassWeights;
import org.bochner.stats.Statistics;
import org.jspecify.annotations.Nullable;

/** One training of a machine on a source. */
public final class TrainingRun {
    private final TrainingSettings settings;
    private final CountingSource source;
    private final Workers workers;
    private final Progress progress;
    private final @Nullable Transformer given;
    private final Notes notes = new Notes();
    private MapRecipe mapRecipe;

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
        this.settings = settings;
        this.source = new CountingSource(source);
        this.workers = workers;
        this.progress = progress;
        this.given = given;
        mapRecipe = settings.map;
    }

    /** Trains: prepares scaling and map, fits the weights, drops features without weights, and calibrates. */
    public TrainingResult run() {
        checkLabels();
        long preparing = System.nanoTime();
        FitRoute.Prepared prepared = prepare();
        double prepareSeconds = (System.nanoTime() - preparing) * 1e-9;
        ClassWeights weights = settings.classWeighting.of(source);
        // Loads BLAS before the times below are taken.
        Blas.get();
        long start = System.nanoTime();
        FitRoute route = prepared.route(settings, source, weights, workers, progress, notes);
        FitRoute.Learned learned = route.run();
        long end = System.nanoTime();
        noteRows(learned.transformer());
        noteConvergence(settings.learner, learned.fit(), notes);
        Learner chosen = settings.learner.withLambda(learned.fit().chosen().lambda());
        KernelModel model = model(settings, source, route, learned, notes);
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
                (end - start) * 1e-9,
                route.times().mapNanos * 1e-9 / workers.threads(),
                route.times().productNanos * 1e-9 / workers.threads(),
                (end - learned.solving()) * 1e-9,
                route.bytes());
        CalibrationRecipe recipe = settings.calibration;
        if (recipe == null) {
            return new TrainingResult(model, report);
        }
        // Folds reuse the penalty and the map, but not the weights, which were learned from the fold's rows.
        TrainingSettings ofFolds = settings.copy();
        ofFolds.learner = chosen;
        KernelModel calibrated = new Calibrator(recipe, weights, settings.seed, workers, progress)
                .calibrate(model, source, rows -> modelOfFold(ofFolds, rows, prepared));
        return new TrainingResult(calibrated, report);
    }

    private KernelModel modelOfFold(TrainingSettings ofFolds, RowSource rows, FitRoute.Prepared prepared) {
        Notes unused = new Notes();
        FitRoute route = prepared.route(ofFolds, rows, ofFolds.classWeighting.of(rows), workers, progress, unused);
        return model(ofFolds, rows, route, route.run(), unused);
    }

    /**
     * Assembles a model: drops features to which a sparse learner gave no weight, fits the weights again if the
     * learner has a refit, and adds probabilities for logistic losses.
     */
    private KernelModel model(
            TrainingSettings used, RowSource rows, FitRoute route, FitRoute.Learned learned, Notes noted) {
        Transformer transformer = learned.transformer();
        Transformer left = transformer;
        LinearModel linear = learned.fit().model();
        List<TrainingRecord.PruningStep> steps = List.of();
        if (used.learner.sparse()) {
            Compaction compaction = Compaction.of(transformer.map(), linear);
            if (compaction.kept() < compaction.of()) {
                noted.choice(String.format(
                        Locale.ROOT,
                        "%,d of %,d %s have weights; the others are not in the model",
                        compaction.kept(),
                        compaction.of(),
                        TrainingRecord.MapUnit.of(transformer.map())));
                left = new Transformer(transformer.scaler(), compaction.map());
                linear = compaction.linear();
                steps = List.of(compaction.step(transformer.map()));
            }
        }
        Learner refit = null;
        if (used.learner.refit().isPresent()) {
            ModelParts sparse = ModelParts.of(left, linear, rows, route.used(), record(used, learned, null, steps));
            LinearFit again = refit(used, used.learner.refit().get(), rows, ModelAccess.model(sparse), noted);
            refit = used.learner.refit().get().withLambda(again.chosen().lambda());
            linear = again.model();
            noted.choice("weights were learned anew from what was kept, by " + refit);
        }
        ModelParts model = ModelParts.of(left, linear, rows, route.used(), record(used, learned, refit, steps));
        return ModelAccess.model(
                model.withProbabilitiesOf(Formulation.of(used.learner).loss()));
    }

    /** Fits the weights of a sparse model again, starting from its weights. */
    private LinearFit refit(TrainingSettings used, Learner learner, RowSource rows, KernelModel sparse, Notes noted) {
        TrainingSettings again = used.copy();
        again.learner = learner;
        // Principal components have no weights to start from.
        again.start = used.components == null ? sparse : null;
        Notes own = new Notes();
        LinearFit fit = new WeightFit(
                        again, rows, sparse.transformer(), used.classWeighting.of(rows), workers, progress, own)
                .run()
                .fit();
        noteConvergence(learner, fit, own);
        own.list().stream()
                .filter(note -> note.kind() == Note.Kind.SOLVER)
                .forEach(note -> noted.addAll(List.of(note)));
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
        WeightFit.Fits fits = new WeightFit(
                        settings, source, transformer, settings.classWeighting.of(source), workers, progress, notes)
                .path(testing, count);
        List<LearningPath.Step> steps = new ArrayList<>();
        for (LinearFit fit : fits.fits()) {
            noteConvergence(settings.learner, fit, notes);
            steps.add(new LearningPath.Step(
                    settings.learner.withLambda(fit.chosen().lambda()),
                    fit.chosen(),
                    fit.convergence(),
                    fit.model().nonZeros(),
                    Compaction.unitsUsed(map, fit.model()),
                    FeatureError.of(fits.tests(), fit.model())));
        }
        return new LearningPath(
                steps,
                map.kernel(),
                mapRecipe,
                map.outputDimension(),
                map.unitCount(),
                fits.rows(),
                fits.tests().rows(),
                notes.list());
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
    }

    private FitRoute.Prepared prepare() {
        if (given == null && settings.start == null && settings.map instanceof NoMap) {
            ExactFit.requireSettings(settings);
            KernelMachine.KernelFit fit = new Preparation(settings, source, workers, progress, notes).fitKernel(false);
            return new FitRoute.Exact(fit.scaler(), fit.kernel());
        }
        return new FitRoute.Mapped(transformer());
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
            WarmStart.require(settings, start);
            mapRecipe = start.training().map();
            return start.transformer();
        }
        if (settings.features.isPresent() && Formulation.of(settings.learner).needs() instanceof Needs.Statistics) {
            MemoryCheck.of(settings, source.columns(), Statistics.targets(source.labels()), workers)
                    .requireStatistics(settings.features.getAsInt(), settings.precision, OptionalLong.empty());
        }
        Preparation preparation = new Preparation(settings, source, workers, progress, notes);
        Transformer transformer = preparation.run();
        mapRecipe = preparation.chosen();
        return transformer;
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
