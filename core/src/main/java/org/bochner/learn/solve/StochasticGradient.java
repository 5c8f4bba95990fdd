package org.bochner.learn.solve;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.learn.Convergence;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.Monitor;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.FeatureTile;
import org.jspecify.annotations.Nullable;

/**
 * Stochastic proximal gradient descent on mini-batches of rows in the order of the source. It supports every loss and
 * penalty and reaches an objective within a few percent of the minimum in one or a few passes over the data.
 *
 * <p>Steps are schedule-free (Defazio et al., 2024): the gradient is taken at y, which lies nine tenths of the way from
 * the iterate z to x, the average of all iterates with larger weights for later ones; x is the result. The step size
 * needs no decay schedule, so the number of rows need not be known.
 *
 * <p>The step size is chosen by trials: several sizes, in factors of 4 around the inverse curvature of the first rows,
 * run in parallel over equal batches. Each output takes the trial with the least progressive loss, which is the loss at
 * x on a batch before the batch is learned from. Trials far from the best are dropped on the way. A step is never
 * longer than loss/|gradient|², the step to a loss of 0 in the linear model, so no trial diverges (Asi and Duchi,
 * 2019).
 *
 * <p>The penalty is relative to the sum over all rows, as in {@link Objective}; if the total row weight is not known
 * yet, {@link FeatureSource#totalRowWeight} estimates it. Averages are rarely 0. At the end, a weight is set to 0 if a
 * proximal step along its axis by the average gradient would set it to 0.
 *
 * <p>An iteration is a pass. The reported objective is an estimate: the progressive loss of the pass (of the first
 * pass, its later part) plus the penalty. The tolerance limits its relative change between passes.
 *
 * <p>Rows should come in random order. Memory: 44 bytes per weight and trial. Threads: the features are computed in
 * parallel; the result does not depend on the number of threads.
 */
final class StochasticGradient {
    private static final String METHOD = "stochastic gradient";
    private static final String MEASURE = "change";

    /**
     * Rows per step. Objective after 5 passes relative to the minimum, for 3 classes of optdigits and 1000 features:
     * with 16 rows 1.000 at l2 = 1 and 1.13 at l2 = 0.01; with 64 rows 1.000 and 1.18.
     */
    private static final int BATCH_ROWS = 32;

    /** Step sizes relative to the inverse curvature, from the longest. */
    private static final double[] LENGTHS = {32, 8, 2, 0.5, 0.125};

    /** Rows of the first pass after which earlier losses are discarded; repeated each time the number doubles. */
    private static final int FIRST_ROLL = 512;

    /** Rows of the first pass from which on trials far from the best are dropped whenever losses are discarded. */
    private static final int FIRST_COMPARISON = 8192;

    private final Objective objective;
    private final SolverRun run;
    private final Regularizer regularizer;
    private final FeatureSource source;
    private final int features;
    private final int outputs;
    private final double[] mean;
    /** True if all outputs must use one step size. */
    private final boolean tied;

    private List<StochasticTrial> trials = new ArrayList<>();
    /** Inverse curvatures, one per output: the unit of the step sizes. */
    private double[] scales = new double[0];
    /** The square of the constant feature that belongs to the intercept. */
    private double constant;

    private long rowsSeen;
    private double weightSeen;

    private StochasticGradient(Objective objective, Regularizer regularizer, SolverRun run) {
        this.objective = objective;
        this.run = run;
        this.regularizer = regularizer;
        source = objective.source();
        features = objective.features();
        outputs = objective.outputs();
        mean = source.mean();
        tied = objective.joint() || regularizer.joint();
        regularizer.requireFeatures(features);
    }

    /**
     * Makes at most {@link StoppingRule#iterations} passes, until the objective changes by no more than the tolerance.
     *
     * @param start the point of a warm start, or null
     */
    static Solution solve(
            Objective objective,
            Regularizer regularizer,
            StoppingRule stopping,
            double @Nullable [] start,
            Monitor monitor) {
        SolverRun run = new SolverRun(METHOD, MEASURE, stopping, monitor);
        return new StochasticGradient(objective, regularizer, run).solve(start != null ? start : objective.start());
    }

