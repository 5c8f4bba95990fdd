package org.bochner.tune;

import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.data.Labels;
import org.bochner.data.Task;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.solve.Formulation;
import org.jspecify.annotations.Nullable;

/**
 * A loss of multiple kernel learning: {@code square}, {@code logistic}, {@code hinge}, {@code squared-hinge},
 * {@code insensitive(epsilon=0.1)}, {@code squared-insensitive(epsilon=0.1)} or
 * {@code smooth-insensitive(epsilon=0.1, gamma=10)}.
 */
public final class ChannelLoss {
    private static final List<String> NAMES = List.of(
            "square", "logistic", "hinge", "squared-hinge", "insensitive", "squared-insensitive", "smooth-insensitive");

    private final String spelling;
    private final Learner grouped;
    private final Learner dense;

    private ChannelLoss(String spelling, Learner grouped, Learner dense) {
        this.spelling = spelling;
        this.grouped = grouped;
        this.dense = dense;
    }

    /** Returns the square loss, for classes and numbers. It needs one pass over the rows. */
    public static ChannelLoss square() {
        return new ChannelLoss("square", Learner.groupLasso().withChannelGroups(), Learner.ridge());
    }

    /** Returns the logistic loss, for classes. */
    public static ChannelLoss logistic() {
        return of("logistic", Learner.logistic());
    }

    /** Returns the hinge loss, for classes. */
    public static ChannelLoss hinge() {
        return of("hinge", Learner.svm());
    }

    /** Returns the squared hinge loss, for classes. */
    public static ChannelLoss squaredHinge() {
        return of("squared-hinge", Learner.svm().withSquaredHinge());
    }

    /**
     * Returns the ε-insensitive loss, for numbers and classes.
     *
     * @param epsilon the residual up to which the loss is 0
     */
    public static ChannelLoss insensitive(double epsilon) {
        return of(
                "insensitive(epsilon=" + Spelling.print(epsilon) + ")",
                Learner.svr().withEpsilon(epsilon));
    }

    /**
     * Returns the squared ε-insensitive loss, for numbers and classes.
     *
     * @param epsilon the residual up to which the loss is 0
     */
    public static ChannelLoss squaredInsensitive(double epsilon) {
        return of(
                "squared-insensitive(epsilon=" + Spelling.print(epsilon) + ")",
                Learner.svr().withEpsilon(epsilon).withSquaredInsensitive());
    }

    /**
     * Returns the smooth ε-insensitive loss, for numbers and classes.
     *
     * @param epsilon the residual up to which the loss is 0
     * @param gamma one over the width of the smooth transition
     */
    public static ChannelLoss smoothInsensitive(double epsilon, double gamma) {
        return of(
                "smooth-insensitive(epsilon=" + Spelling.print(epsilon) + ", gamma=" + Spelling.print(gamma) + ")",
                Learner.svr().withEpsilon(epsilon).withGamma(gamma));
    }

    private static ChannelLoss of(String spelling, Learner learner) {
        return new ChannelLoss(spelling, learner.withAutoGroup().withChannelGroups(), learner.withAutoL2());
    }

    /** Parses a spelling. */
    public static ChannelLoss parse(String text) {
        return Spelling.reading(() -> read(Spelling.parse("loss", text)));
    }

    private static ChannelLoss read(Spelling spelling) {
        return switch (spelling.name()) {
            case "square" -> without(spelling, square());
            case "logistic" -> without(spelling, logistic());
            case "hinge" -> without(spelling, hinge());
            case "squared-hinge" -> without(spelling, squaredHinge());
            case "insensitive" -> insensitive(epsilon(spelling.allow("epsilon")));
            case "squared-insensitive" -> squaredInsensitive(epsilon(spelling.allow("epsilon")));
            case "smooth-insensitive" ->
                smoothInsensitive(epsilon(spelling.allow("epsilon", "gamma")), spelling.number("gamma", 10));
            default -> throw Spelling.unknown("loss", spelling.name(), NAMES);
        };
    }

    /** Returns a loss without parameters; fails if the spelling has one. */
    private static ChannelLoss without(Spelling spelling, ChannelLoss loss) {
        spelling.allow();
        return loss;
    }

    private static double epsilon(Spelling spelling) {
        return spelling.number("epsilon", 0.1);
    }

    /** Returns true for the square loss. */
    boolean isSquare() {
        return loss() instanceof Loss.HalfSquare;
    }

    Loss loss() {
        return Formulation.of(dense).loss();
    }

    /** Returns the learner with a penalty on channels, without its strength. */
    Learner grouped() {
        return grouped;
    }

    /** Returns the learner with l2 alone, without its strength. */
    Learner dense() {
        return dense;
    }

    /** Fails if the loss is not for these labels. */
    void requireFits(Labels labels) {
        if (labels instanceof Labels.Numbers && !loss().forNumbers()) {
            throw new BochnerException(
                    "the loss " + this + " is for classes, and the labels are numbers",
                    Remedy.advice("use square, insensitive, squared-insensitive or smooth-insensitive for numbers"),
                    Remedy.set(Setting.TASK, Task.CLASSIFY, "if they are names of classes"));
        }
    }

    /** Returns the spelling. */
    @Override
    public String toString() {
        return spelling;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ChannelLoss that && dense.equals(that.dense);
    }

    @Override
    public int hashCode() {
        return dense.hashCode();
    }
}
