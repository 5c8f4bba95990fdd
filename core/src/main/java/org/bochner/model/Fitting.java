package org.bochner.model;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.bochner.base.BochnerException;
import org.bochner.base.Note;
import org.bochner.base.Notes;
import org.bochner.data.CountingSource;
import org.bochner.data.Labels;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.learn.Calibration;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.Convergence;
import org.bochner.learn.Learner;
import org.bochner.learn.LinearFit;
import org.bochner.learn.LinearModel;
import org.bochner.learn.Loss;
import org.bochner.learn.OutputCoding;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapRecipe;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.stats.ClassWeights;
import org.jspecify.annotations.Nullable;

/** One run of a machine on a source; its fields are what the stages hand on. */
final class Fitting {
    private final KernelMachine machine;
    private final Learner learner;
    private final CountingSource source;
    private final Workers workers;
    private final Progress progress;
    private final @Nullable Transformer given;
    private final Notes notes = new Notes();
    private MapRecipe mapRecipe;

    Fitting(KernelMachine machine, RowSource source, Workers workers, Progress progress) {
        this(machine, source, workers, progress, null);
    }

    /** A run with a scaling and a map that are there already. */
    Fitting(KernelMachine machine, RowSource source, Workers workers, Progress progress, @Nullable Transformer given) {
        this.machine = machine;
        this.learner = machine.learner();
        this.source = new CountingSource(source);
        this.workers = workers;
        this.progress = progress;
        this.given = given;
        mapRecipe = machine.map();
    }

    Trained run() {
        checkLabels();
        long preparing = System.nanoTime();
        Transformer transformer = prepare();
        double prepareSeconds = (System.nanoTime() - preparing) * 1e-9;
        ClassWeights weights = machine.classWeights(source);
        // Loaded now, if it was not before, so that the times below are those of the work.
        Blas.get();
        long start = System.nanoTime();
        Learning learning = learning(transformer, weights);
        Learning.Learned learned = learning.run();
        long end = System.nanoTime();
        noteRows(transformer);
        noteConvergence(learned.fit());
        FeatureMap map = transformer.map();
        KernelModel model = finish(
                new KernelModel(
                        transformer.scaler(),
                        map,
                        learned.fit().model(),
                        source.labels(),
                        learning.used(),
                        source.encoding(),
                        record(learned)),
                learner.withLambda(learned.fit().chosen().lambda()),
                weights);
        TrainingReport report = new TrainingReport(
                learned.rows(),
                map.kernel(),
                mapRecipe,
                learner.withLambda(learned.fit().chosen().lambda()),
                learned.fit(),
                notes.list(),
                prepareSeconds,
                (end - start) * 1e-9,
                learning.mapNanos() * 1e-9 / workers.threads(),
                learning.productNanos() * 1e-9 / workers.threads(),
                (end - learned.solving()) * 1e-9,
                learning.bytes());
        return new Trained(model, report);
    }

    /** What is done to a model that has its weights: what has none leaves it, and scores become probabilities. */
    private KernelModel finish(KernelModel whole, Learner chosen, ClassWeights weights) {
        KernelModel model = learner.sparse() ? compact(whole) : whole;
        if (learner.refit().isPresent()) {
            model = refit(model, learner.refit().get());
        }
        if (source.labels() instanceof Labels.Classes classes) {
            int count = classes.names().size();
            if (learner.loss() instanceof Loss.Logistic) {
                model = model.withCalibration(Calibration.sigmoid(count));
            } else if (learner.loss() instanceof Loss.Softmax) {
                model = model.withCalibration(Calibration.softmax(count));
            }
        }
        CalibrationRecipe recipe = machine.calibration();
        if (recipe == null) {
            return model;
        }
        // Folds take the penalty that was found over, and the map, but not the weights, which know the rows of the
        // fold.
        KernelMachine alike = machine.withLearner(chosen).withCalibration(null);
        Transformer transformer = whole.transformer();
        return new Calibrator(recipe, weights, machine.seed(), workers, progress)
                .calibrate(
                        model,
                        source,
                        rows -> new Fitting(alike, rows, workers, progress, transformer)
                                .run()
                                .model());
    }

    /** The model with weights learned anew, from the features that are left. */
    private KernelModel refit(KernelModel model, Learner anew) {
        KernelMachine alike = machine.withLearner(anew).withCalibration(null);
        Trained trained = new Fitting(alike, source, workers, progress, model.transformer()).run();
        TrainingReport report = trained.report();
        notes.choice("weights were learned anew from what was kept, by " + report.learner());
        report.notes().stream()
                .filter(note -> note.kind() == Note.Kind.SOLVER)
                .forEach(note -> notes.solver(note.text()));
        return model.withRefit(trained.model().linear(), report.learner());
    }

