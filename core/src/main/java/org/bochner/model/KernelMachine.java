package org.bochner.model;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.Require;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.Learner;
import org.bochner.learn.UncertaintyRecipe;
import org.bochner.learn.solve.Formulation;
import org.bochner.learn.solve.Needs;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.train.CascadeFit;
import org.bochner.model.train.ComponentFit;
import org.bochner.model.train.MemoryCheck;
import org.bochner.model.train.Training;
import org.bochner.model.train.TrainingContext;
import org.bochner.model.train.TrainingRun;
import org.bochner.model.train.TrainingSettings;
import org.bochner.model.train.TreeRecipe;
import org.bochner.model.train.WarmStart;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeighting;
import org.bochner.stats.Components;
import org.jspecify.annotations.Nullable;

/**
 * The recipe of a {@link KernelModel}: kernel, map, number of features, scaling, learner, seed. Immutable; change it
 * with the {@code with} methods, then {@link #fit} it to a source.
 *
 * <pre>{@code
 * KernelModel model = KernelMachine.of("gaussian")
 *         .withFeatures(2000)
 *         .withLearner("svm(C=1)")
 *         .fit(FileSource.open(DataOptions.of("train.csv")))
 *         .model();
 * }</pre>
 *
 * <p>A fit reads the source once to choose scaling and bandwidth on a sample (once more for sparse counts without a
 * given kernel), once to fit the scaling, once to measure the bandwidth, and once for the statistics; passes that are
 * not needed are left out. Learners of the square loss need no further pass, and their memory does not depend on the
 * number of rows, with one exception: sparse features that outnumber the rows are kept, because they are smaller than
 * the statistics. Other learners pass over the features many times. Features are kept up to the memory budget, and
 * the others are computed again in every pass.
 *
 * <p>If the rows of the source have set ids ({@link RowSource#inSets}), the machine learns from sets: scaling, bandwidth and
 * map are fitted to the rows, and the features of a set are the means of those of its rows, an efficient match kernel.
 * Hold-outs, folds, row weights and statistics then count sets.
 */
public final class KernelMachine {
    /** The largest number of machines of {@link #withAverage}. */
    public static final int MOST_AVERAGED = 1000;

    static {
        ModelAccess.registerMachines(machine -> machine.settings, KernelMachine::new);
    }

    private final TrainingSettings settings;

    private KernelMachine(TrainingSettings settings) {
        this.settings = settings;
    }

    private KernelMachine with(Consumer<TrainingSettings> change) {
        TrainingSettings copy = settings.copy();
        change.accept(copy);
        return new KernelMachine(copy);
    }

    /**
     * Creates a machine with this kernel and default settings: 1000 features if the map can make any number of
     * features.
     */
    public static KernelMachine of(String kernel) {
        return of(Kernels.recipe(kernel));
    }

    /** Creates a machine from a parsed kernel recipe. */
    public static KernelMachine of(KernelRecipe kernel) {
        return new KernelMachine(new TrainingSettings(kernel));
    }

    /**
     * Creates a machine from a kernel object, such as a kernel of your own.
     *
     * <p>The model can be saved. Loading it needs a {@link org.bochner.kernel.KernelFamily} that reads the kernel's
     * {@code toString}.
     */
    public static KernelMachine of(Kernel kernel) {
        return of(KernelRecipe.of(kernel));
    }

    /** Sets the map by its spelling, such as {@code orthogonal} or {@code lp(error=0.01)}. */
    public KernelMachine withMap(String map) {
        return withMap(FeatureMaps.parse(map));
    }

    /** Sets the recipe of the map; without one, the map follows from the kernel and the rows. */
    public KernelMachine withMap(MapRecipe map) {
        return with(copy -> {
            copy.map = map;
            copy.chooseKernel();
        });
    }

    /** Sets the number of features, for maps that can make any number. */
    public KernelMachine withFeatures(int features) {
        return with(copy -> copy.features = OptionalInt.of(Require.atLeast("KernelMachine", "features", features, 1)));
    }

    /**
     * Allows the fit to choose another kernel: {@code laplacian} if the map is {@code binning}, and {@code chi2} for sparse
     * counts, if its cross-validated error is lower. The latter choice is made only if no scaling is given and the kernel
     * lacks a scale.
     */
    public KernelMachine withOpenKernel() {
        return with(copy -> {
            copy.kernelIsOpen = true;
            copy.chooseKernel();
        });
    }

