package org.bochner.learn;

/** Scores penalties: the smaller the score, the better the penalty. */
interface PenaltyScore {
    /** Scores a penalty. */
    PathPoint at(double lambda);

    /** The standard error of the difference between two scores; 0 where it is not known. */
    double errorOfDifference(PathPoint one, PathPoint other);

    /** What the score is, for people: "cross-validated error (5 folds)". */
    String name();
}
