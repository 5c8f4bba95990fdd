package org.bochner.stats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.State;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.junit.jupiter.api.Test;

class PackedFeaturesTest {
    private static final int ROWS = 2500;
    /** So many that a tile has neither 16 rows nor a whole share of a chunk. */
    private static final int COLUMNS = 1234;

    private final float[] values = new float[ROWS * COLUMNS];

    PackedFeaturesTest() {
        RandomStream stream = new Seed(1).stream();
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) stream.nextGaussian();
        }
    }

    private MemorySource source() {
        double[] targets = new double[2 * ROWS];
        double[] weights = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            targets[2 * i] = i;
            targets[2 * i + 1] = -i;
            weights[i] = 1 + i % 3;
        }
        return MemorySource.of(COLUMNS, values)
                .withTargets(List.of("a", "b"), targets)
                .withRowWeights(weights);
    }

    private static PackedFeatures pack(RowSource rows, FeatureMap map, int threads) {
        return PackedFeatures.map(
                new MappedSource(
                        rows,
                        Scalings.identity(rows.columns()),
                        map,
                        ClassWeights.none(),
                        Precision.FLOAT32,
                        new Workers(threads)),
                (count, fraction) -> {});
    }

    private PackedFeatures packed(int threads) {
        return pack(source(), Fixtures.identity(COLUMNS), threads);
    }

    @Test
    void featuresAreWithinHalfAStepAndLabelsAreTheSame() {
        PackedFeatures packed = packed(2);
        int[] seen = {0};
        packed.inOrder(tile -> {
            assertEquals(seen[0], tile.firstRow());
            for (int i = 0; i < tile.rows(); i++) {
                int row = seen[0] + i;
                assertEquals(row, tile.target(i, 0));
                assertEquals(-row, tile.target(i, 1));
                assertEquals(1 + row % 3, tile.rowWeight(i));
                double[] features = new double[COLUMNS];
                tile.addRow(i, 1, features);
                double largest = 0;
                for (int j = 0; j < COLUMNS; j++) {
                    largest = Math.max(largest, Math.abs(values[row * COLUMNS + j]));
                }
                for (int j = 0; j < COLUMNS; j++) {
                    // Half a step, and 1/256 of one where rounding adds 32,768.5 in float32.
                    assertEquals(values[row * COLUMNS + j], features[j], largest * (0.51 / 32767));
                }
            }
            seen[0] += tile.rows();
        });
        assertEquals(ROWS, seen[0]);
        assertEquals(ROWS, packed.rows());
        assertEquals(2, packed.labels().targets());
    }

    @Test
    void passesAreInTheSameOrderForAnyNumberOfThreads() {
        List<double[]> results = new ArrayList<>();
        for (int threads : new int[] {1, 3}) {
            PackedFeatures packed = packed(threads);
            double[] total = new double[COLUMNS];
            packed.pass(
                    () -> new double[COLUMNS],
                    (tile, sum) -> {
                        for (int i = 0; i < tile.rows(); i++) {
                            tile.addRow(i, tile.rowWeight(i), sum);
                        }
                    },
                    sum -> {
                        for (int j = 0; j < COLUMNS; j++) {
                            total[j] += sum[j];
                            sum[j] = 0;
                        }
                    });
            results.add(total);
        }
        assertArrayEquals(results.get(0), results.get(1));
    }

    @Test
    void meansAndScatterAreThoseOfTheRows() {
        FeatureStore exact = FeatureStore.map(
                new MappedSource(
                        source(),
                        Scalings.identity(COLUMNS),
                        Fixtures.identity(COLUMNS),
                        ClassWeights.none(),
                        Precision.FLOAT32,
                        new Workers(1)),
                0,
                (rows, fraction) -> {});
        PackedFeatures packed = packed(2);
        assertEquals(exact.totalRowWeight(), packed.totalRowWeight());
        assertEquals(exact.rows(), packed.rows());
        assertEquals(exact.targetMean(1), packed.targetMean(1), 1e-10);
        // Rounding errors are below 5/65534 for numbers below 5: those of 2500 rows change squares, of 1 on the
        // average,
        // by less than a ten-thousandth.
        assertEquals(exact.scatterTrace(), packed.scatterTrace(), 1e-4 * exact.scatterTrace());
        assertArrayEquals(exact.mean(), packed.mean(), 8e-5);
    }

    @Test
    void rowsOfZerosStayZero() {
        Arrays.fill(values, 0, COLUMNS, 0);
        packed(1).inOrder(tile -> {
            if (tile.firstRow() == 0) {
                double[] sums = new double[COLUMNS];
                tile.addRow(0, 1, sums);
                assertArrayEquals(new double[COLUMNS], sums);
                tile.addRow(1, 1, sums);
                assertTrue(Arrays.stream(sums).anyMatch(value -> value != 0));
            }
        });
    }

    @Test
    void featuresThatAreNotFiniteAreRefused() {
        BochnerException e = assertThrows(
                BochnerException.class, () -> pack(MemorySource.of(1, 1f, 2f).withTargets(1, 2), infinite(), 1));
        assertTrue(String.valueOf(e.getMessage()).contains("row 1"), e.getMessage());
    }

    /** A map whose features are not numbers. */
    private static FeatureMap infinite() {
        return new FeatureMap() {
            private final FeatureMap identity = Fixtures.identity(1);

            @Override
            public int inputDimension() {
                return 1;
            }

            @Override
            public int outputDimension() {
                return 1;
            }

            @Override
            public Kernel kernel() {
                return identity.kernel();
            }

            @Override
            public void apply(double[] x, double[] out) {
                out[0] = Double.NaN;
            }

            @Override
            public State state() {
                return identity.state();
            }
        };
    }
}
