package org.bochner.learn.exact;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.data.sample.Folds;
import org.bochner.kernel.tree.KernelProduct;
import org.bochner.learn.Convergence;
import org.bochner.learn.Iteration;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.ridge.GridWalk;
import org.bochner.learn.ridge.PenaltyReason;
import org.bochner.map.landmark.IncompleteCholesky;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.random.Seed;
import org.bochner.stats.ExactRows;
import org.jspecify.annotations.Nullable;

/**
 * Exact kernel ridge regression by preconditioned conjugate gradients, from products with the matrix K of kernel values:
 * the minimum of Σ w (f(x) − y)² + λ|f|² over f(x) = Σ βⱼ·k(x, xⱼ) + b. The intercept is not penalised, and classes are
 * fitted one against the rest with targets ±1, as in ridge regression from a stored matrix.
 *
 * <p>With R = diag(√w), r = √w and the projection P = I − rrᵀ/|r|², it solves {@code (PRKRP + λI)α = PRy}; then β = Rα.
 * All outputs share the products. Each has its own step lengths.
 *
 * <p>The automatic penalty has the least error on held-out fifths of the rows, chosen by a hash of their number or group:
 * all five up to 6,249 rows, and one from 25,000 rows on. The candidates are those of ridge regression from a stored
 * matrix.
 *
 * <p>Cost: one product with K per iteration. Memory: twelve vectors per output, and the preconditioner. Threads: not
 * safe; results do not depend on the number of threads.
 */
public final class IterativeRidge {
    private static final String METHOD = "preconditioned conjugate gradients";
    private static final String MEASURE = "residual";

    /** The relative residual at which a solution ends, and that of solutions that only compare penalties. */
    private static final double USUAL_TOLERANCE = 1e-9;

    private static final double SEARCH_TOLERANCE = 1e-3;
    private static final int MOST_ITERATIONS = 1000;
    private static final int FOLDS = 5;

    /** The rows that are held out, together, if there are enough. */
    private static final double HELD_OUT = 5000;

    private final KernelProduct product;
    private final IncompleteCholesky pivots;
    private final OutputCoding coding;
    private final int n;
    private final int outputs;
    /** y, n×outputs. */
    private final double[] targets;

    private final double[] weights;
    private final ExactRows rows;
    private final double diagonal;
    private final double tolerance;
    private final Workers workers;
    private final BiPredicate<Double, Iteration> goOn;

    /**
     * Creates a problem.
     *
     * @param diagonal k(x, x)
     * @param pivots an incomplete factor of the kernel values, for the preconditioner
     * @param tolerance the relative residual at which the solution ends; 0 for the usual one
     * @param goOn receives the penalty and the state after each iteration; returns false to stop
     */
    public IterativeRidge(
            ExactRows rows,
            KernelProduct product,
            double diagonal,
            IncompleteCholesky pivots,
            double tolerance,
            Workers workers,
            BiPredicate<Double, Iteration> goOn) {
        this.rows = rows;
        this.product = product;
        this.diagonal = diagonal;
        this.pivots = pivots;
        this.tolerance = tolerance > 0 ? tolerance : USUAL_TOLERANCE;
        this.workers = workers;
        this.goOn = goOn;
        n = rows.count();
        coding = OutputCoding.of(rows.labels());
        outputs = coding.count();
        targets = new double[Math.multiplyExact(n, outputs)];
        weights = new double[n];
        for (int i = 0; i < n; i++) {
            weights[i] = rows.rows().rowWeight(i);
            for (int o = 0; o < outputs; o++) {
                targets[i * outputs + o] = coding.target(rows.rows(), i, o);
            }
        }
    }

    /** Returns the bytes of the vectors of a solution and of the preconditioner. */
    public static double bytesNeeded(long rows, int outputs, int rank) {
        return rows * (8.0 * rank + 96.0 * outputs + 64) + PivotPreconditioner.bytes(rank);
    }

