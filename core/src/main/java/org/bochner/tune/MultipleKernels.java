package org.bochner.tune;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.base.SpellingException;
import org.bochner.data.ColumnNames;
import org.bochner.data.ColumnRange;
import org.bochner.data.RowSource;
import org.bochner.data.sample.NoSets;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.map.binning.BinningRecipe;
import org.bochner.map.composed.RecipePerTerm;
import org.bochner.map.composed.TermRecipe;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.train.TrainingSettings;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.bochner.tune.channels.ChannelNorm;
import org.bochner.tune.scales.ScalePenalty;
import org.jspecify.annotations.Nullable;

/**
 * Multiple kernel learning: learns the kernel weights dⱼ of a sum {@code Σⱼ dⱼ·kⱼ} of kernels, one per channel of
 * columns. A single channel has no weights to learn, but its scale can be learned: with {@link #withJointScales} and the
 * norm {@code average}. Immutable; change it with the {@code with} methods, then {@link #fit} it to a source.
 *
 * <pre>{@code
 * LearnedSum learned = MultipleKernels.of(MultipleKernels.channels("shape=0:76,colour=76:292"), "gaussian")
 *         .withFeatures(500)
 *         .fit(rows);
 * String kernel = learned.kernel().toString();   // 0.43*gaussian(sigma=12.2)[0:76] + ...
 * }</pre>
 *
 * <p>The features φⱼ of all channels stand side by side. The objective is
 *
 * <pre>  Σ ℓ(Σⱼ wⱼᵀφⱼ(x) + b, y) + λ·Σⱼ|wⱼ|₂         block-ℓ1, with the kernel weights dⱼ = |wⱼ|/√2,
 *   Σ ℓ(…) + l2/2·Σⱼ|wⱼ|²/dⱼ,  Σⱼ dⱼᵖ = 1        ℓp, p > 1,
 *   Σ ℓ(…) + l2/2·Σⱼ|wⱼ|²                        average: dⱼ = 1.</pre>
 *
 * It is minimised at one penalty after another, from the largest down. The penalty with the smallest loss in
 * cross-validation is chosen.
 *
 * <p>Cost: after the passes that find scalings and scales, the square loss takes one pass over the rows, for any
 * number of penalties and folds; other losses pass over the features many times. With fewer rows n than features D, the
 * square loss factors matrices of n² instead of D² numbers. With the map {@link FeatureMaps#none}, these are kernel values,
 * and the model is an exact machine; only the square loss can be used.
 */
public final class MultipleKernels {
    /** The default number of features per channel, for maps that can make any number. */
    public static final int DEFAULT_FEATURES = 500;

    /** The default number of folds of cross-validation. */
    public static final int DEFAULT_FOLDS = 5;

    /** The default number of penalties on the path. */
    public static final int DEFAULT_STEPS = 25;

    private static final String OWNER = "channels";
    private static final String NAME_MORE = "name two or more, as in 'shape=0:76,colour=76:292'";

    // Only the with methods write these fields, on a copy that nobody else has seen.
    private final List<ColumnRange> channels;
    final List<KernelRecipe> kernels;
    private KernelMachine machine;
    private OptionalInt features = OptionalInt.empty();
    private ChannelLoss loss = ChannelLoss.square();
    ChannelNorm norm = ChannelNorm.BLOCK_L1;
    boolean learnsScales;
    private boolean joint;
    /** Null if the scale prior is chosen by cross-validation. */
    @Nullable
    ScalePenalty scalePenalty;

    private boolean plain;
    OptionalDouble lambda = OptionalDouble.empty();
    OptionalDouble firstPenalty = OptionalDouble.empty();

    /** What is taken from the model to continue from; null for none. */
    @Nullable
    ResumedKernels resumed;

    private int folds = DEFAULT_FOLDS;
    int steps = DEFAULT_STEPS;

    private MultipleKernels(List<ColumnRange> channels, List<KernelRecipe> kernels, KernelMachine machine) {
        this.channels = channels;
        this.kernels = kernels;
        this.machine = machine;
    }

    private MultipleKernels with(Consumer<MultipleKernels> change) {
        MultipleKernels copy = new MultipleKernels(channels, kernels, machine);
        copy.features = features;
        copy.loss = loss;
        copy.norm = norm;
        copy.learnsScales = learnsScales;
        copy.joint = joint;
        copy.scalePenalty = scalePenalty;
        copy.resumed = resumed;
        copy.plain = plain;
        copy.lambda = lambda;
        copy.firstPenalty = firstPenalty;
        copy.folds = folds;
        copy.steps = steps;
        change.accept(copy);
        return copy;
    }

    /** Creates multiple kernel learning for channels with one kernel, such as {@code gaussian}. */
    public static MultipleKernels of(List<ColumnRange> channels, String kernel) {
        return of(channels, Kernels.recipe(kernel));
    }

