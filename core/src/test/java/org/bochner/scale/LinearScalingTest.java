package org.bochner.scale;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.SpellingException;
import org.bochner.base.State;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scaling that multiplies rows by a matrix, on its own and after another scaling. */
class LinearScalingTest {
    private static final Workers ONE = new Workers(1);
    private static final double[][] MATRIX = {{2, -1, 0.1}, {0, 1.0 / 3, 4}, {1e-3, 7, -5}};
    private static final double[][] ROWS = {{1, 2, 3}, {-4, 0, 0.5}, {100, 3, 3}, {0, 0, 0}, {5, 5, 5}};

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    private static RowBlock scaled(Scaler scaler, RowSource source) {
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            cursor.next(builder, 100);
            return scaler.forBlocks().apply(builder.build());
        }
    }

    private static double[][] values(Scaler scaler) {
        RowBlock rows = scaled(scaler, MemorySource.of(ROWS));
        double[][] values = new double[rows.rows()][3];
        for (int i = 0; i < values.length; i++) {
            rows.copyRow(i, values[i]);
        }
        return values;
    }

    private static double[] product(double[] x) {
        double[] y = new double[3];
        for (int k = 0; k < 3; k++) {
            for (int l = 0; l < 3; l++) {
                y[k] += MATRIX[k][l] * x[l];
            }
        }
        return y;
    }

    private Path matrix(String text) throws IOException {
        return Files.writeString(folder.resolve("M.csv"), text);
    }

    private static Scaler fit(String spelling) {
        return Scalings.parse(spelling).fit(MemorySource.of(ROWS), ONE);
    }

    @Test
    void multipliesRowsByTheMatrix() {
        double[][] found = values(Scalings.linear(MATRIX).fit(MemorySource.of(ROWS), ONE));
        for (int i = 0; i < ROWS.length; i++) {
            // One rounding to float32 of numbers below 1000.
            assertArrayEquals(product(ROWS[i]), found[i], 1000 * 0x1p-24);
        }
    }

    @Test
    void followsAnotherScaling() throws IOException {
        Path file = folder.resolve("M.csv");
        Scaler standard = fit("standard");
        Scaler both = Scalings.multiplied(standard, MATRIX);
        double[][] before = values(standard);
        double[][] after = values(both);
        for (int i = 0; i < ROWS.length; i++) {
            assertArrayEquals(product(before[i]), after[i], 100 * 0x1p-24);
        }
        // Written and read again, the matrix has the same bits, and so have the rows.
        Scaling read = Scalings.writeMatrix(both, file);
        assertEquals("standard then linear(file=" + file + ")", read.toString());
        Scaler again = read.fit(MemorySource.of(ROWS), ONE);
        assertArrayEquals(MATRIX, again.matrix());
        assertArrayEquals(after, values(again));
        assertEquals(List.of(file), Scalings.files(read.toString()));
        assertEquals(List.of(), Scalings.files("standard"));
        assertEquals(List.of(), Scalings.files("no such thing"));
        // A model has the matrix itself, and needs the file neither to load nor to fit again.
        Files.delete(file);
        Scaler loaded = Scalings.load(again.state());
        assertEquals(again.state(), loaded.state());
        assertArrayEquals(after, values(loaded));
        assertArrayEquals(after, values(loaded.scaling().fit(MemorySource.of(ROWS), ONE)));
        assertFalse(loaded.keepsZeros());
        assertTrue(Double.isNaN(loaded.unscaled(0, 1)));
    }

    @Test
    void namesWithCommasAndBracketsAreQuoted() throws IOException {
        Path odd = folder.resolve("a (1), [b].csv");
        Scaling read = Scalings.writeMatrix(Scalings.linear(MATRIX).fit(MemorySource.of(ROWS), ONE), odd);
        assertArrayEquals(MATRIX, fit(read.toString()).matrix());
        assertEquals(read, Scalings.parse(read.toString()));
        assertThrows(IllegalArgumentException.class, () -> Scalings.linear(folder.resolve("this then that.csv")));
    }

    @Test
    void filesThatAreNoMatrixAreRefused() throws IOException {
        String spelling = "linear(file=" + folder.resolve("M.csv") + ")";
        assertThrows(DataException.class, () -> fit(spelling));
        for (String wrong : List.of(
                "1,2\n3,4\n5,6,7,8,9\n",
                "1,0,0\n0,1,0\n",
                "1,0,0\n0,1,0\n0,0,1\n0,0,0\n",
                "1,0,0\n0,NaN,0\n0,0,1\n",
                "1,0,0\n0,x,0\n0,0,1\n",
                "1")) {
            matrix(wrong);
            assertThrows(DataException.class, () -> fit(spelling), wrong);
        }
        // Rows and cells are counted in files that are too short for the matrix, too.
        assertMessage(spelling, "1,0,0\n0,1,0\n", "M.csv: has 2 lines of 3 numbers; the matrix needs 3 lines");
        assertMessage(spelling, "1,0,0\n0,1\n", "M.csv:2: ", "one line of 3 numbers", "found 2 cells");
        assertMessage(spelling, "1\n2\n3\n", "M.csv:1: ", "found 1 cell");
        assertMessage(spelling, "", "M.csv: has 0 lines");
        assertMessage(spelling, "1,2,3\n1,,\n", "M.csv:2: '' is not a finite number");
        matrix("1,0,0\n0,1,0\n0,0,1\n");
        assertArrayEquals(ROWS, values(fit(spelling)));
    }

    private void assertMessage(String spelling, String text, String... parts) throws IOException {
        matrix(text);
        String message = String.valueOf(
                assertThrows(DataException.class, () -> fit(spelling), text).getMessage());
        for (String part : parts) {
            assertTrue(message.contains(part), message);
        }
    }

    @Test
    void wrongSpellingsAndSizesAreRefused() {
        assertThrows(SpellingException.class, () -> fit("linear"));
        assertThrows(SpellingException.class, () -> fit("linear(matrix=3)"));
        assertThrows(SpellingException.class, () -> Scalings.parse("linear(file=M.csv)[0:2] + standard[2:3]"));
        assertThrows(
                DataException.class, () -> Scalings.linear(new double[][] {{1}}).fit(MemorySource.of(ROWS), ONE));
        assertThrows(IllegalArgumentException.class, () -> Scalings.linear(new double[][] {{1, Double.NaN}, {0, 1}}));
    }

    @Test
    void damagedStatesAreRefused() {
        State saved = State.of("scaler").with("scaling", "linear").with("columns", 60_000);
        assertThrows(BochnerException.class, () -> Scalings.load(saved.with("matrix", new double[9])));
        State short3 = State.of("scaler").with("scaling", "linear").with("columns", 3);
        assertThrows(BochnerException.class, () -> Scalings.load(short3.with("matrix", new double[8])));
    }
}
