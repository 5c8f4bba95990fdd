package org.bochner.tune.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;

/**
 * Successive halving: all candidates are tested on a small sample of the rows, and those that do well on larger and larger
 * ones (Jamieson and Talwalkar, 2016). A candidate is tested on the next rung if it is in the best third of a rung, or if
 * the difference from the best one is at most one standard error, for the same held-out rows, or if it is the best one with
 * its map. The first batch is the
 * portfolio; later batches are variations of the best candidates.
 *
 * <p>The constant and the linear model are tested on every rung, and so is the default of the command {@code train}.
 *
 * <p>Without a budget, the result depends on the candidates and their losses alone. With one, a test starts only if its
 * predicted time, and that of training the best machine on all rows, fit into the budget.
 */
public final class Halving {
    /** The share of a rung that is always tested on the next one. */
    private static final int KEPT = 3;

    /** The best machine with a map is tested with more rows if its error is at most this many times that of the best one. */
    private static final double MOST_ABOVE = 1.3;

    /** Candidates of a batch of variations. */
    private static final int BATCH = 9;

    /** Variations start from this many of the best candidates. */
    private static final int LEADERS = 3;

    /** The share of the time for the first rung; the others share the rest equally. */
    private static final double FIRST_SHARE = 0.25;

    /** The most of the time that is kept for training the members of an average. */
    private static final double MEMBERS_SHARE = 0.3;

    /** The training of the best machine may take this share of the budget longer: its predicted time is not certain. */
    private static final double GRACE = 0.25;

    private final List<Rung> rungs;
    private final Measure measure;
    private final TableFacts facts;
    private final List<Candidate> portfolio;
    private final @Nullable String scaling;
    private final int mostTrials;
    private final Budget budget;
    private final Tester tester;
    private final BooleanSupplier stopped;
    private final Consumer<Standings> listener;
    private final Variations variations;
    private final List<Trial> trials = new ArrayList<>();
    private final Set<Candidate> seen = new HashSet<>();
    private final Pace pace;
    private final int members;
    private int numbers;
    private int tests;

    /** Why a search ended. */
    public enum End {
        /** The number of trials was reached. */
        TRIALS,
        /** No other candidate was found. */
        EXHAUSTED,
        /** No further test fits into the budget. */
        BUDGET,
        /** The user asked for it. */
        STOPPED
    }

    /**
     * Creates a search.
     *
     * @param portfolio the candidates to try first; the first one is the default
     * @param scaling the scaling of all candidates; null if each has its own
     * @param mostTrials the most candidates, besides the constant and the linear model
     * @param members the number of machines to keep time for at the end
     * @param stopped returns true if the user wants the best machine so far
     * @param listener receives the standings after each test
     */
    public Halving(
            List<Rung> rungs,
            Measure measure,
            TableFacts facts,
            List<Candidate> portfolio,
            @Nullable String scaling,
            int mostTrials,
            int members,
            Seed seed,
            Budget budget,
            Tester tester,
            BooleanSupplier stopped,
            Consumer<Standings> listener) {
        Require.atLeast("tuning", "trials", mostTrials, 1);
        this.rungs = rungs;
        this.measure = measure;
        this.facts = facts;
        this.portfolio = List.copyOf(portfolio);
        this.scaling = scaling;
        this.mostTrials = mostTrials;
        this.members = members;
        pace = new Pace(rungs);
        this.budget = budget;
        this.tester = tester;
        this.stopped = stopped;
        this.listener = listener;
        variations = new Variations(facts, seed.derive("variations"));
    }

    /**
     * Runs the search.
     *
     * @throws BochnerException if no candidate could be trained
     */
    public End run() {
        addBaselines();
        List<Trial> batch = batch(portfolio, Math.min(mostTrials, portfolio.size()));
        End end = climbWhileTestsFit(batch);
        while (end == End.TRIALS && numbers < mostTrials) {
            List<Candidate> best = standings().ranked().stream()
                    .filter(trial -> !trial.isBaseline())
                    .limit(LEADERS)
                    .map(Trial::candidate)
                    .toList();
            List<Candidate> next = variations.next(Math.min(BATCH, mostTrials - numbers), best, seen);
            if (next.isEmpty()) {
                return End.EXHAUSTED;
            }
            end = climbWhileTestsFit(next.stream().map(this::added).toList());
        }
        if (standings().best().isEmpty() && end != End.STOPPED) {
            throw new BochnerException("no candidate could be trained; the default failed: "
                    + trials.stream()
                            .filter(trial -> trial.role() == Trial.Role.USUAL)
                            .map(trial -> String.valueOf(trial.failure()))
                            .findFirst()
                            .orElse("it was not tested"));
        }
        return end;
    }

