package org.bochner.tune;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.bochner.base.BochnerException;
import org.bochner.base.Note;
import org.bochner.base.Notes;
import org.bochner.data.Encoding;
import org.bochner.data.Holdout;
import org.bochner.data.RowSource;
import org.bochner.data.sample.RowCount;
import org.bochner.learn.Iteration;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.TrainingRecord;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelFile;
import org.bochner.model.train.TrainingSettings;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.tune.search.Blend;
import org.bochner.tune.search.Budget;
import org.bochner.tune.search.Candidate;
import org.bochner.tune.search.FoldTest;
import org.bochner.tune.search.Halving;
import org.bochner.tune.search.HeldOutScores;
import org.bochner.tune.search.LossCounter;
import org.bochner.tune.search.Losses;
import org.bochner.tune.search.Measure;
import org.bochner.tune.search.Portfolio;
import org.bochner.tune.search.Rung;
import org.bochner.tune.search.SampledRows;
import org.bochner.tune.search.Standings;
import org.bochner.tune.search.TableFacts;
import org.bochner.tune.search.TestLog;
import org.bochner.tune.search.Tester;
import org.bochner.tune.search.Trial;
import org.jspecify.annotations.Nullable;

/** One search: trains and tests candidates, and trains the best one on all rows. */
final class TuningRun {
    private static final double NANOS = 1e-9;

    private final Tuning recipe;
    private final RowSource source;
    private final Workers workers;
    private final Tuning.Listener listener;
    private final Seed seed;
    private final Measure measure;
    private final long rows;
    private final List<Rung> rungs;
    private final Map<Long, SampledRows> samples = new HashMap<>();
    private final CandidateTraining training;
    private final HeldOutScores scores = new HeldOutScores();
    private final Budget budget;
    private final Notes notes = new Notes();

    TuningRun(Tuning recipe, RowSource source, Workers workers, Tuning.Listener listener) {
        this.recipe = recipe;
        this.workers = workers;
        this.listener = listener;
        budget = new Budget(
                recipe.clock, recipe.budget == null ? Double.POSITIVE_INFINITY : recipe.budget.toNanos() * NANOS);
        seed = recipe.machine.seed().derive("tuning");
        OutputCoding.require(source.name(), source.encoding() != null, source.labels());
        recipe.requireMetric(source.labels());
        measure = recipe.measure == null ? Measure.usual(source.labels()) : recipe.measure;
        rows = RowCount.of(source);
        if (rows < Rung.LEAST_ROWS) {
            throw new BochnerException(source.name() + ": has " + rows + (source.ofSets() ? " sets" : " rows")
                    + ", too few to compare machines on held-out rows; a search needs at least " + Rung.LEAST_ROWS);
        }
        rungs = Rung.of(rows);
        this.source = SampledRows.inMemory(source);
        training = new CandidateTraining(recipe.machine, this.source, workers, rungs, this::sample, recipe.clock);
    }

    TuningResult run() {
        TableFacts facts = facts();
        TestLog log = recipe.log == null
                ? null
                : recipe.resumes
                        ? TestLog.resume(recipe.log, identity(), this::test, notes)
                        : TestLog.create(recipe.log, identity(), this::test);
        try (log) {
            Halving halving = new Halving(
                    rungs,
                    measure,
                    facts,
                    recipe.candidates == null ? Portfolio.of(facts) : recipe.candidates,
                    recipe.scaling == null ? null : recipe.scaling.toString(),
                    recipe.trials(),
                    recipe.ensemble ? Blend.MOST_MEMBERS : 1,
                    seed,
                    budget,
                    log == null ? this::test : log,
                    listener::stopRequested,
                    standings -> listener.standings(leaderboard(standings), tested(standings)));
            Halving.End end = halving.run();
            return result(halving, end, log);
        }
    }

    private static int tested(Standings standings) {
        return (int)
                standings.ranked().stream().filter(trial -> trial.number() > 0).count();
    }

    private TableFacts facts() {
        SampledRows first = sample(rungs.get(0));
        return new TableFacts(
                rows,
                source.columns(),
                source.sparse(),
                first.survey().nonNegative(),
                first.survey().classCounts().length > 0,
                source.ofSets());
    }

