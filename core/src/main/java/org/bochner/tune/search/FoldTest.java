package org.bochner.tune.search;

import org.jspecify.annotations.Nullable;

/**
 * The test of a candidate on one fold.
 *
 * @param losses the losses of the held-out rows; those of no rows after a failure
 * @param seconds wall time of training and testing
 * @param failure why the candidate could not be trained; null if it was
 */
public record FoldTest(
        Losses losses, double seconds, @Nullable String failure) {}
