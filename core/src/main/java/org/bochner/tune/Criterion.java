package org.bochner.tune;

import java.util.List;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.random.Seed;

/**
 * What scales are judged by: {@code train}, {@code validation(share=0.2)}, {@code cv(folds=5)}, {@code gcv} or {@code loo}.
 * All are relative to what a constant, without features, comes to.
 *
 * <p>For ridge regression they are sums of squared residuals, with targets ±1 for classes. For other learners {@code train} is
 * the learner's own objective, any loss with any penalty, which weights and scales minimise together; {@code validation} is
 * the learner's own loss, if that and its penalty are smooth. All else is judged by ridge regression, whatever the learner.
 *
 * <p>Threads: safe; an immutable value.
 *
 * @param kind which of them
 * @param share of the rows that are set aside, for validation; otherwise 0
 * @param folds into how many parts rows are divided, for cross-validation; otherwise 0
 */
public record Criterion(Kind kind, double share, int folds) {
    /** The kinds of criteria. */
    public enum Kind {
        /** The penalised objective on the rows that are learned from, which needs a penalty. */
        TRAIN("train"),
        /** The error on rows set aside. */
        VALIDATION("validation"),
        /** The error on each of some folds, learned from the others. */
        CROSS_VALIDATION("cv"),
        /** The error on the rows that are learned from, corrected by the degrees of freedom. */
        GCV("gcv"),
        /**
         * The error on each row, learned from all others; exact, from one fit and the rows' leverages. An evaluation costs
         * about eight ridge fits, three or four times that of the others: leverages need a product of all features with a
         * D×D matrix, and their derivatives three more.
         */
        LEAVE_ONE_OUT("loo");

        private final String spelling;

        Kind(String spelling) {
            this.spelling = spelling;
        }
    }

    private static final double USUAL_SHARE = 0.2;
    private static final int USUAL_FOLDS = 5;

    public Criterion {
        if (kind == Kind.VALIDATION) {
            Require.between("validation", "share", share, 0, 1);
        }
        if (kind == Kind.CROSS_VALIDATION) {
            Require.atLeast("cv", "folds", folds, 2);
        }
    }

    /** The criterion where none is asked for: cross-validation on five folds. */
    public static Criterion usual() {
        return new Criterion(Kind.CROSS_VALIDATION, 0, USUAL_FOLDS);
    }

    /** Reads a spelling. */
    public static Criterion parse(String text) {
        Spelling spelling = Spelling.parse("criterion", text);
        return switch (spelling.name()) {
            case "train" -> plain(spelling, Kind.TRAIN);
            case "gcv" -> plain(spelling, Kind.GCV);
            case "loo" -> plain(spelling, Kind.LEAVE_ONE_OUT);
            case "validation" -> {
                spelling.allow("share");
                yield new Criterion(Kind.VALIDATION, spelling.number("share", USUAL_SHARE), 0);
            }
            case "cv" -> {
                spelling.allow("folds");
                yield new Criterion(Kind.CROSS_VALIDATION, 0, spelling.integer("folds", USUAL_FOLDS));
            }
            default ->
                throw Spelling.unknown(
                        "criterion", spelling.name(), List.of("train", "validation", "cv", "gcv", "loo"));
        };
    }

    private static Criterion plain(Spelling spelling, Kind kind) {
        spelling.allow();
        return new Criterion(kind, 0, 0);
    }

    /** How many parts the rows are sorted into. */
    int parts() {
        return switch (kind) {
            case VALIDATION -> 2;
            case CROSS_VALIDATION -> folds;
            default -> 1;
        };
    }

    /**
     * The part that a row belongs to: a hash of the row's index decides whether it is in a sample of that share, and a hash
     * of its group in which part.
     */
    FoldedRows.FoldOf partOf(Seed seed, double sample) {
        Seed sampled = seed.derive("sample");
        Seed folded = seed.derive("folds");
        return (row, group) -> {
            if (sample < 1 && unit(sampled, row) >= sample) {
                return FoldedRows.NONE;
            }
            return switch (kind) {
                case VALIDATION -> unit(folded, group) < share ? 1 : 0;
                case CROSS_VALIDATION -> (int) (unit(folded, group) * folds);
                case TRAIN, GCV, LEAVE_ONE_OUT -> 0;
            };
        };
    }

    /** 53 bits of the seed of a row or group, as a number from 0 to 1. */
    private static double unit(Seed seed, long group) {
        return (seed.derive(group).value() >>> 11) * 0x1p-53;
    }

    /** Whether a penalty can be found by it; the training objective would always be less without one. */
    boolean choosesPenalty() {
        return kind != Kind.TRAIN;
    }

    @Override
    public String toString() {
        return switch (kind) {
            case VALIDATION -> "validation(share=" + Spelling.print(share) + ")";
            case CROSS_VALIDATION -> "cv(folds=" + folds + ")";
            default -> kind.spelling;
        };
    }
}
