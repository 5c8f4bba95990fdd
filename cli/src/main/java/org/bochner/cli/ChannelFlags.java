package org.bochner.cli;

import java.util.ArrayList;
import java.util.List;
import org.bochner.data.ColumnNames;
import org.bochner.data.ColumnRange;
import org.bochner.data.FileSource;
import org.bochner.map.MapRecipe;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.tune.ChannelLoss;
import org.bochner.tune.ChannelNorm;
import org.bochner.tune.MultipleKernels;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The channels of multiple kernel learning, and how they are weighed. */
final class ChannelFlags extends TaskFlags {
    static final String HEADING = "%nThe channels%n";

    @Option(
            names = "--channels",
            paramLabel = "NAME=FROM:TO,...",
            description = "Which columns belong together, as shape=0:76,colour=76:292, or by the names in the header,"
                    + " size=length..height; not needed where files are joined by --channel.")
    private @Nullable String channels;

    @Option(
            names = "--kernel",
            paramLabel = "K",
            completionCandidates = Words.KernelNames.class,
            description =
                    "The kernel of all channels, or CHANNEL=K for some, with commas between or repeated; gaussian by"
                            + " default.")
    private List<String> kernels = new ArrayList<>();

    @Option(
            names = "--map",
            paramLabel = "M",
            completionCandidates = Words.MapNames.class,
            description = "The feature map, one for all channels or m1 + m2 + ... for each; auto by default.")
    private String map = "auto";

    @Option(
            names = "--features",
            paramLabel = "D",
            description = "How many features each channel has, where its map can make any number; 500 by default.")
    private @Nullable Integer features;

    @Option(
            names = "--norm",
            paramLabel = "1|P|average",
            description =
                    "1 leaves channels out (default); P above 1 keeps all, the better ones more; average weighs them"
                            + " alike.")
    private String norm = "1";

    @Option(
            names = "--learn-scales",
            description =
                    "Learn the scale of every channel's kernel too, by gradients of a cross-validation of all channels,"
                            + " before the weights.")
    private boolean learnScales;

    @Option(
            names = "--loss",
            paramLabel = "LOSS",
            description = "square (default), logistic, squared-hinge, or for numbers smooth-insensitive(epsilon=0.1,"
                    + " gamma=10).")
    private String loss = "square";

    @Option(
            names = "--folds",
            paramLabel = "N",
            description = "Penalties are compared by cross-validation in so many folds; 5 by default.")
    private int folds = MultipleKernels.DEFAULT_FOLDS;

    @Option(
            names = "--steps",
            paramLabel = "N",
            description = "Penalties to try at most; fewer, where the loss has risen for a while. 25 by default.")
    private int steps = MultipleKernels.DEFAULT_STEPS;

    /** The channels that flags name, read before the data are; empty where the files are the channels. */
    List<ColumnRange> given(boolean joined) {
        if (channels == null && !joined) {
            throw new UsageException(
                    "mkl needs channels: --channels 'shape=0:76,colour=76:292' names columns of DATA, and"
                            + " --channel NAME=FILE, repeated, joins files");
        }
        if (channels == null) {
            return List.of();
        }
        String text = channels;
        return UsageException.orUsage(() -> MultipleKernels.channels(text, ColumnNames.unread(List.of(), true)));
    }

    /** The channels once the data is open, which knows the columns of files and names. */
    List<ColumnRange> known(FileSource source) {
        String text = channels;
        return text == null
                ? source.channels()
                : UsageException.orUsage(() -> MultipleKernels.channels(
                        text, ColumnNames.of(List.of(), source.encoding().columnRanges())));
    }

    /** Any columns that lie apart, for channels whose own only the data will tell. */
    private static List<ColumnRange> placeholders(List<String> names) {
        List<ColumnRange> ranges = new ArrayList<>();
        for (String name : names) {
            ranges.add(new ColumnRange(name, 1000 * ranges.size(), 1000 * ranges.size() + 1000));
        }
        return ranges;
    }

    /** What can be checked before the data are read: all but the columns of files that are joined. */
    MultipleKernels before(List<ColumnRange> given, List<String> files) {
        return recipe(given.isEmpty() ? placeholders(files) : given, null);
    }

    /**
     * The recipe for channels whose columns are known.
     *
     * @param columns by the names of the header; null where the data are not read yet
     */
    MultipleKernels recipe(List<ColumnRange> known, @Nullable List<ColumnRange> columns) {
        if (features != null && features < 1) {
            throw new UsageException("--features must be at least 1, got " + features);
        }
        if (folds < 2) {
            throw new UsageException("--folds must be at least 2, got " + folds);
        }
        if (steps < 1) {
            throw new UsageException("--steps must be at least 1, got " + steps);
        }
        MapRecipe mapRecipe = Recipes.map(map, features);
        return UsageException.orUsage(() -> {
            List<String> names = known.stream().map(ColumnRange::name).toList();
            MultipleKernels recipe = MultipleKernels.of(
                            known, MultipleKernels.kernels(kernels.isEmpty() ? List.of("gaussian") : kernels, names))
                    .withMap(mapRecipe)
                    .withNorm(ChannelNorm.parse(norm))
                    .withLearnedScales(learnScales)
                    .withLoss(ChannelLoss.parse(loss))
                    .withFolds(folds)
                    .withSteps(steps)
                    .withPrecision(precision())
                    .withSeed(new Seed(seed()));
            recipe = features == null ? recipe : recipe.withFeatures(features);
            String scale = scale();
            if (scale == null || scale.equals("auto")) {
                return recipe;
            }
            ColumnNames all =
                    columns == null ? ColumnNames.unread(names, channels != null) : ColumnNames.of(known, columns);
            return Scalings.parse(scale, all).map(recipe::withScaling).orElse(recipe);
        });
    }
}
