package org.bochner.cli;

import java.util.ArrayList;
import java.util.List;
import org.bochner.data.ColumnNames;
import org.bochner.data.ColumnRange;
import org.bochner.data.SurveyedSource;
import org.bochner.map.MapRecipe;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.tune.ChannelLoss;
import org.bochner.tune.MultipleKernels;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of multiple kernel learning: the channels, and how their weights are learned. */
final class ChannelFlags extends TaskFlags {
    private static final double LARGEST_FACTOR = 1e100;

    static final String HEADING = "%nChannels%n";

    @Option(
            names = "--channels",
            paramLabel = "NAME=FROM:TO,...",
            description =
                    "Columns of each channel, such as shape=0:76,colour=76:292 (counted from 0, end excluded), or by"
                            + " the names of a header, size=length..height. Not needed if --channel joins files.")
    private @Nullable String channels;

    @Option(
            names = "--kernel",
            paramLabel = "K",
            completionCandidates = Words.KernelNames.class,
            description = "Kernel of all channels, or CHANNEL=K for single channels, separated by commas or repeated."
                    + " [default: gaussian]")
    private List<String> kernels = new ArrayList<>();

    @Option(
            names = "--map",
            paramLabel = "M",
            completionCandidates = Words.MapNames.class,
            description =
                    "Feature map of all channels, or m1 + m2 + ... with one map per channel. none: learn from the kernel"
                            + " values between all rows, without features; square loss only, up to about 10,000 rows."
                            + " [default: auto]")
    private String map = "auto";

    @Option(
            names = "--features",
            paramLabel = "D",
            description = "Number of features per channel, if its map can have any number. [default: 500]")
    private @Nullable Integer features;

    @Option(
            names = "--norm",
            paramLabel = "1|P|average",
            description = "Norm of the kernel weights. 1 drops useless channels; P above 1 keeps all channels and gives"
                    + " better ones larger weights; average gives all channels the same weight. [default: 1]")
    private String norm = "1";

    @Option(
            names = "--plain",
            description = "With --norm 1: solve the objective as it is, without a refit by a smaller ridge penalty, a"
                    + " preference for fewer channels, and a threshold for small weights.")
    private boolean plain;

    @Option(
            names = "--lambda",
            paramLabel = "L",
            description = "Penalty: lambda of --norm 1, l2 of other norms. [default: chosen by cross-validation]")
    private @Nullable Double lambda;

    @Option(
            names = "--learn-scales",
            description = "Before the weights, learn the scale of each channel's kernel by gradients of the"
                    + " cross-validated error with all channels.")
    private boolean learnScales;

    @Option(
            names = "--joint",
            description =
                    "Learn one scale per channel together with the weights, in one training objective. A single channel"
                            + " needs --norm average.")
    private boolean joint;

    @Option(
            names = "--scale-prior",
            paramLabel = "X",
            description =
                    "With --joint: add X times the sum of (log s)^2 to the objective, where s is the initial length-scale of a channel"
                            + " divided by the learned one. A constant prediction has the objective 1. [default: chosen by"
                            + " cross-validation; 0 with --scale-l2]")
    private @Nullable Double scalePrior;

    @Option(
            names = "--scale-l2",
            paramLabel = "X",
            description =
                    "With --joint: add X times the sum of s^2 to the objective, with the s of --scale-prior. [default: 0]")
    private @Nullable Double scaleL2;

    @Option(
            names = "--loss",
            paramLabel = "LOSS",
            description = "Loss. Regression or classes: square, insensitive(epsilon=0.1),"
                    + " squared-insensitive(epsilon=0.1), smooth-insensitive(epsilon=0.1, gamma=10). Classes only: logistic,"
                    + " hinge, squared-hinge. [default: square]")
    private String loss = "square";

    @Option(names = "--balanced", description = LearningFlags.BALANCED)
    private boolean balanced;

    @Option(names = "--class-weight", paramLabel = "CLASS=W", description = LearningFlags.CLASS_WEIGHT)
    private List<String> classWeights = new ArrayList<>();

    @Option(
            names = "--folds",
            paramLabel = "N",
            description = "Number of cross-validation folds for the choice of the penalty. [default: 5]")
    private int folds = MultipleKernels.DEFAULT_FOLDS;

