package org.bochner.tune.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import org.bochner.base.BochnerException;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;

/** Successive halving on a made-up objective, whose losses are known. */
class HalvingTest {
    private static final TableFacts FACTS = new TableFacts(40_000, 8, false, false, false, false);
    private static final List<Rung> RUNGS = Rung.of(40_000);

    private final List<String> tests = new ArrayList<>();
    private final AtomicLong clock = new AtomicLong();
    private ToDoubleFunction<Candidate> secondsOf = candidate -> 1;
    private Budget budget = new Budget(clock::get, Double.POSITIVE_INFINITY);
    private boolean stop;

    /** The mean squared error of a candidate: a function of its spelling. The linear model has 9, the constant 16. */
    private static double quality(Candidate candidate) {
        if (candidate.equals(Candidate.CONSTANT)) {
            return 16;
        }
        if (Candidate.LINEAR_KERNEL.equals(candidate.kernel())) {
            return 9;
        }
        return 1 + 4 * new Seed(7).derive(candidate.toString()).unit();
    }

    /** Losses around the quality, whose noise is shared by all candidates and shrinks with the rows. */
    private FoldTest test(Candidate candidate, Rung rung, int fold) {
        tests.add(rung.index() + " " + fold + " " + candidate);
        double quality = quality(candidate);
        double seconds = secondsOf.applyAsDouble(candidate) * rung.rows() / 2500;
        // As in a real search, a test ends when it takes the time of the training at the end.
        for (double spent = 0; spent < seconds; spent += 1) {
            clock.addAndGet((long) (Math.min(1, seconds - spent) * 1e9));
            if (budget.overdue()) {
                throw new Tester.Halted();
            }
        }
        RandomStream stream = new Seed(3).derive(rung.index()).derive(fold).stream();
        double perBlock = rung.rows() / 5.0 / Losses.BLOCKS;
        double[] sums = new double[Losses.BLOCKS];
        double[] rows = new double[Losses.BLOCKS];
        Arrays.fill(rows, perBlock);
        for (int b = 0; b < Losses.BLOCKS; b++) {
            sums[b] = perBlock * quality * (1 + 0.05 * stream.nextGaussian() / Math.sqrt(perBlock));
        }
        return new FoldTest(new Losses(sums, sums, rows), seconds, null);
    }

    private Halving halving(int trials, double seconds) {
        budget = new Budget(clock::get, seconds);
        return new Halving(
                RUNGS,
                Measure.RMSE,
                FACTS,
                Portfolio.of(FACTS),
                null,
                trials,
                1,
                new Seed(1),
                budget,
                this::test,
                () -> stop,
                standings -> {});
    }

    @Test
    void findsTheBestCandidateOfThePortfolio() {
        Halving halving = halving(16, Double.POSITIVE_INFINITY);
        assertEquals(Halving.End.TRIALS, halving.run());
        List<Candidate> portfolio = Portfolio.of(FACTS).subList(0, 16);
        // The noise is common to all candidates, so that it does not change their order.
        Candidate best = portfolio.stream()
                .min((one, other) -> Double.compare(quality(one), quality(other)))
                .orElseThrow();
        assertEquals(best, halving.standings().best().orElseThrow().candidate());
        assertEquals(RUNGS.size(), halving.standings().best().orElseThrow().height());
    }

    @Test
    void testsFewerCandidatesOnLargerSamples() {
        Halving halving = halving(18, Double.POSITIVE_INFINITY);
        halving.run();
        int[] counts = new int[RUNGS.size()];
        for (Trial trial : halving.standings().ranked()) {
            for (int r = 0; r < trial.height() && trial.number() > 0; r++) {
                counts[r]++;
            }
        }
        assertEquals(18, counts[0]);
        for (int r = 1; r < counts.length; r++) {
            // The best third, the default, and the best of each other map: landmarks, auto and binning. Common noise
            // lets
            // nothing else be within one standard error.
            assertTrue(counts[r] <= (counts[r - 1] + 2) / 3 + 1 + 2, Arrays.toString(counts));
        }
    }

    @Test
    void keepsTheConstantTheLinearModelAndTheDefaultToTheEnd() {
        Halving halving = halving(10, Double.POSITIVE_INFINITY);
        halving.run();
        for (Trial.Role role : List.of(Trial.Role.CONSTANT, Trial.Role.LINEAR, Trial.Role.USUAL)) {
            Trial trial = halving.standings().ofRole(role).orElseThrow();
            assertEquals(RUNGS.size(), trial.height(), role.toString());
        }
    }

    @Test
    void goesOnWithVariationsAfterThePortfolio() {
        int portfolio = Portfolio.of(FACTS).size();
        Halving halving = halving(portfolio + 12, Double.POSITIVE_INFINITY);
        halving.run();
        assertEquals(
                portfolio + 12,
                halving.standings().ranked().stream()
                        .filter(trial -> trial.number() > 0)
                        .map(Trial::candidate)
                        .distinct()
                        .count());
    }

