package org.bochner.map;

/**
 * Numbers on which a fitted map depends smoothly, while everything that was drawn at random stays: what kernel learning
 * moves.
 *
 * <p>A map of your own that has such numbers says so by {@link FeatureMap#parameters}; then they can be learned.
 *
 * <p>Threads: safe; immutable.
 */
public interface MapParameters {
    /** No parameters. */
    MapParameters NONE = new NoParameters();

    /** How many there are. */
    int count();

    /** Their values; a new array. Scales are zero or positive, frequencies any numbers. */
    double[] values();

    /** What a parameter acts on. */
    Scope scope(int parameter);

    /** The map with other values; it makes the same features in the same order. */
    FeatureMap with(double... values);

    /** A new sum, at zero, of derivatives by these parameters. */
    MapGradient gradient();

    /**
     * What a parameter acts on: columns of the rows, as one term of a sum of kernels sees them.
     *
     * @param term which term, counted from 0
     * @param from first column
     * @param to behind the last column
     */
    record Scope(int term, int from, int to) {}
}
