package org.bochner.model.evaluate;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * A confusion table: the number of rows per actual and predicted class. With more than a thousand classes, only pairs
 * that occur are stored; a full table of 10,000 classes would take 800 MB.
 */
public final class Confusion {
    private static final int LARGEST_TABLE = 1 << 20;

    private final int classes;
    private final long[] table;
    private final Map<Long, Long> pairs = new HashMap<>();
    private final long[] actual;
    private final long[] predicted;
    private final long[] correct;

    public Confusion(int classes) {
        this.classes = classes;
        table = (long) classes * classes <= LARGEST_TABLE ? new long[classes * classes] : new long[0];
        actual = new long[classes];
        predicted = new long[classes];
        correct = new long[classes];
    }

    public int classes() {
        return classes;
    }

    public void add(int actualClass, int predictedClass) {
        actual[actualClass]++;
        predicted[predictedClass]++;
        correct[actualClass] += actualClass == predictedClass ? 1 : 0;
        if (table.length > 0) {
            table[actualClass * classes + predictedClass]++;
        } else {
            pairs.merge((long) actualClass * classes + predictedClass, 1L, Long::sum);
        }
    }

    public long count(int actualClass, int predictedClass) {
        return table.length > 0
                ? table[actualClass * classes + predictedClass]
                : pairs.getOrDefault((long) actualClass * classes + predictedClass, 0L);
    }

    /** Receives the number of rows of a pair of classes. */
    public interface Pair {
        void accept(int actual, int predicted, long rows);
    }

    /** Passes on every pair that occurs, ordered by actual, then by predicted class. */
    public void forEach(Pair sink) {
        if (table.length == 0) {
            new TreeMap<>(pairs)
                    .forEach((pair, rows) -> sink.accept((int) (pair / classes), (int) (pair % classes), rows));
        }
        for (int i = 0; i < table.length; i++) {
            if (table[i] > 0) {
                sink.accept(i / classes, i % classes, table[i]);
            }
        }
    }

    /** Returns the number of rows of a class. */
    public long actual(int label) {
        return actual[label];
    }

    /** Returns the number of rows predicted as a class. */
    public long predicted(int label) {
        return predicted[label];
    }

    /** Returns the number of rows of a class that were predicted correctly. */
    public long correct(int label) {
        return correct[label];
    }

    public long correct() {
        return Arrays.stream(correct).sum();
    }
}
