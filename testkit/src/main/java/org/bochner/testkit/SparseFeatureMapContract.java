package org.bochner.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.map.FeatureMap;
import org.junit.jupiter.api.Test;

/**
 * What maps that {@linkplain FeatureMap#keepsSparsity keep sparsity}, such as those of additive kernels, keep beyond
 * {@link FeatureMapContract}: zeros have no features, non-zeros of any magnitude have.
 */
public interface SparseFeatureMapContract extends FeatureMapContract {
    /** How many features a single non-zero has at most; by default as many as there are for every column. */
    default int featuresPerNonZero() {
        return map().outputDimension() / map().inputDimension();
    }

    /** Values, which float32 holds exactly, that the map must not clip. Maps of a stated range say those inside it. */
    default float[] magnitudes() {
        return new float[] {1e-30f, 1e-6f, 1, 255, 256, 1e6f, 1e30f};
    }

    @Test
    default void saysThatItKeepsSparsity() {
        assertTrue(map().keepsSparsity());
    }

    @Test
    default void rowOfZerosHasNoFeatures() {
        FeatureMap map = map();
        int features = map.outputDimension();
        double[][] rows = new double[2][map.inputDimension()];
        rows[1][0] = -0.0;
        double[] single = new double[features];
        Arrays.fill(single, 1);
        map.apply(rows[0], single);
        assertZeros(single);
        for (RowBlock block : new RowBlock[] {ContractRows.dense(rows), ContractRows.sparse(rows)}) {
            float[] floats = new float[2 * features];
            double[] doubles = new double[2 * features];
            Arrays.fill(floats, 1);
            Arrays.fill(doubles, 1);
            map.apply(block, floats, 0, features);
            map.apply(block, doubles, 0, features);
            for (float feature : floats) {
                assertEquals(0, Math.abs(feature));
            }
            assertZeros(doubles);
        }
        assertEquals(0, map.apply(ContractRows.sparse(rows)).entries());
    }

    private static void assertZeros(double[] features) {
        for (double feature : features) {
            assertEquals(0, Math.abs(feature));
        }
    }

    @Test
    default void sparseFeaturesAreTheDenseOnes() {
        FeatureMap map = map();
        double[][] rows = samples(map.inputDimension());
        SparseRows sparse = map.apply(ContractRows.sparse(rows));
        assertEquals(rows.length, sparse.rows());
        assertEquals(map.outputDimension(), sparse.columns());
        float[] dense = ContractRows.floatFeatures(map, ContractRows.dense(rows));
        double[] features = new double[map.outputDimension()];
        for (int i = 0; i < rows.length; i++) {
            sparse.copyRow(i, features);
            double tolerance = 2 * floatTolerance() * ContractRows.length(features);
            for (int j = 0; j < features.length; j++) {
                assertEquals(dense[i * features.length + j], features[j], tolerance, "row " + i + ", feature " + j);
            }
        }
    }

    @Test
    default void sparseFeaturesAscendWithinARow() {
        FeatureMap map = map();
        SparseRows sparse = map.apply(ContractRows.sparse(samples(map.inputDimension())));
        for (int i = 0; i < sparse.rows(); i++) {
            for (int e = sparse.starts()[i] + 1; e < sparse.starts()[i + 1]; e++) {
                assertTrue(sparse.indices()[e] > sparse.indices()[e - 1], "row " + i + ", entry " + e);
            }
        }
    }

    @Test
    default void onlyNonZerosCost() {
        FeatureMap map = map();
        for (double[] row : samples(map.inputDimension())) {
            SparseRows sparse = ContractRows.sparse(new double[][] {row});
            int entries = map.apply(sparse).entries();
            int most = featuresPerNonZero() * sparse.entries();
            assertTrue(entries <= most, sparse.entries() + " non-zeros have " + entries + " features");
        }
    }

    @Test
    default void storedZerosAreZeros() {
        FeatureMap map = map();
        int columns = map.inputDimension();
        int[] indices = new int[columns];
        Arrays.setAll(indices, l -> l);
        float[] values = new float[columns];
        values[columns - 1] = 0.5f;
        double[] row = new double[columns];
        row[columns - 1] = 0.5;
        float[] stored =
                ContractRows.floatFeatures(map, SparseRows.of(1, columns, new int[] {0, columns}, indices, values));
        float[] absent = ContractRows.floatFeatures(map, ContractRows.sparse(new double[][] {row}));
        assertArrayEquals(absent, stored, 0);
    }

    @Test
    default void valuesOfAnyMagnitudeHaveTheirFeatures() {
        FeatureMap map = map();
        int columns = map.inputDimension();
        for (float magnitude : magnitudes()) {
            double[][] rows = new double[2][columns];
            Arrays.fill(rows[0], magnitude);
            Arrays.fill(rows[1], magnitude / 2);
            double[][] features = ContractRows.features(map, rows);
            float[] block = ContractRows.floatFeatures(map, ContractRows.dense(rows));
            float[] sparse = ContractRows.floatFeatures(map, ContractRows.sparse(rows));
            for (int i = 0; i < 2; i++) {
                double[] single = new double[map.outputDimension()];
                map.apply(rows[i], single);
                double length = ContractRows.length(single);
                assertTrue(
                        length > 0 && length < Double.POSITIVE_INFINITY,
                        magnitude + " has features of length " + length);
                double tolerance = floatTolerance() * length;
                for (int j = 0; j < single.length; j++) {
                    int k = i * single.length + j;
                    assertEquals(single[j], block[k], tolerance, magnitude + ", feature " + j);
                    assertEquals(single[j], sparse[k], tolerance, magnitude + ", feature " + j);
                }
            }
            assertEquals(
                    map.kernel().value(rows[0], rows[1]),
                    ContractRows.dot(features[0], features[1]),
                    kernelTolerance(rows[0], rows[1], 1),
                    magnitude + " and half of it");
        }
    }
}