    /** Creates multiple kernel learning for channels with one kernel, parsed or an object. */
    public static MultipleKernels of(List<ColumnRange> channels, KernelRecipe kernel) {
        return ofRecipes(channels, Collections.nCopies(channels.size(), kernel));
    }

    /**
     * Creates multiple kernel learning for channels with one kernel each. Missing scales come from the
     * data.
     */
    public static MultipleKernels of(List<ColumnRange> channels, List<String> kernels) {
        return ofRecipes(channels, kernels.stream().map(Kernels::recipe).toList());
    }

    /**
     * Creates multiple kernel learning for channels with one kernel each, parsed or an object. Missing
     * scales come from the data.
     */
    public static MultipleKernels ofRecipes(List<ColumnRange> channels, List<KernelRecipe> kernels) {
        Require.sameSize(OWNER, "count of kernels", kernels.size(), channels.size());
        if (channels.isEmpty()) {
            throw new SpellingException("channels: there is none; " + NAME_MORE);
        }
        for (int c = 0; c < channels.size(); c++) {
            ChannelSpelling.requireKernel(channels.get(c).name(), kernels.get(c));
        }
        ChannelSpelling.requireApart(channels, kernels);
        // Chosen scales of useless channels would be very large, and the channels would get weights.
        KernelMachine machine =
                KernelMachine.of(KernelRecipe.ofChannels(kernels, channels)).withMeasuredScales(true);
        return new MultipleKernels(List.copyOf(channels), List.copyOf(kernels), machine);
    }

    /** Parses channels given by column numbers, such as {@code shape=0:76,colour=76:292}. */
    public static List<ColumnRange> channels(String text) {
        return channels(text, ColumnNames.none());
    }

    /** Parses channels; columns may be given by their names, as in {@code size=length..height}. */
    public static List<ColumnRange> channels(String text, ColumnNames names) {
        List<ColumnRange> channels = names.channels(text);
        ChannelSpelling.requireRanges(channels);
        return channels;
    }

    /**
     * Parses the kernels of channels: one spelling for all channels, or {@code shape=gaussian} for one of them. A
     * text may hold several, separated by commas.
     *
     * @param names the names of the channels
     * @return one kernel per channel, in their order
     */
    public static List<String> kernels(List<String> texts, List<String> names) {
        return ChannelSpelling.kernels(texts, names);
    }

    /** Sets the map of all channels by its spelling, such as {@code orthogonal}. */
    public MultipleKernels withMap(String chosen) {
        return withMap(FeatureMaps.parse(chosen));
    }

    /** Sets the map of all channels. By default, it follows from the kernels and the rows. */
    public MultipleKernels withMap(MapRecipe chosen) {
        return with(copy -> copy.machine = machine.withMap(chosen));
    }

    /** Sets the number of features per channel, for maps that can make any number. [default: 500] */
    public MultipleKernels withFeatures(int perChannel) {
        return with(
                copy -> copy.features = OptionalInt.of(Require.atLeast(OWNER, "features of a channel", perChannel, 1)));
    }

    /** Sets the scaling of the rows; the default is that of {@link KernelMachine#withScaling}. */
    public MultipleKernels withScaling(Scaling chosen) {
        return with(copy -> copy.machine = machine.withScaling(chosen));
    }

    /** Sets the scaling by its spelling, such as {@code standard}. */
    public MultipleKernels withScaling(String chosen) {
        return withScaling(Scalings.parse(chosen));
    }

    /** Sets the loss. The default is the square loss. */
    public MultipleKernels withLoss(ChannelLoss chosen) {
        return with(copy -> copy.loss = chosen);
    }

    /** Sets the loss by its spelling, such as {@code logistic}. */
    public MultipleKernels withLoss(String chosen) {
        return withLoss(ChannelLoss.parse(chosen));
    }

    /**
     * Sets the norm p of the kernel weights. The default is 1, block-ℓ1, which sets the weights of useless channels to
     * 0. Larger norms keep all channels.
     *
     * @param p at least 1; infinite for equal weights
     */
    public MultipleKernels withNorm(double p) {
        return with(copy -> copy.norm = new ChannelNorm(p));
    }

    /** Sets the norm by its spelling: {@code average}, or a number of at least 1. */
    public MultipleKernels withNorm(String chosen) {
        return with(copy -> copy.norm = ChannelNorm.parse(chosen));
    }

    /**
     * Sets whether block-ℓ1 is solved as its objective says. By default, the weights are refitted with a smaller l2 if
     * the cross-validated loss falls, penalties with fewer channels are preferred if losses tie, and channels with less
     * than 2.5% of all kernel weight are dropped. Other norms are always solved as their objectives say.
     *
     * <p>The path of a plain solution starts at the smallest penalty at which all weights are 0.
     */
    public MultipleKernels withPlainSolution(boolean chosen) {
        return with(copy -> copy.plain = chosen);
    }

