package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The note on models that predict test rows no better than a constant. */
class NoBetterThanAConstantTest {
    private static final String ADVICE = "look for wrong labels and columns without information";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    Path folder;

    private Run train(IntFunction<String> row, Object... more) throws IOException {
        String rows = IntStream.range(0, 100).mapToObj(i -> row.apply(i) + "\n").collect(Collectors.joining());
        Path table = Files.writeString(folder.resolve("t.csv"), "x,y\n" + rows);
        Object[] words = {
            "train", table, "--kernel", "gaussian(sigma=1)", "--scale", "none", "--features", 10, "--holdout", 0.3
        };
        return Run.here(Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray())
                .worked();
    }

    /** All rows are equal, so all have the same prediction, and no constant has an r2 above 0 on the test rows. */
    @Test
    void isMadeForNumbersThatNothingExplains() throws IOException {
        Run run = train(i -> "1," + i * 0.5);
        assertTrue(run.err().contains("the model predicts no better than a constant; " + ADVICE), run.err());
        assertEquals(1, run.err().split("no better than a constant", -1).length - 1, run.err());
    }

    @Test
    void isMadeForClassesThatNothingExplains() throws IOException {
        Run run = train(i -> "1," + (i % 5 == 0 ? "rare" : "usual"));
        assertTrue(run.err().contains("is not below that of always predicting the class usual"), run.err());
        assertTrue(run.err().contains(ADVICE), run.err());
        assertTrue(!train(i -> "1," + (i % 5 == 0 ? "rare" : "usual"), "--balanced")
                .err()
                .contains(ADVICE));
    }

    @Test
    void isNotMadeForModelsThatExplainSomething() throws IOException {
        assertTrue(!train(i -> i % 10 * 0.1 + "," + i % 10 * 0.5).err().contains(ADVICE));
        assertTrue(!train(i -> i % 2 + "," + (i % 2 == 0 ? "a" : "b")).err().contains(ADVICE));
    }
}
