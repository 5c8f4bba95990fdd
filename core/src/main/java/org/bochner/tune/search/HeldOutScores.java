package org.bochner.tune.search;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The scores of the held-out rows of tests, for averages of machines. If they take too much memory, those of later tests are
 * not kept; who needs them repeats the test. Threads: not safe.
 */
public final class HeldOutScores {
    /** Scores take at most this share of the heap. */
    private static final int HEAP_SHARE = 8;

    private record Key(Candidate candidate, long rows, int fold) {}

    private final Map<Key, float[]> kept = new HashMap<>();
    private long left = Runtime.getRuntime().maxMemory() / HEAP_SHARE;

    /** Returns the scores of the held-out rows of a test, rows×outputs; null if they are not known. */
    public float @Nullable [] get(Candidate candidate, Rung rung, int fold) {
        return kept.get(new Key(candidate, rung.rows(), fold));
    }

    /** Keeps the scores of a test, if there is room. */
    public void keep(Candidate candidate, Rung rung, int fold, Collected scores) {
        long bytes = (long) Float.BYTES * scores.size;
        if (bytes <= left && kept.put(new Key(candidate, rung.rows(), fold), scores.values()) == null) {
            left -= bytes;
        }
    }

    /** Scores that are collected block by block. */
    public static final class Collected {
        private float[] all = new float[1024];
        private int size;

        /**
         * Adds the scores of a block.
         *
         * @param scores an array that starts with them
         * @param count the number of rows times the number of outputs
         */
        public void add(double[] scores, int count) {
            if (size + count > all.length) {
                all = Arrays.copyOf(all, Math.max(size + count, 2 * all.length));
            }
            for (int i = 0; i < count; i++) {
                all[size++] = (float) scores[i];
            }
        }

        float[] values() {
            return Arrays.copyOf(all, size);
        }
    }
}
