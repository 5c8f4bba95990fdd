package org.bochner.tune;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.SpellingException;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.RowSource;
import org.bochner.data.sample.Folds;
import org.bochner.data.sample.RowCount;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.composed.SumKernel;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.map.FeatureMap;
import org.bochner.map.landmark.LandmarkForm;
import org.bochner.map.landmark.LandmarkMap;
import org.bochner.map.landmark.NoMap;
import org.bochner.map.landmark.UnmappedKernel;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.TrainingRecord;
import org.bochner.model.Transformer;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.tune.channels.ChannelFeatures;
import org.bochner.tune.channels.ChannelSolution;
import org.bochner.tune.channels.DualRows;
import org.bochner.tune.channels.PenaltyPath;
import org.bochner.tune.channels.SquareLossProblem;
import org.bochner.tune.exact.ExactChannels;
import org.bochner.tune.exact.ExactFolds;
import org.bochner.tune.folds.FoldedRows;
import org.bochner.tune.scales.ScalePenalty;

/**
 * One run of {@link MultipleKernels} without features, from one matrix of kernel values per channel. The objective, the
 * folds and the choice of the penalty are those of a run with features; the model is an exact machine of the sum of the
 * kernels.
 */
final class ExactKernelRun extends ChannelRun {
    ExactKernelRun(MultipleKernels recipe, RowSource source, Workers workers, Progress progress) {
        super(recipe, source, workers, progress);
    }

    @Override
    LearnedSum run() {
        requireSettings();
        ChannelChecks.before(recipe, source);
        long count = RowCount.of(source);
        int together = requireMemory(count);
        long began = System.nanoTime();
        Transformer transformer = prepare();
        stopped("stopped while scales were learned; the weights are those of the best scales so far");
        List<Kernel> kernels = terms(transformer.map().kernel());
        long mapping = System.nanoTime();
        ExactFolds rows = load(transformer);
        progress.report("computing kernel values", rows.count(), Double.NaN);
        ChannelFeatures channels = ChannelFeatures.ofKernels(kernels, source.columns(), rows.count());
        DualRows products = new DualRows(channels, new ExactChannels(kernels, rows), workers);
        progress.report("solving", rows.count(), Double.NaN);
        SquareLossProblem problem = new SquareLossProblem(recipe.norm, products, together, workers);
        requireLabels(problem);
        long solving = System.nanoTime();
        PenaltyPath path = path(problem, notes);
        PenaltyPath.Chosen chosen = path.choose();
        LearnedSum.Step step = path.steps().get(chosen.place());
        double[] rounded = Arrays.stream(chosen.solution().kernelWeights())
                .map(ChannelRun::rounded)
                .toArray();
        LinearModel linear = withWeights(problem, chosen, step.l2(), rounded);
        long end = System.nanoTime();
        Learner learner = recipe.loss().dense().withLambda(step.l2());
        KernelModel model = model(transformer, kernels, rows, rounded, linear, learner, step.lambda());
        notes.choice(String.format(Locale.ROOT, "the model contains %,d training rows", rows.count()));
        return new LearnedSum(
                channels(channels, channels, chosen.solution()),
                model.map().kernel(),
                learner,
                step.lambda(),
                path.steps(),
                chosen.place(),
                Double.NaN,
                Double.NaN,
                model,
                count,
                rows.count(),
                settings.map,
                notes.list(),
                (mapping - began) * 1e-9,
                (solving - mapping) * 1e-9,
                (end - solving) * 1e-9);
    }

    private void requireSettings() {
        NoMap.requireAllValues(settings.map, "multiple kernel learning");
        if (!recipe.loss().isSquare()) {
            throw new SpellingException(
                    "the map none works with the square loss, not with " + recipe.loss(),
                    Remedy.set(Setting.MAP, "landmarks(1000, whitened)", "takes every loss"),
                    Remedy.set(Setting.MAP, "must be left out"));
        }
        if (recipe.isJoint()) {
            throw new SpellingException(
                    "scales are learned together with the weights for maps with features, not for the map none",
                    Remedy.set(Setting.MAP, "must be left out"),
                    Remedy.advice("or learn the scales before the weights"));
        }
        if (recipe.hasFeatures()) {
            throw new SpellingException(
                    "the map none takes no number of features", Remedy.set(Setting.FEATURES, "must be left out"));
        }
    }

