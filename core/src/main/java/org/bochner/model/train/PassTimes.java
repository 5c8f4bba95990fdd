package org.bochner.model.train;

/** The time that passes over the rows took, in nanoseconds, summed over the threads. */
final class PassTimes {
    /** The time spent in the feature map. */
    long mapNanos;

    /** The time spent in products of features. */
    long productNanos;
}
