package org.bochner.tune;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Notes;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.ColumnRange;
import org.bochner.data.Holdout;
import org.bochner.data.Labels;
import org.bochner.data.RowSource;
import org.bochner.data.sample.Folds;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.kernel.composed.SumKernel;
import org.bochner.learn.Iteration;
import org.bochner.learn.Learner;
import org.bochner.learn.calibrate.Calibration;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.TrainingRecord;
import org.bochner.model.Transformer;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.model.train.Compaction;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.random.Seed;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeatureStore;
import org.bochner.stats.GramAccumulator;
import org.bochner.tune.channels.ChannelFeatures;
import org.bochner.tune.channels.ChannelProblem;
import org.bochner.tune.channels.ChannelSolution;
import org.bochner.tune.channels.RowLossProblem;
import org.bochner.tune.channels.SquareLossProblem;
import org.bochner.tune.folds.FoldStatistics;
import org.bochner.tune.folds.FoldedRows;
import org.jspecify.annotations.Nullable;

/** One run of {@link MultipleKernels} on a source. */
final class MultipleKernelRun {
    /** Steps without a smaller loss before a path ends, and those that are always made. */
    private static final int PATIENCE = 4;

    private static final int SHORTEST = 8;

    /**
     * The share of all weights below which a channel counts as one without. Block-ℓ1 lets noise in with little weight before
     * useful channels have theirs: on 147 rows of msrc_v1 each of six channels of noise had up to 1.9%, and the least of the
     * others 5.8%.
     */
    private static final double SLIGHT = 0.025;

    /** What l2 is multiplied by, once and again, while the loss falls. */
    private static final double RELAXATION = StrictMath.sqrt(0.1);

    private final MultipleKernels recipe;
    private final RowSource source;
    private final Workers workers;
    private Progress progress;
    private final Seed foldSeed;
    private final Notes notes = new Notes();
    private final List<LearnedSum.Step> path = new ArrayList<>();

    /** Those of the path. */
    private final List<Losses> losses = new ArrayList<>();

    private long rows;

    MultipleKernelRun(MultipleKernels recipe, RowSource source, Workers workers, Progress progress) {
        this.recipe = recipe;
        this.source = source;
        this.workers = workers;
        this.progress = progress;
        foldSeed = recipe.seed().derive("channels");
    }

    LearnedSum run() {
        check();
        long began = System.nanoTime();
        Transformer transformer = recipe.learnsScales()
                ? KernelLearning.of(recipe.machine())
                        .withSharing(Sharing.ONE)
                        .transformer(source, workers, progress, notes)
                : recipe.machine().prepare(source, workers, progress, notes);
        if (progress.stopRequested()) {
            // Who stops learning scales wants a model with the best ones so far, whose weights are not cut short too.
            notes.solver("stopped while scales were learned; the weights are those of the best ones so far");
            progress = new UnstoppableProgress(progress);
        }
        ChannelFeatures channels = new ChannelFeatures(transformer.map());
        Blas.get();
        long mapping = System.nanoTime();
        ChannelProblem problem =
                recipe.loss().isSquare() ? squares(transformer, channels) : rows(transformer, channels);
        requireClasses(problem);
        long solving = System.nanoTime();
        Chosen chosen = walk(problem);
        LinearModel linear = linear(problem, chosen);
        long end = System.nanoTime();
        return learned(
                transformer,
                channels,
                chosen,
                linear,
                (mapping - began) * 1e-9,
                (solving - mapping) * 1e-9,
                (end - solving) * 1e-9);
    }

    private void check() {
        Labels labels = source.labels();
        OutputCoding.require(source.name(), labels);
        recipe.loss().requireFits(labels);
        recipe.beyond(source.columns()).ifPresent(channel -> {
            throw DataException.in(
                    source.name(),
                    "has " + source.columns() + " columns; the channel " + MultipleKernels.spelled(channel)
                            + " leaves them; name columns within 0:" + source.columns()
                            + ", which count from 0 and leave the last one out");
        });
    }

