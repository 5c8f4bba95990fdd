package org.bochner.benchmarks.exact;

import java.util.Arrays;
import java.util.function.IntFunction;
import org.bochner.base.Require;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.learn.linear.Loss;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.bochner.numeric.optimise.ConvexTerm;
import org.bochner.numeric.optimise.DescentMonitor;
import org.bochner.numeric.optimise.DescentOptions;
import org.bochner.numeric.optimise.Minimum;
import org.bochner.numeric.optimise.ProximalQuasiNewton;
import org.bochner.numeric.optimise.SmoothFunction;

/**
 * Generalised multiple kernel learning with the l1 norm on exact Gram matrices (GMKL): what group lasso on explicit maps is
 * compared with. It minimises over weights d ≥ 0 of the kernels
 *
 * <pre>{@code min over w of Σⱼ |wⱼ|²/(2dⱼ) + C·Σᵢ loss(Σⱼ wⱼᵀφⱼ(xᵢ), yᵢ) + Σⱼ dⱼ
 *   = min over a of ½aᵀK(d)a + C·Σᵢ loss((K(d)a)ᵢ, yᵢ) + Σⱼ dⱼ,   K(d) = Σⱼ dⱼKⱼ, wⱼ = dⱼ·Φⱼa,}</pre>
 *
 * a convex problem. Its minimum is C times that of {@code Σ loss + λ·Σⱼ|wⱼ|} with λ = √2/C, at dⱼ = |wⱼ|/√2.
 *
 * <p>The inner problem has a closed form for half squares, and is solved by Newton's method for the other losses that have a
 * derivative; the outer one by {@link ProximalQuasiNewton}, with the derivatives {@code 1 − ½aᵀKⱼa}. There is no intercept:
 * centre the targets, and the Gram matrices where features should be centred.
 *
 * <p>Cost of an evaluation: n³/3 operations (some five times that with Newton's method), and 2n² a kernel. Memory:
 * {@link #bytesNeeded}.
 *
 * <p>Threads: immutable, safe.
 *
 * <p>Reference: M. Varma and B. Babu, More generality in efficient multiple kernel learning, ICML 2009,
 * doi:10.1145/1553374.1553510.
 */
public final class GeneralizedMkl {
    private static final String OWNER = "GeneralizedMkl";

    private final double c;
    private final Loss.PerScore loss;
    private final DescentOptions options;
    private final Workers workers;

    private GeneralizedMkl(double c, Loss.PerScore loss, DescentOptions options, Workers workers) {
        Require.positive(OWNER, "C", c);
        Require.that(loss.smooth(), OWNER, "needs a loss of one output that has a derivative, got " + loss);
        this.c = c;
        this.loss = loss;
        this.options = options;
        this.workers = workers;
    }

    /** With this C in front of this loss. */
    public static GeneralizedMkl of(double c, Loss.PerScore loss) {
        DescentOptions options = DescentOptions.withDefaults()
                .withIterations(300)
                .withTolerance(1e-13, 3)
                .withGradientTolerance(1e-9)
                // The objective is convex: its size says how far to go.
                .withLargestFirstMove(1e100);
        return new GeneralizedMkl(c, loss, options, Workers.all());
    }

    public GeneralizedMkl withOptions(DescentOptions other) {
        return new GeneralizedMkl(c, loss, other, workers);
    }

    public GeneralizedMkl withWorkers(Workers other) {
        return new GeneralizedMkl(c, loss, options, other);
    }

    /** The memory that so many rows need, with so many Gram matrices that are kept. */
    public static long bytesNeeded(int rows, int kernels) {
        return ExactMemory.bytes(rows, 2.0 + kernels);
    }

    /** The Gram matrix of the rows of a source, row-major. */
    public static double[] gram(Kernel kernel, RowSource source, Workers workers) {
        ExactRows rows = ExactRows.read(source);
        ExactMemory.require("a Gram matrix", rows.count(), ExactMemory.bytes(rows.count(), 1));
        return ExactGram.of(kernel, rows, workers);
    }

    public MklSolution fit(int kernels, IntFunction<double[]> grams, double[] targets) {
        return fit(kernels, grams, targets, DescentMonitor.NONE);
    }

    /**
     * Finds weights and coefficients.
     *
     * @param kernels how many
     * @param grams the symmetric, positive semidefinite Gram matrix of each, row-major; asked for twice an evaluation, by
     *     several threads, so that one who lacks the memory can make them anew
     * @param targets one a row; ±1 for losses of classes
     * @param monitor whose points are weights; where it stops, the best so far is what is returned
     */
    public MklSolution fit(int kernels, IntFunction<double[]> grams, double[] targets, DescentMonitor monitor) {
        Require.atLeast(OWNER, "number of kernels", kernels, 1);
        int n = targets.length;
        ExactMemory.require("multiple kernel learning", n, bytesNeeded(n, 0));
        double scale = 0;
        for (int j = 0; j < kernels; j++) {
            double[] gram = grams.apply(j);
            Require.that(
                    gram.length == (long) n * n,
                    OWNER,
                    "Gram matrix " + j + " must have " + n + " x " + n + " values, got " + gram.length);
            for (int i = 0; i < n; i++) {
                scale += gram[i * n + i] / n;
            }
        }
        Problem problem = new Problem(kernels, grams, targets);
        double[] start = new double[kernels];
        // A kernel of trace n, as that of one Gaussian kernel.
        Arrays.fill(start, scale > 0 ? 1 / scale : 1);
        double[] ones = new double[kernels];
        Arrays.fill(ones, 1);
        Minimum minimum =
                new ProximalQuasiNewton(options).minimize(problem, ConvexTerm.nonNegativeL1(ones), start, monitor);
        double unused = problem.at(minimum.point(), new double[kernels]);
        return new MklSolution(problem.coefficients.clone(), minimum);
    }

