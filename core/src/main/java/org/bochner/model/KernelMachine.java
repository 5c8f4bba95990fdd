package org.bochner.model;

import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.bochner.base.Notes;
import org.bochner.base.Require;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.Learner;
import org.bochner.learn.solve.Formulation;
import org.bochner.learn.solve.Needs;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.train.MemoryCheck;
import org.bochner.model.train.Preparation;
import org.bochner.model.train.TrainingRun;
import org.bochner.model.train.TrainingSettings;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeighting;
import org.bochner.stats.Components;

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
 * <p>A fit reads the source once to choose scaling and bandwidth on a sample (once more for sparse counts without a given
 * kernel), once to fit the scaling, once to measure the bandwidth, and once for the statistics, each only where needed. Learners of the square loss need no more, and their memory does not depend on the number of rows;
 * only where sparse rows have sparse features, and more features than there are rows, these are kept, because that takes
 * less. Other learners go over the features again and again: as many of them as the budget of memory allows are kept, and
 * the rest is mapped anew every time.
 */
public final class KernelMachine {
    static {
        ModelAccess.register(machine -> machine.settings);
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

    /** A machine with this kernel, and everything else chosen by default: 1000 features, where a map can make any number. */
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
        return with(copy -> copy.map = map);
    }

    /** Makes so many features; for maps that can make any number. */
    public KernelMachine withFeatures(int features) {
        return with(copy -> copy.features = OptionalInt.of(Require.atLeast("KernelMachine", "features", features, 1)));
    }

    /**
     * Lets the data choose another kernel: {@code chi2} for sparse rows of counts whose cross-validated error is less with
     * it. Only a machine without a scaling, whose kernel lacks a scale, makes the choice.
     */
    public KernelMachine withOpenKernel() {
        return with(copy -> copy.kernelIsOpen = true);
    }

    /**
     * Measures missing scales of the kernel as the median (or mean) distance between rows, and standardises dense rows if
     * no scaling is given. By default, both are chosen by the cross-validated error of ridge regression on a sample of the
     * rows.
     */
    public KernelMachine withMeasuredScales(boolean measured) {
        return with(copy -> copy.measuredScales = measured);
    }

    /**
     * Sets the scaling. Without one, the scaling is chosen together with the missing scales of the kernel. Where no scale
     * is missing, rows are left alone: a bandwidth or a period that was given is in the units of the data, and histograms
     * and warps need the values as they are.
     */
    public KernelMachine withScaling(Scaling scaling) {
        return with(copy -> copy.scaling = scaling);
    }

    /** Sets the scaling by its spelling, such as {@code standard} or {@code unit-l1}. */
    public KernelMachine withScaling(String scaling) {
        return withScaling(Scalings.parse(scaling));
    }

    /** Sets the learner. By default ridge regression, with its penalty chosen from the data. */
    public KernelMachine withLearner(Learner learner) {
        return with(copy -> copy.learner = learner);
    }

    /** Sets the learner by its spelling, such as {@code svm(C=1)}. */
    public KernelMachine withLearner(String learner) {
        return withLearner(Learner.parse(learner));
    }

    /** Gives every class the same total weight. */
    public KernelMachine withBalancedClasses(boolean balanced) {
        return with(copy -> copy.classWeighting = new ClassWeighting(balanced, copy.classWeighting.factors()));
    }

    /** Multiplies the weights of the rows of some classes, given by name; after balancing, where that is asked for too. */
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
     * Sets a share of the rows aside, by seed, on which every iteration of a solver is tested; penalties left to the data
     * are compared on them too. Without this, a tenth is set aside where a penalty has to be found so, and learned from
     * afterwards.
     */
    public KernelMachine withValidation(double share) {
        return with(copy -> copy.validation = Require.between("KernelMachine", "validation", share, 0, 1));
    }

    /** Ends a solver once the error on the rows set aside has not become less for so many iterations. */
    public KernelMachine withPatience(int iterations) {
        return with(copy -> copy.patience = Require.atLeast("KernelMachine", "patience", iterations, 1));
    }

    /** Keeps at most so many bytes of features in memory; without this, half of what the process may use. */
    public KernelMachine withMemory(long bytes) {
        Require.that(bytes >= 0, "KernelMachine", "memory must be at least 0 bytes, got " + bytes);
        return with(copy -> copy.memory = OptionalLong.of(bytes));
    }

