package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What {@code train --stage} says about rows and models that do not fit. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CascadeOfModelsTest {
    private static final int ROWS = 200;

    private final Path folder;
    private final Path data;
    private final Path first;
    private final Path last;

    CascadeOfModelsTest(@TempDir Path folder) {
        this.folder = folder;
        data = folder.resolve("points.csv");
        first = folder.resolve("first.bochner");
        last = folder.resolve("last.bochner");
    }

    private static String line(int i, String upperClass) {
        boolean upper = Rings.x(i, 1) > 0.5 + 0.15 * Math.sin(9 * Rings.x(i, 0));
        return Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + (upper ? upperClass : "down");
    }

    @BeforeAll
    void train() throws IOException {
        Rings.write(data, "x,y,side", ROWS, i -> line(i, "up"));
        Run.here("train", data, "--kernel", "linear", "--scale", "standard", "--model", first)
                .worked();
        Run.here("train", data, "--kernel", "gaussian(sigma=0.2)", "--features", 60, "--model", last)
                .worked();
    }

    /** Writes new rows, of which the first have a class that the models do not know. */
    private Path rows(int unknown) throws IOException {
        Path file = folder.resolve("unknown-" + unknown + ".csv");
        Rings.write(
                file,
                "x,y,side",
                ROWS,
                i -> i < unknown ? Rings.x(i, 0) + "," + Rings.x(i, 1) + ",left" : line(i + ROWS, "up"));
        return file;
    }

    private Run combine(Path rows, Object... more) {
        Object[] arguments = new Object[6 + more.length];
        System.arraycopy(new Object[] {"train", rows, "--stage", first, "--stage", last}, 0, arguments, 0, 6);
        System.arraycopy(more, 0, arguments, 6, more.length);
        return Run.here(arguments);
    }

    @Test
    void rowsOfOtherClassesAreCounted() throws IOException {
        Run run = combine(rows(100)).worked();
        String note = "the labels of 100 of 200 rows are no classes of the models";
        assertTrue(run.err().contains(note), run.err());
        assertEquals(run.err().indexOf(note), run.err().lastIndexOf(note), "said once");
        Run none = combine(rows(0)).worked();
        assertFalse(none.err().contains("no classes"), none.err());
    }

    @Test
    void rowsOfTraining() throws IOException {
        Run run = combine(data).worked();
        assertTrue(run.err().contains(first + " was trained on rows of " + data), run.err());
        assertTrue(run.err().contains(last + " was trained on rows of " + data), run.err());
        Run other = combine(rows(0)).worked();
        assertFalse(other.err().contains("was trained on"), other.err());
    }

    @Test
    void modelsOfNumbers() {
        Path numbers = folder.resolve("numbers.bochner");
        Run.here("train", data, "--label", "y", "--ignore", "side", "--kernel", "linear", "--model", numbers)
                .worked();
        Run run = Run.here("train", data, "--stage", numbers, "--stage", last);
        assertEquals(1, run.code(), run.err());
        assertTrue(run.err().contains(numbers + ": a cascade predicts classes"), run.err());
        assertFalse(run.err().contains("--task"), run.err());
    }

    @Test
    void wrongUsage() {
        Run loss = combine(data, "--max-loss", "150%");
        assertEquals(2, loss.code(), loss.err());
        assertTrue(loss.err().contains("at most 100%"), loss.err());
        Run one = Run.here("train", data, "--cascade", "linear");
        assertEquals(2, one.code(), one.err());
        assertTrue(one.err().contains("'linear | gaussian'"), one.err());
    }

    @Test
    void rowsOfWhichMostHaveOtherClassesAreRefused() throws IOException {
        Path cascade = folder.resolve("none.bochner");
        Run run = combine(rows(101), "--model", cascade);
        assertEquals(1, run.code(), run.err());
        assertTrue(run.err().contains("the labels of 101 of 200 rows are no classes of the models"), run.err());
        assertFalse(Files.exists(cascade));
        Run all = combine(rows(ROWS));
        assertEquals(1, all.code(), all.err());
    }
}