    private Solution solve(double[] from) {
        double before = Double.NaN;
        double change = 1;
        Convergence.End end = Convergence.End.ITERATIONS;
        int pass = 0;
        while (end == Convergence.End.ITERATIONS && pass < run.stopping().iterations()) {
            pass++;
            if (!pass(from, pass, change)) {
                end = Convergence.End.STOPPED;
                break;
            }
            double value = value();
            change = pass == 1 ? 1 : Math.abs(value - before) / Math.max(Math.abs(value), Double.MIN_NORMAL);
            before = value;
            boolean goOn = report(pass, change);
            prune(pass == 1 ? 2 : 1);
            if (change <= run.tolerance()) {
                end = Convergence.End.CONVERGED;
            } else if (!goOn) {
                end = Convergence.End.STOPPED;
            }
        }
        return new Solution(result(), run.ended(pass, value(), change, end));
    }

    private boolean report(int pass, double change) {
        int kept = LinearModel.nonZeros(result(), features, outputs);
        return run.report(pass, value(), change, kept, () -> objective.model(result()));
    }

    /** Makes a pass over the rows; returns false if the monitor has stopped it. */
    private boolean pass(double[] from, int number, double change) {
        long[] rows = {0};
        long[] next = {number == 1 ? FIRST_ROLL : Long.MAX_VALUE};
        trials.forEach(StochasticTrial::forget);
        return source.inOrderWhile(tile -> {
            if (trials.isEmpty()) {
                begin(tile, from);
            }
            int batches = Math.max(1, tile.rows() / BATCH_ROWS);
            for (int b = 0; b < batches; b++) {
                step(tile.part((int) ((long) b * tile.rows() / batches), (int) ((b + 1L) * tile.rows() / batches)));
            }
            rows[0] += tile.rows();
            if (rows[0] < next[0]) {
                return true;
            }
            next[0] *= 2;
            if (rows[0] >= FIRST_COMPARISON) {
                if (!report(number, change)) {
                    return false;
                }
                prune(2);
            }
            trials.forEach(StochasticTrial::roll);
            return true;
        });
    }

    private void step(FeatureTile batch) {
        rowsSeen += batch.rows();
        for (int i = 0; i < batch.rows(); i++) {
            weightSeen += batch.rowWeight(i);
        }
        if (!(weightSeen > 0)) {
            return;
        }
        double batchWeight = batch.rows() * weightSeen / rowsSeen;
        for (StochasticTrial trial : trials) {
            trial.step(batch, batchWeight);
        }
        if (trials.stream().noneMatch(StochasticTrial::finite)) {
            throw new BochnerException(
                    METHOD + ": all step sizes that were tried led to numbers that are not finite",
                    Remedy.set(Setting.SCALING, "standard", ""));
        }
    }

    /** Estimates the curvature on the first rows and creates the trials. */
    private void begin(FeatureTile tile, double[] from) {
        int rows = Math.min(tile.rows(), BATCH_ROWS);
        double spread = source.scatterTrace() / source.totalRowWeight();
        double largest = Math.max(largestEigenvalue(tile.part(0, rows)) / rows, spread / rows);
        if (!(largest < Double.POSITIVE_INFINITY)) {
            throw new BochnerException(
                    METHOD + ": squares of the features are too large", Remedy.set(Setting.SCALING, "standard", ""));
        }
        constant = largest > 0 ? largest : 1;
        scales = new double[outputs];
        for (int o = 0; o < outputs; o++) {
            scales[o] = 1 / (constant * curvature(tile, from, o));
        }
        if (tied) {
            Arrays.fill(scales, Arrays.stream(scales).min().orElse(1));
        }
        int affordable = (int) Math.max(1, MemoryBudget.spare().bytes() / bytesNeeded(features, outputs));
        int first = Math.max(0, (LENGTHS.length - affordable) / 2);
        for (int k = first; k < Math.min(LENGTHS.length, first + affordable); k++) {
            double length = LENGTHS[k];
            double[] longest =
                    Arrays.stream(scales).map(scale -> length * scale).toArray();
            trials.add(new StochasticTrial(objective, regularizer, longest, constant, from));
        }
    }

    /** Returns the bytes that each trial needs. */
    static double bytesNeeded(int features, int outputs) {
        return 44.0 * (features + 1) * outputs;
    }