    private SampledRows sample(Rung rung) {
        // Samples of lower rungs are needed again for later candidates.
        return samples.computeIfAbsent(rung.rows(), count -> new SampledRows(source, count, rows, seed));
    }

    /** Returns what the results of tests depend on. */
    private Map<String, Object> identity() {
        TrainingSettings settings = ModelAccess.settings(recipe.machine);
        Map<String, Object> identity = new LinkedHashMap<>();
        identity.put("version", TrainingRecord.libraryVersion());
        identity.put("data", source.identity().toJson());
        identity.put("rows", rows);
        identity.put("columns", source.columns());
        identity.put(TestLog.ENCODING, encoding());
        identity.put("labels", source.labels().names());
        identity.put("metric", measure.toString());
        identity.put("scaling", recipe.scaling == null ? "auto" : recipe.scaling.toString());
        identity.put("seed", settings.seed.value());
        identity.put("precision", settings.precision.toString());
        identity.put("balanced", settings.classWeighting.balanced());
        identity.put("classWeights", settings.classWeighting.factors());
        return identity;
    }

    /** Returns the digest of what becomes of each cell of the files: levels and names may be long. */
    private @Nullable String encoding() {
        Encoding encoding = source.encoding();
        return encoding == null ? null : ModelFile.digest(encoding.state());
    }

    private FoldTest test(Candidate candidate, Rung rung, int fold) {
        long start = recipe.clock.getAsLong();
        SampledRows sample = sample(rung);
        LossCounter counter =
                new LossCounter(measure, source.labels(), sample.survey().classCounts(), seed);
        if (candidate.equals(Candidate.CONSTANT)) {
            Losses losses = sample.constant(fold, counter);
            return new FoldTest(losses, (recipe.clock.getAsLong() - start) * NANOS, null);
        }
        TestProgress progress = new TestProgress(listener, budget, rung, fold);
        long shared = training.sharedNanos();
        try {
            Holdout split = sample.fold(fold);
            KernelModel model = training.test(candidate, rung, fold, progress).model();
            progress.requireComplete();
            HeldOutScores.Collected collected = new HeldOutScores.Collected();
            int outputs = OutputCoding.of(source.labels()).count();
            model.score(split.test(), workers, progress, (block, found) -> {
                counter.add(block, found, row -> model.classOf(found, row));
                if (recipe.ensemble) {
                    collected.add(found, block.rows() * outputs);
                }
            });
            progress.requireComplete();
            if (recipe.ensemble) {
                scores.keep(candidate, rung, fold, collected);
            }
            Losses losses = counter.losses();
            long own = recipe.clock.getAsLong() - start - (training.sharedNanos() - shared);
            return new FoldTest(losses, own * NANOS, null);
        } catch (BochnerException | IllegalArgumentException e) {
            progress.requireComplete();
            String reason = e instanceof BochnerException failure ? failure.problem() : String.valueOf(e.getMessage());
            return new FoldTest(Losses.NONE, (recipe.clock.getAsLong() - start) * NANOS, reason);
        }
    }

    private TuningResult result(Halving halving, Halving.End end, @Nullable TestLog log) {
        Standings standings = halving.standings();
        if (standings.best().isEmpty()) {
            throw new BochnerException("the search was stopped before the first machine was tested");
        }
        double searched = budget.elapsed();
        standings
                .unaffordable()
                .ifPresent(trial -> notes.choice(String.format(
                        Locale.ROOT,
                        "trial %d ranks first, but its training on all rows would take %.3g s, for which there was no time;"
                                + " use a larger budget",
                        trial.number(),
                        halving.trainingSeconds(trial))));
        List<TuningResult.Trial> leaderboard = leaderboard(standings);
        EnsembleSearch.Made made = recipe.ensemble ? average(halving, standings) : null;
        EnsembleSearch.Made average = made == null || made.isSingle() ? null : made;
        Trial[] chosen = {
            made == null || average != null
                    ? standings.best().get()
                    : made.members().get(0).trial()
        };
        CandidateTraining.Trained trained = made == null ? trainBest(standings, chosen) : made.trained();
        double seconds = budget.elapsed() - searched;
        noteBudget(standings, searched, seconds);
        Gain gain = noteComparison(standings, chosen[0]);
        List<Note> all = new ArrayList<>(notes.list());
        all.addAll(trained.notes());
        return new TuningResult(
                trained.result(),
                trained.spelling(),
                trial(chosen[0], standings),
                average == null ? null : summary(average, standings, chosen[0]),
                leaderboard,
                measure.toString(),
                gain.difference(),
                gain.standardError(),
                words(end),
                tested(standings),
                log == null ? 0 : log.reused(),
                searched,
                seconds,
                all,
                log == null ? null : log.failure());
    }