    private KernelModel compact(KernelModel whole) {
        KernelModel model = whole.compact();
        int before = whole.map().unitCount();
        int left = model.map().unitCount();
        if (left < before) {
            notes.choice(String.format(
                    Locale.ROOT,
                    "%,d of %,d %s have weights; the others are not in the model",
                    left,
                    before,
                    Pruning.unit(whole.map()).word()));
        }
        return model;
    }

    private Learning learning(Transformer transformer, ClassWeights weights) {
        return new Learning(machine, source, transformer, weights, workers, progress, notes);
    }

    /** Fits at so many strengths of the penalty, from the strongest down, with their errors on other rows. */
    LearningPath path(RowSource testing, int count) {
        checkLabels();
        Transformer transformer = prepare();
        FeatureMap map = transformer.map();
        Learning.Fits fits = learning(transformer, machine.classWeights(source)).path(testing, count);
        List<LearningPath.Step> steps = new ArrayList<>();
        for (LinearFit fit : fits.fits()) {
            noteConvergence(fit);
            steps.add(new LearningPath.Step(
                    learner.withLambda(fit.chosen().lambda()),
                    fit,
                    unitsUsed(map, fit.model()),
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

    /** How many groups of features that are computed together have a weight. */
    private static int unitsUsed(FeatureMap map, LinearModel model) {
        FeatureGroups units = FeatureGroups.unitsOf(map);
        BitSet usedUnits = new BitSet();
        for (int j = 0; j < model.features(); j++) {
            for (int o = 0; o < model.outputs(); o++) {
                if (model.weight(j, o) != 0) {
                    usedUnits.set(units.of(j));
                }
            }
        }
        return usedUnits.cardinality();
    }

    private void checkLabels() {
        OutputCoding.require(source.name(), source.labels());
        learner.requireFits(source.labels());
        CalibrationRecipe calibration = machine.calibration();
        if (calibration != null) {
            calibration.check(source.labels());
        }
    }

    private Transformer prepare() {
        if (given != null) {
            return given;
        }
        KernelModel start = machine.start();
        if (start != null) {
            if (start.columns() != source.columns() || !start.labels().equals(source.labels())) {
                throw new BochnerException(
                        source.name() + ": the model to start from has other columns or labels than the"
                                + " rows; start from a model of the same kind of rows");
            }
            mapRecipe = start.training().map();
            return start.transformer();
        }
        if (machine.features().isPresent() && learner.onStatistics()) {
            new MemoryCheck(machine.map(), source.columns(), DualPass.targets(source.labels()), workers)
                    .requireStatistics(machine.features().getAsInt(), machine.precision(), "");
        }
        Preparation preparation = new Preparation(machine, source, workers, progress);
        Transformer transformer = preparation.run();
        notes.addAll(preparation.notes());
        mapRecipe = preparation.chosen();
        return transformer;
    }

    /** What should be known of the rows: zeros that stay zero, and classes of which there is hardly anything. */
    private void noteRows(Transformer transformer) {
        if (source.labels() instanceof Labels.Classes classes) {
            List<String> single = new ArrayList<>();
            for (int c = 0; c < classes.names().size(); c++) {
                if (source.ofClass(c) == 1) {
                    single.add(classes.names().get(c));
                }
            }
            if (!single.isEmpty()) {
                notes.data("classes with a single row: " + few(single) + "; what is learned of them is that row");
            }
        }
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

    private static String few(List<String> names) {
        int shown = Math.min(6, names.size());
        return String.join(", ", names.subList(0, shown))
                + (names.size() > shown ? ", ... (" + names.size() + ")" : "");
    }

    private void noteConvergence(LinearFit fit) {
        Convergence convergence = fit.convergence();
        // The passes of a stream are as many as it was told to make.
        boolean asTold = learner.streams() && convergence.end() == Convergence.End.ITERATIONS;
        if (!convergence.converged() && !asTold) {
            notes.solver(String.format(
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

    private TrainingRecord record(Learning.Learned learned) {
        RowSource unlabelled = machine.unlabelled();
        return new TrainingRecord(
                source.identity(),
                learned.rows(),
                machine.kernel(),
                mapRecipe,
                learner,
                learned.fit().chosen().lambda(),
                null,
                machine.classWeighting(),
                machine.seed(),
                machine.components(),
                machine.components() == null || unlabelled == null ? null : unlabelled.identity(),
                machine.calibration(),
                null,
                learned.fit().convergence(),
                List.of(),
                TrainingRecord.libraryVersion(),
                TrainingRecord.today());
    }
}
