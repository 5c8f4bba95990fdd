package org.bochner.model.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.data.Task;
import org.bochner.kernel.RowSample;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.calibrate.Calibration;
import org.bochner.learn.calibrate.ScoreAccumulator;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.TrainingReport;
import org.bochner.model.TrainingResult;
import org.bochner.model.file.CascadeParts;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.jspecify.annotations.Nullable;

/**
 * Trains the stages of a cascade one after the other and chooses their thresholds. All stages have the same held-out rows,
 * whose scores come from models that were trained without them.
 */
public final class CascadeFit {
    /** Up to this many rows, all rows are held out once, by cross-validation; of more rows, a share is enough. */
    private static final long MOST_FOLDED_ROWS = 10_000;

    private static final double USUAL_HOLDOUT = 0.2;

    /** The relative difference of equal row sums: files have few digits. */
    private static final double EQUAL_SUMS = 1e-3;

    private static final String OTHER_LABELS =
            "take rows with the classes of the models, or train the models on all classes";

    private final TrainingSettings settings;
    private final RowSource source;

    private final Workers workers;
    private final Progress progress;
    private final Notes notes = new Notes();

    /**
     * Creates a fit.
     *
     * @param settings those of the last stage, with the stages before it
     */
    public CascadeFit(TrainingSettings settings, RowSource source, Workers workers, Progress progress) {
        this.settings = settings;
        this.source = source;
        this.workers = workers;
        this.progress = progress;
    }

    /** Trains all stages; the report is that of the last stage, with the times and notes of all. */
    public TrainingResult run() {
        requireClasses(source.name(), source.labels());
        CalibrationRecipe recipe = recipe();
        List<TrainingSettings> stages = new ArrayList<>(settings.stages);
        stages.add(settings);
        CascadeThresholds thresholds = new CascadeThresholds(settings.tolerance, settings.seed);
        List<KernelModel> models = new ArrayList<>();
        List<TrainingReport> reports = new ArrayList<>();
        for (TrainingSettings given : stages) {
            TrainingSettings stage = given.copy();
            stage.stages = List.of();
            stage.calibration = recipe;
            stage.uncertainty = null;
            stage.seed = settings.seed;
            stage.classWeighting = settings.classWeighting;
            ScoreAccumulator[] heldOut = new ScoreAccumulator[1];
            TrainingResult trained =
                    new TrainingRun(stage, source, workers, progress, null).run(scores -> heldOut[0] = scores);
            thresholds.add(heldOut[0], calibration(trained.model()));
            models.add(trained.model());
            reports.add(trained.report());
            String name = "stage " + models.size() + " (" + given.kernel + ")";
            notes.addAll(Training.named(name, trained.report().notes()));
        }
        List<KernelModel> kept = new ArrayList<>(models);
        KernelModel model = cascade(kept, thresholds, settings.tolerance, notes);
        int last = models.indexOf(kept.get(kept.size() - 1));
        return new TrainingResult(
                model, Training.report(reports, last, reports.get(last).rows(), notes.list()));
    }

    /**
     * Returns the usual cascade for rows: {@code linear}, {@code chi2} unless values may be negative, and {@code gaussian} if
     * the rows are dense, or {@code exp-chi2} if they are histograms, whose rows have equal sums. Sparse rows without
     * negative values are taken for counts, for which random features of a third stage would have to be many. Cost: one
     * pass over the rows.
     *
     * @param scaling the scaling of all stages; null for the usual scaling of each stage
     */
    public static List<KernelMachine> usual(RowSource rows, @Nullable Scaling scaling) {
        RowSource source = rows.localRows();
        RowSample sample = RowSample.of(source, new Seed(1));
        boolean nonNegative = (scaling == null || keepsSigns(scaling, source.columns())) && sample.nonNegative();
        boolean counts = source.sparse() && nonNegative;
        List<KernelMachine> stages = new ArrayList<>();
        // The sums of counts differ from row to row.
        Scaling ofSparse = counts ? Scalings.unitL1() : Scalings.none();
        stages.add(scaled(KernelMachine.of("linear"), scaling, source.sparse() ? ofSparse : Scalings.standard()));
        if (nonNegative) {
            stages.add(scaled(KernelMachine.of("chi2"), scaling, counts ? ofSparse : Scalings.uncentred()));
        }
        if (!counts) {
            KernelMachine last = KernelMachine.of(nonNegative && equalSums(sample) ? "exp-chi2" : "gaussian");
            stages.add(scaling == null ? last : last.withScaling(scaling));
        }
        return stages;
    }