    /** Returns the results so far. */
    public Standings standings() {
        return new Standings(trials, measure, budget.limited() ? this::fitsAtEnd : trial -> true);
    }

    private void addBaselines() {
        trials.add(new Trial(0, Trial.Role.CONSTANT, Candidate.CONSTANT));
        Candidate linear = fixed(Candidate.linear(Portfolio.linearScaling(facts)));
        seen.add(linear);
        trials.add(new Trial(0, Trial.Role.LINEAR, linear));
    }

    private List<Trial> batch(List<Candidate> candidates, int count) {
        List<Trial> batch = new ArrayList<>();
        for (Candidate candidate : candidates) {
            Candidate own = fixed(candidate);
            if (batch.size() < count && seen.add(own)) {
                batch.add(added(own));
            }
        }
        return batch;
    }

    private Trial added(Candidate candidate) {
        Candidate own = fixed(candidate);
        Trial trial = new Trial(++numbers, numbers == 1 ? Trial.Role.USUAL : Trial.Role.OTHER, own);
        trials.add(trial);
        return trial;
    }

    private Candidate fixed(Candidate candidate) {
        return scaling == null ? candidate : candidate.withScaling(scaling);
    }

    /**
     * Tests new trials. What did not fit into the time of a rung is tried again while time is left: later rungs often take
     * less time than they may.
     */
    private End climbWhileTestsFit(List<Trial> batch) {
        while (true) {
            int before = tests;
            trials.forEach(Trial::tryAgain);
            End end = climb(batch.stream()
                    .filter(trial -> !trial.tested() && !trial.halted() && trial.failure() == null)
                    .toList());
            if (end != End.BUDGET || tests == before) {
                return end;
            }
        }
    }

    /** Tests new trials on the first rung, and the best ones of all on the others. */
    private End climb(List<Trial> batch) {
        double start = budget.elapsed();
        double left = budget.seconds() - start - secondsAtEnd();
        List<Trial> due = batch;
        boolean all = true;
        for (Rung rung : rungs) {
            double share = rungs.size() == 1 ? 1 : FIRST_SHARE + (1 - FIRST_SHARE) * rung.index() / (rungs.size() - 1);
            double end = budget.limited() ? start + share * left : Double.POSITIVE_INFINITY;
            for (Trial trial : due) {
                if (stopped.getAsBoolean()) {
                    return End.STOPPED;
                }
                boolean first = trial.role() == Trial.Role.USUAL && rung.index() == 0;
                if (first || fits(trial, rung, end)) {
                    testBaselines(rung);
                    test(trial, rung, first);
                } else {
                    trial.leaveForTime();
                }
                all &= !trial.leftForTime();
            }
            if (rung.index() + 1 < rungs.size()) {
                due = promoted(rung, rungs.get(rung.index() + 1));
            }
        }
        return stopped.getAsBoolean() ? End.STOPPED : all ? End.TRIALS : End.BUDGET;
    }

    private void testBaselines(Rung rung) {
        for (Trial trial : trials) {
            if (trial.isBaseline() && !trial.tested(rung) && trial.failure() == null && !stopped.getAsBoolean()) {
                // Nothing is known about times before the first test.
                test(trial, rung, rung.index() == 0);
            }
        }
    }

