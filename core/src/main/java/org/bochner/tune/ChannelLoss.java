package org.bochner.tune;

import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Spelling;
import org.bochner.data.Labels;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.solve.Formulation;

/**
 * The losses under which the weights of channels are learned, by their spellings: {@code square}, {@code logistic},
 * {@code squared-hinge}, {@code smooth-insensitive(epsilon=0.1, gamma=10)}.
 */
public final class ChannelLoss {
    private static final List<String> NAMES = List.of("square", "logistic", "squared-hinge", "smooth-insensitive");

    private final Spelling spelling;
    private final Learner grouped;
    private final Learner dense;

    private ChannelLoss(Spelling spelling, Learner grouped, Learner dense) {
        this.spelling = spelling;
        this.grouped = grouped;
        this.dense = dense;
    }

    /** The square loss, for classes and numbers: it is learned from statistics of one pass over the rows. */
    public static ChannelLoss square() {
        return parse("square");
    }

    /** Reads a spelling. */
    public static ChannelLoss parse(String text) {
        Spelling spelling = Spelling.parse("loss", text.strip());
        return switch (spelling.name()) {
            case "square" -> of(spelling, "group-lasso", "ridge", "");
            case "logistic" -> of(spelling, "logistic", "logistic", "");
            case "squared-hinge" -> of(spelling, "svm", "svm", "loss=squared-hinge");
            case "smooth-insensitive" -> insensitive(spelling);
            default -> throw Spelling.unknown("loss", spelling.name(), NAMES);
        };
    }

    private static ChannelLoss insensitive(Spelling spelling) {
        spelling.allow("epsilon", "gamma");
        String own = "epsilon=" + Spelling.print(spelling.number("epsilon", 0.1)) + ", gamma="
                + Spelling.print(spelling.number("gamma", 10));
        return new ChannelLoss(
                spelling, learner("svr", own, "group=auto, groups=channels"), learner("svr", own, "l2=auto"));
    }

    private static ChannelLoss of(Spelling spelling, String grouped, String dense, String own) {
        spelling.allow();
        boolean square = grouped.equals("group-lasso");
        return new ChannelLoss(
                spelling,
                learner(grouped, own, square ? "groups=channels" : "group=auto, groups=channels"),
                learner(dense, own, square ? "" : "l2=auto"));
    }

    private static Learner learner(String name, String own, String penalty) {
        String between = own.isEmpty() || penalty.isEmpty() ? "" : ", ";
        return Learner.parse(name + "(" + own + between + penalty + ")");
    }

    /** Whether it is the square loss. */
    public boolean isSquare() {
        return loss() instanceof Loss.HalfSquare;
    }

    /** What a score costs. */
    public Loss loss() {
        return Formulation.of(dense).loss();
    }

    /** The learner with a penalty on channels, whose strength is open. */
    Learner grouped() {
        return grouped;
    }

    /** The learner with l2 alone, whose strength is open. */
    Learner dense() {
        return dense;
    }

    /** Fails unless the loss is one for such labels. */
    void requireFits(Labels labels) {
        if (labels instanceof Labels.Numbers && !loss().forNumbers()) {
            throw new BochnerException("the loss " + this + " is for classes, and the labels are numbers; use square or"
                    + " smooth-insensitive for numbers, or --task classify if they are names of classes");
        }
        if (labels instanceof Labels.Classes && !loss().forClasses()) {
            throw new BochnerException("the loss " + this + " is for numbers, and the labels are classes; use square,"
                    + " logistic or squared-hinge for classes, or --task regress if they are numbers");
        }
    }

    @Override
    public String toString() {
        return spelling.toString();
    }
}
