package org.bochner.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import org.bochner.base.Notes;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.Holdout;
import org.bochner.data.RowSource;
import org.bochner.data.sample.Folds;
import org.bochner.data.sample.RowCount;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.ConcatenatedMap;
import org.bochner.map.composed.ScaledMap;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.TrainingRecord;
import org.bochner.model.Transformer;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.model.train.Compaction;
import org.bochner.model.train.GramPass;
import org.bochner.model.train.TrainingContext;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.DualAccumulator;
import org.bochner.stats.FeatureStore;
import org.bochner.stats.FoldedFeatures;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.MappedSource;
import org.bochner.tune.channels.ChannelFeatures;
import org.bochner.tune.channels.ChannelProblem;
import org.bochner.tune.channels.DualRows;
import org.bochner.tune.channels.JointProblem;
import org.bochner.tune.channels.PenaltyPath;
import org.bochner.tune.channels.PrimalRows;
import org.bochner.tune.channels.RidgeRows;
import org.bochner.tune.channels.RowLossProblem;
import org.bochner.tune.channels.SquareLossProblem;
import org.bochner.tune.folds.FoldedRows;
import org.bochner.tune.scales.ScalePenalty;

/** One run of {@link MultipleKernels} with features. */
final class MultipleKernelRun extends ChannelRun {
    private ClassWeights classWeights = ClassWeights.none();
    private long rows;

    MultipleKernelRun(MultipleKernels recipe, RowSource source, Workers workers, Progress progress) {
        super(recipe, source, workers, progress);
    }

    @Override
    LearnedSum run() {
        ChannelChecks.before(recipe, source);
        classWeights = settings.classWeighting.of(source);
        long began = System.nanoTime();
        Transformer transformer = recipe.learnsScales
                ? KernelLearning.of(machine).withSharing(Sharing.ONE).transformer(source, workers, progress, notes)
                : machine.prepare(source, workers, progress, notes);
        stopped("stopped while scales were learned; the weights are those of the best scales so far");
        Blas.get();
        long mapping = System.nanoTime();
        JointProblem joint = recipe.isJoint() ? joint(transformer) : null;
        ChannelProblem problem = joint == null ? problem(source, transformer) : joint;
        requireLabels(problem);
        long solving = System.nanoTime();
        ScalePenalty scalePenalty = ScalePenalty.NONE;
        double initialLoss = Double.POSITIVE_INFINITY;
        if (joint != null) {
            ScalePriorSearch search = new ScalePriorSearch(joint, path(joint, new Notes()), progress);
            scalePenalty = recipe.scalePenalty == null ? search.choose() : recipe.scalePenalty;
            initialLoss = search.initialLoss();
            joint.restart(scalePenalty);
            if (stopped("stopped before scales were learned; the weights are those of the initial scales")) {
                joint.setMoves(false);
            }
        }
        PenaltyPath path = path(problem, notes);
        PenaltyPath.Chosen chosen = path.choose();
        long end = System.nanoTime();
        ChannelFeatures initial = new ChannelFeatures(transformer.map());
        Kernel initialKernel = (joint == null ? transformer.map() : joint.base()).kernel();
        if (joint != null) {
            transformer = new Transformer(transformer.scaler(), joint.map());
        }
        ChannelFeatures channels = new ChannelFeatures(transformer.map());
        LearnedSum.Step step = path.steps().get(chosen.place());
        if (step.loss() > initialLoss) {
            notes.choice(String.format(
                    Locale.ROOT,
                    "with the initial scales, the cross-validated loss is smaller: %.5g instead of %.5g",
                    initialLoss,
                    step.loss()));
        }
        Learner learner = recipe.loss().dense().withLambda(step.l2());
        double[] kernelWeights = chosen.solution().kernelWeights();
        KernelModel model = model(
                transformer,
                channels,
                kernelWeights,
                chosen.model(),
                learner,
                weighting(step.lambda(), scalePenalty, initialKernel));
        return new LearnedSum(
                channels(initial, channels, chosen.solution()),
                model.map().kernel(),
                learner,
                step.lambda(),
                path.steps(),
                chosen.place(),
                joint == null ? Double.NaN : joint.before(),
                joint == null ? Double.NaN : joint.after(),
                model,
                rows,
                channels.features(),
                settings.map,
                notes.list(),
                (mapping - began) * 1e-9,
                (solving - mapping) * 1e-9,
                (end - solving) * 1e-9);
    }