    /** Returns the largest eigenvalue of Σ(z − z̄)(z − z̄)ᵀ over a tile, which is that of the inner products. */
    private double largestEigenvalue(FeatureTile tile) {
        int rows = tile.rows();
        double[] gram = new double[rows * rows];
        tile.gram(gram);
        double[] withMean = new double[rows];
        Arrays.setAll(withMean, i -> tile.dot(i, mean));
        double square = Vectors.dot(mean, mean);
        Arrays.setAll(gram, at -> gram[at] - withMean[at / rows] - withMean[at % rows] + square);
        boolean finite = Arrays.stream(gram).allMatch(Double::isFinite);
        return finite ? Blas.get().eigen(rows, gram)[rows - 1] : Double.POSITIVE_INFINITY;
    }

    /**
     * Returns the typical curvature of the loss between the start and the targets: the smaller of its largest curvature
     * and its slope divided by the distance.
     */
    private double curvature(FeatureTile tile, double[] from, int output) {
        Loss.PerScore loss = objective.perScore();
        double distance = 1;
        if (loss.forNumbers()) {
            double sum = 0;
            for (int i = 0; i < tile.rows(); i++) {
                double residual = objective.target(tile, i, output) - from[features * outputs + output];
                sum += residual * residual;
            }
            distance = Math.sqrt(sum / tile.rows());
        }
        if (!(distance > 0)) {
            distance = 1;
        }
        double slope = 0;
        for (int k = 0; k < 100 && slope == 0; k++) {
            slope = Math.abs(loss.slope(loss.forNumbers() ? distance : 0, loss.forNumbers() ? 0 : 1));
            distance *= slope == 0 ? 2 : 1;
        }
        return slope > 0 ? Math.min(objective.loss().mostCurvature(), slope / distance) : 1;
    }

    /** Returns the index of the best trial for an output. */
    private int best(int output) {
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int k = 0; k < trials.size(); k++) {
            double value = tied ? trials.get(k).value() : trials.get(k).value(output);
            if (value < least) {
                least = value;
                best = k;
            }
        }
        return Math.max(0, best);
    }

    private double value() {
        if (trials.isEmpty()) {
            throw new BochnerException(METHOD + ": there were no rows to learn from");
        }
        return tied
                ? trials.get(best(0)).value()
                : IntStream.range(0, outputs)
                        .mapToDouble(o -> trials.get(best(o)).value(o))
                        .sum();
    }

    /**
     * Keeps the best trial of each output and the next {@code shorter} ones, because short steps win in the long run.
     */
    private void prune(int shorter) {
        BitSet kept = new BitSet();
        for (int o = 0; o < outputs; o++) {
            int best = best(o);
            kept.set(best, Math.min(best + shorter + 1, trials.size()));
        }
        trials = kept.stream().mapToObj(trials::get).toList();
    }

    /** Returns the averages of the best trials. */
    private double[] result() {
        double[] point = new double[objective.size()];
        if (trials.isEmpty()) {
            return point;
        }
        double[] gradient = new double[features * outputs];
        for (int o = 0; o < outputs; o++) {
            StochasticTrial best = trials.get(best(o));
            for (int j = o; j < point.length; j += outputs) {
                point[j] = best.average[j];
                if (!regularizer.smooth() && j < gradient.length) {
                    gradient[j] = best.averageGradient[j];
                }
            }
        }
        if (!regularizer.smooth()) {
            setToZero(point, gradient);
        }
        return point;
    }

    private void setToZero(double[] point, double[] gradient) {
        double total = source.totalRowWeight();
        double square = source.scatterTrace() / source.totalRowWeight() / features;
        double[] steps = new double[outputs];
        double[] moved = new double[gradient.length];
        for (int o = 0; o < outputs; o++) {
            steps[o] = scales[o] * constant / Math.max(square, Double.MIN_NORMAL);
        }
        for (int j = 0; j < moved.length; j++) {
            moved[j] = point[j] - steps[j % outputs] * gradient[j];
        }
        for (int o = 0; o < outputs; o++) {
            steps[o] /= total;
        }
        regularizer.soften(moved, features, outputs, steps);
        for (int j = 0; j < moved.length; j++) {
            point[j] = moved[j] == 0 ? 0 : point[j];
        }
    }
}
