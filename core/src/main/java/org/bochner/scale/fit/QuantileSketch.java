package org.bochner.scale.fit;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.bochner.base.binary.Numbers;

/**
 * A sketch of the distribution of one column: values in ascending order, each with the weight of the rows that it stands
 * for. Up to {@value #MOST_EXACT} different values are kept as they are, and quantiles are then exact. Beyond that, neighbours
 * are merged to their weighted mean as in a merging t-digest (Dunning and Ertl 2019): an entry that starts at the level q may
 * grow as long as k(q) = δ/(2π)·arcsin(2q − 1) rises by at most 1. Entries in the middle of the distribution then have at most
 * the share π/δ of the weight, entries near its ends far less. The smallest and the largest value stay entries of their own.
 *
 * <p>The sketch depends on the blocks and the order in which they are merged, and on no random number.
 *
 * <p>Memory: 17 bytes per entry. Threads: not safe.
 */
public final class QuantileSketch {
    /** The largest number of different values that are kept as they are. */
    static final int MOST_EXACT = 2048;

    /** δ of a sketch that must merge values: at most 1,000 entries remain, usually 500. */
    static final double DELTA = 1000;

    /** Bytes per entry of a sketch. */
    private static final int ENTRY_BYTES = 17;

    /** The bytes of a sketch without entries: the object and the headers of its arrays. */
    private static final int EMPTY_BYTES = 100;

    /** The entries of the first arrays. */
    private static final int LEAST_CAPACITY = 16;

    private double[] values;
    private double[] weights;
    /** True if all rows of an entry have its value; false if the value is a mean of different ones. */
    private boolean[] pure;

    private int size;
    private double total;

    public QuantileSketch() {
        this(0);
    }

    private QuantileSketch(int capacity) {
        values = new double[capacity];
        weights = new double[capacity];
        pure = new boolean[capacity];
    }

    /** Returns the largest number of bytes of a sketch to which some values were appended. */
    static double bytesNeeded(int values) {
        double capacity = LEAST_CAPACITY;
        while (capacity < values) {
            capacity *= 2;
        }
        return EMPTY_BYTES + ENTRY_BYTES * capacity;
    }

    /** Writes the sketch as bytes, which {@link #read} reads. */
    void write(DataOutput to) throws IOException {
        to.writeDouble(total);
        Numbers.write(values, 0, size, to);
        Numbers.write(weights, 0, size, to);
        for (int i = 0; i < size; i++) {
            to.writeBoolean(pure[i]);
        }
    }

    /** Replaces the values by written ones. */
    void read(DataInput from) throws IOException {
        total = from.readDouble();
        values = Numbers.readDoubles(from);
        weights = Numbers.readDoubles(from);
        size = values.length;
        pure = new boolean[size];
        for (int i = 0; i < size; i++) {
            pure[i] = from.readBoolean();
        }
    }

    /** Removes all values. */
    void clear() {
        size = 0;
        total = 0;
    }

    /** Adds rows with a value that is at least as large as all before it. Rows of weight 0 do not count. */
    public void append(double value, double weight) {
        if (weight > 0) {
            append(value, weight, true);
        }
    }

    private void append(double value, double weight, boolean single) {
        total += weight;
        if (size > 0 && values[size - 1] == value && pure[size - 1] == single) {
            weights[size - 1] += weight;
            return;
        }
        if (size == values.length) {
            int capacity = Math.max(LEAST_CAPACITY, 2 * size);
            values = Arrays.copyOf(values, capacity);
            weights = Arrays.copyOf(weights, capacity);
            pure = Arrays.copyOf(pure, capacity);
        }
        values[size] = value;
        weights[size] = weight;
        pure[size++] = single;
    }

