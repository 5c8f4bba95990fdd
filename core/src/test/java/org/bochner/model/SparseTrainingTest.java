package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.State;
import org.bochner.base.memory.MemoryException;
import org.bochner.data.Labels;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapRecipe;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.stats.Fixtures;
import org.bochner.stats.PiecewiseLinear;
import org.bochner.stats.SparseTable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Learning from sparse rows whose features are sparse too. */
class SparseTrainingTest {
    private static final Labels CLASSES = new Labels.Classes(List.of("red", "green", "blue"));
    private static final Labels NUMBERS = new Labels.Numbers(List.of("a", "b"));

    /** Of the linear kernel, whose features are the rows themselves, sparse where those are. */
    private static KernelMachine machine() {
        return KernelMachine.of("linear").withScaling(Scalings.parse("unit-l1")).withLearner(Learner.ridge(0.1));
    }

    private static KernelMachine machine(MapRecipe map) {
        return machine().withMap(map);
    }

    /** The same map, but its features of sparse rows are dense. */
    private static MapRecipe denseIdentity() {
        return (kernel, rows, features, seed, notes) -> Fixtures.identity(rows.columns());
    }

    private static String notes(TrainingResult trained) {
        return trained.report().notes().toString();
    }

    private static void assertSameModel(KernelModel expected, KernelModel got, double tolerance) {
        for (int o = 0; o < expected.linear().outputs(); o++) {
            assertEquals(expected.linear().intercept(o), got.linear().intercept(o), tolerance);
            for (int j = 0; j < expected.linear().features(); j++) {
                assertEquals(expected.linear().weight(j, o), got.linear().weight(j, o), tolerance);
            }
        }
    }

    @Nested
    class TheDual {
        @Test
        void isTakenWhereRowsAreFewerAndGivesThePrimalModel() {
            for (Labels labels : List.of(CLASSES, NUMBERS)) {
                SparseTable rows = new SparseTable(150, 200, labels, new Seed(1));
                rows.weights[10] = 0;
                rows.weights[20] = 3;
                TrainingResult dual = machine().fit(rows);
                TrainingResult primal = machine(denseIdentity())
                        .withPrecision(Precision.FLOAT64)
                        .fit(rows);
                assertTrue(notes(dual).contains("in the dual"), notes(dual));
                assertEquals("[]", notes(primal));
                // Rows of length 1 at most, so that the condition number is below 150/0.1 in both.
                assertSameModel(primal.model(), dual.model(), 1e-10);
                assertEquals(150, dual.report().rows());
                assertEquals(200, dual.model().map().outputDimension());
                assertTrue(dual.report().bytesNeeded() > 12 * 150 * 150);
            }
        }

        @Test
        void isNotTakenWhereFeaturesAreFewer() {
            TrainingResult trained = machine().fit(new SparseTable(150, 100, NUMBERS, new Seed(2)));
            assertTrue(notes(trained).contains("matrix of the features"), notes(trained));
        }

        @Test
        void isNotTakenWithAPenaltyThatIsNotPlain() {
            MapRecipe recipe = (kernel, rows, features, seed, notes) ->
                    new SparseCodes(new PiecewiseLinear(rows.columns(), 4, false));
            TrainingResult trained = machine(recipe).fit(new SparseTable(50, 20, NUMBERS, new Seed(3)));
            assertTrue(notes(trained).contains("not the plain one"), notes(trained));
        }

        @Test
        void isNotTakenWhereScalingMakesRowsDense() {
            TrainingResult trained = machine()
                    .withScaling(Scalings.parse("standard"))
                    .fit(new SparseTable(50, 60, NUMBERS, new Seed(4)));
            assertEquals("[]", notes(trained));
        }

        @Test
        void balancesClasses() {
            SparseTable rows = new SparseTable(100, 150, CLASSES, new Seed(5));
            KernelModel dual = machine().withBalancedClasses(true).fit(rows).model();
            KernelModel primal = machine(denseIdentity())
                    .withPrecision(Precision.FLOAT64)
                    .withBalancedClasses(true)
                    .fit(rows)
                    .model();
            assertSameModel(primal, dual, 1e-10);
        }