    /**
     * Measures missing scales of the kernel as the median (or mean) distance between rows, and standardises dense
     * rows if no scaling is given. By default, both are chosen by the cross-validated error of ridge regression on a
     * sample of the rows.
     */
    public KernelMachine withMeasuredScales(boolean measured) {
        return with(copy -> copy.measuredScales = measured);
    }

    /**
     * Sets the scaling. By default, the scaling is chosen together with the missing scales of the kernel. If no scale
     * is missing, rows are not scaled: a given bandwidth or period is in the units of the data, and kernels of
     * histograms and warped values need the original values.
     */
    public KernelMachine withScaling(Scaling scaling) {
        return with(copy -> copy.scaling = scaling);
    }

    /** Sets the scaling by its spelling, such as {@code standard} or {@code unit-l1}. */
    public KernelMachine withScaling(String scaling) {
        return withScaling(Scalings.parse(scaling));
    }

    /** Sets the learner. [default: ridge regression with a penalty chosen from the data] */
    public KernelMachine withLearner(Learner learner) {
        return with(copy -> copy.learner = learner);
    }

    /** Sets the learner by its spelling, such as {@code svm(C=1)}. */
    public KernelMachine withLearner(String learner) {
        return withLearner(Learner.parse(learner));
    }

    /** Sets whether all classes get equal total weight. */
    public KernelMachine withBalancedClasses(boolean balanced) {
        return with(copy -> copy.classWeighting = new ClassWeighting(balanced, copy.classWeighting.factors()));
    }

    /**
     * Sets factors for the row weights of some classes, by class name; applied after balancing.
     */
    public KernelMachine withClassWeights(Map<String, Double> weights) {
        return with(copy -> copy.classWeighting = new ClassWeighting(copy.classWeighting.balanced(), weights));
    }

    public KernelMachine withPrecision(Precision precision) {
        return with(copy -> copy.precision = precision);
    }

    public KernelMachine withSeed(Seed seed) {
        return with(copy -> copy.seed = seed);
    }

    /**
     * Holds out a share of the rows, drawn by the seed, for validation: every iteration of a solver is tested on
     * them, and automatic penalties are compared on them. By default, a tenth is held out if a penalty has to be
     * chosen on held-out rows, and the final fit includes it.
     */
    public KernelMachine withValidation(double share) {
        return with(copy -> copy.validation = Require.between("KernelMachine", "validation", share, 0, 1));
    }

    /** Stops a solver after this many iterations without a lower validation error. */
    public KernelMachine withPatience(int iterations) {
        return with(copy -> copy.patience = Require.atLeast("KernelMachine", "patience", iterations, 1));
    }

    /** Sets how many bytes of features may be kept in memory. [default: half the heap] */
    public KernelMachine withMemory(long bytes) {
        Require.that(bytes >= 0, "KernelMachine", "memory must be at least 0 bytes, got " + bytes);
        return with(copy -> copy.memory = OptionalLong.of(bytes));
    }

    /**
     * Sets a model to start from: its scaling and map are used, and iterative learners start at its weights.
     *
     * @throws BochnerException if the kernel, map, number of features, scaling or seed of this machine differs from
     *     that of the model; {@link #fit} throws it for settings that are changed later
     */
    public KernelMachine withStart(KernelModel start) {
        WarmStart.require(settings, start);
        return with(copy -> copy.start = start);
    }

    /**
     * Sets the calibration of scores: to probabilities, such as {@code platt}, or to one level, {@code quantile}.
     */
    public KernelMachine withCalibration(CalibrationRecipe calibration) {
        return with(copy -> copy.calibration = calibration);
    }

    /** Removes the calibration. [default] */
    public KernelMachine withoutCalibration() {
        return with(copy -> copy.calibration = null);
    }

    /** Sets the calibration by its spelling, such as {@code platt} or {@code isotonic(folds=5)}. */
    public KernelMachine withCalibration(String calibration) {
        return withCalibration(CalibrationRecipe.parse(calibration));
    }

    /**
     * Sets the uncertainty of predictions, which gives intervals for numbers and sets of classes. [default: none]
     */
    public KernelMachine withUncertainty(UncertaintyRecipe uncertainty) {
        return with(copy -> copy.uncertainty = uncertainty);
    }

    /** Sets the uncertainty by its spelling, such as {@code conformal(share=0.2)} or {@code gaussian}. */
    public KernelMachine withUncertainty(String uncertainty) {
        return withUncertainty(UncertaintyRecipe.parse(uncertainty));
    }