    /** Sets the penalty: λ of block-ℓ1, l2 of other norms. By default, it is chosen by cross-validation. */
    public MultipleKernels withLambda(double penalty) {
        return with(copy -> copy.lambda = OptionalDouble.of(Require.positive(OWNER, "lambda", penalty)));
    }

    /**
     * Sets whether one scale per channel is learned before the kernel weights, by cross-validation of ridge
     * regression on all channels ({@link KernelLearning}). By default, scales come from distances between rows.
     */
    public MultipleKernels withLearnedScales(boolean learned) {
        return with(copy -> copy.learnsScales = learned);
    }

    /**
     * Sets whether one scale per channel is learned together with the weights, in one training objective: that of the
     * norm, minimised over weights and scales (Băzăvan, Li and Sminchisescu, 2012). The penalty is chosen by
     * cross-validation, with scales learned at each penalty.
     */
    public MultipleKernels withJointScales(boolean together) {
        return with(copy -> copy.joint = together);
    }

    /**
     * Sets the penalty of {@linkplain #withJointScales jointly learned} scales. It is added to the objective, which is 1
     * for a constant prediction: {@code scalePrior·Σⱼ (log sⱼ)² + l2·Σⱼ sⱼ²} over the factors by which the length-scales of the
     * channels with a weight are shorter than the initial ones. By default, l2 is 0 and the scale prior is chosen by
     * cross-validation.
     */
    public MultipleKernels withScalePenalty(double scalePrior, double l2) {
        return with(copy -> copy.scalePenalty = new ScalePenalty(0, l2, scalePrior));
    }

    /** Sets the number of folds of cross-validation. [default: 5] */
    public MultipleKernels withFolds(int count) {
        return with(copy -> copy.folds = Require.atLeast(OWNER, "folds", count, 2));
    }

    /** Sets the largest number of penalties; the path ends earlier if the loss has risen for a while. [default: 25] */
    public MultipleKernels withSteps(int most) {
        return with(copy -> copy.steps = Require.atLeast(OWNER, "steps", most, 1));
    }

    /** Sets whether all classes get equal total weight. */
    public MultipleKernels withBalancedClasses(boolean balanced) {
        return with(copy -> copy.machine = machine.withBalancedClasses(balanced));
    }

    /** Sets factors for the row weights of some classes, by class name; applied after balancing. */
    public MultipleKernels withClassWeights(Map<String, Double> weights) {
        return with(copy -> copy.machine = machine.withClassWeights(weights));
    }

    /**
     * Continues from a model of multiple kernel learning, for example one whose path was stopped or had too few steps.
     * The path starts at the penalty of the model. Rows are scaled by the scaler of the model. The kernels have the scales
     * of the model, also if they were learned; kernels without a weight have their initial scales. Scales that are learned
     * together with the weights move on, and their penalty compares them with the initial ones. Set the channels, norm,
     * loss, seed, number of features and kind of solution first; give all other settings as for the model.
     *
     * @throws BochnerException if the model has other channels, kernels, norm, loss, scaling, seed, number of features or
     *     kind of solution
     */
    public MultipleKernels withStart(KernelModel model) {
        ResumedKernels taken = ResumedKernels.of(this, model);
        return with(copy -> {
            copy.firstPenalty = OptionalDouble.of(taken.penalty());
            copy.learnsScales = false;
            copy.scalePenalty = joint ? taken.scalePenalty() : scalePenalty;
            copy.resumed = taken;
        });
    }

    /** Sets the precision of the features. [default: float32] */
    public MultipleKernels withPrecision(Precision chosen) {
        return with(copy -> copy.machine = machine.withPrecision(chosen));
    }

    /** Sets how many bytes of features are kept, for losses other than the square loss. [default: half the heap] */
    public MultipleKernels withMemory(long bytes) {
        return with(copy -> copy.machine = machine.withMemory(bytes));
    }

    /** Sets the seed. */
    public MultipleKernels withSeed(Seed chosen) {
        return with(copy -> copy.machine = machine.withSeed(chosen));
    }

    /** Returns the channels. */
    public List<ColumnRange> channels() {
        return channels;
    }

    /** Returns the spelling of the norm of the kernel weights. */
    public String norm() {
        return norm.toString();
    }

    /** Returns true if block-ℓ1 is solved as its objective says, without a refit. */
    public boolean isPlain() {
        return plain;
    }

    /** Returns true if scales are learned together with the weights. */
    public boolean isJoint() {
        return joint;
    }

    /** Returns the seed. */
    Seed seed() {
        return machine.seed();
    }

    /** Returns the map recipe of all channels, as it was given. */
    MapRecipe map() {
        return ModelAccess.settings(machine).map;
    }