        /** More than two blocks of rows, and several strips of products. */
        @Test
        void hasTheSameBytesForEveryNumberOfThreads(@TempDir Path folder) throws IOException {
            SparseTable rows = new SparseTable(1100, 1200, CLASSES, new Seed(6));
            byte[] one = bytes(rows, 1, folder);
            assertArrayEquals(one, bytes(rows, 2, folder));
            assertArrayEquals(one, bytes(rows, 3, folder));
        }

        private byte[] bytes(RowSource rows, int threads, Path folder) throws IOException {
            KernelModel model =
                    machine().fit(rows, new Workers(threads), Progress.NONE).model();
            Path file = folder.resolve("m.bochner");
            model.save(file);
            return Files.readAllBytes(file);
        }

        @Test
        void refusesRowsThatAllHaveWeightZero() {
            SparseTable rows = new SparseTable(10, 20, NUMBERS, new Seed(7));
            Arrays.fill(rows.weights, 0);
            assertThrows(BochnerException.class, () -> machine().fit(rows));
        }

        /** 10⁷ rows need 10¹⁵ bytes: refused by what the source says of itself, before a row is read. */
        @Test
        void refusesRowsBeyondAllMemoryBeforeMappingThem() {
            RowSource huge = new ManyRows(10_000_000, 20_000_000);
            MemoryException e =
                    assertThrows(MemoryException.class, () -> machine().fit(huge));
            assertTrue(String.valueOf(e.getMessage()).contains("10000000 rows"), e.getMessage());
        }
    }

    @Test
    void saysThatNeitherMatrixFits() {
        MemoryException e =
                assertThrows(MemoryException.class, () -> machine().fit(new ManyRows(20_000_000, 10_000_000)));
        assertTrue(String.valueOf(e.getMessage()).contains("20000000 rows would need"), e.getMessage());
    }

    @Test
    void sparseRowsScoreAsDenseOnes() {
        SparseTable rows = new SparseTable(150, 200, CLASSES, new Seed(9));
        KernelModel model = machine().fit(rows).model();
        model.score(rows, new Workers(2), Progress.NONE, (block, scores) -> {
            double[] row = new double[200];
            for (int i = 0; i < block.rows(); i++) {
                block.copyRow(i, row);
                double[] single = model.score(row);
                for (int o = 0; o < 3; o++) {
                    // The single row is dense, in float32: 200 products with values below 1 and weights below 100.
                    assertEquals(single[o], scores[i * 3 + o], 200 * 100 * 0x1p-24);
                }
            }
        });
    }

    /** A source too large to be read. */
    private record ManyRows(long rows, int columns) implements RowSource {
        @Override
        public String name() {
            return "many rows";
        }

        @Override
        public Labels labels() {
            return NUMBERS;
        }

        @Override
        public boolean sparse() {
            return true;
        }

        @Override
        public RowCursor open() {
            throw new AssertionError("was opened");
        }
    }

    /** Says that it keeps sparsity, which must not matter. */
    private record SparseCodes(PiecewiseLinear codes) implements FeatureMap {
        @Override
        public int inputDimension() {
            return codes.inputDimension();
        }

        @Override
        public int outputDimension() {
            return codes.outputDimension();
        }

        @Override
        public Kernel kernel() {
            return codes.kernel();
        }

        @Override
        public void apply(double[] x, double[] out) {
            codes.apply(x, out);
        }

        @Override
        public boolean keepsSparsity() {
            return true;
        }

        @Override
        public boolean hasPlainPenalty() {
            return codes.hasPlainPenalty();
        }

        @Override
        public void whiten(double[] features, int at) {
            codes.whiten(features, at);
        }

        @Override
        public void unwhiten(double[] weights, int at, int stride) {
            codes.unwhiten(weights, at, stride);
        }

        @Override
        public State state() {
            return codes.state();
        }
    }
}
