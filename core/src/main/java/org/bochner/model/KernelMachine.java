package org.bochner.model;

import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.bochner.base.Notes;
import org.bochner.base.Require;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeights;
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
 *         .fit(DataFiles.open(DataOptions.of("train.csv")))
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
    private final KernelRecipe kernel;
    private MapRecipe map = FeatureMaps.parse("auto");
    private OptionalInt features = OptionalInt.empty();
    private boolean kernelIsOpen;
    private BandwidthRule bandwidths = BandwidthRule.CROSS_VALIDATION;
    private @Nullable Scaling scaling;
    private Learner learner = Learner.ridge();
    private ClassWeighting classWeighting = ClassWeighting.NONE;
    private Precision precision = Precision.FLOAT32;
    private Seed seed = new Seed(1);
    private double validation;
    private int patience;
    private OptionalLong memory = OptionalLong.empty();
    private @Nullable KernelModel start;
    private @Nullable CalibrationRecipe calibration;
    private @Nullable Components components;
    private @Nullable RowSource unlabelled;

    private KernelMachine(KernelRecipe kernel) {
        this.kernel = kernel;
    }

    private KernelMachine(KernelMachine from) {
        kernel = from.kernel;
        map = from.map;
        features = from.features;
        kernelIsOpen = from.kernelIsOpen;
        bandwidths = from.bandwidths;
        scaling = from.scaling;
        learner = from.learner;
        classWeighting = from.classWeighting;
        precision = from.precision;
        seed = from.seed;
        validation = from.validation;
        patience = from.patience;
        memory = from.memory;
        start = from.start;
        calibration = from.calibration;
        components = from.components;
        unlabelled = from.unlabelled;
    }

    /** A machine with this kernel, and everything else chosen by default: 1000 features, where a map can make any number. */
    public static KernelMachine of(String kernel) {
        return of(Kernels.recipe(kernel));
    }

    /** Creates a machine from a parsed kernel recipe. */
    public static KernelMachine of(KernelRecipe kernel) {
        return new KernelMachine(kernel);
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
        KernelMachine copy = new KernelMachine(this);
        copy.map = map;
        return copy;
    }

    /** Makes so many features; for maps that can make any number. */
    public KernelMachine withFeatures(int features) {
        KernelMachine copy = new KernelMachine(this);
        copy.features = OptionalInt.of(Require.atLeast("KernelMachine", "features", features, 1));
        return copy;
    }

    /**
     * Lets the data choose another kernel: {@code chi2} for sparse rows of counts whose cross-validated error is less with
     * it. Only a machine without a scaling, whose kernel lacks a scale, makes the choice.
     */
    public KernelMachine withOpenKernel() {
        KernelMachine copy = new KernelMachine(this);
        copy.kernelIsOpen = true;
        return copy;
    }

    /** Sets how missing scales of the kernel, and a missing scaling, are taken from the data. */
    public KernelMachine withBandwidths(BandwidthRule rule) {
        KernelMachine copy = new KernelMachine(this);
        copy.bandwidths = rule;
        return copy;
    }

    /**
     * Sets the scaling. Without one, the scaling is chosen together with the missing scales of the kernel. Where no scale
     * is missing, rows are left alone: a bandwidth or a period that was given is in the units of the data, and histograms
     * and warps need the values as they are.
     */
    public KernelMachine withScaling(Scaling scaling) {
        KernelMachine copy = new KernelMachine(this);
        copy.scaling = scaling;
        return copy;
    }

    /** Sets the scaling by its spelling, such as {@code standard} or {@code unit-l1}. */
    public KernelMachine withScaling(String scaling) {
        return withScaling(Scalings.parse(scaling));
    }

    /** Sets the learner. By default ridge regression, with its penalty chosen from the data. */
    public KernelMachine withLearner(Learner learner) {
        KernelMachine copy = new KernelMachine(this);
        copy.learner = learner;
        return copy;
    }

    /** Sets the learner by its spelling, such as {@code svm(C=1)}. */
    public KernelMachine withLearner(String learner) {
        return withLearner(Learner.parse(learner));
    }

    /** Gives every class the same total weight. */
    public KernelMachine withBalancedClasses(boolean balanced) {
        KernelMachine copy = new KernelMachine(this);
        copy.classWeighting = new ClassWeighting(balanced, classWeighting.factors());
        return copy;
    }

    /** Multiplies the weights of the rows of some classes, given by name; after balancing, where that is asked for too. */
    public KernelMachine withClassWeights(Map<String, Double> weights) {
        return withClassWeighting(new ClassWeighting(classWeighting.balanced(), weights));
    }

    KernelMachine withClassWeighting(ClassWeighting weighting) {
        KernelMachine copy = new KernelMachine(this);
        copy.classWeighting = weighting;
        return copy;
    }

    public KernelMachine withPrecision(Precision precision) {
        KernelMachine copy = new KernelMachine(this);
        copy.precision = precision;
        return copy;
    }

    public KernelMachine withSeed(Seed seed) {
        KernelMachine copy = new KernelMachine(this);
        copy.seed = seed;
        return copy;
    }

    /**
     * Sets a share of the rows aside, by seed, on which every iteration of a solver is tested; penalties left to the data
     * are compared on them too. Without this, a tenth is set aside where a penalty has to be found so, and learned from
     * afterwards.
     */
    public KernelMachine withValidation(double share) {
        KernelMachine copy = new KernelMachine(this);
        copy.validation = Require.between("KernelMachine", "validation", share, 0, 1);
        return copy;
    }

    /** Ends a solver once the error on the rows set aside has not become less for so many iterations. */
    public KernelMachine withPatience(int iterations) {
        KernelMachine copy = new KernelMachine(this);
        copy.patience = Require.atLeast("KernelMachine", "patience", iterations, 1);
        return copy;
    }

    /** Keeps at most so many bytes of features in memory; without this, half of what the process may use. */
    public KernelMachine withMemory(long bytes) {
        Require.that(bytes >= 0, "KernelMachine", "memory must be at least 0 bytes, got " + bytes);
        KernelMachine copy = new KernelMachine(this);
        copy.memory = OptionalLong.of(bytes);
        return copy;
    }

    /** Starts from a model: its scaling and map are taken over, and iterative learners begin at its weights. */
    public KernelMachine withStart(KernelModel start) {
        KernelMachine copy = new KernelMachine(this);
        copy.start = start;
        return copy;
    }

    /** Makes probabilities of the scores, or brings them to one level: {@code platt}, {@code isotonic}, {@code quantile}. */
    public KernelMachine withCalibration(CalibrationRecipe calibration) {
        KernelMachine copy = new KernelMachine(this);
        copy.calibration = calibration;
        return copy;
    }

    /** Leaves scores as they are, which is the default. */
    public KernelMachine withoutCalibration() {
        KernelMachine copy = new KernelMachine(this);
        copy.calibration = null;
        return copy;
    }

    /** Sets how scores become probabilities, by its spelling, such as {@code platt} or {@code isotonic(folds=5)}. */
    public KernelMachine withCalibration(String calibration) {
        return withCalibration(CalibrationRecipe.parse(calibration));
    }

    /**
     * Learns from principal components of the features, so many or with such a share of their variance, each term of the
     * kernel having its own. The model has weights for the features, so that prediction costs as before.
     */
    public KernelMachine withComponents(Components components) {
        KernelMachine copy = new KernelMachine(this);
        copy.components = components;
        return copy;
    }

    /** Learns from K principal components of the features, given as {@code 500}, or as a share of the variance: {@code 99%}. */
    public KernelMachine withComponents(String components) {
        return withComponents(Components.parse(components));
    }

    /** Finds the components on these rows too, whose labels, where they have some, are not looked at. */
    public KernelMachine withUnlabelled(RowSource rows) {
        KernelMachine copy = new KernelMachine(this);
        copy.unlabelled = rows;
        return copy;
    }

    /** Its kernel. */
    public KernelRecipe kernel() {
        return kernel;
    }

    MapRecipe map() {
        return map;
    }

    /** The number of features that was asked for; empty for the default. */
    public OptionalInt features() {
        return features;
    }

    @Nullable
    Scaling scaling() {
        return scaling;
    }

    /** How it learns. */
    public Learner learner() {
        return learner;
    }

    /** Whether another kernel may be taken where the data prefer it. */
    boolean kernelIsOpen() {
        return kernelIsOpen;
    }

    /** How missing scales and scalings are taken from the data. */
    BandwidthRule bandwidths() {
        return bandwidths;
    }

    ClassWeighting classWeighting() {
        return classWeighting;
    }

    /** What the rows of each class of a source count for. */
    public ClassWeights classWeights(RowSource source) {
        return classWeighting.of(source);
    }

    /** In which features and their products are computed. */
    public Precision precision() {
        return precision;
    }

    /** What everything random follows from. */
    public Seed seed() {
        return seed;
    }

    /** The share of rows that were asked to be set aside; 0 for none. */
    double validation() {
        return validation;
    }

    /** Iterations without gain before a solver ends; 0 where it does not. */
    int patience() {
        return patience;
    }

    /** Bytes of features, or of rows, that may be kept in memory; empty where nothing was said. */
    public OptionalLong memory() {
        return memory;
    }

    @Nullable
    KernelModel start() {
        return start;
    }

    @Nullable
    CalibrationRecipe calibration() {
        return calibration;
    }

    @Nullable
    Components components() {
        return components;
    }

    @Nullable
    RowSource unlabelled() {
        return unlabelled;
    }

    /** Fits on all processors, telling nobody. */
    public Trained fit(RowSource source) {
        return fit(source, Workers.all(), Progress.NONE);
    }

    /** Fits the machine. */
    public Trained fit(RowSource source, Workers workers, Progress progress) {
        return new Fitting(this, source, workers, progress).run();
    }

    /** Fits with a scaling and a map that are there already, such as those that kernel learning found. */
    public Trained fit(RowSource source, Transformer transformer, Workers workers, Progress progress) {
        return new Fitting(this, source, workers, progress, transformer).run();
    }

    /**
     * Fits at so many strengths of the learner's penalty, from the strongest down, and tests each on other rows. Learners of
     * the square loss need one pass over the rows for all of them.
     */
    public LearningPath path(RowSource training, RowSource testing, int count, Workers workers, Progress progress) {
        Require.atLeast("path", "number of strengths", count, 2);
        return new Fitting(this, training, workers, progress).path(testing, count);
    }

    /**
     * Fits scaling and map only.
     *
     * @param notes receives sentences on choices that were made, such as a bandwidth
     */
    public Transformer prepare(RowSource source, Workers workers, Progress progress, Notes notes) {
        Preparation preparation = new Preparation(this, source, workers, progress);
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
        Preparation preparation = new Preparation(this, source, workers, progress);
        KernelFit fit = preparation.fitKernel(true);
        notes.addAll(preparation.notes());
        return fit;
    }

    /**
     * Fails, saying how much it needs, if the features do not fit the memory of this process whatever the data are: to be
     * asked before data are read. A fit asks again, knowing their width and what the map makes of them.
     */
    public void requireMemory(Workers workers) {
        if (features.isPresent()) {
            MemoryCheck check = new MemoryCheck(map, 1, 1, workers);
            if (learner.onStatistics()) {
                check.requireStatistics(features.getAsInt(), precision, "");
            } else {
                check.requireMapping(features.getAsInt(), precision);
            }
        }
    }
}