    /** Fits with a given penalty. */
    public LinearFit fit(double lambda) {
        if (!(lambda > 0)) {
            throw new BochnerException("ridge: lambda=0 has no unique solution from kernel values between rows;"
                    + " use a larger lambda, or lambda=auto");
        }
        return fit(lambda, Double.NaN, List.of(), "lambda was given");
    }

    /** Fits with the penalty of least error on held-out rows. */
    public LinearFit fit() {
        double[] product = new double[n];
        this.product.multiply(weights, 1, product, workers);
        double total = Arrays.stream(weights).sum();
        // tr(PRKRP) = Σ wᵢ·k(xᵢ, xᵢ) − wᵀKw/Σw.
        double trace = 0;
        for (int i = 0; i < n; i++) {
            trace += weights[i] * (diagonal - product[i] / total);
        }
        double floor = 16 * Precision.FLOAT64.roundoff() * trace / Math.sqrt(n);
        if (!(trace > n * diagonal * Precision.FLOAT64.roundoff() * n)) {
            throw new BochnerException(
                    "ridge: the kernel values hardly vary over the rows; are all rows equal, or is sigma much too large"
                            + " (gamma much too small)?");
        }
        return search(trace / n, floor);
    }

    private LinearFit search(double unit, double floor) {
        Validation validation = new Validation(unit);
        int lowest = (int) Math.ceil(2 * StrictMath.log10(floor / unit));
        GridWalk walk =
                new GridWalk(lowest, Math.max(8, lowest), k -> validation.at(k).validationError());
        PathPoint chosen = validation.at(walk.better(walk.best(Math.max(-2, lowest), 2), 1));
        List<PathPoint> path = List.copyOf(validation.tried.values());
        String method = validation.folds == 1
                ? "the error on one held-out fold"
                : "cross-validation with " + validation.folds + " of " + FOLDS + " folds";
        return fit(chosen.lambda(), chosen.validationError(), path, PenaltyReason.best(path.size(), method));
    }

    /** The errors of penalties on held-out folds: as many folds as have enough rows together. */
    private final class Validation {
        private final double unit;
        private final int[] fold = new int[n];
        private final int folds;
        private final Map<Integer, PathPoint> tried = new TreeMap<>();
        /** The last solution of each fold, at which the next one starts. */
        private final double[] @Nullable [] last;

        Validation(double unit) {
            this.unit = unit;
            Folds all = Folds.of(FOLDS, new Seed(0).derive("held-out rows of the dual"));
            for (int i = 0; i < n; i++) {
                fold[i] = all.fold(rows.rows().group(i));
            }
            folds = (int) Math.max(1, Math.min(FOLDS, Math.ceil((double) FOLDS * HELD_OUT / n)));
            last = new double[folds][];
        }

        PathPoint at(int k) {
            return tried.computeIfAbsent(k, key -> compute(unit * StrictMath.pow(10, key / 2.0)));
        }

        /** Computes the error of a penalty; infinite if the matrix is not positive definite. */
        private PathPoint compute(double lambda) {
            double sum = 0;
            double total = 0;
            for (int f = 0; f < folds; f++) {
                double[] others = new double[n];
                double heldWeight = 0;
                for (int i = 0; i < n; i++) {
                    others[i] = fold[i] == f ? 0 : weights[i];
                    heldWeight += fold[i] == f ? weights[i] : 0;
                }
                double kept = Arrays.stream(others).sum();
                if (!(kept > 0 && heldWeight > 0)) {
                    continue;
                }
                try {
                    // The penalty is scaled with the row weight, because the loss is a sum over rows.
                    double scaled = lambda * kept / (kept + heldWeight);
                    Solved solved = new Run(scaled, others).solve(SEARCH_TOLERANCE, last[f]);
                    last[f] = solved.alpha;
                    sum += squares(solved, f);
                    total += heldWeight;
                } catch (IndefiniteException e) {
                    return new PathPoint(lambda, Double.NaN, Double.NaN, Double.POSITIVE_INFINITY);
                }
            }
            if (!(total > 0)) {
                throw new BochnerException(
                        "ridge: there are too few rows to hold some out for lambda=auto; give lambda a value");
            }
            return new PathPoint(lambda, Double.NaN, Double.NaN, sum / (total * outputs));
        }

