package org.bochner.map;

import java.util.Arrays;
import java.util.List;
import org.bochner.data.RowBlock;
import org.bochner.numeric.optimise.Vectors;

/**
 * The gradient of a function of features with respect to the {@link MapParameters parameters} of their map. Given the
 * derivatives of the function with respect to the features of each row, the cotangents, it sums up Σⱼ
 * cotangentⱼ·∂φⱼ(x)/∂p for every parameter p.
 *
 * <p>{@link #add(double[], double[])} defines the sum; the block methods compute it faster. A map of your own needs
 * only the definition.
 *
 * <p>Threads: not safe. Each worker has its own gradient, and {@linkplain #moveInto moves} it into a total.
 */
public interface MapGradient {
    /** Returns the number of features of the map. */
    int features();

    /** Adds one row in float64. */
    void add(double[] x, double[] cotangent);

    /**
     * Adds a block of rows in float32.
     *
     * @param features the features of the rows: feature j of row i at {@code [offset + i * stride + j]}
     * @param cotangents the cotangents, laid out as the features are
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

    /** Adds a block of rows in float64, with the layout of the float32 method. */
    default void add(RowBlock rows, double[] features, double[] cotangents, int offset, int stride) {
        double[] x = new double[rows.columns()];
        for (int i = 0; i < rows.rows(); i++) {
            rows.copyRow(i, x);
            int start = offset + i * stride;
            add(x, Arrays.copyOfRange(cotangents, start, start + features()));
        }
    }

    /** Returns the arrays that hold the sums. Sums of another gradient of the map may be added to them. */
    List<double[]> sums();

    /** Returns the derivatives with respect to the parameters; a new array. */
    double[] values();

    /** Adds the sums to those of another gradient of the same map, and sets them to zero. */
    default void moveInto(MapGradient total) {
        List<double[]> from = sums();
        List<double[]> to = total.sums();
        for (int a = 0; a < from.size(); a++) {
            Vectors.move(from.get(a), to.get(a));
        }
    }
}
