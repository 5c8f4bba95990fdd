package org.bochner.stats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.sample.RowView;
import org.bochner.kernel.additive.Linear;
import org.bochner.map.FeatureMap;
import org.bochner.map.additive.ExactMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What every {@link FeatureSource} promises of its rows, weights, means and scatter. */
class FeatureSourceTest {
    /** More than two chunks. */
    private static final int ROWS = 2500;

    private static final int COLUMNS = 3;

    /** Rows about a mean, in steps that float32 holds exactly. */
    private static MemorySource rows(double mean, double step) {
        RandomStream stream = new Seed(5).stream();
        float[] values = new float[ROWS * COLUMNS];
        double[] targets = new double[ROWS];
        double[] weights = new double[ROWS];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) (mean + step * (stream.nextInt(9) - 4));
        }
        for (int i = 0; i < ROWS; i++) {
            targets[i] = stream.nextUniform();
            weights[i] = i % 4 / 2.0;
        }
        return MemorySource.of(COLUMNS, values).withTargets(targets).withRowWeights(weights);
    }

    private static FeatureMap identity() {
        return new ExactMap(new Linear(), COLUMNS);
    }

    private static FeatureStore store(RowSource source, Precision precision, int threads) {
        return FeatureStore.map(
                new MappedSource(
                        source,
                        Scalings.identity(COLUMNS),
                        identity(),
                        ClassWeights.none(),
                        precision,
                        new Workers(threads)),
                Long.MAX_VALUE,
                (rows, fraction) -> {});
    }

    private static FeatureStream stream(RowSource source, int threads) {
        return FeatureStream.open(new MappedSource(
                source,
                Scalings.identity(COLUMNS),
                identity(),
                ClassWeights.none(),
                Precision.FLOAT32,
                new Workers(threads)));
    }

    private static PackedFeatures packed(RowSource source, int threads) {
        return PackedFeatures.map(
                new MappedSource(
                        source,
                        Scalings.identity(COLUMNS),
                        identity(),
                        ClassWeights.none(),
                        Precision.FLOAT32,
                        new Workers(threads)),
                (rows, fraction) -> {});
    }

    /** The same rows, whose number only reading tells. */
    private record Uncounted(RowSource source, boolean sparse) implements RowSource {
        @Override
        public String name() {
            return source.name();
        }

        @Override
        public int columns() {
            return source.columns();
        }

        @Override
        public long rows() {
            return -1;
        }

        @Override
        public Labels labels() {
            return source.labels();
        }

        @Override
        public RowCursor open() {
            return source.open();
        }
    }

    static Stream<Arguments> sources() {
        MemorySource rows = rows(0.5, 0.25);
        RowSource uncounted = new Uncounted(rows, false);
        return Stream.of(
                Arguments.of("store", store(rows, Precision.FLOAT32, 2)),
                Arguments.of("store of uncounted rows", store(uncounted, Precision.FLOAT64, 1)),
                Arguments.of("packed", packed(rows, 1)),
                Arguments.of("packed uncounted rows", packed(uncounted, 2)),
                Arguments.of("stream", stream(rows, 2)),
                Arguments.of("stream of uncounted rows", stream(uncounted, 2)),
                Arguments.of("joined", new JoinedFeatures(store(rows, Precision.FLOAT32, 1), packed(uncounted, 1))),
                Arguments.of(
                        "joined stream", new JoinedFeatures(stream(uncounted, 1), store(rows, Precision.FLOAT32, 1))));
    }

    /** What the rows themselves add up to. */
    private static final class Sums {
        private long rows;
        private double weight;
        private double scatter;
        private final double[] mean = new double[COLUMNS];

        Sums(FeatureSource source) {
            source.inOrder(tile -> {
                for (int i = 0; i < tile.rows(); i++) {
                    rows++;
                    weight += tile.rowWeight(i);
                    tile.addRow(i, tile.rowWeight(i), mean);
                }
            });
            for (int j = 0; j < COLUMNS; j++) {
                mean[j] /= weight;
            }
            source.inOrder(tile -> {
                for (int i = 0; i < tile.rows(); i++) {
                    double[] row = new double[COLUMNS];
                    tile.addRow(i, 1, row);
                    for (int j = 0; j < COLUMNS; j++) {
                        scatter += tile.rowWeight(i) * (row[j] - mean[j]) * (row[j] - mean[j]);
                    }
                }
            });
        }
    }

    @ParameterizedTest
    @MethodSource("sources")
    void countsRowsOrSaysThatItDoesNotKnow(String name, FeatureSource source) {
        OptionalLong before = source.knownRows();
        if (before.isEmpty()) {
            assertTrue(source.estimated(), name);
            assertThrows(IllegalStateException.class, source::rows);
        } else {
            assertEquals(before.getAsLong(), source.rows());
        }
        Sums sums = new Sums(source);
        assertEquals(OptionalLong.of(sums.rows), source.knownRows());
        assertEquals(sums.rows, before.orElse(sums.rows));
        assertEquals(sums.rows, source.rows());
    }

    @ParameterizedTest
    @MethodSource("sources")
    void totalsAreThoseOfAllRowsUnlessTheyAreEstimates(String name, FeatureSource source) {
        double weight = source.totalRowWeight();
        double[] mean = source.mean();
        double scatter = source.scatterTrace();
        Sums sums = new Sums(source);
        assertTrue(weight > 0 && scatter >= 0, name);
        if (!source.estimated()) {
            // Sums of some thousand float64 numbers.
            assertEquals(sums.weight, weight, 1e-12 * sums.weight);
            assertArrayEquals(sums.mean, mean, 1e-12);
            assertEquals(sums.scatter, scatter, 1e-11 * sums.scatter);
        }
        // A pass has told the weight, whatever it was estimated to be before.
        assertEquals(sums.weight, source.totalRowWeight(), 1e-12 * sums.weight);
    }

    /**
     * Steps of 1/16 are the finest that float32 has at 10⁶. A sum of squares of 10¹² is rounded by 10⁻⁴, a hundredth of
     * such a variance; deviations from a mean, which is rounded by 10⁻¹⁰, are right to 10⁻⁹ of a step.
     */
    @Test
    void scatterAboutALargeMeanIsKept() {
        MemorySource far = rows(1e6, 0.0625);
        MemorySource near = rows(0, 0.0625);
        double expected = store(near, Precision.FLOAT32, 1).scatterTrace();
        for (int threads : new int[] {1, 3}) {
            for (Precision precision : Precision.values()) {
                assertEquals(expected, store(far, precision, threads).scatterTrace(), 1e-8 * expected);
            }
            assertEquals(
                    stream(near, threads).scatterTrace(), stream(far, threads).scatterTrace(), 1e-8 * expected);
        }
        assertEquals(
                store(far, Precision.FLOAT32, 1).scatterTrace(),
                store(far, Precision.FLOAT32, 3).scatterTrace(),
                "depends on the threads");
        // Packing rounds to 1/32,767 of a row's largest feature, which leaves no steps: all that there is, is the
        // rounding.
        assertEquals(
                0, packed(far, 1).scatterTrace(), packed(far, 1).totalRowWeight() * COLUMNS * Math.pow(1e6 / 32767, 2));
    }

    @Test
    void scatterOfSparseRowsAboutALargeMeanIsKept() {
        int columns = 6;
        SparseTable table = new SparseTable(ROWS, columns, new Labels.Numbers(List.of("y")), new Seed(8));
        double before = ofTable(table, columns);
        for (int i = 0; i < ROWS; i++) {
            // The first column is stored in all rows: 1/16 are the steps of float32 here.
            table.x[i][0] = i % 2 * 0.0625f;
        }
        double near = ofTable(new DenseTable(table), columns);
        for (int i = 0; i < ROWS; i++) {
            table.x[i][0] += 1e6f;
        }
        assertNotEquals(before, near);
        assertEquals(near, ofTable(table, columns), 1e-8 * near);
        assertEquals(near, ofTable(new DenseTable(table), columns), 1e-8 * near);
    }

    private static double ofTable(RowSource table, int columns) {
        return FeatureStore.map(
                        new MappedSource(
                                table,
                                Scalings.identity(columns),
                                new ExactMap(new Linear(), columns),
                                ClassWeights.none(),
                                Precision.FLOAT32,
                                new Workers(2)),
                        Long.MAX_VALUE,
                        (rows, fraction) -> {})
                .scatterTrace();
    }

    @Test
    void aStreamClosesACursorThatFailsBeforeItsRows() {
        int[] opened = {0};
        boolean[] closed = {false};
        RowSource fails = new RowView(rows(0, 1)) {
            @Override
            public RowCursor open() {
                RowCursor cursor = source.open();
                boolean first = opened[0]++ == 0;
                return new RowCursor() {
                    @Override
                    public boolean next(RowBlockBuilder into, int maxRows) {
                        if (!first) {
                            throw new IllegalStateException("unreadable");
                        }
                        return cursor.next(into, maxRows);
                    }

                    @Override
                    public double progress() {
                        return cursor.progress();
                    }

                    @Override
                    public void close() {
                        cursor.close();
                        closed[0] |= !first;
                    }
                };
            }
        };
        try (FeatureStream stream = stream(fails, 1)) {
            stream.inOrder(tile -> {});
            assertThrows(IllegalStateException.class, () -> stream.inOrder(tile -> {}));
        }
        assertTrue(closed[0]);
    }
}