    /** Returns the scaling; null if it follows from the rows. */
    @Nullable
    Scaling scaling() {
        return ModelAccess.settings(machine).scaling;
    }

    /** Returns true if a number of features is set. */
    boolean hasFeatures() {
        return features.isPresent();
    }

    /** Returns the loss. */
    public ChannelLoss loss() {
        return loss;
    }

    /** Returns the number of folds of cross-validation. */
    public int folds() {
        return folds;
    }

    /** Returns the machine of the sum of all kernels, each with the factor 1, which makes the scaling and the map. */
    KernelMachine machine() {
        KernelMachine machine = this.machine.withMap(mapPerChannel());
        Integer each = featuresPerChannel();
        if (each == null) {
            return machine;
        }
        long total = each * Math.max(1, sharing());
        if (total > Integer.MAX_VALUE) {
            throw new BochnerException(
                    total + " features are more than an array holds; use fewer features per channel");
        }
        return machine.withFeatures((int) total);
    }

    /** Returns the number of features per channel; null if maps and rows determine all numbers. */
    @Nullable
    Integer featuresPerChannel() {
        return (sharing() == 0 && features.isEmpty()) || !map().makesFeatures()
                ? null
                : (Integer) features.orElse(DEFAULT_FEATURES);
    }

    /** Returns how many channels can have any number of features. */
    private long sharing() {
        MapRecipe map = mapPerChannel();
        // The number of features of maps of additive kernels follows from the columns.
        return IntStream.range(0, kernels.size())
                .filter(t -> !(kernels.get(t).withUnitScales() instanceof AdditiveKernel) && !hasNumber(map, t))
                .count();
    }

    /** Returns the recipe of the map, or one recipe per channel if one map would otherwise be made for all of them. */
    private MapRecipe mapPerChannel() {
        MapRecipe map = map();
        return map instanceof TermRecipe one && one.joinsTerms() && kernels.size() > 1
                ? new RecipePerTerm(Collections.nCopies(kernels.size(), one))
                : map;
    }

    /** Returns true if the recipe of a channel's map has a number of features, as in landmarks(500). */
    private static boolean hasNumber(MapRecipe map, int channel) {
        MapRecipe own = map instanceof RecipePerTerm several
                        && channel < several.terms().size()
                ? several.terms().get(channel)
                : map;
        return own instanceof TermRecipe recipe && recipe.features().isPresent();
    }

    /** Returns the machine with the scaling and the scales of the model to continue from; {@link #machine} for none. */
    KernelMachine resumedMachine() {
        return resumed == null ? machine() : resumedMachine(resumed.kernels(), resumed.scaler());
    }

    /** Returns the machine with the scaling of a model and given kernels of the channels. */
    KernelMachine resumedMachine(List<KernelRecipe> given, Scaler scaler) {
        // A copy, whose settings nobody else has seen.
        KernelMachine copy = machine().withMeasuredScales(true);
        TrainingSettings settings = ModelAccess.settings(copy);
        settings.kernel = KernelRecipe.ofChannels(given, channels);
        settings.scaler = scaler;
        return copy;
    }

    /**
     * Fails if there is a single channel, unless its scale is learned {@linkplain #withJointScales jointly} and the norm is
     * {@code average}, or if a channel has a random binning map. {@link #fit} calls this method.
     */
    public void requireComplete() {
        if (channels.size() == 1 && !joint) {
            throw new SpellingException("channels: there is only one; " + NAME_MORE + ", or train a single kernel");
        }
        if (channels.size() == 1 && !norm.averages()) {
            throw new SpellingException(
                    "channels: there is only one, which has no kernel weights to learn",
                    Remedy.set(Setting.NORM, ChannelNorm.AVERAGE.toString(), "learns the scale of one kernel"),
                    Remedy.advice(NAME_MORE));
        }
        MapRecipe map = map();
        boolean bins = map instanceof BinningRecipe
                || (map instanceof RecipePerTerm several
                        && several.terms().stream().anyMatch(BinningRecipe.class::isInstance));
        if (bins) {
            throw new SpellingException(
                    "kernel weights cannot be learned with the map " + map
                            + ", whose features are the cells of the rows",
                    Remedy.set(Setting.MAP, "fourier", "also takes its kernels"));
        }
    }

    /** Learns the kernel weights and a model with them, on all processors. */
    public LearnedSum fit(RowSource source) {
        return fit(source, Workers.all(), Progress.NONE);
    }

    /** Learns the kernel weights and a model with them. */
    public LearnedSum fit(RowSource source, Workers workers, Progress progress) {
        NoSets.require(source, "searches for kernel weights");
        requireComplete();
        RowSource rows = source.forTraining();
        return map().makesFeatures()
                ? new MultipleKernelRun(this, rows, workers, progress).run()
                : new ExactKernelRun(this, rows, workers, progress).run();
    }
}
