package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
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

    @Test
    void testRowsMayHaveUnseenCategories() throws IOException {
        Path test = Files.writeString(folder.resolve("test.csv"), "x,day,city,kind,y\n1,2024-01-01,c1,w,1\n");
        train("--missing", "mean", "--test", test)
                .refused(Main.FAILED, "no category 'w'; known: ", "--unseen zeros accepts it");
        Run run =
                train("--missing", "mean", "--test", test, "--unseen", "zeros").worked();
        assertTrue(run.err().contains("column 'kind': 1 cell has a category that training did not have"), run.err());
    }

    /**
     * Each shop has 10 rows, whose target is its number modulo 7. A kernel of the shops' means tells them apart; 200 hashed
     * shops in 16 columns do not.
     */
    @Test
    void meansTellManyCategoriesApart() throws IOException {
        String rows = IntStream.range(0, 2000)
                .mapToObj(i -> "shop" + i % 200 + "," + i % 13 + "," + i % 200 % 7 + "\n")
                .collect(Collectors.joining());
        Path shops = Files.writeString(folder.resolve("shops.csv"), "shop,n,y\n" + rows);
        Path model = folder.resolve("shops.bochner");
        double[] rmse = new double[2];
        for (String features : List.of("hash(buckets=16)", "means")) {
            Run run = Run.here(
                            "train",
                            shops,
                            "--task",
                            "regress",
                            "--category-features",
                            features,
                            "--features",
                            64,
                            "--holdout",
                            0.25,
                            "--model",
                            model,
                            "--json")
                    .worked();
            rmse[features.equals("means") ? 1 : 0] = run.number("rmse");
        }
        // The targets have the standard deviation 2. Without noise, means of 6 rows or more are exact.
        assertTrue(rmse[1] < 0.2 && rmse[1] < rmse[0] / 2, Arrays.toString(rmse));

        Path later = Files.writeString(folder.resolve("later.csv"), "shop,n\nshop3,1\nnever,1\nother,1\n");
        Run predicted = Run.here("predict", model, later).worked();
        assertTrue(!predicted.out().contains("NaN"), predicted.out());
        assertTrue(
                predicted
                        .err()
                        .contains("column 'shop': 2 cells have categories that training did not have, such as 'never';"
                                + " encoded as the mean of all rows"),
                predicted.err());
        String columns = Run.here("inspect", model, "--columns").worked().out();
        assertTrue(columns.contains("category, means: 200 categories"), columns);
        Run pruned = Run.here("prune", model, shops, "--keep", 0.5, "--holdout", 0.2);
        assertEquals(1, pruned.code());
        assertTrue(pruned.err().contains("category means cannot be pruned"), pruned.err());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --category-features | hash(buckets=1)
            --category-features | twohot
            --category-features | mean
            --category-features | means(folds=1)
            --category-features | means(smoothing=-1)
            --date-features | weeks
            --missing | median
            --scale | standard then
            --scale | clip(share=2)
            """)
    void badSpellingsAreWrongUsage(String flag, String value) throws IOException {
        assertEquals(2, train(flag, value).code(), flag + " " + value);
    }
}
