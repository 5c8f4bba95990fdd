package org.bochner.learn.solve;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.data.Labels;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.linear.RowLoss;
import org.bochner.map.layout.Penalty;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.FeatureTile;
import org.jspecify.annotations.Nullable;

/**
 * The sum of a loss over all rows, {@code Σ w·ℓ(f(z), y)}, as a function of a point: D×outputs weights, row-major,
 * followed by one intercept per output. One evaluation is one pass over the features, for all outputs or for the
 * outputs of the unfinished problems.
 *
 * <p>Features are centred implicitly, f(z) = βᵀ(z − z̄) + b, because the direction of their mean dominates all others
 * and would make the problem ill-conditioned. {@link #model} converts the intercepts back.
 *
 * <p>If the penalty of the features is not the plain one, points are weights of the whitened features, whose penalty
 * is: functions are unwhitened before a pass, and gradients are whitened after it.
 *
 * <p>Memory: a few D×outputs arrays per thread, plus the scores after {@link #keepScores}.
 *
 * <p>Threads: not safe; each pass uses several threads itself.
 */
final class Objective {
    /** The largest number of weights, which one array holds. */
    static final int MOST_WEIGHTS = Integer.MAX_VALUE - 8;

    private static final double[] NONE = new double[0];

    private final FeatureSource source;
    private final Loss loss;
    private final OutputCoding outputs;
    private final RowLoss rowLoss;
    private final Loss.PerScore perScore;
    private final Whitening whitening;
    private final double[] mean;
    private final int[] all;
    private final ScoreCache cache;
    private final int size;
    private double[] largestLosses = new double[0];

    /** Creates an objective of features with the plain penalty. */
    Objective(FeatureSource source, Loss loss) {
        this(source, loss, Penalty.PLAIN);
    }

    Objective(FeatureSource source, Loss loss, Penalty penalty) {
        this.source = source;
        this.loss = loss;
        outputs = OutputCoding.of(source.labels());
        whitening = new Whitening(source, penalty, outputs.count());
        rowLoss = new RowLoss(loss, source.labels());
        perScore = rowLoss.perScore();
        mean = source.mean();
        all = IntStream.range(0, outputs.count()).toArray();
        cache = new ScoreCache(source.features(), outputs.count());
        long weights = (source.features() + 1L) * outputs.count();
        if (weights > MOST_WEIGHTS) {
            throw new BochnerException(
                    "the " + weights + " weights of " + source.features() + " features and " + outputs.count()
                            + " outputs exceed the largest array, which holds 2^31 numbers",
                    Remedy.set(Setting.FEATURES, "with a smaller number fits"));
        }
        size = (int) weights;
    }

    /**
     * Keeps the scores of all rows at the point of the last gradient from now on, if the memory holds them. Curvatures
     * at that point then cost two products per row instead of three.
     */
    void keepScores() {
        cache.enable(source.rows());
    }

    FeatureSource source() {
        return source;
    }

    Loss loss() {
        return loss;
    }

    /** Returns the loss of single scores; unused if the outputs are {@link #joint}. */
    Loss.PerScore perScore() {
        return perScore;
    }

    int features() {
        return source.features();
    }

    int outputs() {
        return outputs.count();
    }

    /** Returns the target of a row for an output. */
    double target(FeatureTile tile, int row, int output) {
        return outputs.target(tile, row, output);
    }

    /** Computes the losses of a row, as {@link RowLoss#values} does, and the derivatives for all outputs. */
    void slopes(FeatureTile tile, int row, double[] scores, double[] losses, double[] slopes) {
        rowLoss.slopes(tile::target, row, all, scores, row * outputs(), losses, slopes);
    }

    /** Returns the length of a point. */
    int size() {
        return size;
    }

    /** Returns true if the loss couples the outputs, as softmax does: they form one problem, otherwise one each. */
    boolean joint() {
        return rowLoss.joint();
    }

    /** Returns the number of independent problems. */
    int problems() {
        return joint() ? 1 : outputs();
    }

    /** Returns the problem that an output belongs to. */
    int problem(int output) {
        return joint() ? 0 : output;
    }

    /**
     * Returns the starting point: zero weights, and the optimal intercepts where a formula gives them (the mean of
     * numbers, the log odds of classes for the logistic losses, the mean of ±1 for squares).
     */
    double[] start() {
        double[] point = new double[size()];
        for (int o = 0; o < outputs(); o++) {
            point[features() * outputs() + o] = rowLoss.intercept(source.targetMean(outputs.target(o)));
        }
        return point;
    }

    /** Returns true if all rows belong to one class of a problem, which leaves nothing to learn. */
    boolean settled(int problem) {
        return outputs.classes()
                && (IntStream.range(0, outputs.targets()).anyMatch(c -> source.targetMean(c) == 1)
                        || (!joint() && source.targetMean(outputs.target(problem)) == 0));
    }

    /** Returns the display name of what an output separates or predicts. */
    String name(int output) {
        if (source.labels() instanceof Labels.Classes classes) {
            String name = classes.names().get(outputs.target(output));
            return outputs() == 1 ? "the two classes" : "class '" + name + "' and the others";
        }
        return "target " + output;
    }

    /** Returns the point of a model. */
    double[] point(LinearModel model) {
        Require.sameSize("the model to start from", "features", model.features(), features());
        Require.sameSize("the model to start from", "outputs", model.outputs(), outputs());
        double[] point = Arrays.copyOf(model.weights(), size());
        double[] opposite = Vectors.difference(new double[features()], mean);
        double[] intercepts = LinearModel.uncentre(model.intercepts(), point, opposite);
        System.arraycopy(intercepts, 0, point, features() * outputs(), outputs());
        whitening.whitenWeights(point, all);
        return point;
    }

