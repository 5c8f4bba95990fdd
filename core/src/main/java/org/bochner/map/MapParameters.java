package org.bochner.map;

import java.util.List;
import org.bochner.map.composed.ConcatenatedParameters;

/**
 * The numbers of a fitted map that kernel learning may change. The map depends on them smoothly, and keeps everything
 * that was drawn at random.
 *
 * <p>A map of your own returns its parameters from {@link FeatureMap#parameters}.
 *
 * <p>Threads: safe; immutable.
 */
public interface MapParameters {
    /** No parameters. */
    MapParameters NONE = new ConcatenatedParameters(List.of(), ParameterKind.SCALES);

    /** Returns the number of parameters. */
    int count();

    /** Returns the values; a new array. Scales are zero or positive, frequencies are any numbers. */
    double[] values();

    /** Returns the term and the columns that a parameter acts on. */
    Scope scope(int parameter);

    /** Returns the map with other values. It makes the same features in the same order. */
    FeatureMap with(double... values);

    /** Returns a new gradient with respect to these parameters, which starts at zero. */
    MapGradient gradient();

    /**
     * The columns that a parameter acts on, in one term of a sum of kernels.
     *
     * @param term the term, counted from 0
     * @param from the first column
     * @param to the column after the last
     */
    record Scope(int term, int from, int to) {}
}