    /**
     * Returns the trials to test on the next rung: first the best one of each map, because some maps gain more from further
     * rows than others, and then the other good ones, each in the order of their errors.
     */
    private List<Trial> promoted(Rung rung, Rung next) {
        List<Trial> there = trials.stream()
                .filter(trial -> trial.tested(rung) && !trial.isBaseline())
                .sorted(Standings.by(rung, measure))
                .toList();
        int kept = (there.size() + KEPT - 1) / KEPT;
        Set<String> maps = new HashSet<>();
        List<Trial> first = new ArrayList<>();
        List<Trial> promoted = new ArrayList<>();
        for (int rank = 0; rank < there.size(); rank++) {
            Trial trial = there.get(rank);
            boolean best = trial.losses(rung).value(measure)
                            <= MOST_ABOVE * there.get(0).losses(rung).value(measure)
                    && maps.add(trial.candidate().mapName());
            boolean near = rank < kept || Standings.isNear(trial, there.get(0), rung, measure);
            if ((best || near || trial.role() == Trial.Role.USUAL)
                    && !trial.tested(next)
                    && !trial.leftForTime()
                    && trial.failure() == null) {
                (best ? first : promoted).add(trial);
            }
        }
        first.addAll(promoted);
        return first;
    }

    /** Tests a trial on a rung, of which it has all lower ones. */
    private void test(Trial trial, Rung rung, boolean unlimited) {
        budget.endTestsAt(
                unlimited || !budget.limited() ? Double.POSITIVE_INFINITY : budget.seconds() - secondsAtEnd());
        int first = rung.firstFold(rungs);
        Losses losses = first == 0 ? Losses.NONE : trial.losses(rungs.get(rung.index() - 1));
        double firstFold = 0;
        double lastFold = 0;
        for (int fold = first; fold < rung.folds(); fold++) {
            FoldTest test;
            try {
                test = tester.test(trial.candidate(), rung, fold);
            } catch (Tester.Halted e) {
                trial.halt();
                return;
            }
            trial.spend(test.seconds());
            firstFold = fold == 0 ? test.seconds() : firstFold;
            lastFold = test.seconds();
            if (test.failure() != null) {
                trial.fail(Objects.requireNonNull(test.failure()));
                listener.accept(standings());
                return;
            }
            losses = losses.plus(test.losses());
            if (stopped.getAsBoolean() && fold + 1 < rung.folds()) {
                return;
            }
        }
        tests++;
        pace.take(trial, rung, firstFold);
        trial.add(rung, losses, firstFold, lastFold);
        listener.accept(standings());
    }

    /** Returns true if a test and the training at the end fit into the budget, and the time of the rung is not over. */
    private boolean fits(Trial trial, Rung rung, double end) {
        if (!budget.limited()) {
            return true;
        }
        double now = budget.elapsed();
        double ended = now + pace.test(trial, rung);
        return now <= end && ended + Math.max(secondsAtEnd(), trainingSeconds(trial)) <= budget.seconds();
    }

    /** Returns the predicted seconds of training a machine on all rows; 0 if the time is not limited. */
    public double trainingSeconds(Trial trial) {
        return budget.limited() ? pace.training(trial) : 0;
    }

    /** Returns the seconds to keep for the training at the end. */
    private double secondsAtEnd() {
        List<Trial> ranked = standings().ranked().stream()
                .filter(trial -> trial.role() != Trial.Role.CONSTANT)
                .toList();
        double left = budget.seconds() - budget.elapsed();
        double best = ranked.stream()
                .mapToDouble(this::trainingSeconds)
                .filter(seconds -> seconds <= left)
                .findFirst()
                .orElse(0);
        double several = ranked.stream()
                .limit(members)
                .mapToDouble(this::trainingSeconds)
                .filter(seconds -> seconds <= left)
                .sum();
        return Math.max(best, Math.min(several, MEMBERS_SHARE * budget.seconds()));
    }

    /** Returns true if there is time to train a machine. For the default, and for what takes no longer, there always is. */
    private boolean fitsAtEnd(Trial trial) {
        double seconds = trainingSeconds(trial);
        double usual = trials.stream()
                .filter(other -> other.role() == Trial.Role.USUAL && other.tested())
                .mapToDouble(this::trainingSeconds)
                .findFirst()
                .orElse(0);
        return seconds <= usual || budget.elapsed() + seconds <= (1 + GRACE) * budget.seconds();
    }

    /** Orders trials by the number of rungs, the highest first. */
    static final Comparator<Trial> HIGHEST =
            Comparator.comparingInt(Trial::height).reversed();
}