    /** Trains an average; returns null if none is better than the best machine. */
    private EnsembleSearch.@Nullable Made average(Halving halving, Standings standings) {
        EnsembleSearch search = new EnsembleSearch(
                source,
                measure,
                EnsembleSearch.weights(ModelAccess.settings(recipe.machine).classWeighting, source),
                seed,
                scores,
                this::retest,
                halving::trainingSeconds,
                budget,
                notes);
        EnsembleSearch.Plan plan =
                search.plan(rungs, standings, standings.best().orElseThrow(), this::sample);
        if (plan == null) {
            return null;
        }
        Progress progress = new UnstoppableProgress(listener);
        return search.make(plan, trial -> {
            listener.training(trial(trial, standings));
            return training.last(trial.candidate(), trial.top(), progress);
        });
    }

    private void retest(Trial trial, Rung rung, int fold) {
        try {
            budget.endTestsAt(budget.seconds());
            FoldTest unused = test(trial.candidate(), rung, fold);
        } catch (Tester.Halted e) {
            // Its scores are missing.
        }
    }

    private TuningResult.Average summary(EnsembleSearch.Made average, Standings standings, Trial best) {
        Rung rung = average.rung();
        Losses losses = average.losses();
        double error = losses.value(measure);
        double constant = constantError(standings, rung);
        return new TuningResult.Average(
                average.members().stream()
                        .map(member -> new TuningResult.Member(
                                trial(member.trial(), standings), member.weight(), member.spelling()))
                        .toList(),
                error,
                losses.standardError(measure),
                best.losses(rung).value(measure),
                constant > 0 ? error / constant : Double.NaN,
                rung.rows(),
                Math.round(losses.rows()));
    }

    /** Trains the best machine on all rows; the next best one if it cannot be trained. */
    private CandidateTraining.Trained trainBest(Standings standings, Trial[] chosen) {
        List<Trial> order = new ArrayList<>();
        standings.best().ifPresent(order::add);
        standings.ranked().stream()
                .filter(trial -> trial.role() != Trial.Role.CONSTANT && !order.contains(trial))
                .forEach(order::add);
        BochnerException first = null;
        // The work of a user who stops the search is not lost: the training is finished.
        Progress progress = new UnstoppableProgress(listener);
        for (Trial trial : order) {
            listener.training(trial(trial, standings));
            chosen[0] = trial;
            try {
                return training.last(trial.candidate(), trial.top(), progress);
            } catch (BochnerException e) {
                notes.choice("the machine of trial " + trial.number() + " could not be trained on all rows: "
                        + e.problem() + "; the next best one is trained instead");
                first = first == null ? e : first;
            }
        }
        throw first == null ? new BochnerException("no candidate could be trained") : first;
    }

    private void noteBudget(Standings standings, double searched, double seconds) {
        if (searched + seconds > budget.seconds() && standings.ranked().size() <= 3) {
            notes.choice(String.format(
                    Locale.ROOT,
                    "the budget of %.3g s is too short to compare machines: the first test ended after %.3g s, and training"
                            + " on all rows took %.3g s more; a budget of ten times this time allows a comparison",
                    budget.seconds(),
                    searched,
                    seconds));
        } else if (standings.untested() > 0) {
            notes.choice(String.format(
                    Locale.ROOT,
                    "%d candidates did not fit into the budget of %.3g s",
                    standings.untested(),
                    budget.seconds()));
        }
        for (Trial trial : standings.failed()) {
            notes.choice("trial " + trial.number() + " failed: " + trial.failure());
        }
    }

    /** The gain of the best machine over the linear model. */
    private record Gain(double difference, double standardError) {}