    /** Fails if the kernel values exceed the memory; returns how many folds can be solved at a time. */
    private int requireMemory(long count) {
        int outputs = OutputCoding.of(source.labels()).count();
        int channels = recipe.channels().size();
        IntToDoubleFunction bytes =
                together -> ExactChannels.bytesNeeded(count, channels, source.columns(), outputs, together);
        int most = Math.min(workers.threads(), recipe.folds());
        int together = Math.max(1, MemoryBudget.whole().mostBelow(most + 1, bytes));
        ExactFolds.requireMemory(
                source.name() + ": learning the weights of " + channels + " kernels",
                count,
                bytes.applyAsDouble(together));
        progress.memory(
                String.format(Locale.ROOT, "the values of %d kernels between %,d rows", channels, count),
                bytes.applyAsDouble(together));
        return together;
    }

    private Transformer prepare() {
        if (recipe.learnsScales) {
            return KernelLearning.of(machine).withSharing(Sharing.ONE).transformer(source, workers, progress, notes);
        }
        KernelMachine.KernelFit fit = machine.fitKernel(source, workers, progress, notes);
        return new Transformer(fit.scaler(), new UnmappedKernel(fit.kernel(), source.columns()));
    }

    /** Returns the terms of a sum of kernels, or the kernel itself. */
    static List<Kernel> terms(Kernel kernel) {
        return kernel instanceof SumKernel sum ? sum.terms() : List.of(kernel);
    }

    /** Copies the rows, with the folds of a run with features. */
    private ExactFolds load(Transformer transformer) {
        Folds folds = Folds.of(recipe.folds(), foldSeed);
        FoldedRows folded = FoldedRows.read(
                source,
                transformer.scaler(),
                transformer.map().kernel(),
                (row, group) -> folds.fold(group),
                recipe.folds(),
                0,
                workers);
        ExactFolds rows = ExactFolds.load(folded, recipe.folds(), settings.classWeighting.of(source));
        for (int fold = 0; fold < recipe.folds(); fold++) {
            if (rows.start(fold) == rows.start(fold + 1)) {
                throw emptyFold(fold);
            }
        }
        return rows;
    }

    /** Solves ridge regression again with rounded kernel weights, so that the kernel and the model fit each other. */
    private static LinearModel withWeights(
            SquareLossProblem problem, PenaltyPath.Chosen chosen, double l2, double[] rounded) {
        ChannelSolution solution = chosen.solution();
        ChannelSolution with = new ChannelSolution(
                solution.fit(),
                rounded,
                solution.norms(),
                solution.objective(),
                solution.residual(),
                solution.converged());
        var fit = problem.relaxed(problem.folds(), with, l2);
        return fit == null ? chosen.model() : fit.linear().get();
    }

    /** Returns the exact machine of the weighted sum of the kernels, without those of weight 0. */
    private KernelModel model(
            Transformer transformer,
            List<Kernel> kernels,
            ExactFolds rows,
            double[] kernelWeights,
            LinearModel linear,
            Learner learner,
            double lambda) {
        List<Kernel> weighted = new ArrayList<>();
        for (int c = 0; c < kernels.size(); c++) {
            if (kernelWeights[c] > 0) {
                weighted.add(kernelWeights[c] == 1 ? kernels.get(c) : Kernels.scaled(kernelWeights[c], kernels.get(c)));
            }
        }
        Kernel kernel = weighted.size() == 1 ? weighted.get(0) : new SumKernel(weighted);
        FeatureMap map = new LandmarkMap(kernel, rows.rows(), LandmarkForm.RAW);
        TrainingRecord training = settings.record(
                source,
                rows.count(),
                settings.map,
                learner,
                learner.lambda(),
                null,
                weighting(lambda, ScalePenalty.NONE),
                null,
                List.of());
        ModelParts model =
                ModelParts.of(new Transformer(transformer.scaler(), map), linear, source, Precision.FLOAT64, training);
        return ModelAccess.model(model.withProbabilitiesOf(recipe.loss().loss()));
    }
}
