package org.bochner.tune;

import java.util.Map;
import java.util.Objects;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.random.Seed;
import org.bochner.tune.folds.FoldedRows;
import org.bochner.tune.scales.CriterionKind;
import org.jspecify.annotations.Nullable;

/**
 * The criterion that kernel learning minimises: {@code train}, {@code validation(share=0.2)}, {@code cv(folds=5)},
 * {@code gcv}, {@code loo} or {@code evidence}. Its value is relative to the criterion of a constant prediction, without
 * features.
 *
 * <p>With ridge regression, a criterion is a sum of squared residuals, except {@code evidence}, the likelihood of the
 * targets; the targets of classes are ±1. With other
 * learners, {@code train} is the learner's own objective (any loss with any penalty), which weights and scales
 * minimise together, and {@code validation} is the learner's own loss, if the loss and the penalty are smooth. In all
 * other cases the scales are learned with ridge regression, and the learner is trained at the end.
 *
 * <p>Threads: immutable, safe.
 */
public final class Criterion {
    private static final double DEFAULT_SHARE = 0.2;
    private static final int DEFAULT_FOLDS = 5;

    private final CriterionKind kind;
    private final double share;
    private final int folds;

    private Criterion(CriterionKind kind, double share, int folds) {
        this.kind = kind;
        this.share = share;
        this.folds = folds;
    }

    /** Returns the default criterion, cross-validation with five folds. */
    public static Criterion usual() {
        return crossValidation(DEFAULT_FOLDS);
    }

    /** Returns the penalised training objective. It cannot choose the penalty, which would become 0. */
    public static Criterion training() {
        return new Criterion(CriterionKind.TRAIN, 0, 0);
    }

    /**
     * Returns the error on held-out rows.
     *
     * @param share the held-out share of the rows, between 0 and 1
     */
    public static Criterion validation(double share) {
        Require.between("validation", "share", share, 0, 1);
        return new Criterion(CriterionKind.VALIDATION, share, 0);
    }

    /** Returns the error of cross-validation with at least two folds. */
    public static Criterion crossValidation(int folds) {
        return new Criterion(CriterionKind.CROSS_VALIDATION, 0, Require.atLeast("cv", "folds", folds, 2));
    }

    /** Returns generalised cross-validation: the training error, corrected by the degrees of freedom. */
    public static Criterion generalizedCrossValidation() {
        return new Criterion(CriterionKind.GCV, 0, 0);
    }

    /**
     * Returns the leave-one-out error, exact, from one fit and the leverages of the rows. One evaluation costs about
     * eight ridge fits, three or four times as much as the other criteria: leverages need a product of all features
     * with a D×D matrix, and their derivatives three more.
     */
    public static Criterion leaveOneOut() {
        return new Criterion(CriterionKind.LEAVE_ONE_OUT, 0, 0);
    }

    /**
     * Returns the marginal likelihood of ridge regression as a Gaussian process, with the intercept integrated out and the
     * best variance of the noise. The value is the likelihood of a constant prediction divided by that of the model, to the
     * power 2/(n − 1) for n rows: the ratio of the noise variances times a term for the complexity. One evaluation costs
     * about as much as one of {@link #leaveOneOut}.
     */
    public static Criterion evidence() {
        return new Criterion(CriterionKind.EVIDENCE, 0, 0);
    }

    /** Parses a spelling. */
    public static Criterion parse(String text) {
        return Spelling.reading(() -> read(Spelling.parse("criterion", text)));
    }

    private static Criterion read(Spelling spelling) {
        CriterionKind kind = Spelling.oneOf("criterion", spelling.name(), CriterionKind.values(), Map.of());
        return switch (kind) {
            case VALIDATION -> validation(spelling.allow("share").share("share", DEFAULT_SHARE));
            case CROSS_VALIDATION -> crossValidation(spelling.allow("folds").integer("folds", DEFAULT_FOLDS));
            default -> {
                spelling.allow();
                yield new Criterion(kind, 0, 0);
            }
        };
    }

    CriterionKind kind() {
        return kind;
    }

    /** Returns the number of folds that the rows are sorted into: 2 for validation, 1 where all rows are used alike. */
    int foldCount() {
        return switch (kind) {
            case VALIDATION -> 2;
            case CROSS_VALIDATION -> folds;
            default -> 1;
        };
    }

    /**
     * Returns the assignment of rows to folds. A hash of the row's index decides whether the row is in the sample,
     * and a hash of its group decides the fold.
     *
     * @param sample the share of the rows that take part
     */
    FoldedRows.FoldOf foldOf(Seed seed, double sample) {
        Seed sampled = seed.derive("sample");
        Seed folded = seed.derive("folds");
        return (row, group) -> {
            if (sample < 1 && sampled.derive(row).unit() >= sample) {
                return FoldedRows.NONE;
            }
            return switch (kind) {
                case VALIDATION -> folded.derive(group).unit() < share ? 1 : 0;
                case CROSS_VALIDATION -> (int) (folded.derive(group).unit() * folds);
                default -> 0;
            };
        };
    }

    /** Returns true if the criterion can choose the penalty; the training objective is always smaller without one. */
    boolean choosesPenalty() {
        return kind != CriterionKind.TRAIN;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Criterion that && kind == that.kind && share == that.share && folds == that.folds;
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, share, folds);
    }

    /** Returns the spelling. */
    @Override
    public String toString() {
        return switch (kind) {
            case VALIDATION -> "validation(share=" + Spelling.print(share) + ")";
            case CROSS_VALIDATION -> "cv(folds=" + folds + ")";
            default -> kind.toString();
        };
    }
}