    /** Returns true if the sampled rows have equal sums above 0, up to rounding. */
    private static boolean equalSums(RowSample sample) {
        double first = Arrays.stream(sample.row(0)).sum();
        for (int i = 1; i < sample.rows(); i++) {
            if (!(Math.abs(Arrays.stream(sample.row(i)).sum() - first) <= EQUAL_SUMS * first)) {
                return false;
            }
        }
        return first > 0;
    }

    /**
     * Returns true if a scaling subtracts nothing, whatever the rows. Others, such as {@code min-max}, may give values below
     * 0 to rows that they were not fitted to.
     */
    private static boolean keepsSigns(Scaling scaling, int columns) {
        float[] values = new float[Math.multiplyExact(2, columns)];
        Arrays.fill(values, 0, columns, 1);
        Arrays.fill(values, columns, values.length, 2);
        return scaling.fit(MemorySource.of(columns, values), new Workers(1)).keepsZeros();
    }

    private static KernelMachine scaled(KernelMachine machine, @Nullable Scaling given, Scaling usual) {
        return machine.withScaling(given == null ? usual : given);
    }

    private CalibrationRecipe recipe() {
        CalibrationRecipe given = settings.calibration;
        if (given == null) {
            CalibrationRecipe usual = CalibrationRecipe.temperature();
            return source.rows() >= 0 && source.rows() <= MOST_FOLDED_ROWS ? usual : usual.withHoldout(USUAL_HOLDOUT);
        }
        if (given.method() != CalibrationRecipe.Method.TEMPERATURE
                && given.method() != CalibrationRecipe.Method.PLATT) {
            throw new BochnerException(
                    "the stages of a cascade cannot be calibrated by " + given.method(),
                    Remedy.set(Setting.CALIBRATION, "temperature", ""),
                    Remedy.set(Setting.CALIBRATION, "platt", ""));
        }
        return given;
    }

    private static void requireClasses(String name, Labels labels) {
        if (!(labels instanceof Labels.Classes)) {
            throw new BochnerException(
                    name + ": a cascade predicts classes, and the labels are numbers",
                    Remedy.advice("train one machine for numbers"),
                    Remedy.set(Setting.TASK, Task.CLASSIFY, "takes them for classes"));
        }
    }

    /** Makes a cascade of trained models; see {@link KernelModel#cascade}. */
    public static KernelModel combine(
            List<KernelModel> models,
            RowSource rows,
            double tolerance,
            Workers workers,
            Progress progress,
            Notes notes) {
        Require.atLeast("cascade", "models", models.size(), 2);
        Require.notNegative("cascade", "tolerance", tolerance);
        List<ModelParts> parts = new ArrayList<>();
        for (KernelModel model : models) {
            if (!(model.labels() instanceof Labels.Classes)) {
                throw new BochnerException(
                        "a cascade predicts classes, and stage " + (parts.size() + 1) + " predicts numbers",
                        Remedy.advice("take models of classes"));
            }
            ModelAccess.parts(model).requireOneStage("a stage of a cascade");
            parts.add(ModelAccess.parts(model));
        }
        // Before any row is scored: models that disagree cannot be compared.
        requireFit(parts, tolerance);
        Seed seed = models.get(models.size() - 1).training().seed();
        CascadeThresholds thresholds = new CascadeThresholds(tolerance, seed);
        List<KernelModel> calibrated = new ArrayList<>();
        for (KernelModel model : models) {
            // The note about labels would repeat for each model.
            Notes ofScores = calibrated.isEmpty() ? notes : new Notes();
            ScoreAccumulator scores = scores(model, rows, workers, progress, ofScores);
            KernelModel stage = model.hasProbabilities()
                    ? model
                    : ModelAccess.model(ModelAccess.parts(model)
                            .withCalibration(Calibration.fit(CalibrationRecipe.Method.TEMPERATURE, scores, workers)));
            thresholds.add(scores, calibration(stage));
            calibrated.add(stage);
        }
        return cascade(calibrated, thresholds, tolerance, notes);
    }

    /** Throws if models do not fit together. */
    private static void requireFit(List<ModelParts> models, double tolerance) {
        List<CascadeParts.Stage> stages = models.stream()
                .map(model -> model.calibration() != null
                        ? model
                        : model.withCalibration(Calibration.softmax(ModelParts.classes(model.labels()))))
                .map(model -> new CascadeParts.Stage(model, 0, 0, 0, 0))
                .toList();
        ModelParts unused = ModelParts.of(new CascadeParts(stages, 0, tolerance));
    }

