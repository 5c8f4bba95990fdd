package org.bochner.model.evaluate;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A confusion table: the number of rows per actual and predicted class. Only pairs that occur are stored; a full table
 * of 10,000 classes would take 800 MB.
 */
public final class Confusion {
    private final int classes;
    /** The rows of actual·classes + predicted. */
    private final Map<Long, Long> pairs = new TreeMap<>();

    private final long[] actual;
    private final long[] predicted;

    public Confusion(int classes) {
        this.classes = classes;
        actual = new long[classes];
        predicted = new long[classes];
    }

    public int classes() {
        return classes;
    }

    public void add(int actualClass, int predictedClass) {
        actual[actualClass]++;
        predicted[predictedClass]++;
        pairs.merge((long) actualClass * classes + predictedClass, 1L, Long::sum);
    }

    public long count(int actualClass, int predictedClass) {
        return pairs.getOrDefault((long) actualClass * classes + predictedClass, 0L);
    }

    /** Receives the number of rows of a pair of classes. */
    public interface Pair {
        void accept(int actual, int predicted, long rows);
    }

    /** Passes on every pair that occurs, ordered by actual, then by predicted class. */
    public void forEach(Pair sink) {
        pairs.forEach((pair, rows) -> sink.accept((int) (pair / classes), (int) (pair % classes), rows));
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
        return count(label, label);
    }

    public long correct() {
        return IntStream.range(0, classes).mapToLong(this::correct).sum();
    }
}