    /** The inner minimum as a function of d. */
    private final class Problem implements SmoothFunction {
        private final int kernels;
        private final IntFunction<double[]> grams;
        private final double[] targets;
        private final int n;
        private final double[] sum;
        private final double[] factored;
        private double[] coefficients;

        Problem(int kernels, IntFunction<double[]> grams, double[] targets) {
            this.kernels = kernels;
            this.grams = grams;
            this.targets = targets;
            this.n = targets.length;
            this.sum = new double[n * n];
            this.factored = new double[n * n];
            this.coefficients = new double[n];
        }

        @Override
        public double at(double[] weights, double[] gradient) {
            combine(weights);
            double value;
            try {
                value = loss instanceof Loss.HalfSquare ? halfSquares() : newton();
            } catch (NotPositiveDefiniteException e) {
                return Double.NaN;
            }
            workers.each(kernels, j -> gradient[j] = -0.5 * dot(coefficients, times(grams.apply(j), coefficients)));
            return value;
        }

        private void combine(double[] weights) {
            Arrays.fill(sum, 0);
            for (int j = 0; j < kernels; j++) {
                double weight = weights[j];
                if (weight > 0) {
                    double[] gram = grams.apply(j);
                    workers.each(n, i -> {
                        for (int at = i * n; at < (i + 1) * n; at++) {
                            sum[at] += weight * gram[at];
                        }
                    });
                }
            }
        }

        /** ½yᵀ(K + I/C)⁻¹y. */
        private double halfSquares() {
            System.arraycopy(sum, 0, factored, 0, sum.length);
            for (int i = 0; i < n; i++) {
                factored[i * n + i] += 1 / c;
            }
            coefficients = targets.clone();
            Cholesky.factor(factored, n, workers).solve(coefficients, 1);
            return 0.5 * dot(targets, coefficients);
        }

        /**
         * Newton's method on ½aᵀKa + C·L(Ka), in the form that needs no inverse of K:
         * {@code a = b − √W(I + √W·K·√W)⁻¹√W·Kb}, {@code b = Wf − C·L′}, {@code W = C·L″}.
         */
        private double newton() {
            double[] a = coefficients;
            double[] f = times(sum, a);
            double value = value(a, f);
            for (int iteration = 0; iteration < 100; iteration++) {
                double[] direction = newtonPoint(f);
                double slope = 0;
                for (int i = 0; i < n; i++) {
                    direction[i] -= a[i];
                }
                double[] change = times(sum, direction);
                for (int i = 0; i < n; i++) {
                    slope += (a[i] + c * loss.slope(f[i], targets[i])) * change[i];
                }
                // The decrease still to come is half of it; its root is the relative error of a.
                boolean last = -slope <= 1e-22 * Math.abs(value);
                double step = 1;
                double[] nextA = moved(a, step, direction);
                double[] nextF = moved(f, step, change);
                double next = value(nextA, nextF);
                while (!(next <= value + 1e-4 * step * slope + 1e-15 * Math.abs(value)) && step > 1e-10) {
                    step /= 2;
                    nextA = moved(a, step, direction);
                    nextF = moved(f, step, change);
                    next = value(nextA, nextF);
                }
                a = nextA;
                f = nextF;
                value = next;
                if (last || step <= 1e-10) {
                    break;
                }
            }
            coefficients = a;
            return value;
        }

        private double[] newtonPoint(double[] f) {
            double[] roots = new double[n];
            double[] b = new double[n];
            for (int i = 0; i < n; i++) {
                double curvature = c * loss.curvature(f[i], targets[i]);
                roots[i] = Math.sqrt(curvature);
                b[i] = curvature * f[i] - c * loss.slope(f[i], targets[i]);
            }
            workers.each(n, i -> {
                for (int j = i; j < n; j++) {
                    factored[i * n + j] = roots[i] * sum[i * n + j] * roots[j];
                }
                factored[i * n + i] += 1;
            });
            double[] right = times(sum, b);
            for (int i = 0; i < n; i++) {
                right[i] *= roots[i];
            }
            Cholesky.factor(factored, n, workers).solve(right, 1);
            for (int i = 0; i < n; i++) {
                b[i] -= roots[i] * right[i];
            }
            return b;
        }

        private double value(double[] a, double[] f) {
            double losses = 0;
            for (int i = 0; i < n; i++) {
                losses += loss.value(f[i], targets[i]);
            }
            return 0.5 * dot(a, f) + c * losses;
        }

        private double[] times(double[] matrix, double[] x) {
            double[] product = new double[n];
            Blas.get().multiply(1.0, Matrix.of(matrix, n, n), x, 0.0, product);
            return product;
        }

        private double[] moved(double[] x, double step, double[] direction) {
            double[] moved = x.clone();
            for (int i = 0; i < n; i++) {
                moved[i] += step * direction[i];
            }
            return moved;
        }
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
