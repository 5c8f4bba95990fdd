package org.bochner.map;

import java.util.Arrays;
import java.util.List;
import org.bochner.data.RowBlock;

/**
 * Sums up derivatives of a function of features by the {@link MapParameters parameters} of their map: given the function's
 * derivatives by the features of each row, the cotangents, it adds Σⱼ cotangentⱼ·∂φⱼ(x)/∂p for every parameter p.
 *
 * <p>{@link #add(double[], double[])} is the definition; the block methods are the same sum, faster. A new map needs only
 * the definition.
 *
 * <p>Threads: not safe; every worker has its own, and {@linkplain #moveInto moves} it into a total.
 */
public interface MapGradient {
    /** How many features the map makes of a row. */
    int features();

    /** Adds one row, in float64. */
    void add(double[] x, double[] cotangent);

    /**
     * Adds a block of rows, in float32.
     *
     * @param features those that the map makes of the rows: feature j of row i at {@code [offset + i * stride + j]}
     * @param cotangents laid out in the same way
     */
    default void add(RowBlock rows, float[] features, float[] cotangents, int offset, int stride) {
        double[] x = new double[rows.columns()];
        double[] cotangent = new double[features()];
        for (int i = 0; i < rows.rows(); i++) {
            rows.copyRow(i, x);
            for (int j = 0; j < cotangent.length; j++) {
                cotangent[j] = cotangents[offset + i * stride + j];
            }
            add(x, cotangent);
        }
    }

    /** The same in float64. */
    default void add(RowBlock rows, double[] features, double[] cotangents, int offset, int stride) {
        double[] x = new double[rows.columns()];
        for (int i = 0; i < rows.rows(); i++) {
            rows.copyRow(i, x);
            int start = offset + i * stride;
            add(x, Arrays.copyOfRange(cotangents, start, start + features()));
        }
    }

    /** What it has summed up, in arrays of its own, to which the sums of its like may be added. */
    List<double[]> sums();

    /** The derivatives by the parameters; a new array. */
    double[] values();

    /** Adds its sums to those of another gradient of the same map, and starts anew. */
    default void moveInto(MapGradient total) {
        List<double[]> from = sums();
        List<double[]> to = total.sums();
        for (int a = 0; a < from.size(); a++) {
            double[] own = from.get(a);
            double[] other = to.get(a);
            for (int i = 0; i < own.length; i++) {
                other[i] += own[i];
            }
            Arrays.fill(own, 0);
        }
    }
}
