package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables with missing values, dates and many categories, from training to prediction. */
class RealTablesCommandTest {
    private static final int ROWS = 120;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    Path folder;

    /** The target is 10 where x is missing, which the mean of x cannot tell. */
    private Path table() throws IOException {
        String rows = IntStream.range(0, ROWS)
                .mapToObj(i -> (i % 3 == 0 ? "" : Integer.toString(i % 5)) + ",2024-0" + (1 + i % 9) + "-1" + i % 10
                        + ",c" + i % 8 + "," + (i % 2 == 0 ? "u" : "v") + "," + (i % 3 == 0 ? 10 : i % 5) + "\n")
                .collect(Collectors.joining());
        return Files.writeString(folder.resolve("table.csv"), "x,day,city,kind,y\n" + rows);
    }

    private Run train(Object... more) throws IOException {
        Object[] words = {
            "train",
            table(),
            "--task",
            "regress",
            "--kernel",
            "gaussian(sigma=3)",
            "--features",
            64,
            "--model",
            folder.resolve("m.bochner"),
            "--scale",
            "standard",
            "--json"
        };
        return Run.here(Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray());
    }

    @Test
    void indicatorsTellWhatMeansCannot() throws IOException {
        train("--missing", "indicator", "--date-features", "cyclic", "--category-features", "hash(buckets=4)")
                .worked();
        double indicated = evaluate();
        train("--missing", "mean").worked();
        // Two thirds of the rows have the mean 2, so the mean of x predicts no 10.
        assertTrue(indicated < evaluate() / 2, indicated + " and " + evaluate());
    }

    private double evaluate() throws IOException {
        return Run.here("evaluate", folder.resolve("m.bochner"), table(), "--json")
                .worked()
                .number("rmse");
    }

    @Test
    void oddCellsAreCountedAfterPrediction() throws IOException {
        train("--missing", "indicator").worked();
        Path later = Files.writeString(
                folder.resolve("later.csv"), "x,day,city,kind\n1,2024-01-01,c1,w\n,,c2,z\n3,2024-02-01,,u\n");
        Run run = Run.here("predict", folder.resolve("m.bochner"), later, "--unseen", "zeros")
                .worked();
        assertEquals(3, run.out().lines().count(), run.out());
        assertTrue(!run.out().contains("NaN"), run.out());
        assertTrue(run.err().contains("column 'kind': 2 cells have categories that training did not have"), run.err());
        assertTrue(run.err().contains("column 'day': 1 missing value was filled in"), run.err());
        assertTrue(run.err().contains("column 'city': 1 missing value was filled in"), run.err());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --category-features | hash(buckets=1)
            --category-features | twohot
            --date-features | weeks
            --missing | median
            --scale | standard then
            --scale | clip(share=2)
            """)
    void badSpellingsAreWrongUsage(String flag, String value) throws IOException {
        assertEquals(2, train(flag, value).code(), flag + " " + value);
    }
}
