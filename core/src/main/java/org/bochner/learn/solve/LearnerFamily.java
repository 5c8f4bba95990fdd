package org.bochner.learn.solve;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.bochner.learn.linear.Loss;

/** The families of learners: their losses, and the parameters that they take. */
@SuppressWarnings("ImmutableEnumChecker") // losses are records, and the lists cannot be changed
public enum LearnerFamily {
    RIDGE(new Loss.HalfSquare(), PenaltyKind.LAMBDA, "lambda"),
    LASSO(new Loss.HalfSquare(), PenaltyKind.LAMBDA, "l2", "group", "lambda", "groups"),
    ELASTIC_NET(new Loss.HalfSquare(), PenaltyKind.LAMBDA, "lambda", "ratio"),
    GROUP_LASSO(new Loss.HalfSquare(), PenaltyKind.LAMBDA, "l1", "l2", "lambda", "groups"),
    LOGISTIC(new Loss.Logistic(), PenaltyKind.L2),
    SOFTMAX(new Loss.Softmax(), PenaltyKind.L2),
    SVM(new Loss.Hinge(), PenaltyKind.C, "loss"),
    SVR(new Loss.EpsilonInsensitive(0.1), PenaltyKind.C, "loss", "epsilon", "gamma"),
    HUBER(new Loss.Huber(1.35), PenaltyKind.L2, "delta"),
    LDA(new Loss.Softmax(), PenaltyKind.SHRINKAGE, "shrinkage", "priors");

    private final Loss loss;
    private final PenaltyKind usual;
    private final List<String> own;

    LearnerFamily(Loss loss, PenaltyKind usual, String... own) {
        this.loss = loss;
        this.usual = usual;
        this.own = List.of(own);
    }

    /** Returns the names of all families. */
    public static List<String> names() {
        return Arrays.stream(values()).map(LearnerFamily::toString).toList();
    }

    /** Returns the loss, with the usual values of its parameters. */
    Loss loss() {
        return loss;
    }

    /** Returns the penalty that is chosen from the data if none is given. */
    PenaltyKind usual() {
        return usual;
    }

    /** Returns the names of all parameters. */
    List<String> parameters() {
        if (this == LDA) {
            return own;
        }
        Stream<String> penalties =
                usual == PenaltyKind.LAMBDA ? Stream.of() : Stream.of("l1", "l2", "C", "group", "groups");
        Stream<String> common = Stream.of("refit", "solver", "tolerance", "iterations");
        return Stream.of(own.stream(), penalties, common).flatMap(all -> all).toList();
    }

    /** Returns the name in spellings. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