    private ChannelProblem squares(Transformer transformer, ChannelFeatures channels) {
        int targets = source.labels() instanceof Labels.Classes classes
                ? classes.names().size()
                : source.labels().targets();
        requireMemory(
                SquareLossProblem.bytesNeeded(
                        channels.features(), recipe.folds(), targets, workers.threads(), recipe.precision()),
                channels.features() + " features in all channels, and " + recipe.folds() + " folds,");
        // Every row is needed once, so none is kept.
        Folds folds = Folds.of(recipe.folds(), foldSeed);
        FoldedRows folded = new FoldedRows(
                source,
                transformer.scaler(),
                transformer.map().kernel(),
                (row, group) -> folds.fold(group),
                recipe.folds(),
                0,
                workers);
        List<GramAccumulator> totals = FoldStatistics.of(
                folded,
                transformer.map(),
                ClassWeights.none(),
                recipe.precision(),
                done -> progress.report("mapping", done, Double.NaN));
        for (int fold = 0; fold < totals.size(); fold++) {
            rows += totals.get(fold).rows();
            requireRows(fold, totals.get(fold).weight());
        }
        progress.report("solving", rows, Double.NaN);
        return new SquareLossProblem(recipe.norm(), channels, totals, source.labels(), recipe.precision(), workers);
    }

    private ChannelProblem rows(Transformer transformer, ChannelFeatures channels) {
        List<Holdout> folds = Holdout.folds(source, recipe.folds(), foldSeed);
        long passes = FeatureStore.bytesNeeded(channels.features(), workers.threads(), recipe.precision());
        requireMemory(passes, channels.features() + " features in all channels");
        RowLossProblem problem = new RowLossProblem(
                recipe.norm(),
                recipe.loss().grouped(),
                recipe.loss().dense(),
                channels,
                source,
                folds,
                transformer,
                recipe.precision(),
                MemoryBudget.kept(recipe.memory(), passes).bytes(),
                recipe.seed().derive("learner"),
                workers,
                progress);
        rows = problem.rows();
        return problem;
    }

    private static void requireMemory(long needed, String what) {
        MemoryBudget.whole().require(needed, what, "take fewer features, folds or threads");
    }

    private void requireRows(int fold, double weight) {
        if (!(weight > 0)) {
            throw new BochnerException(source.name() + ": fold " + (fold + 1) + " of " + recipe.folds()
                    + " has no rows, or none with a weight above 0; use fewer folds or another seed");
        }
    }

    /** Fails where all rows to learn from are of one class once a fold is left out. */
    private void requireClasses(ChannelProblem problem) {
        if (!(source.labels() instanceof Labels.Classes classes)) {
            return;
        }
        for (int fold = 0; fold < problem.folds(); fold++) {
            for (int c = 0; c < classes.names().size(); c++) {
                if (problem.shareWithout(fold, c) > 1 - 1e-12) {
                    throw new BochnerException(source.name() + ": without fold " + (fold + 1) + " of " + recipe.folds()
                            + ", all rows are of the class " + classes.names().get(c)
                            + ", so that strengths cannot be compared; use fewer folds or another seed, or more rows of"
                            + " the other classes");
                }
            }
        }
    }

    /**
     * What was taken.
     *
     * @param mixture on all rows
     * @param place on the path
     */
    private record Chosen(ChannelSolution mixture, int place) {}

    /** Goes down the strengths until the loss has risen for a while, the precision ends, or the user has had enough. */
    private Chosen walk(ChannelProblem problem) {
        double strength = problem.start();
        if (!(strength > 0)) {
            throw new BochnerException(
                    "the features of the channels tell nothing of the labels: are all rows equal, or the"
                            + " kernels' scales far off?");
        }
        int best = -1;
        List<ChannelSolution> mixtures = new ArrayList<>();
        for (int step = 0; step < recipe.steps(); step++) {
            strength *= problem.ratio();
            ChannelSolution all = problem.solve(problem.folds(), strength);
            Losses tried = all == null ? null : compare(problem, strength, all);
            if (all == null || tried == null) {
                precisionEnds();
                break;
            }
            if (best >= 0 && progress.stopRequested()) {
                path.remove(path.size() - 1);
                break;
            }
            mixtures.add(all);
            losses.add(tried);
            if (best < 0 || tried.mean < losses.get(best).mean) {
                best = step;
            }
            Iteration iteration = new Iteration(
                    step + 1,
                    all.objective(),
                    "residual",
                    all.residual(),
                    all.model().nonZeros());
            progress.iteration(String.format(Locale.ROOT, "lambda=%.4g", strength), iteration, tried.mean);
            if (progress.stopRequested() || (step >= SHORTEST && step - best >= PATIENCE)) {
                break;
            }
        }
        if (progress.stopRequested()) {
            notes.solver("stopped from outside after " + path.size() + " strengths; the best of them was taken");
        } else if (best == recipe.steps() - 1) {
            notes.choice("the weakest penalty of the path has the least loss; more --steps may do better");
        }
        int place = simplest(best, problem);
        ChannelSolution chosen = mixtures.get(place);
        return new Chosen(recipe.norm().leavesOut() ? chosen.without(SLIGHT) : chosen, place);
    }

