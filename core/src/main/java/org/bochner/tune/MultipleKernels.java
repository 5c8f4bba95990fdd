package org.bochner.tune;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.data.ColumnNames;
import org.bochner.data.ColumnRange;
import org.bochner.data.RowSource;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.composed.ProductKernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.kernel.composed.SumKernel;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.jspecify.annotations.Nullable;

/**
 * The recipe of multiple kernel learning: channels of columns, each with its kernel, whose sum {@code Σⱼ dⱼ·kⱼ} gets its
 * weights dⱼ from the data. Immutable; change it with the {@code with} methods, then {@link #fit} it to a source.
 *
 * <pre>{@code
 * LearnedSum learned = MultipleKernels.of(MultipleKernels.channels("shape=0:76,colour=76:292"), "gaussian")
 *         .withFeatures(500)
 *         .fit(rows);
 * String kernel = learned.kernel().toString();   // 0.43*gaussian(sigma=12.2)[0:76] + ...
 * }</pre>
 *
 * <p>The features φⱼ of every channel stand side by side, and what is minimised is
 *
 * <pre>  Σ ℓ(Σⱼ wⱼᵀφⱼ(x) + b, y) + λ·Σⱼ|wⱼ|₂         block-ℓ1, with the kernel weights dⱼ = |wⱼ|/√2,
 *   Σ ℓ(…) + l2/2·Σⱼ|wⱼ|²/dⱼ,  Σⱼ dⱼᵖ = 1        ℓp, p > 1,
 *   Σ ℓ(…) + l2/2·Σⱼ|wⱼ|²                        average: dⱼ = 1,</pre>
 *
 * at one strength of the penalty after another, from the strongest down. The strength taken is the one with the least loss
 * in cross-validation.
 *
 * <p>Cost: for the square loss one pass over the rows, however many strengths and folds there are, after those that find
 * scalings and scales; other losses go over the features again and again.
 */
public final class MultipleKernels {
    /** How many features a channel gets where its map can make any number. */
    public static final int DEFAULT_FEATURES = 500;

    /** How many folds cross-validation has. */
    public static final int DEFAULT_FOLDS = 5;

    /** How many strengths are tried at most. */
    public static final int DEFAULT_STEPS = 25;

    private final List<ColumnRange> channels;
    private final List<String> kernels;
    private MapRecipe map = FeatureMaps.parse("auto");
    private OptionalInt features = OptionalInt.empty();
    private @Nullable Scaling scaling;
    private ChannelLoss loss = ChannelLoss.square();
    private ChannelNorm norm = ChannelNorm.BLOCK_L1;
    private boolean learnsScales;
    private int folds = DEFAULT_FOLDS;
    private int steps = DEFAULT_STEPS;
    private Precision precision = Precision.FLOAT32;
    private OptionalLong memory = OptionalLong.empty();
    private Seed seed = new Seed(1);

    private MultipleKernels(List<ColumnRange> channels, List<String> kernels) {
        this.channels = channels;
        this.kernels = kernels;
    }

    private MultipleKernels(MultipleKernels from) {
        channels = from.channels;
        kernels = from.kernels;
        map = from.map;
        features = from.features;
        scaling = from.scaling;
        loss = from.loss;
        norm = from.norm;
        learnsScales = from.learnsScales;
        folds = from.folds;
        steps = from.steps;
        precision = from.precision;
        memory = from.memory;
        seed = from.seed;
    }

    /** Channels, at least two, with one kernel for all: {@code gaussian}. */
    public static MultipleKernels of(List<ColumnRange> channels, String kernel) {
        return of(channels, Collections.nCopies(channels.size(), kernel));
    }

    /** Channels, at least two, with a kernel for each; scales that are left out come from the data. */
    public static MultipleKernels of(List<ColumnRange> channels, List<String> kernels) {
        Require.sameSize("channels", "count of kernels", kernels.size(), channels.size());
        if (channels.size() < 2) {
            throw new SpellingException(
                    "channels: there is " + (channels.isEmpty() ? "none" : "one") + ", and nothing to"
                            + " weigh it against; name two or more, as in 'shape=0:76,colour=76:292', or train a single kernel");
        }
        for (int c = 0; c < channels.size(); c++) {
            requireKernel(channels.get(c).name(), kernels.get(c));
        }
        requireApart(channels, kernels);
        return new MultipleKernels(List.copyOf(channels), List.copyOf(kernels));
    }

    /** Reads the definition of channels by column numbers, {@code shape=0:76,colour=76:292}. */
    public static List<ColumnRange> channels(String text) {
        return channels(text, ColumnNames.none());
    }

    /** Reads the definition of channels, in which columns may go by their names: {@code size=length..height}. */
    public static List<ColumnRange> channels(String text, ColumnNames names) {
        List<ColumnRange> channels = names.channels(text);
        requireRanges(channels);
        return channels;
    }

