package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class MemorySourceTest {
    private static RowBlock block(RowSource source) {
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            assertTrue(cursor.next(builder, 100));
        }
        return builder.build();
    }

    private static double[] row(RowSource source, int row) {
        double[] values = new double[source.columns()];
        block(source).copyRow(row, values);
        return values;
    }

    private static void refuses(String message, Executable action) {
        String found = String.valueOf(
                assertThrows(IllegalArgumentException.class, action).getMessage());
        assertTrue(found.contains(message), found);
    }

    @Nested
    class DenseRowsOfDoubles {
        @Test
        void areCopied() {
            double[][] given = {{1, 2}, {3, 4.5}};
            MemorySource source = MemorySource.of(given);
            given[1][1] = 9;
            assertEquals(2, source.rows());
            assertEquals(2, source.columns());
            assertFalse(source.sparse());
            assertArrayEquals(new double[] {3, 4.5}, row(source, 1));
        }

        @Test
        void farFromZeroKeepTheirDifferences() {
            // One second apart; float32 has steps of 128 there.
            MemorySource source = MemorySource.of(new double[][] {{1.7e9, 1}, {1.7e9 + 1, 2}, {1.7e9 + 2, 3}});
            assertArrayEquals(new double[] {1.7e9 + 1, 2}, row(source, 1));
            assertArrayEquals(new double[] {1.7e9 + 2, 3}, row(MemorySource.load(source), 2));
        }

        @Test
        void areRefusedWhereTheyDoNotFit() {
            refuses("row 2 has 1 columns, row 1 has 2", () -> MemorySource.of(new double[][] {{1, 2}, {3}}));
            refuses(
                    "row 2, column 0 (from 0): the value must be finite in float32, got NaN; fill in missing values first",
                    () -> MemorySource.of(new double[][] {{1}, {Double.NaN}}));
            refuses("got 1.0E39", () -> MemorySource.of(new double[][] {{1e39}}));
            refuses("there are no rows", () -> MemorySource.of(new double[0][]));
            refuses("the rows have no columns", () -> MemorySource.of(new double[1][0]));
        }
    }

    @Nested
    class DenseRowsOfFloats {
        @Test
        void areCopied() {
            float[][] given = {{1, 2}, {3, 4}};
            MemorySource source = MemorySource.of(given);
            given[0][0] = 9;
            assertArrayEquals(new double[] {1, 2}, row(source, 0));
        }

        @Test
        void areRefusedWhereTheyDoNotFit() {
            refuses("row 2 has 3 columns", () -> MemorySource.of(new float[][] {{1, 2}, {3, 4, 5}}));
            refuses("got Infinity", () -> MemorySource.of(new float[][] {{Float.POSITIVE_INFINITY}}));
        }
    }

    @Nested
    class RowsInCsrFormat {
        @Test
        void areCopied() {
            int[] indices = {0, 2, 1};
            MemorySource source = MemorySource.ofCsr(3, new int[] {0, 2, 2, 3}, indices, new double[] {1, 2, 3});
            indices[0] = 1;
            assertTrue(source.sparse());
            assertEquals(3, source.rows());
            assertArrayEquals(new double[] {1, 0, 2}, row(source, 0));
            assertArrayEquals(new double[] {0, 0, 0}, row(source, 1));
            assertArrayEquals(new double[] {0, 3, 0}, row(source, 2));
        }

        @Test
        void areRefusedWhereTheyDoNotFit() {
            float[] two = {1, 1};
            refuses(
                    "row 1, column 0 (from 0) stands after column 2; sort the entries",
                    () -> MemorySource.ofCsr(3, new int[] {0, 2}, new int[] {2, 0}, two));
            refuses(
                    "row 1, column 2 (from 0) occurs twice; add up its values",
                    () -> MemorySource.ofCsr(3, new int[] {0, 2}, new int[] {2, 2}, two));
            refuses(
                    "row 2, column 3 (from 0) is not within the 3 columns, 0 to 2",
                    () -> MemorySource.ofCsr(3, new int[] {0, 1, 2}, new int[] {2, 3}, two));
            refuses(
                    "row 1, column -1 (from 0) is not within",
                    () -> MemorySource.ofCsr(3, new int[] {0, 2}, new int[] {-1, 0}, two));
            refuses(
                    "the value must be finite",
                    () -> MemorySource.ofCsr(3, new int[] {0, 1}, new int[] {0}, new double[] {Double.NaN}));
            refuses("starts must begin with 0", () -> MemorySource.ofCsr(3, new int[] {1, 2}, new int[] {0, 1}, two));
            refuses("starts must ascend", () -> MemorySource.ofCsr(3, new int[] {0, 2, 1}, new int[] {0, 1}, two));
            refuses("must be 2, got 1", () -> MemorySource.ofCsr(3, new int[] {0, 1}, new int[] {0, 1}, two));
            refuses(
                    "number of values must be 1, got 2",
                    () -> MemorySource.ofCsr(3, new int[] {0, 1}, new int[] {0}, two));
            refuses("there are no rows", () -> MemorySource.ofCsr(3, new int[] {0}, new int[0], new float[0]));
            refuses("there are no rows", () -> MemorySource.ofCsr(3, new int[0], new int[0], new float[0]));
        }
    }

    @Nested
    class ClassesByName {
        private final MemorySource rows = MemorySource.of(new double[][] {{1}, {2}, {3}});

        @Test
        void areSortedAsThoseOfFiles() {
            MemorySource source = rows.withClasses("b", "10", "9");
            assertEquals(new Labels.Classes(List.of("9", "10", "b")), source.labels());
            assertEquals(2, block(source).target(0, 0));
            assertEquals(0, block(source).target(2, 0));
            assertEquals(
                    source.labels(), rows.withClasses(List.of("b", "10", "9")).labels());
        }

        @Test
        void areRefusedWhereTheyDoNotFit() {
            refuses("number of classes must be 3, got 2", () -> rows.withClasses("a", "b"));
            refuses("row 2 has no class", () -> rows.withClasses("a", " ", "b"));
            refuses("two classes have the name 'a'", () -> rows.withClasses(List.of("a", "b", "a"), 0, 1, 2));
            refuses("number of targets must be 3, got 1", () -> rows.withTargets(1));
        }
    }
}
