package org.bochner.tune;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.SpellingException;
import org.bochner.data.MemorySource;
import org.bochner.model.KernelMachine;
import org.bochner.model.ModelMember;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.tune.search.Candidate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TuningTest {
    /** Machines whose tests take milliseconds. */
    private static final List<Candidate> CHEAP = List.of(
            new Candidate("gaussian(sigma=0.5)", "fourier", 40, "standard", "ridge", null),
            new Candidate("matern(nu=1.5, sigma=1)", "none", 0, "standard", "ridge", null),
            new Candidate("gaussian(sigma=0.5)", "fourier", 40, "standard", "ridge", "agop(rounds=1)"));

    private static final Tuning SMALL =
            Tuning.of(KernelMachine.of("gaussian")).withCandidates(CHEAP).withTrials(3);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    /** Waves of the first column; the second one says nothing. */
    private static MemorySource waves(int rows, long seed) {
        RandomStream stream = new Seed(seed).stream();
        double[][] values = new double[rows][2];
        double[] targets = new double[rows];
        for (int i = 0; i < rows; i++) {
            values[i][0] = 4 * stream.nextUniform();
            values[i][1] = stream.nextGaussian();
            targets[i] = Math.sin(4 * values[i][0]) + 0.1 * stream.nextGaussian();
        }
        return MemorySource.of(values).withTargets(targets);
    }

    private static final class Silent implements Tuning.Listener {
        private int tests = Integer.MAX_VALUE;

        @Override
        public void report(String stage, long rows, double fraction) {}

        @Override
        public void standings(List<TuningResult.Trial> leaderboard, int tested) {
            tests--;
        }

        @Override
        public boolean stopRequested() {
            return tests <= 0;
        }
    }

    private static TuningResult search(Tuning tuning, MemorySource rows, int threads) {
        return tuning.search(rows, new Workers(threads), new Silent());
    }

    private byte[] bytes(TuningResult result) throws IOException {
        Path file = folder.resolve("model");
        result.trained().model().save(file);
        return Files.readAllBytes(file);
    }

    /** Returns the trials without their times. */
    private static List<TuningResult.Trial> timeless(TuningResult result) {
        return result.leaderboard().stream()
                .map(trial -> new TuningResult.Trial(
                        trial.number(),
                        trial.kernel(),
                        trial.map(),
                        trial.features(),
                        trial.scaling(),
                        trial.learner(),
                        trial.method(),
                        trial.rows(),
                        trial.testedRows(),
                        trial.error(),
                        trial.standardError(),
                        trial.relative(),
                        0,
                        trial.failure()))
                .toList();
    }

    @Test
    void sameTrialsGiveTheSameBytesForAnyNumberOfThreads() throws IOException {
        MemorySource rows = waves(120, 1);
        TuningResult one = search(SMALL, rows, 1);
        TuningResult other = search(SMALL, rows, 2);
        assertEquals(timeless(one), timeless(other));
        assertArrayEquals(bytes(one), bytes(other));
    }

    @Test
    void comparesWithTheConstantAndTheLinearModel() {
        TuningResult result = search(SMALL, waves(120, 1), 1);
        assertEquals(5, result.leaderboard().size());
        assertEquals(3, result.trials());
        TuningResult.Trial constant = result.leaderboard().stream()
                .filter(TuningResult.Trial::isConstant)
                .findFirst()
                .orElseThrow();
        assertEquals(1, constant.relative());
        assertTrue(result.leaderboard().stream().anyMatch(TuningResult.Trial::isLinear));
        // The waves have the variance 1/2 and noise of 0.1; a line explains little of them.
        assertTrue(
                result.winner().error() < 0.3 && result.beatsLinear(),
                result.leaderboard().toString());
        assertEquals(result.winner(), result.leaderboard().get(0));
        assertEquals(120, result.winner().testedRows());
    }

    @Test
    void saysIfTheLinearModelIsAsGood() {
        RandomStream stream = new Seed(3).stream();
        double[][] values = new double[100][2];
        double[] targets = new double[100];
        for (int i = 0; i < values.length; i++) {
            values[i][0] = stream.nextGaussian();
            values[i][1] = stream.nextGaussian();
            targets[i] = values[i][0] - 2 * values[i][1] + stream.nextGaussian();
        }
        TuningResult result =
                search(SMALL.withTrials(1), MemorySource.of(values).withTargets(targets), 1);
        assertFalse(result.beatsLinear());
        assertTrue(result.notes().stream().anyMatch(note -> note.text().contains("linear model")));
    }

    @Test
    void resumesAKilledSearchWithTheSameResult() throws IOException {
        MemorySource rows = waves(120, 1);
        Path log = folder.resolve("search.jsonl");
        TuningResult whole = search(SMALL.withLog(log), rows, 1);
        assertNull(whole.logFailure());
        List<String> lines = Files.readAllLines(log);
        // The header, and five folds of the constant, the linear model and three machines.
        assertEquals(1 + 5 * 5, lines.size());
        String killed = String.join("\n", lines.subList(0, 9)) + "\n"
                + lines.get(9).substring(0, lines.get(9).length() / 2);
        Files.writeString(log, killed);
        TuningResult resumed = search(SMALL.withResumedLog(log), rows, 1);
        assertEquals(timeless(whole), timeless(resumed));
        assertArrayEquals(bytes(whole), bytes(resumed));
        assertEquals(8, resumed.reusedTests());
        assertTrue(resumed.notes().stream().anyMatch(note -> note.text().contains("the last line is incomplete")));
        assertEquals(lines.size(), Files.readAllLines(log).size());
        TuningResult again = search(SMALL.withResumedLog(log), rows, 1);
        assertEquals(25, again.reusedTests());
        // With its times too, which are those of the log.
        assertEquals(resumed.leaderboard(), again.leaderboard());
    }

    @Test
    void refusesLogsOfOtherSearchesAndDamagedOnes() throws IOException {
        MemorySource rows = waves(60, 1);
        Path log = folder.resolve("search.jsonl");
        Tuning one = SMALL.withTrials(1);
        TuningResult unused = search(one.withLog(log), rows, 1);
        assertTrue(refusal(one.withLog(log), rows).contains("exists"));
        assertTrue(refusal(one.withMetric("mae").withResumedLog(log), rows).contains("metric"));
        assertTrue(refusal(one.withResumedLog(log), waves(61, 1)).contains("rows"));
        Tuning seeded =
                Tuning.of(KernelMachine.of("gaussian").withSeed(new Seed(2))).withCandidates(CHEAP);
        assertTrue(refusal(seeded.withResumedLog(log), rows).contains("seed"));
        assertTrue(refusal(one.withResumedLog(folder.resolve("none")), rows).contains("does not exist"));
        List<String> lines = Files.readAllLines(log);
        lines.set(3, lines.get(3).replace("losses", "lossed"));
        Files.write(log, lines);
        String damaged = refusal(one.withResumedLog(log), rows);
        assertTrue(damaged.contains("search.jsonl:4") && damaged.contains("damaged"), damaged);
        Files.writeString(log, "x,y\n1,2\n");
        assertTrue(refusal(one.withResumedLog(log), rows).contains("no log"));
        assertEquals("x,y\n1,2\n", Files.readString(log));
        Files.write(log, new byte[0]);
        assertTrue(refusal(one.withResumedLog(log), rows).contains("no log"));
    }

    private static String refusal(Tuning tuning, MemorySource rows) {
        return String.valueOf(
                assertThrows(DataException.class, () -> search(tuning, rows, 1)).getMessage());
    }

    @Test
    void trainsTheBestSoFarWhenItIsStopped() {
        Silent listener = new Silent();
        // The constant, the linear model, the default, and another.
        listener.tests = 4;
        TuningResult result = SMALL.search(waves(120, 1), new Workers(1), listener);
        assertTrue(result.end().contains("interrupted"), result.end());
        assertEquals(2, result.trials());
        assertEquals(120, result.trained().report().rows());
    }

    @Test
    void aBudgetThatIsTooShortStillTrainsTheDefault() {
        AtomicLong clock = new AtomicLong();
        Tuning tuning = Tuning.of(KernelMachine.of("gaussian"))
                .withCandidates(CHEAP)
                .withBudget(Duration.ofSeconds(1))
                .withClock(() -> clock.addAndGet(1_000_000_000));
        TuningResult result = search(tuning, waves(60, 1), 1);
        assertEquals(1, result.trials());
        assertTrue(result.notes().stream().anyMatch(note -> note.text().contains("is too short")));
    }

    @Test
    void aBudgetLimitsTheNumberOfMachines() {
        AtomicLong clock = new AtomicLong();
        Tuning tuning = Tuning.of(KernelMachine.of("gaussian"))
                .withCandidates(CHEAP)
                .withBudget(Duration.ofSeconds(100))
                .withClock(() -> clock.addAndGet(100_000_000));
        TuningResult result = search(tuning, waves(60, 1), 1);
        assertTrue(result.trials() > 1 && result.trials() < 100, result.trials() + " trials");
        assertTrue(result.searchSeconds() + result.trainSeconds() <= 100, result.searchSeconds() + " s");
        assertTrue(result.end().contains("budget"), result.end());
    }

    @Test
    void classesAreComparedByTheirErrors() {
        MemorySource numbers = waves(150, 2);
        RandomStream stream = new Seed(4).stream();
        String[] classes = new String[150];
        double[][] values = new double[150][2];
        for (int i = 0; i < classes.length; i++) {
            values[i][0] = stream.nextGaussian();
            values[i][1] = stream.nextGaussian();
            classes[i] = Math.hypot(values[i][0], values[i][1]) < 1.2 ? "in" : "out";
        }
        MemorySource rows = MemorySource.of(values).withClasses(classes);
        TuningResult result = search(SMALL.withTrials(2), rows, 1);
        assertEquals("error", result.metric());
        assertTrue(
                result.winner().error() < 0.15 && result.beatsLinear(),
                result.winner().toString());
        assertEquals(
                "balanced-error",
                search(SMALL.withTrials(1).withMetric("balanced-error"), rows, 1)
                        .metric());
        assertThrows(SpellingException.class, () -> search(SMALL.withMetric("rmse"), rows, 1));
        assertThrows(SpellingException.class, () -> search(SMALL.withMetric("error"), numbers, 1));
    }

    /** Machines that see one column each: their sum sees both. */
    private static final List<Candidate> HALVES = List.of(
            new Candidate("gaussian(sigma=1)[0:1]", "none", 0, "standard", "ridge", null),
            new Candidate("gaussian(sigma=1)[1:2]", "none", 0, "standard", "ridge", null),
            new Candidate("gaussian(sigma=0.02)", "none", 0, "standard", "ridge", null));

    private static final Tuning AVERAGED = Tuning.of(KernelMachine.of("gaussian"))
            .withCandidates(HALVES)
            .withTrials(3)
            .withEnsemble(true);

    private static MemorySource sums(int rows) {
        RandomStream stream = new Seed(6).stream();
        double[][] values = new double[rows][2];
        double[] targets = new double[rows];
        for (int i = 0; i < rows; i++) {
            values[i][0] = stream.nextGaussian();
            values[i][1] = stream.nextGaussian();
            targets[i] = Math.sin(2 * values[i][0]) + Math.cos(2 * values[i][1]) + 0.1 * stream.nextGaussian();
        }
        return MemorySource.of(values).withTargets(targets);
    }

    @Test
    void averagesMachinesThatAreBetterTogether() throws IOException {
        MemorySource rows = sums(200);
        TuningResult result = search(AVERAGED, rows, 1);
        TuningResult.Average average = Objects.requireNonNull(result.average());
        // Each machine leaves the variance 1/2 of the other column's function, of 1 in all; the sum leaves the noise.
        assertTrue(
                average.error() < 0.4
                        && average.single() > 0.6
                        && result.winner().error() > 0.6,
                average.toString());
        assertEquals(
                List.of(1, 2),
                average.members().stream()
                        .map(member -> member.trial().number())
                        .filter(number -> number > 0)
                        .sorted()
                        .toList());
        List<ModelMember> members = result.trained().model().members();
        for (int m = 0; m < members.size(); m++) {
            assertEquals(average.members().get(m).weight(), members.get(m).weight());
            assertEquals(200, members.get(m).model().training().rows());
        }
        assertNull(result.learnedKernel());
        assertArrayEquals(bytes(result), bytes(search(AVERAGED, rows, 2)));
        assertNull(search(AVERAGED.withEnsemble(false), rows, 1).average());
    }

    @Test
    void aResumedSearchMakesTheSameAverage() throws IOException {
        MemorySource rows = sums(120);
        Path log = folder.resolve("search.jsonl");
        TuningResult whole = search(AVERAGED.withLog(log), rows, 1);
        List<String> lines = Files.readAllLines(log);
        Files.write(log, lines.subList(0, lines.size() / 2));
        assertArrayEquals(bytes(whole), bytes(search(AVERAGED.withResumedLog(log), rows, 1)));
        // Scores are not in the log: the tests of the members are repeated.
        assertArrayEquals(bytes(whole), bytes(search(AVERAGED.withResumedLog(log), rows, 1)));
        assertEquals(lines.size(), Files.readAllLines(log).size());
    }

    @Test
    void keepsTheBestMachineIfNoAverageIsBetter() {
        TuningResult result =
                search(AVERAGED.withCandidates(HALVES.subList(2, 3)).withTrials(1), waves(100, 1), 1);
        assertNull(result.average());
        assertTrue(result.trained().model().members().isEmpty());
        assertTrue(
                result.notes().stream().anyMatch(note -> note.text().contains("average")),
                result.notes().toString());
    }

    @Test
    void averagesOfClassesHaveFewerErrors() {
        MemorySource numbers = sums(200);
        RandomStream stream = new Seed(6).stream();
        String[] classes = new String[200];
        for (int i = 0; i < classes.length; i++) {
            double sum = Math.sin(2 * stream.nextGaussian()) + Math.cos(2 * stream.nextGaussian());
            stream.nextGaussian();
            classes[i] = sum < -0.3 ? "low" : sum < 0.5 ? "middle" : "high";
        }
        TuningResult result = search(AVERAGED, numbers.withClasses(classes), 1);
        TuningResult.Average average =
                Objects.requireNonNull(result.average(), () -> result.notes().toString());
        assertTrue(average.error() < average.single(), average.toString());
    }

    @Test
    void refusesRowsThatCannotBeCompared() {
        String few = String.valueOf(assertThrows(BochnerException.class, () -> search(SMALL, waves(2, 1), 1))
                .getMessage());
        assertTrue(few.contains("has 2 rows") && few.contains("at least 10"), few);
        MemorySource unlabelled = MemorySource.of(2, new float[60]);
        assertThrows(BochnerException.class, () -> search(SMALL, unlabelled, 1));
    }

    @Test
    void aConstantTargetIsNoReasonToFail() {
        double[] targets = new double[60];
        Arrays.fill(targets, 5);
        TuningResult result = search(SMALL.withTrials(1), waves(60, 1).withTargets(targets), 1);
        assertFalse(Double.isNaN(result.winner().error()));
        assertTrue(result.notes().stream().anyMatch(note -> note.text().contains("not better than a constant")));
    }

    @Test
    void learnsRatiosOfScalesFromASample() {
        MemorySource rows = waves(60, 5);
        KernelMachine base = KernelMachine.of("gaussian");
        SampledRatios ratios = SampledRatios.learn(base, null, rows, new Workers(1), new Silent());
        KernelMachine machine =
                ratios.machine(KernelMachine.of("stable(p=1.5, q=1)").withMap("none"));
        String kernel = machine.kernel().toString();
        assertTrue(kernel.startsWith("stable(p=1.5, q=1, sigma=~["), kernel);
        // The second column says nothing, so its length-scale is much longer.
        double[] scales = scales(kernel);
        assertTrue(scales[1] > 3 * scales[0], kernel);
        assertEquals(kernel, KernelMachine.of(kernel).kernel().toString());
    }

    private static double[] scales(String kernel) {
        String list = kernel.substring(kernel.indexOf('[') + 1, kernel.indexOf(']'));
        return Arrays.stream(list.split(", ", -1))
                .mapToDouble(part -> Double.parseDouble(part.substring(part.indexOf('=') + 1)))
                .toArray();
    }

    @Test
    void logsAreTextWithOneObjectPerLine() throws IOException {
        Path log = folder.resolve("search.jsonl");
        TuningResult unused = search(SMALL.withTrials(1).withLog(log), waves(60, 1), 1);
        String text = Files.readString(log, StandardCharsets.UTF_8);
        assertTrue(text.startsWith("{\"log\":\"tune\",\"format\":1,\"version\":"), text.substring(0, 60));
        assertTrue(text.endsWith("}\n"));
    }
}