    private Gain noteComparison(Standings standings, Trial winner) {
        Gain gain = new Gain(Double.NaN, Double.NaN);
        Optional<Trial> linear = standings.ofRole(Trial.Role.LINEAR);
        if (linear.isPresent()) {
            gain = gain(linear.get(), winner);
            if (linear.get() == winner) {
                notes.choice("no candidate has a smaller error than the linear model");
            } else if (!(gain.difference > gain.standardError)) {
                notes.choice(
                        "the best machine is not better than the linear model by one standard error; the linear model"
                                + " is simpler");
            }
        }
        Optional<Trial> constant = standings.ofRole(Trial.Role.CONSTANT);
        if (constant.isPresent()) {
            Gain over = gain(constant.get(), winner);
            if (!(over.difference > over.standardError)) {
                notes.choice(
                        "the best machine is not better than a constant by one standard error: the columns seem to say"
                                + " nothing about the labels");
            }
        }
        return gain;
    }

    /** Returns how much smaller the error of a trial is on the highest rung that both have. */
    private Gain gain(Trial other, Trial winner) {
        Rung rung = winner.tested(other.top()) ? other.top() : winner.top();
        Losses own = winner.losses(rung);
        Losses others = other.losses(rung);
        return new Gain(others.value(measure) - own.value(measure), own.standardErrorOfDifference(others, measure));
    }

    private static String words(Halving.End end) {
        return switch (end) {
            case TRIALS -> "the number of trials was reached";
            case EXHAUSTED -> "no other candidate was left";
            case BUDGET -> "no further test fitted into the budget";
            case STOPPED -> "the search was interrupted";
        };
    }

    private List<TuningResult.Trial> leaderboard(Standings standings) {
        List<TuningResult.Trial> trials = new ArrayList<>();
        standings.ranked().forEach(trial -> trials.add(trial(trial, standings)));
        standings.failed().forEach(trial -> trials.add(trial(trial, standings)));
        return trials;
    }

    /** Returns the error of the constant on a rung; NaN if it was not tested. */
    private double constantError(Standings standings, Rung rung) {
        return standings
                .ofRole(Trial.Role.CONSTANT)
                .filter(other -> other.tested(rung))
                .map(other -> other.losses(rung).value(measure))
                .orElse(Double.NaN);
    }

    private TuningResult.Trial trial(Trial trial, Standings standings) {
        Candidate candidate = trial.candidate();
        boolean tested = trial.tested();
        double error = tested ? trial.losses(trial.top()).value(measure) : Double.NaN;
        double constant = tested ? constantError(standings, trial.top()) : Double.NaN;
        return new TuningResult.Trial(
                trial.number(),
                candidate.kernel(),
                candidate.map(),
                candidate.features(),
                candidate.scaling(),
                candidate.learner(),
                candidate.method(),
                tested ? trial.top().rows() : 0,
                tested ? Math.round(trial.losses(trial.top()).rows()) : 0,
                error,
                tested ? trial.losses(trial.top()).standardError(measure) : Double.NaN,
                constant > 0 ? error / constant : Double.NaN,
                trial.seconds(),
                trial.failure());
    }

    /**
     * The progress of one test. It ends the test if the user asks for it, or if the budget does: a search whose tests end only
     * by themselves would keep the user waiting.
     */
    private static final class TestProgress implements Progress {
        private final Tuning.Listener listener;
        private final BooleanSupplier overdue;
        private final String prefix;
        private boolean told;

        TestProgress(Tuning.Listener listener, Budget budget, Rung rung, int fold) {
            this.listener = listener;
            overdue = budget::overdue;
            prefix = String.format(Locale.ROOT, "%,d rows, fold %d: ", rung.rows(), fold + 1);
        }

        private void endIfAsked() {
            if (listener.stopRequested() || overdue.getAsBoolean()) {
                told = true;
                throw new Tester.Halted();
            }
        }

        /** Throws if the test ended early: its result is not that of the candidate. */
        void requireComplete() {
            if (told) {
                throw new Tester.Halted();
            }
        }

        @Override
        public void report(String stage, long done, double fraction) {
            endIfAsked();
            listener.report(prefix + stage, done, fraction);
        }

        @Override
        public void iteration(String learner, Iteration iteration, double validationError) {
            endIfAsked();
        }

        @Override
        public void kernelIteration(String stage, int iteration) {
            endIfAsked();
            listener.report(prefix + stage, 0, Double.NaN);
        }

        @Override
        public boolean stopRequested() {
            boolean stop = listener.stopRequested() || overdue.getAsBoolean();
            told |= stop;
            return stop;
        }
    }
}
