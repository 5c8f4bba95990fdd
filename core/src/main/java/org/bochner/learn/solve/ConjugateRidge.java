package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.learn.Convergence;
import org.bochner.learn.Iteration;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Monitor;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.FeatureTile;
import org.bochner.stats.WeightMatrix;
import org.jspecify.annotations.Nullable;

/**
 * Ridge regression for so many features that their D×D scatter is too large, or takes too long: conjugate gradients on
 * {@code (H + λI)·β = Zᵀ(y − ȳ)} for all outputs at once, preconditioned by a {@link ScatterPreconditioner}. An iteration is one pass
 * over the features. Each output has its own step lengths.
 *
 * <p>It ends where the residual |b − (H + λI)β| is at most the tolerance times |b|, in the plain norm, for every output;
 * the residual is the one that the iteration carries along, which in float32 leaves the true one at some 10⁻⁶. What it
 * returns is a point of {@link Objective}. The half square falls with every iteration, so that whatever stops it, the
 * last point is the best.
 *
 * <p>Cost: 4·n·D·outputs an iteration, and mapping the rows whose features are not kept. Memory: that of the sketch, and
 * 8·D·outputs bytes for each of six vectors and two a thread. Threads: the result does not depend on their number.
 */
final class ConjugateRidge {
    static final String METHOD = "preconditioned conjugate gradients";
    static final String MEASURE = "residual";

    private final FeatureSource source;
    private final OutputCoding outputs;
    private final double lambda;
    private final int sketchRows;
    private final Seed seed;
    private final Workers workers;
    private final int features;
    private final int count;
    private final double[] mean;
    private final double[] targetMeans;

    ConjugateRidge(FeatureSource source, double lambda, int sketchRows, Seed seed, Workers workers) {
        this.source = source;
        this.lambda = Require.notNegative("ridge", "lambda", lambda);
        this.sketchRows = Require.atLeast("ridge", "sketch rows", sketchRows, 1);
        this.seed = seed;
        this.workers = workers;
        outputs = OutputCoding.of(source.labels());
        features = source.features();
        count = outputs.count();
        mean = source.mean();
        targetMeans = new double[count];
        for (int o = 0; o < count; o++) {
            double share = source.targetMean(outputs.target(o));
            targetMeans[o] = outputs.classes() ? 2 * share - 1 : share;
        }
    }

    /** How many rows to sketch so many features with. */
    static int sketchRows(int features) {
        return Math.max(256, Math.min(4000, features / 4));
    }

    /** Bytes that a solution needs beside the features that the source keeps. */
    static long bytesNeeded(int features, int outputs, int sketchRows, int threads) {
        return (long) (ScatterPreconditioner.bytesNeeded(features, sketchRows)
                + 8.0 * features * outputs * (6 + 2 * threads));
    }

    /**
     * Solves the problem.
     *
     * @param start the point to start from, or null for that of no weights
     */
    Solution solve(StoppingRule stopping, double @Nullable [] start, Monitor monitor) {
        if (!(source.scatterTrace() < Double.POSITIVE_INFINITY)) {
            throw tooLarge();
        }
        return new Run(stopping, monitor).solve(start);
    }

    static BochnerException tooLarge() {
        return new BochnerException(
                "ridge: the features are so large that their products are no numbers; scale the rows"
                        + " (--scale unit-l1, divide or min-max), use --precision double, or take a kernel of a smaller degree");
    }

    /** One run; all its arrays are D×outputs, row-major. */
    private final class Run {
        private final StoppingRule stopping;
        private final Monitor monitor;
        private final double[] point = new double[(features + 1) * count];
        private final double[] residual = new double[features * count];
        private final double[] solved = new double[features * count];
        private final double[] direction = new double[features * count];
        private final double[] product = new double[features * count];
        private final double[] side = new double[features * count];
        private final WeightMatrix weights = new WeightMatrix(features, count);
        /** Σ w (y − ȳ)², a value an output. */
        private final double[] targetScatter = new double[count];

        Run(StoppingRule stopping, Monitor monitor) {
            this.stopping = stopping;
            this.monitor = monitor;
        }

