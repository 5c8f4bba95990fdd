package org.bochner.model;

/** Hears how a long run goes on. Called from one thread at a time. */
@FunctionalInterface
public interface Progress {
    /** Nobody listens. */
    Progress NONE = (stage, rows, fraction) -> {};

    /**
     * Some rows were done.
     *
     * @param stage what is being done, in a few words: "mapping"
     * @param rows rows done so far
     * @param fraction of the work, between 0 and 1; NaN where it is not known
     */
    void report(String stage, long rows, double fraction);
}