    /** Returns the problem of the weights for given features of rows. */
    private ChannelProblem problem(RowSource from, Transformer transformer) {
        ChannelFeatures channels = new ChannelFeatures(transformer.map());
        return recipe.loss().isSquare()
                ? squareLoss(from, transformer, channels)
                : rowLoss(from, transformer, channels);
    }

    /** Returns the problem of weights and scales together. Scaled rows are kept if they fit into the memory. */
    private JointProblem joint(Transformer transformer) {
        ScaleSearch.requireParameters(transformer.map(), Sharing.ONE);
        FeatureMap base = base(transformer.map());
        long budget = settings.memory.orElse(MemoryBudget.spare().bytes()) / 3;
        FoldedRows scaled = FoldedRows.read(
                source, transformer.scaler(), transformer.map().kernel(), (row, group) -> 0, 1, budget, workers);
        Scaler identity = Scalings.identity(source.columns());
        return new JointProblem(
                map -> problem(scaled.fold(0), new Transformer(identity, map)),
                scaled,
                recipe.loss().loss(),
                classWeights,
                settings.precision,
                base,
                transformer.map(),
                progress);
    }

    /** Returns the map with the scales that the penalty of scales compares with. */
    private FeatureMap base(FeatureMap start) {
        ResumedKernels resumed = recipe.resumed;
        if (resumed == null) {
            return start;
        }
        List<KernelRecipe> initial = resumed.initialKernels();
        FeatureMap base = recipe.resumedMachine(initial, resumed.scaler())
                .prepare(source, workers, progress, new Notes())
                .map();
        if (initial.stream().anyMatch(KernelRecipe::needsData)
                && !resumed.scalePenalty().equals(ScalePenalty.NONE)) {
            notes.choice(
                    "the model does not hold its initial scales; the penalty of scales compares with scales measured"
                            + " again: " + base.kernel());
        }
        return base;
    }

    /** Sums over the rows, or, for fewer rows than features, computes their inner products. */
    private ChannelProblem squareLoss(RowSource from, Transformer transformer, ChannelFeatures channels) {
        int features = channels.features();
        int targets = OutputCoding.of(source.labels()).targets();
        Folds folds = Folds.of(recipe.folds(), foldSeed);
        IntToDoubleFunction primal = together -> PrimalRows.bytesNeeded(
                features, recipe.folds(), targets, workers.threads(), settings.precision, together);
        long count = rows > 0 ? rows : RowCount.upTo(source, features);
        IntToDoubleFunction dual =
                together -> DualRows.bytesNeeded(count, channels, targets, settings.precision, together);
        // Many channels of few rows may have more inner products than their features have products.
        boolean fewRows = count < features
                && (MemoryBudget.whole().holds(dual.applyAsDouble(1))
                        || dual.applyAsDouble(1) < primal.applyAsDouble(1));
        int together = together(fewRows ? dual : primal);
        if (fewRows) {
            DualAccumulator.requireMatrixSize(count);
            requireMemory(
                    (long) dual.applyAsDouble(together),
                    "the inner products of " + count + " rows in " + channels.count() + " channels");
        } else {
            requireMemory(
                    (long) primal.applyAsDouble(together),
                    features + " features in all channels, and " + recipe.folds() + " folds,");
        }
        RidgeRows ridgeRows =
                fewRows ? dual(from, transformer, channels, folds) : primal(from, transformer, channels, folds);
        rows = ridgeRows.rowsRead();
        progress.report("solving", rows, Double.NaN);
        return new SquareLossProblem(recipe.norm, ridgeRows, together, workers);
    }

