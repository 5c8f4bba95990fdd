package org.bochner.tune;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.bochner.base.BochnerException;
import org.bochner.base.Note;
import org.bochner.base.Notes;
import org.bochner.data.Labels;
import org.bochner.data.RowSource;
import org.bochner.model.KernelModel;
import org.bochner.model.TrainingReport;
import org.bochner.model.TrainingResult;
import org.bochner.model.file.AverageParts;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.model.train.Stacking;
import org.bochner.model.train.Training;
import org.bochner.random.Seed;
import org.bochner.stats.ClassWeighting;
import org.bochner.stats.ClassWeights;
import org.bochner.tune.search.Blend;
import org.bochner.tune.search.Budget;
import org.bochner.tune.search.HeldOutScores;
import org.bochner.tune.search.Losses;
import org.bochner.tune.search.Measure;
import org.bochner.tune.search.Rung;
import org.bochner.tune.search.SampledRows;
import org.bochner.tune.search.Standings;
import org.bochner.tune.search.Trial;
import org.jspecify.annotations.Nullable;

/** Averages the best machines of a search, if this lowers the error on held-out rows. */
final class EnsembleSearch {
    /** Averages are chosen on the highest rung with at least this many machines, without the linear model. */
    private static final int ENOUGH = 3;

    /** The most machines to choose from. */
    private static final int MOST = 12;

    /** The weights are fitted in this share of the remaining time at most. */
    private static final double SCORING_SHARE = 0.3;

    private final RowSource source;
    private final Measure measure;
    private final ClassWeights classWeights;
    private final Seed seed;
    private final HeldOutScores scores;
    private final Retest retest;
    private final ToDoubleFunction<Trial> trainingSeconds;
    private final Budget budget;
    private final Notes notes;

    EnsembleSearch(
            RowSource source,
            Measure measure,
            ClassWeights classWeights,
            Seed seed,
            HeldOutScores scores,
            Retest retest,
            ToDoubleFunction<Trial> trainingSeconds,
            Budget budget,
            Notes notes) {
        this.source = source;
        this.measure = measure;
        this.classWeights = classWeights;
        this.seed = seed;
        this.scores = scores;
        this.retest = retest;
        this.trainingSeconds = trainingSeconds;
        this.budget = budget;
        this.notes = notes;
    }

    /** Repeats a test, which keeps its scores if it can. */
    @FunctionalInterface
    interface Retest {
        void test(Trial trial, Rung rung, int fold);
    }

    /** Trains a machine on all rows. */
    @FunctionalInterface
    interface Trainer {
        CandidateTraining.Trained train(Trial trial);
    }

    /** An average that is better than the best machine on the same held-out rows. */
    record Plan(Rung rung, List<Trial> pool, Blend blend, Blend.Choice choice) {}

    /** A trained average; a machine if it has one member. */
    record Made(Rung rung, TrainingResult result, List<Note> notes, List<Member> members, Losses losses) {
        boolean isSingle() {
            return members.size() == 1;
        }

        CandidateTraining.Trained trained() {
            return new CandidateTraining.Trained(
                    result, notes, isSingle() ? members.get(0).spelling() : null);
        }
    }

    /** A member with what the command needs to train it again. */
    record Member(Trial trial, double weight, @Nullable String spelling) {}

    /**
     * Chooses an average.
     *
     * @return null if no average is better than the best machine; a note says why
     */
    @Nullable
    Plan plan(List<Rung> rungs, Standings standings, Trial best, SampledRowsOf samples) {
        Rung rung = rung(rungs, standings, best);
        if (rung == null) {
            notes.choice("no average was made: only one machine was tested on the same rows");
            return null;
        }
        List<Trial> pool = new ArrayList<>();
        List<float[][]> found = new ArrayList<>();
        double end = budget.elapsed() + SCORING_SHARE * (budget.seconds() - budget.elapsed());
        for (Trial trial : standings.on(rung)) {
            float[][] own = pool.size() < MOST && trainingSeconds.applyAsDouble(trial) < left()
                    ? scores(trial, rung, end)
                    : null;
            if (own != null) {
                pool.add(trial);
                found.add(own);
            }
        }
        if (pool.size() < 2) {
            notes.choice("no average was made: the scores of only one machine fit into memory and time");
            return null;
        }
        Blend blend = new Blend(
                measure,
                source.labels(),
                samples.of(rung),
                rung.folds(),
                found,
                pool.stream().mapToDouble(trainingSeconds).toArray(),
                classWeights,
                seed);
        Blend.Choice choice = blend.isTestable() ? blend.choose(left()) : null;
        if (choice == null) {
            notes.choice("no average was made: no sum of machines that can be trained in time has a smaller squared"
                    + " error on held-out rows than one of them");
            return null;
        }
        if (Arrays.stream(choice.members()).noneMatch(member -> pool.get(member) == best)) {
            notes.choice("no average was made: the best machine has no part in the best sum of machines on fewer rows");
            return null;
        }
        Losses alone = best.losses(rung);
        if (!better(choice.losses(), alone)) {
            notes.choice(String.format(
                    Locale.ROOT,
                    "the average of %d machines is not better than the best machine on %,d held-out rows: %s %.4g and %.4g;"
                            + " the best machine is kept",
                    choice.members().length,
                    Math.round(alone.rows()),
                    measure,
                    choice.losses().value(measure),
                    alone.value(measure)));
            return null;
        }
        return new Plan(rung, pool, blend, choice);
    }