        private double squares(Solved solved, int f) {
            double sum = 0;
            for (int i = 0; i < n; i++) {
                if (fold[i] != f) {
                    continue;
                }
                for (int o = 0; o < outputs; o++) {
                    double score = solved.scores[i * outputs + o] + solved.intercepts[o];
                    double residual = targets[i * outputs + o] - score;
                    sum += weights[i] * residual * residual;
                }
            }
            return sum;
        }
    }

    private LinearFit fit(double lambda, double validationError, List<PathPoint> path, String reason) {
        Solved solved;
        try {
            solved = new Run(lambda, weights).solve(tolerance, null);
        } catch (IndefiniteException e) {
            throw new BochnerException(
                    "ridge: at lambda=" + Spelling.print(lambda)
                            + " the matrix of kernel values plus lambda has a negative eigenvalue, because small kernel"
                            + " values were left out or approximated",
                    e,
                    Remedy.set(Setting.LEARNER, "ridge(lambda=" + Spelling.print((float) (10 * lambda)) + ")", ""),
                    Remedy.set(Setting.MAP, "none", "with a smaller threshold or tolerance"));
        }
        double total = Arrays.stream(weights).sum();
        double squares = 0;
        double norm = 0;
        for (int k = 0; k < solved.alpha.length; k++) {
            // √w·(y − f) = λα, and αᵀPRKRPα = αᵀ(PRy − λα).
            squares += lambda * lambda * solved.alpha[k] * solved.alpha[k];
            norm += solved.alpha[k] * (solved.side[k] - lambda * solved.alpha[k]);
        }
        PathPoint point = new PathPoint(lambda, Double.NaN, squares / (total * outputs), validationError);
        Convergence end = new Convergence(
                METHOD,
                solved.iterations,
                (squares + lambda * norm) / 2,
                MEASURE,
                solved.residual,
                tolerance,
                solved.end);
        double[] beta = new double[solved.alpha.length];
        Arrays.setAll(beta, k -> Math.sqrt(weights[k / outputs]) * solved.alpha[k]);
        LinearModel model = new LinearModel(n, outputs, beta, solved.intercepts);
        return new LinearFit(model, point, path, reason, end);
    }

    /**
     * A solution.
     *
     * @param side PRy, n×outputs
     * @param scores KRα, n×outputs
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Solved(
            double[] alpha,
            double[] side,
            double[] scores,
            double[] intercepts,
            int iterations,
            double residual,
            Convergence.End end) {}

    /** Thrown if a direction has no positive curvature. */
    private static final class IndefiniteException extends RuntimeException {
        private static final long serialVersionUID = 1;

        IndefiniteException(double curvature) {
            super("curvature " + curvature);
        }
    }

    /** Conjugate gradients for one penalty and one choice of rows: rows of weight 0 do not count. */
    private final class Run {
        private final double lambda;
        private final double[] roots = new double[n];
        private final double weight;
        private final double[] means = new double[outputs];
        private final PivotPreconditioner preconditioner;
        private final double[] scaled = new double[n * outputs];

        Run(double lambda, double[] used) {
            this.lambda = lambda;
            weight = Arrays.stream(used).sum();
            for (int i = 0; i < n; i++) {
                roots[i] = Math.sqrt(used[i]);
                for (int o = 0; o < outputs; o++) {
                    means[o] += used[i] * targets[i * outputs + o] / weight;
                }
            }
            preconditioner = new PivotPreconditioner(pivots, roots, lambda, workers);
        }