    /**
     * The kernels of channels: one spelling for all of them, or {@code shape=gaussian} for some, in one text with commas
     * between or in several.
     *
     * @param names of the channels
     * @return one a channel, in their order
     */
    public static List<String> kernels(List<String> texts, List<String> names) {
        @Nullable String[] kernels = new @Nullable String[names.size()];
        String common = null;
        for (String text : texts) {
            for (String part : Spelling.splitTopLevel("kernel", text, ',')) {
                int equals = nameEnd(part);
                if (equals < 0) {
                    if (common != null) {
                        throw new SpellingException("kernel: '" + common + "' and '" + part.strip()
                                + "' are both for all channels; write CHANNEL=KERNEL for those that differ");
                    }
                    common = part.strip();
                } else {
                    kernels[indexOf(part.substring(0, equals).strip(), names)] =
                            part.substring(equals + 1).strip();
                }
            }
        }
        List<String> all = new ArrayList<>();
        for (int c = 0; c < kernels.length; c++) {
            String own = kernels[c] != null ? kernels[c] : common;
            if (own == null) {
                throw new SpellingException("kernel: the channel '" + names.get(c)
                        + "' has none; write one for every channel, or one without a name for all others");
            }
            all.add(own);
        }
        return all;
    }

    /** Where the sign after a channel's name is; -1 where the text is a kernel alone, whose signs are in parentheses. */
    private static int nameEnd(String text) {
        int equals = text.indexOf('=');
        return equals > 0 && ColumnNames.isName(text.substring(0, equals).strip()) ? equals : -1;
    }

    private static int indexOf(String name, List<String> names) {
        int index = names.indexOf(name);
        if (index < 0) {
            throw new SpellingException(
                    "kernel: " + Spelling.unknown("channel", name, names).getMessage());
        }
        return index;
    }

    private static void requireRanges(List<ColumnRange> channels) {
        Set<String> names = new LinkedHashSet<>();
        for (ColumnRange channel : channels) {
            String name = channel.name();
            if (!ColumnNames.isName(name)) {
                throw new SpellingException(
                        "channels: a name is a letter or '_', then letters, digits, '.', '_' or '-';" + " got '" + name
                                + "'");
            }
            if (!names.add(name)) {
                throw new SpellingException(
                        "channels: '" + name + "' is given twice; every channel needs its own name");
            }
            if (channel.from() >= channel.to() || channel.from() < 0) {
                throw new SpellingException("channels: " + spelled(channel)
                        + " is empty; write FROM:TO with FROM < TO, where TO itself is left out");
            }
        }
    }

    /** Two channels may be of the same columns, where their kernels differ; half a channel more is a slip of the pen. */
    private static void requireApart(List<ColumnRange> channels, List<String> kernels) {
        requireRanges(channels);
        for (int a = 0; a < channels.size(); a++) {
            for (int b = a + 1; b < channels.size(); b++) {
                ColumnRange one = channels.get(a);
                ColumnRange other = channels.get(b);
                boolean same = one.from() == other.from() && one.to() == other.to();
                boolean meant = same && !kernels.get(a).equals(kernels.get(b));
                if (one.from() < other.to() && other.from() < one.to() && !meant) {
                    throw new SpellingException("channels: " + spelled(one) + " and " + spelled(other)
                            + " overlap; let one end where the other starts, or give the same columns different"
                            + " kernels");
                }
            }
        }
    }

    static String spelled(ColumnRange channel) {
        return channel.name() + "=" + channel.from() + ":" + channel.to();
    }

    private static void requireKernel(String channel, String kernel) {
        Kernel any = Kernels.recipe(kernel).withUnitScales();
        boolean single = !(any instanceof SumKernel
                || any instanceof ScaledKernel
                || any instanceof ChannelKernel
                || any instanceof ProductKernel);
        if (!single) {
            throw new SpellingException("kernel '" + kernel + "' of channel '" + channel
                    + "': must be one kernel without a factor or columns, which the channels have and the data give; give"
                    + " the same columns as several channels for several kernels of them");
        }
    }

    /** Sets the map of every channel by its spelling, such as {@code orthogonal}. */
    public MultipleKernels withMap(String map) {
        return withMap(FeatureMaps.parse(map));
    }

    /** Sets the recipe of every channel's map; without one, maps follow from the kernels and the rows. */
    public MultipleKernels withMap(MapRecipe map) {
        MultipleKernels copy = new MultipleKernels(this);
        copy.map = map;
        return copy;
    }

    /** Makes so many features of every channel whose map can make any number; 500 by default. */
    public MultipleKernels withFeatures(int features) {
        MultipleKernels copy = new MultipleKernels(this);
        copy.features = OptionalInt.of(Require.atLeast("channels", "features of a channel", features, 1));
        return copy;
    }

    /** Scales the rows so; without this, as {@link KernelMachine#withScaling} says. */
    public MultipleKernels withScaling(Scaling scaling) {
        MultipleKernels copy = new MultipleKernels(this);
        copy.scaling = scaling;
        return copy;
    }