    /** Returns the rows of a rung. */
    @FunctionalInterface
    interface SampledRowsOf {
        SampledRows of(Rung rung);
    }

    private double left() {
        return budget.seconds() - budget.elapsed();
    }

    private boolean better(Losses average, Losses alone) {
        double difference = alone.value(measure) - average.value(measure);
        return difference > 0 || (difference == 0 && average.tieBreak() < alone.tieBreak());
    }

    /** Returns the highest rung with enough machines, or with two; null if there is none. */
    private static @Nullable Rung rung(List<Rung> rungs, Standings standings, Trial best) {
        for (int least : new int[] {ENOUGH, 2}) {
            for (int r = rungs.size() - 1; r >= 0; r--) {
                Rung rung = rungs.get(r);
                long machines = standings.on(rung).stream()
                        .filter(trial -> trial.role() != Trial.Role.LINEAR)
                        .count();
                if (best.tested(rung) && machines >= least) {
                    return rung;
                }
            }
        }
        return null;
    }

    private float @Nullable [][] scores(Trial trial, Rung rung, double end) {
        float[][] all = new float[rung.folds()][];
        for (int fold = 0; fold < all.length; fold++) {
            float[] known = scores.get(trial.candidate(), rung, fold);
            if (known == null && budget.elapsed() < end) {
                retest.test(trial, rung, fold);
                known = scores.get(trial.candidate(), rung, fold);
            }
            if (known == null) {
                return null;
            }
            all[fold] = known;
        }
        return all;
    }

    /**
     * Trains the members, that of the largest weight first. If they take longer than predicted, those that are trained when the
     * time ends get new weights.
     *
     * @return the average, or the only machine that was trained; null if none could be
     */
    @Nullable
    Made make(Plan plan, Trainer trainer) {
        List<Integer> trained = new ArrayList<>();
        List<CandidateTraining.Trained> results = new ArrayList<>();
        double start = budget.elapsed();
        double predicted = 0;
        for (int member : plan.choice.members()) {
            Trial trial = plan.pool.get(member);
            double own = trainingSeconds.applyAsDouble(trial);
            double pace = predicted > 0 ? Math.max(1, (budget.elapsed() - start) / predicted) : 1;
            if (!trained.isEmpty() && pace * own > left()) {
                notes.choice("trial " + trial.number() + " was left out of the average: there was no time to train it");
                continue;
            }
            try {
                results.add(trainer.train(trial));
                trained.add(member);
            } catch (BochnerException e) {
                notes.choice("the machine of trial " + trial.number() + " could not be trained on all rows: "
                        + e.problem() + "; it was left out of the average");
            }
            predicted += own;
        }
        if (trained.isEmpty()) {
            return null;
        }
        if (trained.size() == 1) {
            notes.choice("no average was made: one machine was trained on all rows");
            Trial trial = plan.pool.get(trained.get(0));
            CandidateTraining.Trained one = results.get(0);
            Member only = new Member(trial, 1, one.spelling());
            return new Made(plan.rung, one.result(), one.notes(), List.of(only), trial.losses(plan.rung));
        }
        Blend.Choice choice = trained.size() == plan.choice.members().length
                ? plan.choice
                : plan.blend.of(trained.stream().mapToInt(Integer::intValue).toArray());
        return average(plan, choice, trained, results);
    }

    private Made average(
            Plan plan, Blend.Choice choice, List<Integer> trained, List<CandidateTraining.Trained> results) {
        List<AverageParts.Member> members = new ArrayList<>();
        List<Member> named = new ArrayList<>();
        List<TrainingReport> reports = new ArrayList<>();
        List<Note> all = new ArrayList<>();
        Stacking.Fit fit = choice.fit();
        for (int m = 0; m < choice.members().length; m++) {
            double weight = fit.weights()[m];
            if (!(weight > 0)) {
                continue;
            }
            CandidateTraining.Trained one = results.get(trained.indexOf(choice.members()[m]));
            Trial trial = plan.pool.get(choice.members()[m]);
            members.add(new AverageParts.Member(ModelAccess.parts(one.model()), weight));
            named.add(new Member(trial, weight, one.spelling()));
            reports.add(one.result().report());
            one.notes().stream().filter(note -> !all.contains(note)).forEach(all::add);
        }
        List<Double> intercepts = Arrays.stream(fit.intercepts()).boxed().toList();
        AverageParts parts = new AverageParts(
                members, intercepts, new AverageParts.Stacking(source.identity(), choice.rows(), fit.penalty()));
        KernelModel model = ModelAccess.model(ModelParts.of(parts, parts.main().training(), null));
        TrainingReport report = Training.report(reports, 0, reports.get(0).rows(), all);
        return new Made(plan.rung, new TrainingResult(model, report), all, named, choice.losses());
    }

    /** Returns the factors of the weights of rows. */
    static ClassWeights weights(ClassWeighting weighting, RowSource source) {
        return source.labels() instanceof Labels.Classes ? weighting.of(source) : ClassWeights.none();
    }
}
