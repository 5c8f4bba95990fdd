package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bochner.data.MemorySource;
import org.bochner.learn.Learner;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** First mistakes: results name what was assumed, and messages say what to write instead. */
class NewcomerTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Path data;

    @BeforeEach
    void writeShells() throws IOException {
        StringBuilder text = new StringBuilder("Sex,Whole weight,Length,Class_Rings\n");
        for (int i = 0; i < 40; i++) {
            text.append(i % 2 == 0 ? "M," : "F,").append(0.25 * i).append(',');
            text.append(7 * i % 13 + 0.5).append(',').append(0.5 * i + i % 2).append('\n');
        }
        data = Files.writeString(folder.resolve("shells.csv"), text);
    }

    private static void says(String text, Object... arguments) {
        Run run = Run.here(arguments);
        assertTrue(run.code() != 0 && run.err().contains(text), run.err());
    }

    @Test
    void theResultNamesTheLabel() throws IOException {
        List<Object> train = List.of("train", data, "--kernel", "gaussian(sigma=5)", "--features", 10, "--quiet");
        Run text = Run.here(train.toArray()).worked();
        assertTrue(
                text.out().lines().toList().contains("label    Class_Rings (the last column; --label sets another)"),
                text.out());
        Object[] other = {"train", data, "--kernel", "gaussian(sigma=5)", "--features", 10, "--label", "Length"};
        assertTrue(Run.here(other).worked().out().lines().toList().contains("label    Length"));
        Object[] json = {"train", data, "--kernel", "gaussian(sigma=5)", "--features", 10, "--json"};
        assertEquals("Class_Rings", Run.here(json).worked().json().get("label"));
    }

    @Test
    void theIndexOfALabelIsNoCount() throws IOException {
        String rows =
                IntStream.range(0, 40).mapToObj(i -> i % 7 + "," + i % 3 + "\n").collect(Collectors.joining());
        Path wine = Files.writeString(folder.resolve("wine.csv"), rows);
        Run run = Run.here("cv", wine, "--task", "regress", "--features", 10, "--folds", 2)
                .worked();
        assertTrue(run.err().contains("numbers to predict, as asked for: column 1"), run.err());
    }

    @Test
    void messagesSayWhatToWrite() throws IOException {
        says("need quotes: ['Whole weight']", "train", data, "--kernel", "gaussian[Whole weight]");
        says("did you mean '--label'?", "train", data, "--target", "Sex");
        says("write 0.2 or 20%", "train", data, "--holdout", "20");
        says("did you mean 'Class_Rings'?", "train", data, "--label", "Rings");
        Path prose = Files.writeString(folder.resolve("prose.txt"), "A title\n\none, two, three\n");
        says("--delimiter", "train", prose);
        says("--format", "train", prose);
    }

    @Test
    void exchangedArgumentsAreRecognised() {
        Path model = folder.resolve("shells.bochner");
        Run.here("train", data, "--kernel", "gaussian(sigma=5)", "--features", 10, "--model", model)
                .worked();
        says("the order is MODEL DATA", "predict", data, model);
        says("the order is MODEL DATA", "evaluate", data, model);
    }

    @Test
    void aLearnedKernelThatTestsWorseIsNoted() {
        double[][] rows = {{0}, {1}, {2}, {3}};
        MemorySource truth = MemorySource.of(rows).withTargets(0, 1, 2, 3);
        KernelMachine machine =
                KernelMachine.of("gaussian(sigma=2)").withFeatures(20).withLearner(Learner.ridge(1e-4));
        Evaluation good = Evaluation.of(machine.fit(truth).model(), truth);
        Evaluation bad = Evaluation.of(
                machine.fit(MemorySource.of(rows).withTargets(3, 1, 2, 0)).model(), truth);
        assertTrue(LearnKernelFindings.worse(good, bad).isEmpty());
        assertTrue(LearnKernelFindings.worse(good, null).isEmpty());
        assertTrue(LearnKernelFindings.worse(bad, good)
                .orElseThrow()
                .text()
                .startsWith("the test error with the learned kernel is larger than with the initial kernel (rmse "));
    }
}