    /** Adds the values of another sketch, which is not changed. */
    public void merge(QuantileSketch other) {
        if (other.size == 0) {
            return;
        }
        QuantileSketch merged = new QuantileSketch(size + other.size);
        int i = 0;
        for (int j = 0; j < other.size; j++) {
            for (; i < size && values[i] <= other.values[j]; i++) {
                merged.append(values[i], weights[i], pure[i]);
            }
            merged.append(other.values[j], other.weights[j], other.pure[j]);
        }
        for (; i < size; i++) {
            merged.append(values[i], weights[i], pure[i]);
        }
        take(merged);
        bound();
    }

    /** Merges neighbours if there are too many entries. */
    void bound() {
        if (size > MOST_EXACT) {
            take(merged(DELTA));
        }
    }

    private void take(QuantileSketch other) {
        values = other.values;
        weights = other.weights;
        pure = other.pure;
        size = other.size;
        total = other.total;
    }

    /** Returns a sketch with at most δ entries, about. */
    private QuantileSketch merged(double delta) {
        QuantileSketch to = new QuantileSketch(Math.min(size, (int) delta + 3));
        to.append(values[0], weights[0], pure[0]);
        double done = weights[0];
        int i = 1;
        while (i < size - 1) {
            double limit = end(done / total, delta) * total;
            double value = values[i];
            double weight = weights[i];
            boolean single = pure[i];
            for (i++; i < size - 1 && done + weight + weights[i] <= limit; i++) {
                single &= pure[i] && values[i] == value;
                weight += weights[i];
                value += (values[i] - value) * (weights[i] / weight);
            }
            to.append(value, weight, single);
            done += weight;
        }
        to.append(values[i], weights[i], pure[i]);
        to.total = total;
        return to;
    }

    /** Returns the level at which an entry ends that starts at the level q: k rises by 1. */
    private static double end(double q, double delta) {
        double angle = StrictMath.asin(Math.max(-1, Math.min(1, 2 * q - 1))) + 2 * Math.PI / delta;
        return angle >= Math.PI / 2 ? 1 : (StrictMath.sin(angle) + 1) / 2;
    }

    /**
     * Returns a quantile, interpolated linearly between the values at the ranks 0 to n − 1, as NumPy does: the rank is
     * q·(n − 1). A value of weight w has w ranks. An entry that stands for different values has their middle rank.
     *
     * @param q the level, between 0 and 1
     */
    public double quantile(double q) {
        double rank = q * (total - weights[size - 1] + lastRank(size - 1));
        double before = 0;
        double previousRank = 0;
        for (int i = 0; i < size; i++) {
            double last = before + lastRank(i);
            if (rank <= last || i == size - 1) {
                double first = pure[i] ? before : last;
                boolean between = i > 0 && rank < first;
                return between
                        ? values[i - 1] + (values[i] - values[i - 1]) * ((rank - previousRank) / (first - previousRank))
                        : values[i];
            }
            previousRank = last;
            before += weights[i];
        }
        throw new IllegalStateException("a sketch without values has no quantiles");
    }

    /** Returns the last rank of an entry, counted from the first rank of its rows. */
    private double lastRank(int i) {
        double ranks = Math.max(weights[i] - 1, 0);
        return pure[i] ? ranks : ranks / 2;
    }

    /**
     * The distribution function at a few values.
     *
     * @param values ascending
     * @param levels the share of the weight below each value, plus half the share of the rows with this value
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Levels(double[] values, double[] levels) {}

    /** Returns the levels of at most about {@code most} values, which are denser near the ends of the distribution. */
    public Levels levels(int most) {
        QuantileSketch few = size <= most ? this : merged(most);
        double[] knots = new double[few.size];
        double[] levels = new double[few.size];
        int count = 0;
        double before = 0;
        double start = 0;
        for (int i = 0; i < few.size; i++) {
            // A mean may be equal to the value beside it.
            if (i == 0 || few.values[i] > knots[count - 1]) {
                count++;
                start = before;
            }
            before += few.weights[i];
            knots[count - 1] = few.values[i];
            levels[count - 1] = (start + before) / 2 / total;
        }
        return new Levels(Arrays.copyOf(knots, count), Arrays.copyOf(levels, count));
    }
}