    /**
     * The strength with the least loss, or, of those that leave more channels out, the one with the least loss among them,
     * where folds do not tell the two apart: the mean of their differences is within its standard error. Noise that
     * happens to help on some rows comes in by less.
     */
    private int simplest(int least, ChannelProblem problem) {
        int best = least;
        while (true) {
            int fewer = -1;
            for (int step = 0; step < path.size(); step++) {
                boolean simpler = path.get(step).active() < path.get(best).active();
                if (simpler && (fewer < 0 || losses.get(step).mean < losses.get(fewer).mean)) {
                    fewer = step;
                }
            }
            if (fewer < 0 || !recipe.norm().leavesOut()) {
                return best;
            }
            Losses excess = losses.get(fewer).less(losses.get(least), problem);
            if (excess.mean > excess.standardError) {
                return best;
            }
            best = fewer;
        }
    }

    private void precisionEnds() {
        if (path.isEmpty()) {
            throw new BochnerException("the penalty at which a first channel comes in is below the precision of the"
                    + " features; use --precision double");
        }
        notes.precision(String.format(
                Locale.ROOT,
                "the path ends at lambda=%.4g, the smallest that the precision of the features allows",
                path.get(path.size() - 1).lambda()));
    }

    /** The least loss at a strength, over all folds; null where the precision ends. */
    private @Nullable Losses compare(ChannelProblem problem, double strength, ChannelSolution all) {
        List<ChannelSolution> mixtures = new ArrayList<>();
        List<LinearModel> models = new ArrayList<>();
        boolean converged = all.converged();
        for (int fold = 0; fold < problem.folds(); fold++) {
            ChannelSolution mixture = problem.solve(fold, strength);
            if (mixture == null) {
                return null;
            }
            mixtures.add(mixture);
            models.add(mixture.model());
            converged &= mixture.converged();
        }
        double l2 = problem.l2(strength);
        Losses best = losses(problem, models);
        if (recipe.norm().leavesOut()) {
            for (double weaker = l2 * RELAXATION; !progress.stopRequested(); weaker *= RELAXATION) {
                Losses tried = relaxed(problem, mixtures, weaker);
                if (tried == null || tried.mean >= best.mean) {
                    break;
                }
                best = tried;
                l2 = weaker;
            }
        }
        path.add(new LearnedSum.Step(
                strength,
                l2,
                best.mean,
                best.standardError,
                all.active(),
                Arrays.stream(all.weights()).boxed().toList(),
                converged));
        return best;
    }

    private @Nullable Losses relaxed(ChannelProblem problem, List<ChannelSolution> mixtures, double l2) {
        List<LinearModel> models = new ArrayList<>();
        for (int fold = 0; fold < problem.folds(); fold++) {
            LinearModel model = problem.relaxed(fold, mixtures.get(fold), l2);
            if (model == null) {
                return null;
            }
            models.add(model);
        }
        return losses(problem, models);
    }

    /** The loss of cross-validation, how uncertain it is, and that of each fold. */
    private record Losses(double mean, double standardError, List<Double> ofFolds) {
        static Losses of(List<Double> ofFolds, ChannelProblem problem) {
            double sum = 0;
            double weight = 0;
            for (int fold = 0; fold < ofFolds.size(); fold++) {
                sum += problem.weight(fold) * ofFolds.get(fold);
                weight += problem.weight(fold);
            }
            double mean = sum / weight;
            double squares = 0;
            for (int fold = 0; fold < ofFolds.size(); fold++) {
                double away = ofFolds.get(fold) - mean;
                squares += problem.weight(fold) * away * away;
            }
            return new Losses(mean, Math.sqrt(squares / weight / (ofFolds.size() - 1)), ofFolds);
        }