    private static ScoreAccumulator scores(
            KernelModel model, RowSource rows, Workers workers, Progress progress, Notes notes) {
        if (rows.labels().targets() == 0) {
            throw new BochnerException(
                    rows.name() + ": has no labels; thresholds are chosen by the errors on labelled rows",
                    Remedy.set(Setting.LABELS_FILE, "names them"));
        }
        if (!rows.labels().equals(model.labels())) {
            throw new BochnerException(
                    rows.name() + ": has other classes than the models",
                    Remedy.advice("open it with a model's encoding"));
        }
        ScoreAccumulator scores = new ScoreAccumulator(ModelParts.classes(model.labels()));
        long[] ignored = {0};
        model.score(rows, workers, progress, (block, values) -> {
            for (int i = 0; i < block.rows(); i++) {
                if (Double.isNaN(block.target(i, 0))) {
                    ignored[0]++;
                } else {
                    scores.add(values, i, (int) block.target(i, 0), block.rowWeight(i), block.group(i));
                }
            }
        });
        if (scores.rows() == 0) {
            throw new BochnerException(
                    rows.name() + ": has no rows with a class of the models", Remedy.advice(OTHER_LABELS));
        }
        if (ignored[0] > 0) {
            String found = String.format(
                    Locale.ROOT,
                    "%s: the labels of %,d of %,d rows are no classes of the models",
                    rows.name(),
                    ignored[0],
                    ignored[0] + scores.rows());
            if (ignored[0] > scores.rows()) {
                throw new BochnerException(found, Remedy.advice(OTHER_LABELS));
            }
            notes.data(found + "; thresholds are chosen without these rows");
        }
        return scores;
    }

    private static Calibration calibration(KernelModel model) {
        return Objects.requireNonNull(ModelAccess.parts(model).calibration());
    }

    /**
     * Assembles the cascade and leaves the stages that it keeps in the list. It ends with the stage that has the fewest
     * errors by itself, because later ones cost time and add errors; of the others, those that decide no rows are left out. If
     * the errors still exceed those of the last stage by more than the tolerance, stages are left out from the first on. The
     * last stage alone never exceeds them.
     */
    private static KernelModel cascade(
            List<KernelModel> models, CascadeThresholds thresholds, double tolerance, Notes notes) {
        List<String> names = new ArrayList<>();
        for (KernelModel model : models) {
            names.add("stage " + (names.size() + 1) + " (" + model.map().kernel() + ")");
        }
        int best = thresholds.best();
        for (int last = models.size() - 1; last > best; last--) {
            notes.choice(
                    String.format(
                            Locale.ROOT,
                            "%s is left out: %s alone has no more errors on the held-out rows, %,d against %,d of %,d",
                            names.get(last),
                            names.get(best),
                            thresholds.errors(best),
                            thresholds.errors(last),
                            thresholds.rows()),
                    Remedy.advice("a last stage with more features, landmarks or another kernel may do better"));
            models.remove(last);
            names.remove(last);
            thresholds.remove(last);
        }
        CascadeThresholds.Choice chosen = thresholds.choose();
        while (chosen.idle() >= 0 || thresholds.hasTooManyErrors(chosen)) {
            int out = Math.max(chosen.idle(), 0);
            String name = names.remove(out);
            notes.choice(
                    chosen.idle() >= 0
                            ? name + " is left out: it decides no held-out rows without adding errors"
                            : String.format(
                                    Locale.ROOT,
                                    "%s is left out: with it, the cascade has too many errors on the held-out rows, %,d"
                                            + " against %,d of %s alone",
                                    name,
                                    chosen.errors(),
                                    chosen.alone[chosen.alone.length - 1],
                                    names.get(names.size() - 1)));
            models.remove(out);
            thresholds.remove(out);
            chosen = thresholds.choose();
        }
        List<CascadeParts.Stage> stages = new ArrayList<>();
        for (int s = 0; s < models.size(); s++) {
            stages.add(new CascadeParts.Stage(
                    // The errors of a stage by itself are not those of the cascade.
                    ModelAccess.parts(models.get(s)).withUncertainty(null),
                    chosen.thresholds[s],
                    chosen.decided[s],
                    chosen.wrong[s],
                    chosen.alone[s]));
        }
        return ModelAccess.model(ModelParts.of(new CascadeParts(stages, thresholds.rows(), tolerance)));
    }
}
