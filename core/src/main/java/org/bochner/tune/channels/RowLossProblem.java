package org.bochner.tune.channels;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.bochner.data.Holdout;
import org.bochner.data.Labels;
import org.bochner.data.RowSource;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.Monitor;
import org.bochner.learn.solve.Formulation;
import org.bochner.learn.solve.Training;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.ConcatenatedMap;
import org.bochner.map.composed.ScaledMap;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.FeatureStore;
import org.bochner.stats.FeatureTile;
import org.bochner.stats.JoinedFeatures;
import org.bochner.stats.WeightMatrix;
import org.bochner.tune.ChannelNorm;

/**
 * Losses that go over the rows again and again. The features of every fold are kept, as far as the memory allows; where
 * kernel weights change in between, as they do for p above 1 and finite, features are mapped anew for every change.
 *
 * <p>Threads: not safe; passes are parallel.
 */
public final class RowLossProblem implements ChannelProblem {
    /** Alternations between weights and kernel weights at one strength: each is a whole solution. */
    private static final int ALTERNATIONS = 30;

    private static final double TOLERANCE = 1e-2;

    private final ChannelNorm norm;
    private final ChannelFeatures channels;
    private final RowSource source;
    private final List<Holdout> folds;
    private final Transformer transformer;
    private final Learner learner;
    private final Learner dense;
    private final Precision precision;
    private final long budget;
    private final Seed seed;
    private final Workers workers;
    private final Progress progress;
    /** What the kernels of the channels are multiplied by for block-ℓ1, whose penalty counts √size of a group. */
    private final double[] factors;

    private final FeatureMap base;
    private final List<FeatureSource> parts = new ArrayList<>();
    private final FeatureSource all;
    private final LinearModel[] starts;
    private final double[][] kernelWeights;

    public RowLossProblem(
            ChannelNorm norm,
            Learner grouped,
            Learner dense,
            ChannelFeatures channels,
            RowSource source,
            List<Holdout> folds,
            Transformer transformer,
            Precision precision,
            long budget,
            Seed seed,
            Workers workers,
            Progress progress) {
        this.norm = norm;
        this.channels = channels;
        this.source = source;
        this.folds = List.copyOf(folds);
        this.transformer = transformer;
        this.precision = precision;
        this.budget = budget;
        this.seed = seed;
        this.workers = workers;
        this.progress = progress;
        this.dense = dense;
        learner = norm.leavesOut() ? grouped : dense;
        factors = new double[channels.count()];
        Arrays.setAll(
                factors,
                c -> norm.leavesOut() ? (double) channels.size(c) * channels.count() / channels.features() : 1);
        base = scaled(factors);
        for (Holdout fold : folds) {
            parts.add(store(fold.test(), base, budget / folds.size()));
        }
        all = joined(parts);
        starts = new LinearModel[folds.size() + 1];
        kernelWeights = new double[folds.size() + 1][];
    }

    private FeatureStore store(RowSource rows, FeatureMap map, long bytes) {
        return new FeatureStore(
                rows,
                transformer.scaler(),
                map,
                ClassWeights.none(),
                precision,
                bytes,
                workers,
                (count, fraction) -> progress.report("mapping", count, fraction));
    }

    private static FeatureSource joined(List<FeatureSource> sources) {
        return sources.stream().reduce(JoinedFeatures::new).orElseThrow();
    }

    /** The map of the channels' kernels times given factors. */
    private FeatureMap scaled(double[] by) {
        if (Arrays.stream(by).allMatch(factor -> factor == 1)) {
            return transformer.map();
        }
        List<FeatureMap> scaled = new ArrayList<>();
        for (int c = 0; c < by.length; c++) {
            scaled.add(by[c] == 1 ? channels.part(c) : new ScaledMap(by[c], channels.part(c)));
        }
        return new ConcatenatedMap(scaled);
    }

    @Override
    public int folds() {
        return parts.size();
    }

    @Override
    public double weight(int fold) {
        return parts.get(fold).weight();
    }