        /** The differences from other losses of the same folds. */
        Losses less(Losses other, ChannelProblem problem) {
            List<Double> differences = new ArrayList<>();
            for (int fold = 0; fold < ofFolds.size(); fold++) {
                differences.add(ofFolds.get(fold) - other.ofFolds.get(fold));
            }
            return of(differences, problem);
        }
    }

    private static Losses losses(ChannelProblem problem, List<LinearModel> models) {
        List<Double> ofFolds = new ArrayList<>();
        for (int fold = 0; fold < problem.folds(); fold++) {
            ofFolds.add(problem.loss(fold, models.get(fold)));
        }
        return Losses.of(ofFolds, problem);
    }

    /** The linear functions of what was taken, on all rows, with its l2. */
    private LinearModel linear(ChannelProblem problem, Chosen chosen) {
        LearnedSum.Step step = path.get(chosen.place);
        if (chosen.mixture.active() == step.active() && step.l2() == problem.l2(step.lambda())) {
            return chosen.mixture.model();
        }
        LinearModel model = problem.relaxed(problem.folds(), chosen.mixture, step.l2());
        return model == null ? chosen.mixture.model() : model;
    }

    private LearnedSum learned(
            Transformer transformer,
            ChannelFeatures channels,
            Chosen chosen,
            LinearModel linear,
            double prepareSeconds,
            double mapSeconds,
            double solveSeconds) {
        ChannelSolution mixture = chosen.mixture;
        if (!path.get(chosen.place).converged()) {
            notes.solver("at the strength taken the solver did not come to its tolerance; its residual is "
                    + String.format(Locale.ROOT, "%.2g", mixture.residual()));
        }
        double total = IntStream.range(0, channels.count())
                .mapToDouble(mixture::weight)
                .sum();
        List<LearnedSum.Channel> learned = new ArrayList<>();
        List<Kernel> terms = new ArrayList<>();
        for (int c = 0; c < channels.count(); c++) {
            ColumnRange columns = recipe.channels().get(c);
            Kernel term = channels.part(c).kernel();
            learned.add(new LearnedSum.Channel(
                    columns,
                    term instanceof ChannelKernel own ? own.kernel() : term,
                    channels.size(c),
                    mixture.norm(c),
                    mixture.weight(c),
                    mixture.weight(c) / total));
            if (mixture.weight(c) > 0) {
                double factor = new BigDecimal(mixture.weight(c))
                        .round(new MathContext(6))
                        .doubleValue();
                terms.add(factor == 1 ? term : new ScaledKernel(factor, term));
            }
        }
        Kernel kernel = terms.size() == 1 ? terms.get(0) : new SumKernel(terms);
        double lambda = path.get(chosen.place).lambda();
        Learner learner =
                recipe.loss().dense().withLambda(path.get(chosen.place).l2());
        return new LearnedSum(
                learned,
                kernel,
                learner,
                lambda,
                path,
                chosen.place,
                model(transformer, linear, learner, lambda),
                rows,
                channels.features(),
                recipe.map(),
                notes.list(),
                prepareSeconds,
                mapSeconds,
                solveSeconds);
    }

    private KernelModel model(Transformer transformer, LinearModel linear, Learner learner, double lambda) {
        TrainingRecord training = new TrainingRecord(
                source.identity(),
                rows,
                Kernels.recipe(recipe.kernelSpelling()),
                recipe.map(),
                learner,
                learner.lambda(),
                null,
                false,
                Map.of(),
                recipe.seed(),
                null,
                null,
                null,
                new TrainingRecord.ChannelWeighting(
                        channelSpelling(),
                        recipe.norm().toString(),
                        recipe.loss().toString(),
                        lambda,
                        recipe.folds()),
                null,
                List.of(),
                TrainingRecord.libraryVersion(),
                TrainingRecord.today());
        ModelParts model = Compaction.of(ModelParts.of(transformer, linear, source, recipe.precision(), training));
        return ModelAccess.model(
                recipe.loss().loss() instanceof Loss.Logistic && source.labels() instanceof Labels.Classes classes
                        ? model.withCalibration(
                                Calibration.sigmoid(classes.names().size()))
                        : model);
    }

    private String channelSpelling() {
        return String.join(
                ",", recipe.channels().stream().map(MultipleKernels::spelled).toList());
    }
}
