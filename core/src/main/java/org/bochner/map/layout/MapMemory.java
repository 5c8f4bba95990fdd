package org.bochner.map.layout;

import java.util.Locale;
import org.bochner.base.BochnerException;

/** Says how much memory a map needs before anything is allocated. */
public final class MapMemory {
    /** The longest array every JVM can make. */
    private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    private MapMemory() {}

    /** columns · frequencies, as the length of an array; fails where no array is so long. */
    public static int size(String owner, int columns, int frequencies) {
        long size = (long) columns * frequencies;
        if (size > LONGEST_ARRAY) {
            throw new BochnerException(owner + ": " + frequencies + " frequencies of " + columns + " columns need "
                    + print(8.0 * size) + ", more than the 2^31 numbers an array can hold; at most "
                    + LONGEST_ARRAY / columns + " fit: take fewer features, or structured");
        }
        return (int) size;
    }

    /** A number of features, or of their values, as the length of an array; fails, naming them, where no array is so long. */
    public static int length(String owner, String what, long count) {
        if (count > LONGEST_ARRAY) {
            throw new BochnerException(owner + ": " + what + " are " + count
                    + " numbers, more than the 2^31 an array can hold; take a map that makes fewer of a column");
        }
        return (int) count;
    }

    /** Fails, saying how much is needed, if the Java heap can never hold it. */
    public static void check(String owner, String what, double bytes) {
        double heap = Runtime.getRuntime().maxMemory();
        if (!(bytes < heap)) {
            throw new BochnerException(owner + ": " + what + " need " + print(bytes) + " of memory, the Java heap has "
                    + print(heap) + "; take fewer features, or give it more (-Xmx)");
        }
    }

    /** Fails, saying how much frequencies need and how many fit, if the Java heap can never hold them. */
    public static void checkFrequencies(String owner, int columns, int frequencies, double bytes) {
        double heap = Runtime.getRuntime().maxMemory();
        if (!(bytes < heap)) {
            throw new BochnerException(String.format(
                    Locale.ROOT,
                    "%s: %d frequencies of %d columns need %s of memory, the Java heap has %s; at most %.0f fit: take"
                            + " fewer features, or give it more (-Xmx)",
                    owner,
                    frequencies,
                    columns,
                    print(bytes),
                    print(heap),
                    Math.floor(frequencies * (heap / bytes))));
        }
    }

    private static String print(double bytes) {
        return bytes < 1e9
                ? String.format(Locale.ROOT, "%.0f MB", bytes / 1e6)
                : String.format(Locale.ROOT, "%.1f GB", bytes / 1e9);
    }
}
