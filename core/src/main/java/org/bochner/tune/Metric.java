package org.bochner.tune;

import org.bochner.map.FeatureMap;
import org.bochner.model.Transformer;

/** A form of the metric of a kernel that average gradient outer products determine: one scale per column, or a matrix. */
interface Metric {
    /** Returns the metric of the initial kernel. */
    double[] initial();

    /** Returns the trace of an average gradient outer product in the form that {@link #of} takes. */
    double trace(double[] average);

    /**
     * Returns the metric of an average gradient outer product, scaled to the size of the initial one. Small entries are
     * raised, so that no column is lost unless its gradient is 0.
     *
     * @param average the average, with a positive finite trace; may be changed
     */
    double[] of(double[] average);

    /** Returns true if steps beyond a metric, or a part of the way to it, can be taken. */
    boolean takesSteps();

    /**
     * Returns the metric on the line from one to another, in logarithms of scales.
     *
     * @param step 0 for the first, 1 for the second, 2 for one that is as far beyond it
     * @throws UnsupportedOperationException if {@link #takesSteps} is false
     */
    double[] step(double[] from, double[] to, double step);

    /**
     * Returns a map with a metric.
     *
     * @param map the initial map, or some of its features
     * @param factor the factor of all frequency scales
     */
    FeatureMap map(FeatureMap map, double[] metric, double factor);

    /** Returns the initial transformer with a metric. */
    Transformer transformer(double[] metric, double factor);
}
