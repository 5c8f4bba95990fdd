package org.bochner.learn.ridge;

import java.util.function.DoubleFunction;
import java.util.function.DoubleSupplier;
import org.bochner.learn.PathPoint;
import org.jspecify.annotations.Nullable;

/**
 * An error by which penalties are compared; the smallest is the best.
 *
 * @param name the name of the method, such as "5-fold cross-validation"
 * @param at computes the error of a penalty
 * @param fine computes an error with less variance, at a higher cost, which decides between neighbours of the best
 *     penalty; null if {@code at} decides
 * @param lowest finds the penalty from which the {@link RidgeSearch} walks up; null if every penalty is possible
 */
record ValidationError(
        String name,
        DoubleFunction<PathPoint> at,
        @Nullable DoubleFunction<PathPoint> fine,
        @Nullable DoubleSupplier lowest) {
    ValidationError(String name, DoubleFunction<PathPoint> at) {
        this(name, at, null, null);
    }

    /** Returns the error on one held-out fold. */
    static ValidationError onOneFold(DoubleFunction<PathPoint> at) {
        return new ValidationError("the error on one held-out fold", at);
    }

    /** Returns the error on one held-out fold for the search, and that on all folds for the neighbours of its best. */
    static ValidationError refined(int folds, DoubleFunction<PathPoint> onOne, DoubleFunction<PathPoint> onAll) {
        return new ValidationError(
                PenaltyReason.crossValidation(folds) + ", after a search on one held-out fold", onOne, onAll, null);
    }

    /** Returns the error on one held-out fold, at no penalty below that of a sample of the features. */
    static ValidationError sampled(int folds, DoubleSupplier lowest, DoubleFunction<PathPoint> onOne) {
        String ofSample = folds == 1 ? "a search" : PenaltyReason.crossValidation(folds);
        return new ValidationError(
                "the error on one held-out fold, after " + ofSample + " with a sample of the features",
                onOne,
                null,
                lowest);
    }
}