    /** How many rows all folds have. */
    public long rows() {
        return all.rows();
    }

    @Override
    public double shareWithout(int fold, int ofClass) {
        return without(fold).targetMean(ofClass);
    }

    /** What a strength of the learner is in those of the penalty on channels, which count no sizes. */
    private double unit() {
        return norm.leavesOut() ? Math.sqrt((double) channels.features() / channels.count()) : 1;
    }

    @Override
    public double start() {
        if (norm.leavesOut()) {
            // The first point of a path is where all weights are zero.
            double most = training(learner, base).path(all, 1).get(0).chosen().lambda();
            return unit() * most;
        }
        double curvature = Math.min(1, Formulation.of(learner).loss().mostCurvature());
        return 10 * curvature * all.scatterTrace() / all.features();
    }

    @Override
    public double ratio() {
        return StrictMath.pow(10, norm.leavesOut() ? -0.25 : -0.5);
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
            return all;
        }
        List<FeatureSource> others = new ArrayList<>(parts);
        others.remove(fold);
        return joined(others);
    }

    @Override
    public ChannelSolution solve(int fold, double strength) {
        FeatureSource rows = without(fold);
        Learner given = learner.withLambda(strength / unit() * rows.weight() / all.weight());
        if (!norm.leavesOut() && !norm.averages()) {
            return powers(fold, given);
        }
        LinearFit fit = training(given, base).fit(rows, starts[fold]);
        starts[fold] = fit.model();
        LinearModel model = times(fit.model(), factors, 0.5);
        double[] norms = ChannelSolution.norms(model, channels);
        double[] weights = new double[norms.length];
        Arrays.setAll(weights, c -> norm.averages() ? 1 : norms[c] / Math.sqrt(2));
        return mixture(model, weights, norms, fit, 0, true);
    }

    /** Weights of features times a power of their channel's number. */
    private LinearModel times(LinearModel model, double[] numbers, double power) {
        double[] weights = model.weights();
        for (int c = 0; c < channels.count(); c++) {
            double factor = StrictMath.pow(numbers[c], power);
            for (int i = channels.start(c) * model.outputs(); i < channels.end(c) * model.outputs(); i++) {
                weights[i] *= factor;
            }
        }
        double[] intercepts = new double[model.outputs()];
        Arrays.setAll(intercepts, model::intercept);
        return new LinearModel(model.features(), model.outputs(), weights, intercepts);
    }

    /** Alternates between a solution with features times √d and the closed form of d. */
    private ChannelSolution powers(int fold, Learner given) {
        double[] weights = kernelWeights[fold];
        if (weights == null) {
            double[] alike = new double[channels.count()];
            Arrays.fill(alike, 1);
            weights = PNormWeights.of(norm.p(), alike);
        }
        LinearModel start = starts[fold];
        for (int round = 1; ; round++) {
            FeatureMap map = scaled(weights);
            FeatureSource rows =
                    store(fold == folds() ? source : folds.get(fold).train(), map, budget / 2);
            LinearFit fit = training(given, map).fit(rows, start == null ? null : times(start, weights, -0.5));
            LinearModel model = times(fit.model(), weights, 0.5);
            double[] norms = ChannelSolution.norms(model, channels);
            double[] next = PNormWeights.of(norm.p(), norms);
            double change = PNormWeights.change(weights, next);
            start = model;
            if (change <= TOLERANCE || round == ALTERNATIONS || progress.stopRequested()) {
                starts[fold] = model;
                kernelWeights[fold] = weights;
                return mixture(model, weights, norms, fit, change, change <= TOLERANCE);
            }
            weights = next;
        }
    }

    private static ChannelSolution mixture(
            LinearModel model, double[] weights, double[] norms, LinearFit fit, double change, boolean settled) {
        return new ChannelSolution(
                model,
                weights,
                norms,
                fit.convergence().objective(),
                Math.max(change, fit.convergence().residual()),
                settled && fit.convergence().converged());
    }

    @Override
    public double l2(double strength) {
        return norm.leavesOut() ? strength / Math.sqrt(2) : strength;
    }

    /** Features of channels without weight are not mapped; those of the others are, times √d. */
    @Override
    public LinearModel relaxed(int fold, ChannelSolution mixture, double l2) {
        int[] active = IntStream.range(0, channels.count())
                .filter(c -> mixture.weight(c) > 0)
                .toArray();
        if (active.length == 0) {
            return mixture.model();
        }
        List<FeatureMap> scaled = new ArrayList<>();
        for (int c : active) {
            scaled.add(new ScaledMap(mixture.weight(c), channels.part(c)));
        }
        FeatureMap map = scaled.size() == 1 ? scaled.get(0) : new ConcatenatedMap(scaled);
        FeatureStore rows = store(fold == folds() ? source : folds.get(fold).train(), map, budget / 2);
        Learner given = dense.withLambda(l2 * rows.weight() / all.weight());
        LinearModel model = mixture.model();
        LinearModel found =
                training(given, map).fit(rows, reduced(model, active, mixture)).model();
        return restored(found, active, mixture);
    }

    /** The weights of some channels, of features times √d. */
    private LinearModel reduced(LinearModel model, int[] active, ChannelSolution mixture) {
        int[] kept = Arrays.stream(active)
                .flatMap(c -> IntStream.range(channels.start(c), channels.end(c)))
                .toArray();
        return times(model, inverse(mixture), 0.5).restrict(kept);
    }

    private double[] inverse(ChannelSolution mixture) {
        double[] inverse = new double[channels.count()];
        Arrays.setAll(inverse, c -> mixture.weight(c) > 0 ? 1 / mixture.weight(c) : 0);
        return inverse;
    }

    /** What {@link #reduced} did, undone. */
    private LinearModel restored(LinearModel model, int[] active, ChannelSolution mixture) {
        int outputs = model.outputs();
        double[] weights = new double[channels.features() * outputs];
        double[] found = model.weights();
        int from = 0;
        for (int c : active) {
            int length = channels.size(c) * outputs;
            System.arraycopy(found, from, weights, channels.start(c) * outputs, length);
            from += length;
        }
        double[] intercepts = new double[outputs];
        Arrays.setAll(intercepts, model::intercept);
        LinearModel whole = new LinearModel(channels.features(), outputs, weights, intercepts);
        return times(whole, mixture.weights(), 0.5);
    }

    @Override
    public double loss(int fold, LinearModel model) {
        return meanLoss(parts.get(fold), times(model, factors, -0.5), (Loss.PerScore)
                Formulation.of(learner).loss());
    }

    /** The mean loss of linear functions on rows, averaged over the outputs. */
    private static double meanLoss(FeatureSource rows, LinearModel model, Loss.PerScore loss) {
        WeightMatrix weights = new WeightMatrix(model.features(), model.outputs());
        weights.set(model.weights());
        double[] total = new double[1];
        rows.pass(
                () -> new double[1], (tile, sum) -> sum[0] += cost(tile, weights, model, loss, rows.labels()), sum -> {
                    total[0] += sum[0];
                    sum[0] = 0;
                });
        return total[0] / (rows.weight() * model.outputs());
    }

    private static double cost(
            FeatureTile tile, WeightMatrix weights, LinearModel model, Loss.PerScore loss, Labels labels) {
        int outputs = model.outputs();
        boolean classes = labels instanceof Labels.Classes;
        double[] scores = new double[tile.rows() * outputs];
        tile.multiply(weights, scores);
        double sum = 0;
        for (int i = 0; i < tile.rows(); i++) {
            for (int o = 0; o < outputs; o++) {
                int ofClass = outputs == 1 ? 1 : o;
                double target = !classes ? tile.target(i, o) : (int) tile.target(i, 0) == ofClass ? 1 : -1;
                sum += tile.weight(i) * loss.value(scores[i * outputs + o] + model.intercept(o), target);
            }
        }
        return sum;
    }
}