    /** Removes the uncertainty. */
    public KernelMachine withoutUncertainty() {
        return with(copy -> copy.uncertainty = null);
    }

    /**
     * Learns from principal components of the features: a number of components such as {@code 500}, or a share of the
     * variance such as {@code 0.99}. Each term of the kernel has its own components. The model has weights for the
     * features themselves; prediction does not compute components.
     */
    public KernelMachine withComponents(String components) {
        return with(copy -> copy.components = Components.parse(components));
    }

    /** Adds rows for finding the components; their labels are ignored. */
    public KernelMachine withUnlabelled(RowSource rows) {
        return with(copy -> copy.unlabelled = rows);
    }

    /**
     * Gives the landmarks of a landmark map, in the units of the training rows, instead of choosing them among these.
     * Their labels are ignored.
     */
    public KernelMachine withLandmarks(RowSource rows) {
        return with(copy -> copy.landmarks = rows);
    }

    /**
     * Sets cheaper machines that decide rows before this one: a cascade. A row is decided by the first stage that is sure
     * of its class, and by this machine if none is. Each stage gets probabilities, and a stage is sure if the largest of
     * them reaches a threshold. Thresholds are chosen on held-out rows: each stage decides as many rows as possible while
     * the cascade has no more errors than this machine alone. All stages then learn from all rows.
     *
     * <p>A stage is left out, with a note, if it decides no held-out rows, or if a stage before it has no more errors by
     * itself. Stages are also left out, from the first on, while the cascade has too many errors on the held-out rows.
     *
     * <p>Seed, class weights and calibration ({@code temperature} or {@code platt}) of this machine hold for all stages.
     *
     * @param stages from cheap to expensive, without stages of their own
     * @param tolerance the share of the held-out rows by which the errors of the cascade may exceed those of this machine;
     *     at least 0
     */
    public KernelMachine withStages(List<KernelMachine> stages, double tolerance) {
        Require.notNegative("KernelMachine", "tolerance", tolerance);
        for (KernelMachine stage : stages) {
            Require.that(stage.settings.stages.isEmpty(), "KernelMachine", "a stage must not have stages of its own");
        }
        return with(copy -> {
            copy.stages = stages.stream().map(stage -> stage.settings).toList();
            copy.tolerance = tolerance;
        });
    }

    /**
     * Sets the number of machines whose mean score the model has. They differ in their seed, and hence in the random
     * features of their maps; the first one has the seed of this machine. Scaling, scales and map are those of the first
     * one, penalties are chosen for each. Training and prediction take the time of all machines.
     *
     * @param machines from 1, which is the default, to {@link #MOST_AVERAGED}
     * @throws BochnerException from {@link #fit} if the features of the map do not depend on the seed
     */
    public KernelMachine withAverage(int machines) {
        Require.that(
                machines >= 1 && machines <= MOST_AVERAGED,
                "KernelMachine",
                "average must be between 1 and " + MOST_AVERAGED + ", got " + machines);
        return with(copy -> copy.average = machines);
    }

    /**
     * Sets a tree whose leaves have machines of their own, each with this recipe: scales, map and penalty are chosen for the
     * rows of each leaf. Rows are split at the median of a projection, {@code columns(leaves=8, overlap=0.05)}, or
     * {@code agop(leaves=8, overlap=0.05)} for directions of several columns. Rows near a split belong to both sides, and
     * scores change continuously. A number stands for {@code columns} with as many leaves.
     *
     * @throws BochnerException from {@link #fit} for rows in sets
     */
    public KernelMachine withCells(String tree) {
        TreeRecipe recipe = TreeRecipe.parse(tree);
        return with(copy -> copy.tree = recipe);
    }

    /**
     * Returns the usual stages of a cascade for rows, from cheap to expensive: {@code linear}, {@code chi2} if no value is
     * negative, and {@code gaussian} ({@code exp-chi2} if the rows have equal sums); sparse rows without negative values
     * have no third stage. The last machine gets the others by {@link #withStages}. Cost: one pass over the rows.
     *
     * @param scaling the scaling of all stages; null for the usual scaling of each
     */
    public static List<KernelMachine> usualStages(RowSource rows, @Nullable Scaling scaling) {
        return CascadeFit.usual(rows.forTraining(), scaling);
    }

    /** Returns the recipe of the kernel. */
    public KernelRecipe kernel() {
        return settings.kernel;
    }

