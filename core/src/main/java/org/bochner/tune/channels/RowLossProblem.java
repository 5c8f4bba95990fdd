package org.bochner.tune.channels;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.Holdout;
import org.bochner.data.RowSource;
import org.bochner.learn.Convergence;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Monitor;
import org.bochner.learn.solve.Formulation;
import org.bochner.learn.solve.Training;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.ConcatenatedMap;
import org.bochner.map.composed.ScaledMap;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.model.train.TrainingContext;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.FeatureStore;
import org.bochner.stats.JoinedFeatures;
import org.bochner.stats.MappedSource;
import org.bochner.stats.StoredFeatures;

/**
 * Multiple kernel learning with a loss that needs many passes over the features. The features of each fold are kept
 * if the memory allows it. If p is larger than 1 and finite, the kernel weights change between passes, and the rows
 * are mapped again for each change.
 *
 * <p>Threads: not safe; passes are parallel.
 */
public final class RowLossProblem implements ChannelProblem {
    /** The largest number of alternations between weights and kernel weights at one penalty; each trains a model. */
    private static final int ALTERNATIONS = 30;

    private static final double TOLERANCE = 1e-2;

    private final ChannelNorm norm;
    private final ChannelFeatures channels;
    private final RowSource source;
    private final List<Holdout> folds;
    private final ClassWeights classWeights;
    private final Transformer transformer;
    private final Learner learner;
    private final Learner dense;
    private final Precision precision;
    private final long budget;
    private final Seed seed;
    private final Workers workers;
    private final Progress progress;
    /** Factors of the channels' kernels for block-ℓ1, because the learner multiplies a group's penalty by √size. */
    private final double[] factors;

    private final FeatureMap base;
    private final List<FeatureSource> parts = new ArrayList<>();
    private final LinearModel[] starts;
    private final double[][] kernelWeights;

    /**
     * Maps the rows of each fold and creates the problem.
     *
     * @param grouped the learner with the group penalty, for norms that leave channels out
     * @param dense the learner without it
     * @param context the rows, and the precision, the seed and the memory
     */
    public RowLossProblem(
            ChannelNorm norm,
            Learner grouped,
            Learner dense,
            List<Holdout> folds,
            ClassWeights classWeights,
            Transformer transformer,
            TrainingContext context) {
        this.norm = norm;
        this.learner = norm.leavesOut() ? grouped : dense;
        this.dense = dense;
        this.folds = List.copyOf(folds);
        this.classWeights = classWeights;
        this.transformer = transformer;
        source = context.source();
        workers = context.workers();
        progress = context.progress();
        precision = context.settings().precision;
        seed = context.settings().seed.derive("learner");
        channels = new ChannelFeatures(transformer.map());
        long passes = FeatureStore.bytesNeeded(channels.features(), workers.threads(), precision);
        budget = MemoryBudget.kept(context.settings().memory, passes).bytes();
        factors = new double[channels.count()];
        Arrays.setAll(
                factors,
                c -> norm.leavesOut() ? (double) channels.size(c) * channels.count() / channels.features() : 1);
        base = scaled(factors);
        starts = new LinearModel[folds.size() + 1];
        kernelWeights = new double[folds.size() + 1][];
        for (Holdout fold : folds) {
            parts.add(store(fold.test(), base, budget / folds.size()));
        }
    }

    private StoredFeatures store(RowSource rows, FeatureMap map, long bytes) {
        MappedSource mapped = new MappedSource(rows, transformer.scaler(), map, classWeights, precision, workers);
        return StoredFeatures.map(mapped, bytes, (count, fraction) -> progress.report("mapping", count, fraction));
    }

    private FeatureSource all() {
        return joined(parts);
    }

    private static FeatureSource joined(List<FeatureSource> sources) {
        return sources.stream().reduce(JoinedFeatures::new).orElseThrow();
    }

    /** Returns the map of the channels' kernels times given factors, without the channels whose factor is 0. */
    private FeatureMap scaled(double[] by) {
        if (Arrays.stream(by).allMatch(factor -> factor == 1)) {
            return transformer.map();
        }
        List<FeatureMap> scaled = IntStream.range(0, by.length)
                .filter(c -> by[c] > 0)
                .mapToObj(c -> by[c] == 1 ? channels.part(c) : new ScaledMap(by[c], channels.part(c)))
                .toList();
        return scaled.size() == 1 ? scaled.get(0) : new ConcatenatedMap(scaled);
    }

    @Override
    public ChannelNorm norm() {
        return norm;
    }

    @Override
    public ChannelFeatures channels() {
        return channels;
    }

    @Override
    public int folds() {
        return parts.size();
    }

    @Override
    public double totalRowWeight(int fold) {
        return parts.get(fold).totalRowWeight();
    }

    /** Returns the number of rows of all folds. */
    public long rows() {
        return all().rows();
    }

    @Override
    public double shareWithout(int fold, int ofClass) {
        return without(fold).targetMean(ofClass);
    }

    /** Returns the penalty on channels, which does not depend on their sizes, per unit of the learner's penalty. */
    private double unit() {
        return norm.leavesOut() ? Math.sqrt((double) channels.features() / channels.count()) : 1;
    }

    @Override
    public double start() {
        if (norm.leavesOut()) {
            // All weights are 0 at the first point of a path.
            double most = training(learner, base).path(all(), 1).get(0).chosen().lambda();
            return unit() * most;
        }
        double curvature = Math.min(1, Formulation.of(learner).loss().mostCurvature());
        return 10 * curvature * all().scatterTrace() / channels.features();
    }

