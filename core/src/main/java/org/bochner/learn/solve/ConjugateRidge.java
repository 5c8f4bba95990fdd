package org.bochner.learn.solve;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.learn.Convergence;
import org.bochner.learn.linear.Monitor;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;

/**
 * Ridge regression by preconditioned conjugate gradients, for a number of features D whose D×D scatter matrix is too
 * large or too slow. It solves {@code (H + λI)·β = Zᵀ(y − ȳ)} for all outputs at once with a
 * {@link ScatterPreconditioner}. An iteration is one pass over the features. Each output has its own step lengths.
 *
 * <p>It stops when the residual |b − (H + λI)β| is at most the tolerance times |b| for every output. The residual is
 * the recursively updated one; in float32 the true residual stays at about 10⁻⁶. The objective falls with every
 * iteration, so the last point is always the best.
 *
 * <p>The right-hand sides and the sample of rows do not depend on λ; the first solution computes them for all others.
 *
 * <p>Cost: 4·n·D·outputs per iteration, plus mapping of the rows whose features are not kept. Memory: that of the
 * preconditioner, and 8·D·outputs bytes for each of seven vectors and for three per thread. Threads: the result does
 * not depend on the number of threads.
 */
final class ConjugateRidge {
    static final String METHOD = "preconditioned conjugate gradients";
    static final String MEASURE = "residual";

    private static final int FEWEST_SAMPLED = 256;

    private final Objective objective;
    private final ProblemVectors vectors;
    private final ScatterPreconditioner preconditioner;
    private final int features;
    private final int outputs;
    /** b, D×outputs; null until the first solution. */
    private double @Nullable [] side;
    /** Half of Σ w (y − ȳ)² over all outputs. */
    private double halfScatter;

    /**
     * Creates a solver.
     *
     * @param objective an objective with the half-square loss
     * @param sampledRows the number of rows of the preconditioner
     */
    ConjugateRidge(Objective objective, int sampledRows, Seed seed, Workers workers) {
        this.objective = objective;
        features = objective.features();
        outputs = objective.outputs();
        vectors = new ProblemVectors(objective);
        int rows = Require.atLeast("ridge", "sampled rows", sampledRows, 1);
        preconditioner = new ScatterPreconditioner(objective, rows, seed, workers);
    }

    /** Returns how many rows to sample. */
    static int sampledRows(Objective objective) {
        double most = sampledRows(objective.features());
        if (objective.source().sparse()) {
            // A pass over sparse features is cheap: the factor of the sample should cost no more than a few passes.
            most = Math.min(most, Math.cbrt(800.0 * objective.source().entries() * objective.outputs()));
        }
        return (int) Math.max(FEWEST_SAMPLED, most);
    }

    private static int sampledRows(int features) {
        return Math.max(FEWEST_SAMPLED, Math.min(4000, features / 4));
    }

    /**
     * Returns the bytes of a search of the penalty: the vectors and the solutions of about a dozen penalties, and the
     * preconditioner without the sampled rows; infinitely many if the weights are more than an array holds.
     */
    static double bytesNeeded(int features, int outputs, int threads) {
        double sampled = sampledRows(features);
        if ((features + 1L) * outputs > Objective.MOST_WEIGHTS) {
            return Double.POSITIVE_INFINITY;
        }
        return (20.0 + threads) * 8 * features * outputs + 20 * sampled * sampled;
    }

    /**
     * Solves the problem.
     *
     * @param start the point of a warm start, or null for zero weights
     */
    Solution solve(double lambda, StoppingRule stopping, double @Nullable [] start, Monitor monitor) {
        Require.notNegative("ridge", "lambda", lambda);
        if (!(objective.source().scatterTrace() < Double.POSITIVE_INFINITY)) {
            throw tooLarge();
        }
        return new Run(lambda, new SolverRun(METHOD, MEASURE, stopping, monitor), side()).solve(start);
    }

    static BochnerException tooLarge() {
        return new BochnerException(
                "ridge: products of the features are not finite, because the features are too large, or a parameter of the"
                        + " kernel is extreme, such as a small sigma or a large gamma",
                Remedy.set(Setting.SCALING, "as unit-l1, divide or min-max"),
                Remedy.set(Setting.PRECISION, Precision.FLOAT64, ""),
                Remedy.advice("take a kernel of a smaller degree or with a smaller gamma"));
    }

