package org.bochner.model;

/**
 * The interval of a predicted number: the actual number lies in it with the probability that was asked for. Both ends are
 * infinite if the model knows too few errors for the probability.
 *
 * @param prediction the predicted number
 * @param lower the lower end
 * @param upper the upper end
 */
public record PredictionInterval(double prediction, double lower, double upper) {
    /** Returns upper − lower. */
    public double width() {
        return upper - lower;
    }

    /** Returns true if a number lies in the interval or is one of its ends. */
    public boolean contains(double number) {
        return lower <= number && number <= upper;
    }
}
