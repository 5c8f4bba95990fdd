package org.bochner.learn.ridge;

import org.bochner.learn.PathPoint;

/** An error by which penalties are compared; the smallest is the best. */
interface ValidationError {
    /** Returns the error of a penalty. */
    PathPoint at(double lambda);

    /** Returns the display name, such as "cross-validated error (5 folds)". */
    String name();
}