        Solution solve(double @Nullable [] start) {
            if (start != null) {
                Require.sameSize("ridge", "numbers of the point to start from", start.length, point.length);
                System.arraycopy(start, 0, point, 0, features * count);
            }
            System.arraycopy(targetMeans, 0, point, features * count, count);
            ScatterPreconditioner sketch = new ScatterPreconditioner(source, sketchRows, seed, workers);
            firstPass(sketch, start != null);
            double[] sideNorm = roots(dots(side, side));
            for (int i = 0; i < residual.length; i++) {
                residual[i] = side[i] - product[i] - lambda * point[i];
            }
            double measured = measure(sideNorm);
            if (measured <= stopping.tolerance()) {
                return ended(0, measured, Convergence.End.CONVERGED);
            }
            sketch.finish(source.weight(), lambda);
            sketch.solve(residual, count, solved);
            System.arraycopy(solved, 0, direction, 0, direction.length);
            double[] energy = dots(residual, solved);
            for (int number = 1; ; number++) {
                multiply();
                boolean moved = step(energy);
                measured = measure(sideNorm);
                Iteration iteration = new Iteration(number, objective(), MEASURE, measured, features);
                boolean goOn = monitor.goOn(iteration, this::model);
                if (measured <= stopping.tolerance()) {
                    return ended(number, measured, Convergence.End.CONVERGED);
                }
                if (!moved) {
                    return ended(number, measured, Convergence.End.PRECISION);
                }
                if (!goOn) {
                    return ended(number, measured, Convergence.End.STOPPED);
                }
                if (number == stopping.iterations()) {
                    return ended(number, measured, Convergence.End.ITERATIONS);
                }
                sketch.solve(residual, count, solved);
                double[] next = dots(residual, solved);
                turn(energy, next);
                energy = next;
            }
        }

        /** One pass for all that is needed to begin: the right-hand sides, the sketch, and the product with the start. */
        private void firstPass(ScatterPreconditioner sketch, boolean withProduct) {
            weights.set(point);
            double[] offsets = offsets(point);
            Sums toSide = new Sums();
            Sums toProduct = new Sums();
            source.pass(
                    FirstSums::new,
                    (tile, sums) -> {
                        sketch.collect(tile, sums.scratch);
                        sums.side.addTargets(tile);
                        if (withProduct) {
                            sums.product.addProduct(tile, weights, offsets);
                        }
                    },
                    sums -> {
                        sums.side.moveInto(toSide);
                        sums.product.moveInto(toProduct);
                    });
            toSide.copyTo(side);
            toProduct.copyTo(product);
            System.arraycopy(toSide.squares, 0, targetScatter, 0, count);
        }

        /** product ← H·direction. */
        private void multiply() {
            weights.set(direction);
            double[] offsets = offsets(direction);
            Sums total = new Sums();
            source.pass(
                    Sums::new, (tile, sums) -> sums.addProduct(tile, weights, offsets), sums -> sums.moveInto(total));
            total.copyTo(product);
        }

        /** Moves each output along its direction to the least value there; whether any moved. */
        private boolean step(double[] energy) {
            for (int i = 0; i < product.length; i++) {
                product[i] += lambda * direction[i];
            }
            double[] curvature = dots(direction, product);
            boolean moved = false;
            double[] length = new double[count];
            for (int o = 0; o < count; o++) {
                if (!(Math.abs(curvature[o]) < Double.POSITIVE_INFINITY && energy[o] < Double.POSITIVE_INFINITY)) {
                    throw tooLarge();
                }
                // An output that is solved exactly has no direction left.
                length[o] = curvature[o] > 0 && energy[o] > 0 ? energy[o] / curvature[o] : 0;
                moved |= length[o] > 0;
            }
            for (int i = 0; i < product.length; i++) {
                double by = length[i % count];
                point[i] += by * direction[i];
                residual[i] -= by * product[i];
            }
            return moved;
        }

        /** The next direction of each output, conjugate to those before. */
        private void turn(double[] energy, double[] next) {
            double[] share = new double[count];
            for (int o = 0; o < count; o++) {
                share[o] = energy[o] > 0 ? next[o] / energy[o] : 0;
            }
            for (int i = 0; i < direction.length; i++) {
                direction[i] = solved[i] + share[i % count] * direction[i];
            }
        }

        /** The largest residual of an output, relative to its right-hand side. */
        private double measure(double[] sideNorm) {
            double[] norm = roots(dots(residual, residual));
            double largest = 0;
            for (int o = 0; o < count; o++) {
                // Where nothing is to be explained, no weights explain it.
                largest = Math.max(largest, sideNorm[o] > 0 ? norm[o] / sideNorm[o] : norm[o]);
            }
            return largest;
        }