    /** Returns the number of features that was set; empty for the map's default. */
    public OptionalInt features() {
        return settings.features;
    }

    /** Returns the learner. */
    public Learner learner() {
        return settings.learner;
    }

    /** Returns the precision of features and their products. */
    public Precision precision() {
        return settings.precision;
    }

    /** Returns the seed of everything random. */
    public Seed seed() {
        return settings.seed;
    }

    /** Returns the bytes of features, or of rows, that may be kept in memory; empty for the default. */
    public OptionalLong memory() {
        return settings.memory;
    }

    /** Fits the machine on all processors, without progress reports. */
    public TrainingResult fit(RowSource source) {
        return fit(source, Workers.all(), Progress.NONE);
    }

    /** Fits the machine. */
    public TrainingResult fit(RowSource source, Workers workers, Progress progress) {
        return Training.fit(settings, source.bySet(), workers, progress);
    }

    /**
     * Fits the weights to a given scaling and map, such as those of kernel learning. If they were fitted to the labels of
     * the rows, conformal intervals are a little too narrow.
     */
    public TrainingResult fit(RowSource source, Transformer transformer, Workers workers, Progress progress) {
        return TrainingRun.train(settings, source.bySet(), workers, progress, transformer);
    }

    /**
     * Fits the scaling, the map and the principal components of the features, for {@linkplain #withComponents the number
     * of components} that is set: kernel principal component analysis. The rows need no labels. The model predicts
     * nothing; its {@linkplain KernelModel#transformer transformer} has the components of rows as features.
     *
     * @param notes receives sentences on choices that were made, such as a bandwidth
     */
    public KernelModel fitComponents(RowSource source, Workers workers, Progress progress, Notes notes) {
        Require.that(settings.components != null, "KernelMachine", "withComponents must be set for fitComponents");
        return new ComponentFit(TrainingContext.of(settings, source.forTraining(), workers, progress, notes)).run();
    }

    /**
     * Fits at several strengths of the learner's penalty, from the strongest down, and tests each fit on other rows.
     * Learners of the square loss need one pass over the rows for all strengths.
     */
    public LearningPath path(RowSource training, RowSource testing, int count, Workers workers, Progress progress) {
        Require.atLeast("path", "number of strengths", count, 2);
        RowSource rows = training.forTraining();
        RowSource tested = testing.bySet().encodedBy(rows.encoding());
        return new TrainingRun(settings, rows, workers, progress, null).path(tested, count);
    }

    /**
     * Fits only the scaling and the map.
     *
     * @param notes receives sentences on choices that were made, such as a bandwidth
     */
    public Transformer prepare(RowSource source, Workers workers, Progress progress, Notes notes) {
        return TrainingContext.of(settings, source.forTraining(), workers, progress, notes)
                .prepare()
                .transformer();
    }

    /**
     * Fits the scaling and completes the kernel, as {@link #fit} would.
     *
     * @param notes receives sentences on choices that were made
     */
    public KernelFit fitKernel(RowSource source, Workers workers, Progress progress, Notes notes) {
        return TrainingContext.of(settings, source.forTraining(), workers, progress, notes)
                .fitKernel(true);
    }

    /**
     * Throws if the features do not fit into this process's memory for any data; call it before reading data. A fit
     * checks again with the actual number of columns and the map.
     */
    public void requireMemory(Workers workers) {
        if (settings.features.isPresent()) {
            MemoryCheck check = MemoryCheck.of(settings, 1, 1, workers);
            if (Formulation.of(settings.learner).needs() instanceof Needs.Statistics) {
                check.requireStatistics(settings.features.getAsInt(), settings.precision, OptionalLong.empty());
            } else {
                check.requireMapping(settings.features.getAsInt(), settings.precision);
            }
        }
    }

    /** Returns one line of text: the kernel, the map, the number of features if it was set, and the learner. */
    @Override
    public String toString() {
        String features = settings.features.isPresent() ? ", " + settings.features.getAsInt() + " features" : "";
        return settings.kernel + ", map " + settings.map + features + ", " + settings.learner;
    }

    /**
     * The scaling and the kernel of a machine, fitted to a source.
     *
     * @param scaler the fitted scaling
     * @param rows a sample of the scaled rows, all within the kernel's domain
     * @param kernel the kernel with all its scales
     */
    public record KernelFit(Scaler scaler, RowSample rows, Kernel kernel) {}
}
