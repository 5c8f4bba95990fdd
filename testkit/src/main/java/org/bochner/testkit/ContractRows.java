package org.bochner.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.map.FeatureMap;

/** Rows, features and comparisons that the contracts of maps share. */
final class ContractRows {
    private ContractRows() {}

    /** Returns the largest √k(x, x) of the rows, the length of the longest feature vector. */
    static double longest(FeatureMap map, double[][] rows) {
        return Arrays.stream(rows)
                .mapToDouble(row -> Math.sqrt(map.kernel().value(row, row)))
                .max()
                .orElseThrow();
    }

    /** Returns the float64 features of every row, whitened, so that their inner products approximate the kernel. */
    static double[][] features(FeatureMap map, double[][] rows) {
        double[][] features = new double[rows.length][map.outputDimension()];
        for (int i = 0; i < rows.length; i++) {
            map.apply(rows[i], features[i]);
            map.whiten(features[i], 0);
        }
        return features;
    }

    /** Returns the float32 features of a block, row by row. */
    static float[] floatFeatures(FeatureMap map, RowBlock rows) {
        float[] features = new float[rows.rows() * map.outputDimension()];
        map.apply(rows, features, 0, map.outputDimension());
        return features;
    }

    /** Returns the rows as a dense block. */
    static DenseRows dense(double[][] rows) {
        return dense(rows, rows[0].length);
    }

    static DenseRows dense(double[][] rows, int columns) {
        float[] values = new float[rows.length * columns];
        for (int k = 0; k < values.length; k++) {
            values[k] = (float) rows[k / columns][k % columns];
        }
        return DenseRows.of(rows.length, columns, values);
    }

    /** Returns the rows as a sparse block that stores the non-zeros only. */
    static SparseRows sparse(double[][] rows) {
        int columns = rows[0].length;
        int[] starts = new int[rows.length + 1];
        int[] indices = new int[rows.length * columns];
        float[] values = new float[rows.length * columns];
        int entries = 0;
        for (int i = 0; i < rows.length; i++) {
            for (int l = 0; l < columns; l++) {
                if (rows[i][l] != 0) {
                    indices[entries] = l;
                    values[entries++] = (float) rows[i][l];
                }
            }
            starts[i + 1] = entries;
        }
        return SparseRows.of(rows.length, columns, starts, indices, values);
    }

    /** Returns the inner product of two vectors. */
    static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int j = 0; j < a.length; j++) {
            sum += a[j] * b[j];
        }
        return sum;
    }

    /** Returns the Euclidean length of a vector. */
    static double length(double[] a) {
        return Math.sqrt(dot(a, a));
    }

    static void assertClose(float[] expected, float[] actual, double tolerance, int features) {
        assertEquals(expected.length, actual.length);
        for (int k = 0; k < expected.length; k++) {
            assertNear(expected[k], actual[k], tolerance, k / features, k % features);
        }
    }

    /** Builds the message only on failure, because there are millions of features to compare. */
    static void assertNear(double expected, double actual, double tolerance, int row, int feature) {
        if (!(Math.abs(expected - actual) <= tolerance)) {
            assertEquals(expected, actual, tolerance, "row " + row + ", feature " + feature);
        }
    }
}