        /** ½Σ w (f − y)² + λ/2·|β|² = ½Σ w (y − ȳ)² − ½βᵀ(b + r), because (H + λI)β = b − r. */
        private double objective() {
            double value = 0;
            for (double scatter : targetScatter) {
                value += scatter / 2;
            }
            for (int i = 0; i < residual.length; i++) {
                value -= point[i] * (side[i] + residual[i]) / 2;
            }
            return value;
        }

        private LinearModel model() {
            double[] intercepts = offsets(point);
            for (int o = 0; o < count; o++) {
                intercepts[o] += targetMeans[o];
            }
            return new LinearModel(features, count, Arrays.copyOf(point, features * count), intercepts);
        }

        private Solution ended(int iterations, double measured, Convergence.End end) {
            return new Solution(
                    point,
                    new Convergence(METHOD, iterations, objective(), MEASURE, measured, stopping.tolerance(), end));
        }
    }

    /** −z̄ᵀβ: what centred features take off the scores. */
    private double[] offsets(double[] beta) {
        double[] offsets = new double[count];
        for (int j = 0; j < features; j++) {
            for (int o = 0; o < count; o++) {
                offsets[o] -= mean[j] * beta[j * count + o];
            }
        }
        return offsets;
    }

    /** The inner products of the columns of two D×outputs matrices. */
    private double[] dots(double[] a, double[] b) {
        double[] dots = new double[count];
        for (int j = 0; j < features; j++) {
            for (int o = 0; o < count; o++) {
                dots[o] += a[j * count + o] * b[j * count + o];
            }
        }
        return dots;
    }

    private static double[] roots(double[] values) {
        return Arrays.stream(values).map(Math::sqrt).toArray();
    }

    private final class FirstSums {
        private final Sums side = new Sums();
        private final Sums product = new Sums();
        private final double[] scratch = new double[features];
    }

    /** What one worker sums up: coefficients times features. */
    private final class Sums {
        private final double[] sum = new double[features * count];
        private final double[] coefficientSum = new double[count];
        /** Σ w (y − ȳ)², where targets are added. */
        private final double[] squares = new double[count];

        private double[] coefficients = new double[0];

        /** Adds w·(y − ȳ) times the features. */
        void addTargets(FeatureTile tile) {
            ensure(tile.rows() * count);
            for (int i = 0; i < tile.rows(); i++) {
                double weight = tile.weight(i);
                for (int o = 0; o < count; o++) {
                    double target = outputs.target(tile, i, o) - targetMeans[o];
                    coefficients[i * count + o] = weight * target;
                    squares[o] += weight * target * target;
                }
            }
            addCoefficients(tile);
        }

        /** Adds w·βᵀ(z − z̄) times the features. */
        void addProduct(FeatureTile tile, WeightMatrix weights, double[] offsets) {
            ensure(tile.rows() * count);
            tile.multiply(weights, coefficients);
            for (int i = 0; i < tile.rows(); i++) {
                double weight = tile.weight(i);
                for (int o = 0; o < count; o++) {
                    coefficients[i * count + o] = weight * (coefficients[i * count + o] + offsets[o]);
                }
            }
            addCoefficients(tile);
        }

        private void ensure(int length) {
            if (coefficients.length < length) {
                coefficients = new double[length];
            }
        }

        private void addCoefficients(FeatureTile tile) {
            for (int i = 0; i < tile.rows(); i++) {
                for (int o = 0; o < count; o++) {
                    coefficientSum[o] += coefficients[i * count + o];
                }
            }
            tile.addTransposed(coefficients, count, sum);
        }

        void moveInto(Sums total) {
            move(sum, total.sum);
            move(coefficientSum, total.coefficientSum);
            move(squares, total.squares);
        }

        private static void move(double[] from, double[] to) {
            for (int i = 0; i < from.length; i++) {
                to[i] += from[i];
            }
            Arrays.fill(from, 0);
        }

        /** Features less their mean have the sum less the mean times the sum of the coefficients. */
        void copyTo(double[] centred) {
            for (int j = 0; j < features; j++) {
                for (int o = 0; o < count; o++) {
                    centred[j * count + o] = sum[j * count + o] - mean[j] * coefficientSum[o];
                }
            }
        }
    }
}