    /** Computes the right-hand sides and samples the rows, in one pass. */
    private double[] side() {
        if (side == null) {
            double[] constants = objective.start();
            double[] gradient = new double[constants.length];
            double[] values = objective.evaluate(constants, gradient, preconditioner::collect);
            halfScatter = Arrays.stream(values).sum();
            preconditioner.prepare(objective);
            side = Arrays.stream(gradient, 0, features * outputs)
                    .map(slope -> -slope)
                    .toArray();
        }
        return side;
    }

    /** One run. Points have intercepts after the weights, which conjugate gradients do not change. */
    private final class Run {
        private final double lambda;
        private final SolverRun run;
        private final double[] point = objective.start();
        private final double[] residual = new double[point.length];
        private final double[] solved = new double[point.length];
        private final double[] direction = new double[point.length];
        private final double[] product = new double[point.length];
        private final double[] right;

        Run(double lambda, SolverRun run, double[] right) {
            this.lambda = lambda;
            this.run = run;
            this.right = right;
        }

        Solution solve(double @Nullable [] start) {
            System.arraycopy(right, 0, residual, 0, right.length);
            if (start != null) {
                Require.sameSize("ridge", "numbers of the point to start from", start.length, point.length);
                System.arraycopy(start, 0, point, 0, right.length);
                objective.evaluate(point, product);
                for (int i = 0; i < right.length; i++) {
                    residual[i] = -product[i] - lambda * point[i];
                }
            }
            double[] scales = vectors.dotOfWeights(right, right);
            double measured = measure(scales);
            if (measured <= run.tolerance()) {
                return new Solution(point, run.ended(0, value(), measured, Convergence.End.CONVERGED));
            }
            preconditioner.factor(lambda);
            preconditioner.solve(residual, outputs, solved);
            System.arraycopy(solved, 0, direction, 0, solved.length);
            double[] energy = vectors.dotOfWeights(residual, solved);
            for (int number = 1; ; number++) {
                objective.curvature(point, direction, product);
                boolean moved = step(energy);
                measured = measure(scales);
                Convergence end = run.after(number, value(), measured, features, !moved, () -> objective.model(point));
                if (end != null) {
                    return new Solution(point, end);
                }
                preconditioner.solve(residual, outputs, solved);
                double[] next = vectors.dotOfWeights(residual, solved);
                turn(energy, next);
                energy = next;
            }
        }

        /** Moves each output to the minimum along its direction. Returns true if any output moved. */
        private boolean step(double[] energy) {
            vectors.addWeights(lambda, direction, product);
            // Intercepts stay.
            Arrays.fill(product, right.length, product.length, 0);
            double[] curvature = vectors.dotOfWeights(direction, product);
            boolean moved = false;
            double[] length = new double[outputs];
            double[] negative = new double[outputs];
            for (int o = 0; o < outputs; o++) {
                if (!(Math.abs(curvature[o]) < Double.POSITIVE_INFINITY && energy[o] < Double.POSITIVE_INFINITY)) {
                    throw tooLarge();
                }
                // The direction of an output that is solved exactly is zero.
                length[o] = curvature[o] > 0 && energy[o] > 0 ? energy[o] / curvature[o] : 0;
                negative[o] = -length[o];
                moved |= length[o] > 0;
            }
            vectors.add(point, length, direction, point);
            vectors.add(residual, negative, product, residual);
            return moved;
        }

        /** Sets the next direction of each output, conjugate to the previous ones. */
        private void turn(double[] energy, double[] next) {
            double[] share = new double[outputs];
            Arrays.setAll(share, o -> energy[o] > 0 ? next[o] / energy[o] : 0);
            vectors.add(solved, share, direction, direction);
        }

        /** Returns the largest residual of an output, relative to its right-hand side. */
        private double measure(double[] scales) {
            double[] squares = vectors.dotOfWeights(residual, residual);
            // A right-hand side of zero has the solution zero.
            return IntStream.range(0, outputs)
                    .mapToDouble(o -> Math.sqrt(scales[o] > 0 ? squares[o] / scales[o] : squares[o]))
                    .max()
                    .orElse(0);
        }

        /** Returns ½Σ w (f − y)² + λ/2·|β|² = ½Σ w (y − ȳ)² − ½βᵀ(b + r), because (H + λI)β = b − r. */
        private double value() {
            double value = halfScatter;
            for (int i = 0; i < right.length; i++) {
                value -= point[i] * (right[i] + residual[i]) / 2;
            }
            return value;
        }
    }
}
