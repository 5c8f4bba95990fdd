package org.bochner.stats;

/** Features of which some are kept in memory; the others are computed again in every pass. */
public interface StoredFeatures extends FeatureSource, AutoCloseable {
    /**
     * Maps all rows once, in this process or where they lie.
     *
     * @param budget the bytes that features may take in this process; features beyond it are mapped again in every pass. Other
     *     processes keep features in half of their heap
     */
    static StoredFeatures map(MappedSource mapped, long budget, FeatureStore.Listener listener) {
        return mapped.source().parted().isPresent()
                ? PartedFeatures.map(mapped)
                : FeatureStore.map(mapped, budget, listener);
    }

    /** Returns the number of rows whose features are in memory. */
    long heldRows();

    /** Returns the bytes of the features in the memory of this process. */
    long heldBytes();

    /** Returns the time spent in the feature map in this process, summed over the threads and over all passes. */
    long mapNanos();

    /** Forgets the features. */
    @Override
    void close();
}