    private Training training(Learner with, FeatureMap map) {
        Function<Learner, Monitor> monitors = trying -> (iteration, model) -> {
            progress.report(trying + ", iteration " + iteration.number(), 0, Double.NaN);
            return !progress.stopRequested();
        };
        return new Training(with, map, workers, seed, monitors);
    }

    private FeatureSource without(int fold) {
        if (fold == folds()) {
            return all();
        }
        List<FeatureSource> others = new ArrayList<>(parts);
        others.remove(fold);
        return joined(others);
    }

    @Override
    public ChannelSolution solve(int fold, double penalty) {
        FeatureSource rows = without(fold);
        Learner given = learner.withLambda(penalty / unit() * rows.totalRowWeight() / all().totalRowWeight());
        if (!norm.leavesOut() && !norm.averages()) {
            return powers(fold, given);
        }
        LinearFit fit = training(given, base).fit(rows, starts[fold]);
        starts[fold] = fit.model();
        LinearModel model = times(fit.model(), factors, 0.5);
        double[] norms = channels.norms(model.weights(), model.outputs());
        double[] weights = new double[norms.length];
        Arrays.setAll(weights, c -> norm.averages() ? 1 : norms[c] / Math.sqrt(2));
        return solution(fold, model, weights, norms, fit, 0, true);
    }

    /** Returns a model whose weights are multiplied by a power of their channel's number. */
    private LinearModel times(LinearModel model, double[] numbers, double power) {
        double[] weights = model.weights();
        for (int c = 0; c < channels.count(); c++) {
            double factor = StrictMath.pow(numbers[c], power);
            for (int i = channels.start(c) * model.outputs(); i < channels.end(c) * model.outputs(); i++) {
                weights[i] *= factor;
            }
        }
        return new LinearModel(model.features(), model.outputs(), weights, intercepts(model));
    }

    @Override
    public void continueFrom(ChannelSolution other) {
        boolean scaled = norm.leavesOut() || norm.averages();
        LinearModel model = scaled ? times(other.model(), factors, -0.5) : other.model();
        Arrays.fill(starts, model);
        Arrays.fill(kernelWeights, other.kernelWeights());
    }

    /** Alternates between a solution with features times √d and the closed form of d. */
    private ChannelSolution powers(int fold, Learner given) {
        double[] weights = kernelWeights[fold];
        weights = weights == null ? PNormWeights.equal(norm.p(), channels.count()) : weights;
        LinearModel start = starts[fold];
        for (int round = 1; ; round++) {
            FeatureMap map = scaled(weights);
            FeatureSource rows =
                    store(fold == folds() ? source : folds.get(fold).train(), map, budget / 2);
            LinearFit fit = training(given, map).fit(rows, start == null ? null : times(start, weights, -0.5));
            LinearModel model = times(fit.model(), weights, 0.5);
            double[] norms = channels.norms(model.weights(), model.outputs());
            double[] next = PNormWeights.of(norm.p(), norms);
            double change = PNormWeights.change(weights, next);
            start = model;
            if (change <= TOLERANCE || round == ALTERNATIONS || progress.stopRequested()) {
                starts[fold] = model;
                kernelWeights[fold] = weights;
                return solution(fold, model, weights, norms, fit, change, change <= TOLERANCE);
            }
            weights = next;
        }
    }

    private ChannelSolution solution(
            int fold,
            LinearModel model,
            double[] weights,
            double[] norms,
            LinearFit fit,
            double change,
            boolean settled) {
        Convergence end = fit.convergence();
        double residual = Math.max(change, end.residual());
        return new ChannelSolution(
                fit(fold, model), weights, norms, end.objective(), residual, settled && end.converged());
    }

    /** Maps only the features of channels with a weight, times √d. */
    @Override
    public ChannelFit relaxed(int fold, ChannelSolution solution, double l2) {
        double[] weights = solution.kernelWeights();
        int[] kept = IntStream.range(0, channels.count())
                .filter(c -> weights[c] > 0)
                .flatMap(c -> IntStream.range(channels.start(c), channels.end(c)))
                .toArray();
        if (kept.length == 0) {
            return solution.fit();
        }
        FeatureMap map = scaled(weights);
        StoredFeatures rows = store(fold == folds() ? source : folds.get(fold).train(), map, budget / 2);
        Learner given = dense.withLambda(l2 * rows.totalRowWeight() / all().totalRowWeight());
        double[] inverse = Arrays.stream(weights).map(d -> d > 0 ? 1 / d : 0).toArray();
        LinearModel start = times(solution.model(), inverse, 0.5).restrict(kept);
        return fit(fold, times(restored(training(given, map).fit(rows, start).model(), kept), weights, 0.5));
    }

    /** Returns a model of all features, given one of some of them; the other weights are 0. */
    private LinearModel restored(LinearModel model, int[] kept) {
        int outputs = model.outputs();
        double[] weights = new double[channels.features() * outputs];
        double[] found = model.weights();
        for (int j = 0; j < kept.length; j++) {
            System.arraycopy(found, j * outputs, weights, kept[j] * outputs, outputs);
        }
        return new LinearModel(channels.features(), outputs, weights, intercepts(model));
    }

    private static double[] intercepts(LinearModel model) {
        double[] intercepts = new double[model.outputs()];
        Arrays.setAll(intercepts, model::intercept);
        return intercepts;
    }

    private ChannelFit fit(int fold, LinearModel model) {
        return new ChannelFit(fold < folds() ? loss(fold, model) : Double.NaN, () -> model);
    }

    private double loss(int fold, LinearModel model) {
        FeatureSource rows = parts.get(fold);
        double sum = Training.totalLoss(rows, Formulation.of(learner).loss(), times(model, factors, -0.5));
        return sum / (rows.totalRowWeight() * model.outputs());
    }
}