    /** Returns how many folds the memory allows to solve at a time, at least 1. */
    private int together(IntToDoubleFunction bytes) {
        int most = Math.min(workers.threads(), recipe.folds());
        return Math.max(1, MemoryBudget.whole().mostBelow(most + 1, bytes));
    }

    private PrimalRows primal(RowSource from, Transformer transformer, ChannelFeatures channels, Folds folds) {
        List<GramAccumulator> totals = new GramPass(from, transformer, workers)
                .setFolds(folds, recipe.folds())
                .accumulateParts(classWeights, settings.precision, progress);
        for (int fold = 0; fold < totals.size(); fold++) {
            requireWeight(fold, totals.get(fold).totalRowWeight());
        }
        return new PrimalRows(channels, totals, source.labels(), settings.precision);
    }

    private DualRows dual(RowSource from, Transformer transformer, ChannelFeatures channels, Folds folds) {
        MappedSource mapped = new MappedSource(
                from, transformer.scaler(), transformer.map(), classWeights, settings.precision, workers);
        FoldedFeatures features = FoldedFeatures.map(
                mapped, recipe.folds(), folds::fold, (done, fraction) -> progress.report("mapping", done, fraction));
        progress.report("multiplying rows", features.rows(), Double.NaN);
        for (int fold = 0; fold < recipe.folds(); fold++) {
            requireWeight(fold, features.rowWeight(fold));
        }
        return new DualRows(channels, features, workers);
    }

    private void requireWeight(int fold, double rowWeight) {
        if (!(rowWeight > 0)) {
            throw emptyFold(fold);
        }
    }

    private ChannelProblem rowLoss(RowSource from, Transformer transformer, ChannelFeatures channels) {
        long passes = FeatureStore.bytesNeeded(channels.features(), workers.threads(), settings.precision);
        requireMemory(passes, channels.features() + " features in all channels");
        List<Holdout> folds = Holdout.folds(from, recipe.folds(), foldSeed);
        TrainingContext context = TrainingContext.of(settings, from, workers, progress, notes);
        ChannelLoss loss = recipe.loss();
        RowLossProblem problem = new RowLossProblem(
                recipe.norm, loss.grouped(), loss.dense(), folds, classWeights, transformer, context);
        rows = problem.rows();
        return problem;
    }

    private static void requireMemory(long needed, String what) {
        MemoryBudget.whole().require((double) needed, what, "take fewer features, folds or threads");
    }

    /**
     * Returns the model of the weighted sum of the kernels, without those of weight 0. Features are multiplied by √dⱼ
     * and their weights divided by it: the scores stay, and the penalty of the learner is |w|² of the model's weights.
     */
    private KernelModel model(
            Transformer transformer,
            ChannelFeatures channels,
            double[] kernelWeights,
            LinearModel linear,
            Learner learner,
            TrainingRecord.ChannelWeighting weighting) {
        List<FeatureMap> parts = new ArrayList<>();
        double[] weights = linear.weights();
        int outputs = linear.outputs();
        for (int c = 0; c < channels.count(); c++) {
            double factor = rounded(kernelWeights[c]);
            boolean scaled = factor > 0 && factor != 1;
            parts.add(scaled ? new ScaledMap(factor, channels.part(c)) : channels.part(c));
            for (int i = channels.start(c) * outputs; scaled && i < channels.end(c) * outputs; i++) {
                weights[i] /= Math.sqrt(factor);
            }
        }
        LinearModel ofWeighted = linear.withWeights(weights);
        FeatureMap map = parts.size() == 1 ? parts.get(0) : new ConcatenatedMap(parts);
        TrainingRecord training = settings.record(
                source, rows, settings.map, learner, learner.lambda(), null, weighting, null, List.of());
        ModelParts model = Compaction.of(ModelParts.of(
                new Transformer(transformer.scaler(), map), ofWeighted, source, settings.precision, training));
        return ModelAccess.model(model.withProbabilitiesOf(recipe.loss().loss()));
    }
}
