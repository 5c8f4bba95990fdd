package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernels that are learned without a map. */
class ExactLearningTest {
    private static final int ROWS = 80;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Path waves;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Path model;

    /** Numbers that wave along the first column and rise along the second. */
    @BeforeEach
    void writeRows() throws IOException {
        waves = Rings.write(
                folder.resolve("waves.csv"),
                "much,little,height",
                ROWS,
                i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + ","
                        + (Math.sin(12 * Rings.x(i, 0)) + 0.3 * Rings.x(i, 1) + 0.2 * Math.sin(1000 * i)));
        model = folder.resolve("m.bochner");
    }

    private Run learn(Object... more) {
        List<Object> arguments = new ArrayList<>(List.of("learn-kernel", waves, "--map", "none"));
        arguments.addAll(Arrays.asList(more));
        return Run.here(arguments.toArray());
    }

    private static List<Object> words(String command) {
        Matcher word = Pattern.compile("'([^']*)'|\\S+").matcher(command);
        List<Object> words = new ArrayList<>();
        while (word.find()) {
            words.add(word.group(1) == null ? word.group() : word.group(1));
        }
        return words;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gaussian | column | cv(folds=4)",
                "skewed-chi2(c=0.1) | one | gcv",
                "exp-chi2 | one | validation",
                "gaussian[0:1] + 0.5*laplacian[1:2] | column | loo"
            })
    void theKernelGivenBackToTrainMakesTheSameExactModel(String kernel, String per, String objective) {
        Run run = learn(
                        "--kernel",
                        kernel,
                        "--per",
                        per,
                        "--objective",
                        objective,
                        "--iterations",
                        3,
                        "--model",
                        model,
                        "--json")
                .worked();
        assertTrue(run.number("after") < run.number("before"), run.out());
        assertEquals("none", run.json().get("map"));
        Path trained = folder.resolve("trained.bochner");
        List<Object> again = words(String.valueOf(run.json().get("again")));
        again.addAll(List.of("--model", trained));
        Run.here(again.subList(1, again.size()).toArray()).worked();
        assertEquals(
                Run.here("predict", model, waves).worked().lines(),
                Run.here("predict", trained, waves).worked().lines());
    }

    @Test
    void comparesWithTheInitialKernelAndDrawsThePlot() throws IOException {
        Path plot = folder.resolve("scales.svg");
        Run run = learn("--holdout", 0.3, "--objective", "loo", "--iterations", 3, "--plot", plot)
                .worked();
        assertTrue(run.out().contains("map        none, "), run.out());
        assertTrue(run.out().matches("(?s).*holdout +rmse .*before +rmse .*"), run.out());
        assertTrue(Files.readString(plot).contains("loo"));
    }

    @Test
    void comparesWithAModelOfThePenaltyThatTheObjectivePrefersAtTheStart() {
        Run run = learn("--holdout", 0.3, "--scale", "standard", "--iterations", 2, "--json")
                .worked();
        Run trained = Run.here(
                        "train",
                        waves,
                        "--map",
                        "none",
                        "--holdout",
                        0.3,
                        "--scale",
                        "standard",
                        "--kernel",
                        String.valueOf(run.json().get("startKernel")),
                        "--learner",
                        "ridge(lambda=" + run.json().get("startLambda") + ")",
                        "--json")
                .worked();
        assertEquals(trained.number("rmse"), run.number("startRmse"), 1e-12);
        Run leaveOneOut =
                learn("--objective", "loo", "--iterations", 2, "--json").worked();
        assertEquals(null, leaveOneOut.json().get("startLambda"));
    }

    @Test
    void continuesFromAModel() {
        double first =
                learn("--iterations", 1, "--model", model, "--json").worked().number("after");
        Run next = Run.here("learn-kernel", waves, "--resume", model, "--iterations", 2, "--json")
                .worked();
        assertTrue(next.number("after") <= first, next.out());
        assertEquals("none", next.json().get("map"));
        assertTrue(String.valueOf(next.json().get("again")).contains("--map none"), next.out());
    }

    @Test
    void learnsTheWeightsOfChannelsAndAnExactModelWithThem() {
        Run run = mkl("--kernel", "gaussian", "--norm", "2", "--model", model, "--scale", "standard", "--json")
                .worked();
        assertEquals("none", run.json().get("map"));
        assertEquals(ROWS, run.number("modelFeatures"));
        Path trained = folder.resolve("trained.bochner");
        Run.here(
                        "train",
                        waves,
                        "--map",
                        "none",
                        "--scale",
                        "standard",
                        "--kernel",
                        String.valueOf(run.json().get("kernel")),
                        "--learner",
                        String.valueOf(run.json().get("learner")),
                        "--model",
                        trained)
                .worked();
        List<String> own = Run.here("predict", model, waves).worked().lines();
        List<String> again = Run.here("predict", trained, waves).worked().lines();
        for (int i = 1; i < own.size(); i++) {
            assertEquals(Double.parseDouble(own.get(i)), Double.parseDouble(again.get(i)), 1e-6);
        }
        Run next = mkl("--kernel", "gaussian", "--norm", "2", "--scale", "standard", "--resume", model)
                .worked();
        assertTrue(next.out().contains("map      none, " + ROWS + " rows"), next.out());
        mkl("--loss", "smooth-insensitive").refused(Main.USAGE, "square", "--map 'landmarks(1000, whitened)'");
        mkl("--features", 100).refused(Main.USAGE, "--features");
    }

    @Test
    void whitenedLandmarksAtAllRowsLearnTheWeightsOfTheExactKernels() {
        Run exact = mkl("--kernel", "gaussian(sigma=1)", "--plain", "--lambda", 5, "--json")
                .worked();
        // One map for all channels, and one per channel.
        String all = "landmarks(" + ROWS + ", whitened)";
        for (String map : List.of(all, all + " + " + all)) {
            Run run = Run.here(
                            "mkl",
                            waves,
                            "--channels",
                            "a=0:1,b=1:2",
                            "--map",
                            map,
                            "--kernel",
                            "gaussian(sigma=1)",
                            "--plain",
                            "--lambda",
                            5,
                            "--precision",
                            "double",
                            "--json")
                    .worked();
            for (int c = 0; c < 2; c++) {
                double weight = Run.number(exact.list("channels").get(c), "weight");
                assertEquals(weight, Run.number(run.list("channels").get(c), "weight"), 1e-3 * weight, map);
            }
        }
    }

    private Run mkl(Object... more) {
        List<Object> arguments =
                new ArrayList<>(List.of("mkl", waves, "--channels", "a=0:1,b=1:2", "--map", "none", "--steps", 6));
        arguments.addAll(Arrays.asList(more));
        return Run.here(arguments.toArray());
    }

    @Test
    void refusesWhatNeedsFeatures() {
        learn("--per", "frequency").refused(Main.USAGE, "no frequencies", "--map fourier");
        learn("--features", 100).refused(Main.USAGE, "--features");
        learn("--learner", "logistic").refused(Main.USAGE, "ridge, svm and svr");
        learn("--objective", "train", "--learner", "svr(C=1)").refused(Main.USAGE, "--objective 'cv(folds=5)'");
        learn("--kernel", "polynomial").refused(Main.USAGE, "no scale that can be learned");
        Run.here("learn-kernel", waves, "--map", "none(threshold=1e-3)").refused(Main.USAGE, "--map none");
    }
}
