package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The note on models that predict test rows no better than a constant. */
class NoBetterThanAConstantTest {
    private static final String ADVICE = "look for wrong labels and columns without information";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    Path folder;

    /** Writes rows with x = 0 and x = 1 by turns. */
    private Path rows(String name, String labelOf0, String labelOf1) throws IOException {
        return Files.writeString(
                folder.resolve(name),
                "x,y\n"
                        + IntStream.range(0, 100)
                                .mapToObj(i -> i % 2 + "," + (i % 2 == 0 ? labelOf0 : labelOf1) + "\n")
                                .collect(Collectors.joining()));
    }

    private Run train(Path training, Path testing, Object... more) {
        List<Object> words = new ArrayList<>(List.of("train", training, "--test", testing, "--scale", "none"));
        words.addAll(List.of("--kernel", "gaussian(sigma=1)", "--features", 10));
        words.addAll(Arrays.asList(more));
        return Run.here(words.toArray()).worked();
    }

    /** The predictions are near 0.5 and 1.5, and the labels 0.5 and -0.5, so that r2 is far below 0. */
    @Test
    void isMadeForNumbers() throws IOException {
        Run run = train(rows("train.csv", "0.5", "1.5"), rows("test.csv", "0.5", "-0.5"), "--task", "regress");
        assertTrue(run.err().contains("the model predicts no better than a constant; " + ADVICE), run.err());
        assertEquals(2, run.err().split(ADVICE, -1).length, run.err());
    }

    /** All test rows of the class a have the x of the class b in training, and the other way round. */
    @Test
    void isMadeForClassesWithoutWeights() throws IOException {
        Path training = rows("train.csv", "a", "b");
        Path testing = rows("test.csv", "b", "a");
        Run run = train(training, testing, "--json");
        String text = "the error on the test rows, 100.00%, is not below that of always predicting the class";
        assertTrue(run.err().contains(text), run.err());
        assertTrue(run.list("notes").toString().contains(ADVICE), run.out());
        assertTrue(!train(training, testing, "--balanced").err().contains(ADVICE));
    }

    @Test
    void isNotMadeForModelsThatExplainSomething() throws IOException {
        Path numbers = rows("numbers.csv", "0.5", "1.5");
        assertTrue(!train(numbers, numbers, "--task", "regress").err().contains(ADVICE));
        Path classes = rows("classes.csv", "a", "b");
        assertTrue(!train(classes, classes).err().contains(ADVICE));
    }
}