    @Option(
            names = "--steps",
            paramLabel = "N",
            description =
                    "Maximum number of penalties to try. The path ends earlier if the loss keeps rising. [default:"
                            + " 25]")
    private int steps = MultipleKernels.DEFAULT_STEPS;

    /** Returns the channels that flags name, before the data are read; empty if the files are the channels. */
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

    /** Returns the channels with the columns that the open data give them. */
    List<ColumnRange> known(SurveyedSource source) {
        String text = channels;
        return text == null
                ? source.channels()
                : UsageException.orUsage(() -> MultipleKernels.channels(
                        text, ColumnNames.of(List.of(), source.encoding().columnRanges())));
    }

    /** Returns disjoint placeholder columns, for channels whose columns are known only after the data are read. */
    private static List<ColumnRange> placeholders(List<String> names) {
        List<ColumnRange> ranges = new ArrayList<>();
        for (String name : names) {
            ranges.add(new ColumnRange(name, 1000 * ranges.size(), 1000 * ranges.size() + 1000));
        }
        return ranges;
    }

    /** Returns the recipe before the data are read, to check everything but the columns of joined files. */
    MultipleKernels before(List<ColumnRange> given, List<String> files) {
        return recipe(given.isEmpty() ? placeholders(files) : given, null);
    }

    /**
     * Returns the recipe for channels whose columns are known.
     *
     * @param columns the columns of the header; null if the data have not been read yet
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
        if (lambda != null && !(lambda > 0 && lambda < Double.POSITIVE_INFINITY)) {
            throw new UsageException("--lambda must be positive and finite, got " + lambda);
        }
        if (joint && learnScales) {
            throw new UsageException("--joint and --learn-scales both learn the scales: --joint together with the"
                    + " weights, --learn-scales before them; use one of them");
        }
        double prior = factor("--scale-prior", scalePrior);
        double squares = factor("--scale-l2", scaleL2);
        MapRecipe mapRecipe = Recipes.map(map, features);
        return UsageException.orUsage(() -> {
            List<String> names = known.stream().map(ColumnRange::name).toList();
            List<String> spelled = MultipleKernels.kernels(kernels.isEmpty() ? List.of("gaussian") : kernels, names);
            MultipleKernels recipe = MultipleKernels.of(known, spelled)
                    .withMap(mapRecipe)
                    .withNorm(norm)
                    .withLearnedScales(learnScales)
                    .withJointScales(joint)
                    .withLoss(ChannelLoss.parse(loss))
                    .withBalancedClasses(balanced)
                    .withClassWeights(LearningFlags.weights(classWeights))
                    .withFolds(folds)
                    .withSteps(steps)
                    .withPrecision(precision())
                    .withSeed(new Seed(seed()));
            if (plain && !recipe.norm().equals("1")) {
                throw new UsageException("--plain is for --norm 1; --norm " + norm
                        + " always gives the solution of its objective; remove --plain");
            }
            recipe.requireComplete();
            recipe = recipe.withPlainSolution(plain);
            recipe = scalePrior == null && scaleL2 == null ? recipe : recipe.withScalePenalty(prior, squares);
            recipe = lambda == null ? recipe : recipe.withLambda(lambda);
            recipe = features == null ? recipe : recipe.withFeatures(features);
            String scale = scale();
            if (scale == null) {
                return recipe;
            }
            ColumnNames all =
                    columns == null ? ColumnNames.unread(names, channels != null) : ColumnNames.of(known, columns);
            return Scalings.parse(scale, all).map(recipe::withScaling).orElse(recipe);
        });
    }

    /** Returns the factor of a penalty of scales; 0 if it was not given. */
    private double factor(String flag, @Nullable Double given) {
        if (given == null) {
            return 0;
        }
        if (!joint) {
            throw new UsageException(flag + " is for --joint, which learns the scales; add --joint");
        }
        if (!(given >= 0 && given < Double.POSITIVE_INFINITY)) {
            throw new UsageException(flag + " must be at least 0 and finite, got " + given);
        }
        if (given > LARGEST_FACTOR) {
            throw new UsageException(
                    flag + " must be at most " + LARGEST_FACTOR + ", because larger penalties overflow, got " + given);
        }
        return given;
    }
}