        Solved solve(double until, double @Nullable [] start) {
            double[] side = new double[n * outputs];
            for (int k = 0; k < side.length; k++) {
                side[k] = roots[k / outputs] * (targets[k] - means[k % outputs]);
            }
            double[] alpha = new double[side.length];
            double[] residual = side.clone();
            double[] products = new double[side.length];
            if (start != null) {
                System.arraycopy(start, 0, alpha, 0, alpha.length);
                apply(alpha, products);
                Vectors.add(-1, products, residual);
            }
            double[] scale = dots(side, side);
            double measured = measure(residual, scale);
            double[] solved = new double[side.length];
            double[] direction = new double[side.length];
            double[] energy = new double[outputs];
            int number = 0;
            Convergence.End end = Convergence.End.CONVERGED;
            while (measured > until) {
                if (number == MOST_ITERATIONS) {
                    end = Convergence.End.ITERATIONS;
                    break;
                }
                preconditioner.solve(residual, outputs, solved);
                project(solved);
                double[] next = dots(residual, solved);
                for (int k = 0; k < direction.length; k++) {
                    int o = k % outputs;
                    direction[k] = solved[k] + (energy[o] > 0 ? next[o] / energy[o] : 0) * direction[k];
                }
                energy = next;
                apply(direction, products);
                step(alpha, residual, direction, products, energy);
                number++;
                measured = measure(residual, scale);
                if (!goOn.test(lambda, new Iteration(number, Double.NaN, MEASURE, measured, n))) {
                    end = Convergence.End.STOPPED;
                    break;
                }
            }
            return solution(alpha, side, number, measured, end);
        }

        private void step(double[] alpha, double[] residual, double[] direction, double[] products, double[] energy) {
            double[] curvature = dots(direction, products);
            double[] squares = dots(direction, direction);
            double[] length = new double[outputs];
            for (int o = 0; o < outputs; o++) {
                if (squares[o] > 0 && energy[o] > 0 && !(curvature[o] > 0)) {
                    throw new IndefiniteException(curvature[o] / squares[o]);
                }
                length[o] = curvature[o] > 0 && energy[o] > 0 ? energy[o] / curvature[o] : 0;
            }
            for (int k = 0; k < alpha.length; k++) {
                alpha[k] += length[k % outputs] * direction[k];
                residual[k] -= length[k % outputs] * products[k];
            }
        }

        /** Computes the scores and the intercepts of a solution. */
        private Solved solution(double[] alpha, double[] side, int number, double measured, Convergence.End end) {
            for (int k = 0; k < alpha.length; k++) {
                scaled[k] = roots[k / outputs] * alpha[k];
            }
            double[] scores = new double[alpha.length];
            product.multiply(scaled, outputs, scores, workers);
            double[] intercepts = means.clone();
            for (int k = 0; k < scores.length; k++) {
                double root = roots[k / outputs];
                intercepts[k % outputs] -= root * root / weight * scores[k];
            }
            return new Solved(alpha, side, scores, intercepts, number, measured, end);
        }

        /** Computes (PRKRP + λI)v for v = Pv. */
        private void apply(double[] vectors, double[] out) {
            for (int k = 0; k < vectors.length; k++) {
                scaled[k] = roots[k / outputs] * vectors[k];
            }
            product.multiply(scaled, outputs, out, workers);
            for (int k = 0; k < out.length; k++) {
                out[k] *= roots[k / outputs];
            }
            project(out);
            Vectors.add(lambda, vectors, out);
        }

        private void project(double[] vectors) {
            double[] shares = new double[outputs];
            for (int k = 0; k < vectors.length; k++) {
                shares[k % outputs] += roots[k / outputs] * vectors[k] / weight;
            }
            for (int k = 0; k < vectors.length; k++) {
                vectors[k] -= shares[k % outputs] * roots[k / outputs];
            }
        }

        private double[] dots(double[] a, double[] b) {
            double[] sums = new double[outputs];
            for (int k = 0; k < a.length; k++) {
                sums[k % outputs] += a[k] * b[k];
            }
            return sums;
        }

        private double measure(double[] residual, double[] scale) {
            double[] squares = dots(residual, residual);
            return IntStream.range(0, outputs)
                    .mapToDouble(o -> Math.sqrt(scale[o] > 0 ? squares[o] / scale[o] : squares[o]))
                    .max()
                    .orElse(0);
        }
    }
}
