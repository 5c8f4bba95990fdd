package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.row.RowException;
import org.bochner.data.sample.CountingSource;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.scale.fit.ScaledRows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Failures of rows name the line, or else the row, of the file, whatever views the rows came through. */
class PlacesTest {
    private static final int ROWS = 200;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    /** A file whose line i + 2 has the value i; four rows at a time are of one group. */
    private FileSource file(boolean grouped) {
        StringBuilder text = new StringBuilder("x,g,y\n");
        for (int i = 0; i < ROWS; i++) {
            text.append(i)
                    .append(",g")
                    .append(i / 4)
                    .append(",")
                    .append(i % 2 == 0 ? "p" : "q")
                    .append('\n');
        }
        DataOptions options = DataOptions.of(Sample.file(folder, "t.csv", text.toString()));
        return FileSource.open(grouped ? options.withGroup("g") : options.withIgnored(List.of("g")));
    }

    private static RowException problem(long row) {
        return RowException.at(row, 0, new BochnerException("wrong"));
    }

    /** Asks for the place of every row, and compares it with the value that the row has. */
    private static void assertNamesLines(RowSource view) {
        List<double[]> rows = Sample.of(view, 7).rows;
        boolean moved = false;
        for (int i = 0; i < rows.size(); i++) {
            int inFile = (int) rows.get(i)[0];
            String message =
                    ScaledRows.located(view, problem(i), Scalings.none()).getMessage();
            assertTrue(String.valueOf(message).endsWith("t.csv:" + (inFile + 2) + ": column 'x' (0, from 0): wrong"));
            moved |= inFile != i;
        }
        assertTrue(moved, "the view shows the rows at their places in the file: the test shows nothing");
    }

    @Test
    void aHoldoutNamesLinesOfTheFile() {
        Holdout split = Holdout.split(file(false), 0.3, new Seed(1));
        assertNamesLines(split.train());
        assertNamesLines(split.test());
    }

    @Test
    void aHoldoutOfGroupsNamesLinesOfTheFile() {
        Holdout split = Holdout.split(file(true), 0.3, new Seed(1));
        assertNamesLines(split.train());
        assertNamesLines(split.test());
    }

    @Test
    void foldsOfAViewOfAHoldoutNameLinesOfTheFile() {
        for (boolean grouped : new boolean[] {false, true}) {
            RowSource train = Holdout.split(file(grouped), 0.3, new Seed(1)).train();
            RowSource view = new CountingSource(train.withoutLabels());
            assertNamesLines(Holdout.folds(view, 3, new Seed(2)).get(1).train());
        }
    }

    @Test
    void rowsInMemoryNameLinesOfTheFile() {
        RowSource train = Holdout.split(file(false), 0.3, new Seed(1)).train();
        assertNamesLines(MemorySource.load(train));
        MemorySource some = MemorySource.load(train, row -> row % 3 == 1);
        assertNamesLines(some);
        assertNamesLines(some.withTargets(new double[(int) some.rows()]));
    }

    @Test
    void aFailureOfAWholeRowHasALineAndNoColumn() {
        RowSource train = Holdout.split(file(false), 0.3, new Seed(1)).train();
        long row = train.rows() - 1;
        RowException problem = RowException.ofRow(row, new BochnerException("no weight"));
        assertEquals("row " + (row + 1) + ": no weight", problem.getMessage());
        int line = (int) Sample.of(train).rows.get((int) row)[0] + 2;
        String message = String.valueOf(
                ScaledRows.located(train, problem, Scalings.none()).getMessage());
        assertTrue(message.endsWith("t.csv:" + line + ": no weight"), message);
    }

    @Test
    void whatHasNoLinesNamesTheRowThatIsShown() {
        float[] values = new float[ROWS];
        for (int i = 0; i < ROWS; i++) {
            values[i] = i;
        }
        RowSource test =
                Holdout.split(MemorySource.of(1, values), 0.3, new Seed(1)).test();
        int shown = (int) Sample.of(test, 7).rows.get(5)[0];
        assertNotEquals(5, shown);
        assertEquals(
                "memory: row " + (shown + 1) + ", column 0 (from 0): wrong",
                ScaledRows.located(test, problem(5), Scalings.none()).getMessage());
    }
}