    /** Starts from a model: its scaling and map are taken over, and iterative learners begin at its weights. */
    public KernelMachine withStart(KernelModel start) {
        return with(copy -> copy.start = start);
    }

    /** Makes probabilities of the scores, or brings them to one level: {@code platt}, {@code isotonic}, {@code quantile}. */
    public KernelMachine withCalibration(CalibrationRecipe calibration) {
        return with(copy -> copy.calibration = calibration);
    }

    /** Leaves scores as they are, which is the default. */
    public KernelMachine withoutCalibration() {
        return with(copy -> copy.calibration = null);
    }

    /** Sets how scores become probabilities, by its spelling, such as {@code platt} or {@code isotonic(folds=5)}. */
    public KernelMachine withCalibration(String calibration) {
        return withCalibration(CalibrationRecipe.parse(calibration));
    }

    /**
     * Learns from principal components of the features, so many or with such a share of their variance, each term of the
     * kernel having its own. The model has weights for the features, so that prediction costs as before.
     */
    public KernelMachine withComponents(String components) {
        return with(copy -> copy.components = Components.parse(components));
    }

    /** Finds the components on these rows too, whose labels, where they have some, are not looked at. */
    public KernelMachine withUnlabelled(RowSource rows) {
        return with(copy -> copy.unlabelled = rows);
    }

    /** Returns the recipe of the kernel. */
    public KernelRecipe kernel() {
        return settings.kernel;
    }

    /** Returns the number of features that was asked for; empty for the default of the map. */
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

    /** Fits on all processors, telling nobody. */
    public TrainingResult fit(RowSource source) {
        return fit(source, Workers.all(), Progress.NONE);
    }

    /** Fits the machine. */
    public TrainingResult fit(RowSource source, Workers workers, Progress progress) {
        return new TrainingRun(settings, source, workers, progress, null).run();
    }

    /** Fits with a scaling and a map that are there already, such as those that kernel learning found. */
    public TrainingResult fit(RowSource source, Transformer transformer, Workers workers, Progress progress) {
        return new TrainingRun(settings, source, workers, progress, transformer).run();
    }

    /**
     * Fits at so many strengths of the learner's penalty, from the strongest down, and tests each on other rows. Learners of
     * the square loss need one pass over the rows for all of them.
     */
    public LearningPath path(RowSource training, RowSource testing, int count, Workers workers, Progress progress) {
        Require.atLeast("path", "number of strengths", count, 2);
        return new TrainingRun(settings, training, workers, progress, null).path(testing, count);
    }

    /**
     * Fits scaling and map only.
     *
     * @param notes receives sentences on choices that were made, such as a bandwidth
     */
    public Transformer prepare(RowSource source, Workers workers, Progress progress, Notes notes) {
        Preparation preparation = new Preparation(settings, source, workers, progress);
        Transformer transformer = preparation.run();
        notes.addAll(preparation.notes());
        return transformer;
    }

    /**
     * Fits the scaling and completes the kernel, as {@link #fit} would.
     *
     * @param notes receives sentences on choices that were made
     */
    public KernelFit fitKernel(RowSource source, Workers workers, Progress progress, Notes notes) {
        Preparation preparation = new Preparation(settings, source, workers, progress);
        KernelFit fit = preparation.fitKernel(true);
        notes.addAll(preparation.notes());
        return fit;
    }

    /**
     * Fails, saying how much it needs, if the features do not fit the memory of this process whatever the data are: to be
     * asked before data are read. A fit asks again, knowing their width and what the map makes of them.
     */
    public void requireMemory(Workers workers) {
        if (settings.features.isPresent()) {
            MemoryCheck check = new MemoryCheck(settings.map, 1, 1, workers);
            if (Formulation.of(settings.learner).needs() instanceof Needs.Statistics) {
                check.requireStatistics(settings.features.getAsInt(), settings.precision, "");
            } else {
                check.requireMapping(settings.features.getAsInt(), settings.precision);
            }
        }
    }

    /**
     * The scaling and the kernel of a machine, fitted to a source.
     *
     * @param scaler the fitted scaling
     * @param rows a sample of the scaled rows, all of which lie in the kernel's domain
     * @param kernel the kernel with all its scales
     */
    public record KernelFit(Scaler scaler, RowSample rows, Kernel kernel) {}
}