    @Test
    void repeatsTheSameTests() {
        halving(30, Double.POSITIVE_INFINITY).run();
        List<String> first = List.copyOf(tests);
        tests.clear();
        halving(30, Double.POSITIVE_INFINITY).run();
        assertEquals(first, tests);
        assertEquals(first.size(), first.stream().distinct().count());
    }

    @Test
    void endsWithinTheBudgetAndLeavesTimeForTheBest() {
        double budget = 400;
        Halving halving = halving(Integer.MAX_VALUE, budget);
        assertEquals(Halving.End.BUDGET, halving.run());
        Trial best = halving.standings().best().orElseThrow();
        double end = clock.get() * 1e-9 + 40_000 / 2500.0;
        assertTrue(end <= budget, "the search and the training take " + end + " s");
        assertTrue(best.height() > 1);
        assertTrue(tests.size() > 40, tests.size() + " tests");
    }

    /** The training of the machine that ranks first may end after a quarter more than the budget. */
    @Test
    void keepsTheFirstMachineWhoseTrainingTakesALittleLongerThanTheBudget() {
        secondsOf = candidate -> candidate.equals(Candidate.USUAL) ? 0.01 : 1;
        double seconds = 300;
        Halving halving = halving(20, seconds);
        halving.run();
        Trial first = halving.standings().best().orElseThrow();
        assertTrue(first.number() > 1, first.candidate().toString());
        double latest = 1.25 * seconds - halving.trainingSeconds(first);
        clock.set((long) ((latest - 0.5) * 1e9));
        assertEquals(first, halving.standings().best().orElseThrow());
        assertTrue(halving.standings().unaffordable().isEmpty());
        clock.set((long) ((latest + 0.5) * 1e9));
        assertNotEquals(first, halving.standings().best().orElseThrow());
        assertEquals(first, halving.standings().unaffordable().orElseThrow());
    }

    @Test
    void testsTheDefaultWithAnyBudget() {
        Halving halving = halving(Integer.MAX_VALUE, 0.1);
        assertEquals(Halving.End.BUDGET, halving.run());
        assertEquals(Candidate.USUAL, halving.standings().best().orElseThrow().candidate());
        // The constant, the linear model and the default.
        assertEquals(3, tests.size());
    }

    @Test
    void leavesOutCandidatesThatAreTooSlowToBeTrained() {
        secondsOf = candidate -> candidate.method() == null ? 1 : 1000;
        Halving halving = halving(Integer.MAX_VALUE, 2000);
        halving.run();
        assertTrue(halving.standings().best().orElseThrow().candidate().method() == null);
    }

    @Test
    void stopsWithTheBestSoFar() {
        Halving halving = new Halving(
                RUNGS,
                Measure.RMSE,
                FACTS,
                Portfolio.of(FACTS),
                null,
                20,
                1,
                new Seed(1),
                new Budget(clock::get, Double.POSITIVE_INFINITY),
                (candidate, rung, fold) -> {
                    if (tests.size() == 6) {
                        stop = true;
                        throw new Tester.Halted();
                    }
                    return test(candidate, rung, fold);
                },
                () -> stop,
                standings -> {});
        assertEquals(Halving.End.STOPPED, halving.run());
        assertEquals(6, tests.size());
        assertTrue(halving.standings().best().isPresent());
    }

    @Test
    void leavesOutFailuresAndFailsIfAllFail() {
        List<Candidate> portfolio = Portfolio.of(FACTS);
        Halving one = new Halving(
                RUNGS,
                Measure.RMSE,
                FACTS,
                Portfolio.of(FACTS),
                null,
                8,
                1,
                new Seed(1),
                new Budget(clock::get, Double.POSITIVE_INFINITY),
                (candidate, rung, fold) -> candidate.equals(portfolio.get(2))
                        ? new FoldTest(Losses.NONE, 1, "no memory")
                        : test(candidate, rung, fold),
                () -> false,
                standings -> {});
        one.run();
        assertEquals(1, one.standings().failed().size());
        assertFalse(one.standings().ranked().stream()
                .anyMatch(trial -> trial.candidate().equals(portfolio.get(2))));
        Halving all = new Halving(
                RUNGS,
                Measure.RMSE,
                FACTS,
                Portfolio.of(FACTS),
                null,
                4,
                1,
                new Seed(1),
                new Budget(clock::get, Double.POSITIVE_INFINITY),
                (candidate, rung, fold) -> new FoldTest(Losses.NONE, 1, "no memory"),
                () -> false,
                standings -> {});
        String problem = assertThrows(BochnerException.class, all::run).problem();
        assertTrue(problem.contains("no memory"), problem);
    }
}