    /** Sets the scaling by its spelling, such as {@code standard}. */
    public MultipleKernels withScaling(String scaling) {
        return withScaling(Scalings.parse(scaling));
    }

    /** Learns with this loss; without it, squares. */
    public MultipleKernels withLoss(ChannelLoss loss) {
        MultipleKernels copy = new MultipleKernels(this);
        copy.loss = loss;
        return copy;
    }

    /** Weighs channels so; without this, by block-ℓ1. */
    public MultipleKernels withNorm(ChannelNorm norm) {
        MultipleKernels copy = new MultipleKernels(this);
        copy.norm = norm;
        return copy;
    }

    /**
     * Learns the scale of every channel's kernel too, before the weights: those with which ridge regression on all channels
     * does best in cross-validation; see {@link KernelLearning}. Without this, scales come from distances between rows.
     */
    public MultipleKernels withLearnedScales(boolean learned) {
        MultipleKernels copy = new MultipleKernels(this);
        copy.learnsScales = learned;
        return copy;
    }

    /** Compares strengths by cross-validation in so many folds, by seed; 5 by default. */
    public MultipleKernels withFolds(int folds) {
        MultipleKernels copy = new MultipleKernels(this);
        copy.folds = Require.atLeast("channels", "folds", folds, 2);
        return copy;
    }

    /** Tries at most so many strengths; fewer, where the loss has risen for a while. 25 by default. */
    public MultipleKernels withSteps(int steps) {
        MultipleKernels copy = new MultipleKernels(this);
        copy.steps = Require.atLeast("channels", "steps", steps, 1);
        return copy;
    }

    public MultipleKernels withPrecision(Precision precision) {
        MultipleKernels copy = new MultipleKernels(this);
        copy.precision = precision;
        return copy;
    }

    /** Keeps at most so many bytes of features, for losses that go over the rows; half of what the process may use. */
    public MultipleKernels withMemory(long bytes) {
        Require.that(bytes >= 0, "channels", "memory must be at least 0 bytes, got " + bytes);
        MultipleKernels copy = new MultipleKernels(this);
        copy.memory = OptionalLong.of(bytes);
        return copy;
    }

    public MultipleKernels withSeed(Seed seed) {
        MultipleKernels copy = new MultipleKernels(this);
        copy.seed = seed;
        return copy;
    }

    /** The channels, in their order. */
    public List<ColumnRange> channels() {
        return channels;
    }

    public ChannelNorm norm() {
        return norm;
    }

    public ChannelLoss loss() {
        return loss;
    }

    /** How many folds cross-validation has. */
    public int folds() {
        return folds;
    }

    boolean learnsScales() {
        return learnsScales;
    }

    int steps() {
        return steps;
    }

    Precision precision() {
        return precision;
    }

    OptionalLong memory() {
        return memory;
    }

    Seed seed() {
        return seed;
    }

    /** The machine of the sum of all kernels, each with the weight 1, which makes scaling and map. */
    KernelMachine machine() {
        int sharing = 0;
        for (String kernel : kernels) {
            // The maps of additive kernels make some features a column, and none can be asked for.
            sharing += Kernels.recipe(kernel).withUnitScales() instanceof AdditiveKernel ? 0 : 1;
        }
        KernelMachine machine = KernelMachine.of(kernelSpelling())
                .withMap(map)
                .withPrecision(precision)
                // Channels of no use would get scales so long that they say nothing, and weights for it.
                .withMeasuredScales(true)
                .withSeed(seed);
        machine = scaling == null ? machine : machine.withScaling(scaling);
        if (sharing == 0 && features.isEmpty()) {
            return machine;
        }
        long total = (long) features.orElse(DEFAULT_FEATURES) * Math.max(1, sharing);
        if (total > Integer.MAX_VALUE) {
            throw new BochnerException(total + " features are more than an array holds; take fewer a channel");
        }
        return machine.withFeatures((int) total);
    }

    /** The sum of all kernels, each of its channel's columns, as it was spelled. */
    String kernelSpelling() {
        List<String> terms = new ArrayList<>();
        for (int c = 0; c < channels.size(); c++) {
            ColumnRange channel = channels.get(c);
            terms.add(kernels.get(c) + "[" + channel.from() + ":" + channel.to() + "]");
        }
        return String.join(" + ", terms);
    }

    MapRecipe map() {
        return map;
    }

    /** Learns on all processors, telling nobody. */
    public LearnedSum fit(RowSource source) {
        return fit(source, Workers.all(), Progress.NONE);
    }

    /** Learns the weights of the channels, and the model with them. */
    public LearnedSum fit(RowSource source, Workers workers, Progress progress) {
        return new MultipleKernelRun(this, source, workers, progress).run();
    }

    /** The first channel that is not within rows of so many columns. */
    Optional<ColumnRange> beyond(int columns) {
        return channels.stream().filter(channel -> channel.to() > columns).findFirst();
    }
}