    /** Returns the model of a point. */
    LinearModel model(double[] point) {
        double[] weights = Arrays.copyOf(whitening.unwhitened(point, all), features() * outputs());
        return new LinearModel(
                features(), outputs(), weights, functions(point, all).offsets());
    }

    /** Returns the value of each problem at a point, and writes the gradient of their sum. */
    double[] evaluate(double[] point, double[] gradient) {
        return evaluate(point, gradient, all);
    }

    /**
     * Returns the value of each problem at a point for the chosen outputs, in ascending order, and writes their part of
     * the gradient. The values of other problems are 0.
     */
    double[] evaluate(double[] point, double[] gradient, int[] chosen) {
        return evaluate(point, gradient, chosen, null);
    }

    /** Evaluates all problems, and passes each tile to the observer in one pass, on any thread. */
    double[] evaluate(double[] point, double[] gradient, Consumer<FeatureTile> observer) {
        return evaluate(point, gradient, all, observer);
    }

    private double[] evaluate(
            double[] point, double[] gradient, int[] chosen, @Nullable Consumer<FeatureTile> observer) {
        LossTask task = task(LossTask.Pass.SLOPES, point, NONE, NONE, chosen, true);
        LossSums total;
        if (observer == null) {
            total = source.sum(task);
        } else {
            total = task.bench(source);
            source.pass(
                    () -> task.bench(source),
                    (tile, sums) -> {
                        observer.accept(tile);
                        task.add(tile, sums);
                    },
                    sums -> task.move(sums, total));
        }
        cache.setPoint(point, chosen);
        largestLosses = total.largest;
        copyGradient(total, chosen, gradient);
        return total.values;
    }

    /**
     * Returns a pass.
     *
     * @param cached true to store the scores, or to load them if the cache has those of the point
     */
    private LossTask task(
            LossTask.Pass pass, double[] point, double[] direction, double[] steps, int[] chosen, boolean cached) {
        return new LossTask(
                pass,
                loss,
                mean,
                whitening.unwhitened(point, chosen),
                direction.length == 0 ? direction : whitening.unwhitened(direction, chosen),
                steps,
                chosen,
                cached ? cache : null);
    }

    /** Writes the gradient for centred features: Σ c·(z − z̄) = Σ c·z − z̄·Σ c. */
    private void copyGradient(LossSums sums, int[] chosen, double[] gradient) {
        int count = chosen.length;
        for (int j = 0; j < features(); j++) {
            for (int o = 0; o < count; o++) {
                gradient[j * outputs() + chosen[o]] = sums.sum[j * count + o] - mean[j] * sums.coefficientSum[o];
            }
        }
        for (int o = 0; o < count; o++) {
            gradient[features() * outputs() + chosen[o]] = sums.coefficientSum[o];
        }
        whitening.whitenGradient(gradient, chosen);
    }

    /** Returns the largest loss of a row with positive weight, at the point of the last gradient. */
    double largestLoss(int problem) {
        return largestLosses[problem];
    }

    /** Returns the value of each problem at a point. */
    double[] evaluate(double[] point) {
        return source.sum(task(LossTask.Pass.VALUES, point, NONE, NONE, all, false)).values;
    }

    /** Returns the values of each problem at point + step·direction, one array per step, in one pass. */
    double[][] along(double[] point, double[] direction, double[] steps, int[] chosen) {
        boolean kept = cache.holds(point, chosen);
        return source.sum(task(LossTask.Pass.ALONG, point, direction, steps, chosen, kept)).valuesAlong;
    }

    /** Writes the product of the Hessian at a point with a direction. */
    void curvature(double[] point, double[] direction, double[] product) {
        curvature(point, direction, product, all);
    }

    /** Writes the product of the Hessian with a direction for the chosen outputs, ascending; other entries stay. */
    void curvature(double[] point, double[] direction, double[] product, int[] chosen) {
        boolean kept = cache.holds(point, chosen);
        LossSums total = source.sum(task(LossTask.Pass.CURVATURES, point, direction, NONE, chosen, kept));
        copyGradient(total, chosen, product);
    }

    /**
     * Writes the second derivatives of the loss by each score of some rows: {@link Loss.PerScore#curvature}, or the
     * diagonal of the Hessian of softmax.
     */
    void curvatures(float[] scores, double[] targets, double[] curvatures) {
        int count = outputs();
        for (int from = 0; from < scores.length; from += count) {
            if (joint()) {
                for (int i = from; i < from + count; i++) {
                    curvatures[i] = scores[i];
                }
                RowLoss.shares(curvatures, from, count, curvatures, from);
                for (int i = from; i < from + count; i++) {
                    curvatures[i] *= 1 - curvatures[i];
                }
            } else {
                for (int i = from; i < from + count; i++) {
                    curvatures[i] = perScore.curvature(scores[i], targets[i]);
                }
            }
        }
    }

    private CentredFunctions functions(double[] point, int[] chosen) {
        return new CentredFunctions(whitening.unwhitened(point, chosen), mean, outputs(), chosen, source.sparse());
    }

    /** Returns the conversion of features, which does nothing if points are weights of the features themselves. */
    Whitening whitening() {
        return whitening;
    }
}
