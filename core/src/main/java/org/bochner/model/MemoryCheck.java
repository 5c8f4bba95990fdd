package org.bochner.model;

import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import org.bochner.base.BochnerException;
import org.bochner.map.MapRecipe;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.stats.FeatureStore;
import org.bochner.stats.GramAccumulator;

/**
 * Whether what a fit needs is less than what this process may use, asked before it is taken.
 *
 * @param map the map, whose own memory counts
 * @param columns of the rows
 * @param targets of the rows
 */
record MemoryCheck(MapRecipe map, int columns, int targets, Workers workers) {
    /** The share of the process's memory that may be asked for. */
    static final double SHARE = 0.95;

    /**
     * The memory that statistics of so many features and a ridge solution need; fails where there is less.
     *
     * @param otherwise what the failure says of another way to learn, in parentheses after a space, or nothing
     */
    long requireStatistics(int features, Precision used, String otherwise) {
        double needed = statistics(features, used);
        double allowed = Runtime.getRuntime().maxMemory();
        if (needed > SHARE * allowed) {
            int low = mostFeatures(features, fewer -> statistics(fewer, used));
            throw new BochnerException(String.format(
                    Locale.ROOT,
                    "%d features need %s of memory%s, and this process may use %s; %s give the JVM more"
                            + " memory (-Xmx, which BOCHNER_OPTS passes on)",
                    features,
                    gigabytes(needed),
                    otherwise,
                    gigabytes(allowed),
                    low < 2
                            ? "so wide rows need another map, or"
                            : "use at most " + low / 2 * 2 + " features, ridge(solver=cg), or"));
        }
        return (long) needed;
    }

    /** Fails where a learner that goes over the rows again could not even map them. */
    void requireMapping(int features, Precision used) {
        requireMapping(
                features,
                fewer -> FeatureStore.bytesNeeded(fewer, workers.threads(), used) + map.bytesNeeded(columns, fewer));
    }

    /** Fails where features need more memory to be mapped than the process may use. */
    static void requireMapping(int features, IntToDoubleFunction bytes) {
        double allowed = Runtime.getRuntime().maxMemory();
        double needed = bytes.applyAsDouble(features);
        if (needed > SHARE * allowed) {
            throw new BochnerException(String.format(
                    Locale.ROOT,
                    "%d features need %s of memory to be mapped at all, and this process may use %s; use at most %d"
                            + " features, or give the JVM more memory (-Xmx, which BOCHNER_OPTS passes on)",
                    features,
                    gigabytes(needed),
                    gigabytes(allowed),
                    mostFeatures(features, bytes) / 2 * 2));
        }
    }

    /** The largest number of features, below one that is too large, that fits the memory of this process. */
    private static int mostFeatures(int tooMany, IntToDoubleFunction bytes) {
        double allowed = SHARE * Runtime.getRuntime().maxMemory();
        int low = 0;
        int high = tooMany;
        while (low + 1 < high) {
            int middle = (low + high) >>> 1;
            if (bytes.applyAsDouble(middle) > allowed) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return low;
    }

    /** Fails where something needs more than the process may use. */
    static void require(long needed, String what) {
        long allowed = Runtime.getRuntime().maxMemory();
        if (needed > SHARE * allowed) {
            throw new BochnerException(what + " need " + gigabytes(needed) + " of memory, and this process may use "
                    + gigabytes(allowed) + "; use fewer features, or give the JVM more memory (-Xmx, which BOCHNER_OPTS"
                    + " passes on)");
        }
    }

    private double statistics(int features, Precision used) {
        return GramAccumulator.bytes(features, targets, workers.threads(), used) + map.bytesNeeded(columns, features);
    }

    static String gigabytes(long bytes) {
        return gigabytes((double) bytes);
    }

    private static String gigabytes(double bytes) {
        return String.format(Locale.ROOT, bytes < 1e12 ? "%.2f GB" : "%,.0f GB", bytes * 1e-9);
    }
}
