package org.bochner.learn.ridge;

import org.bochner.learn.PathPoint;

/** Scores penalties: the smaller the score, the better the penalty. */
interface ValidationError {
    /** Scores a penalty. */
    PathPoint at(double lambda);

    /** What the score is, for people: "cross-validated error (5 folds)". */
    String name();
}
