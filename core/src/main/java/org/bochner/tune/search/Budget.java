package org.bochner.tune.search;

import java.util.function.LongSupplier;

/**
 * The time of a search.
 *
 * <p>Threads: safe.
 */
public final class Budget {
    private final LongSupplier nanos;
    private final long start;
    private final double seconds;
    private volatile double testsEnd = Double.POSITIVE_INFINITY;

    /**
     * Starts the time.
     *
     * @param nanos a clock in nanoseconds
     * @param seconds the seconds from now on until the final model is trained; infinite for no limit
     */
    public Budget(LongSupplier nanos, double seconds) {
        this.nanos = nanos;
        this.seconds = seconds;
        start = nanos.getAsLong();
    }

    boolean limited() {
        return seconds < Double.POSITIVE_INFINITY;
    }

    /** Returns the seconds of the budget. */
    public double seconds() {
        return seconds;
    }

    /** Returns the seconds since the start. */
    public double elapsed() {
        return (nanos.getAsLong() - start) * 1e-9;
    }

    /** Sets when the current test must end at the latest. */
    public void endTestsAt(double end) {
        testsEnd = end;
    }

    /** Returns true if the current test must stop, because training the final model needs the rest of the time. */
    public boolean overdue() {
        return elapsed() > testsEnd;
    }
}
