package org.bochner.tune.scales;

/** The kinds of criteria that kernel learning minimises. */
public enum CriterionKind {
    /** The penalised training objective; the penalty must be given. */
    TRAIN("train"),
    /** The error on held-out rows. */
    VALIDATION("validation"),
    /** The error of cross-validation. */
    CROSS_VALIDATION("cv"),
    /** The training error, corrected by the degrees of freedom. */
    GCV("gcv"),
    /** The error on each row when all other rows are used for training. */
    LEAVE_ONE_OUT("loo"),
    /** The marginal likelihood of a Gaussian process. */
    EVIDENCE("evidence");

    private final String spelling;

    CriterionKind(String spelling) {
        this.spelling = spelling;
    }

    /** Returns the spelling. */
    @Override
    public String toString() {
        return spelling;
    }
}
