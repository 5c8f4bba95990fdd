package org.bochner.benchmarks.exact;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.bochner.numeric.optimise.DescentMonitor;
import org.bochner.numeric.optimise.DescentOptions;
import org.bochner.numeric.optimise.Lbfgs;
import org.bochner.numeric.optimise.Minimum;
import org.bochner.numeric.optimise.SmoothFunction;

/**
 * Kernel ridge regression on the exact kernel, whose scales are learned with it by gradients (KRR-GD): what random maps
 * are compared with.
 *
 * <p>With scales s (frequency scales 1/σ of groups of columns, powers of skewed kernels, γ of radial ones) it minimises,
 * over log s,
 *
 * <pre>{@code F(s) = min over w of ½|Φᵀw − y|² + λ|w|² + ρ|s|² = λ·yᵀ(K + 2λI)⁻¹y + ρ|s|²}</pre>
 *
 * summed over the outputs, which share the matrix; or half the sum of squares of the leave-one-out residuals in the place
 * of its first part. The intercept is free: targets are centred first, and for the leave-one-out residuals their mean stays
 * that of all rows.
 *
 * <p>Domain: shift-invariant, warped and radial kernels of all columns; λ > 0. Rows as they are: scale them before.
 *
 * <p>Cost of an evaluation for n rows of m columns: n³/3 operations to factor, and n²·m for the kernel and its derivatives,
 * of which no matrix is made but K itself. Leave-one-out takes 4n³ more. Memory: {@link #bytesNeeded}, 0.8 GB for 10⁴ rows.
 *
 * <p>Threads: immutable, safe. Results do not depend on the number of threads.
 *
 * <p>Reference: E. Băzăvan, F. Li and C. Sminchisescu, Fourier kernel learning, ECCV 2012, eq. 9 with its constants
 * corrected.
 */
public final class ExactRidge {
    private static final String OWNER = "ExactRidge";

    private final Kernel kernel;
    private final double lambda;
    private final double rho;
    private final int[] groups;
    private final boolean leavesOneOut;
    private final DescentOptions options;
    private final Workers workers;

    private ExactRidge(
            Kernel kernel,
            double lambda,
            double rho,
            int[] groups,
            boolean leavesOneOut,
            DescentOptions options,
            Workers workers) {
        Require.positive(OWNER, "lambda", lambda);
        Require.notNegative(OWNER, "rho", rho);
        this.kernel = kernel;
        this.lambda = lambda;
        this.rho = rho;
        this.groups = groups;
        this.leavesOneOut = leavesOneOut;
        this.options = options;
        this.workers = workers;
    }

    /** With this kernel's scales to start from, one for all columns, and this λ. */
    public static ExactRidge of(Kernel kernel, double lambda) {
        // Moves of more than 2 in a logarithm, a factor of 7, jump over minima.
        DescentOptions options = DescentOptions.withDefaults().withLargestMove(2);
        return new ExactRidge(kernel, lambda, 0, new int[0], false, options, Workers.all());
    }

    /** The number of the group of every column, from 0; the columns of a group share a scale. */
    public ExactRidge withGroups(int... groupOfColumn) {
        return new ExactRidge(kernel, lambda, rho, groupOfColumn.clone(), leavesOneOut, options, workers);
    }

    /** A scale for every column. */
    public ExactRidge withColumns(int columns) {
        int[] each = new int[columns];
        Arrays.setAll(each, l -> l);
        return withGroups(each);
    }

    /** Adds ρ·|s|², s the scales of the groups. */
    public ExactRidge withScalePenalty(double penalty) {
        return new ExactRidge(kernel, lambda, penalty, groups, leavesOneOut, options, workers);
    }

    /** Minimises the leave-one-out error instead of the training objective. */
    public ExactRidge withLeaveOneOut() {
        return new ExactRidge(kernel, lambda, rho, groups, true, options, workers);
    }

    public ExactRidge withOptions(DescentOptions other) {
        return new ExactRidge(kernel, lambda, rho, groups, leavesOneOut, other, workers);
    }

    public ExactRidge withWorkers(Workers other) {
        return new ExactRidge(kernel, lambda, rho, groups, leavesOneOut, options, other);
    }

    /** The memory that so many rows need. */
    public long bytesNeeded(int rows) {
        return ExactMemory.bytes(rows, leavesOneOut ? 3 : 1);
    }

    /** The criterion as a function of the logarithms of the scales; {@link #start} is where the kernel stands. */
    public SmoothFunction function(RowSource source) {
        return problem(ExactRows.read(source));
    }

    /** The logarithms of the scales of the kernel that was given, one a group. */
    public double[] start(int columns) {
        double[] scales = scales(columns).start();
        Arrays.setAll(scales, g -> Math.log(scales[g]));
        return scales;
    }

    public ExactModel fit(RowSource source) {
        return fit(source, DescentMonitor.NONE);
    }

    /**
     * Learns the scales and fits the machine.
     *
     * @param monitor whose points are logarithms of scales; where it stops, the best so far is what is returned
     * @throws org.bochner.base.BochnerException where the rows need more memory than there is, or the kernel has no scale
     */
    public ExactModel fit(RowSource source, DescentMonitor monitor) {
        ExactRows rows = ExactRows.read(source);
        Problem problem = problem(rows);
        Minimum minimum = new Lbfgs(options).minimize(problem, start(rows.columns()), monitor);
        double[] scales = exp(minimum.point());
        double[] coefficients = problem.coefficients(scales);
        return new ExactModel(problem.kernel.with(scales), rows, coefficients, problem.means, minimum);
    }

    private KernelScales scales(int columns) {
        return KernelScales.of(kernel, columns, groups.length == 0 ? new int[columns] : groups);
    }

    private Problem problem(ExactRows rows) {
        Require.that(rows.outputs() > 0, OWNER, "the rows have no targets");
        KernelScales scales = scales(rows.columns());
        ExactMemory.require("exact kernel ridge regression", rows.count(), bytesNeeded(rows.count()));
        return new Problem(rows, scales);
    }

    private static double[] exp(double[] logarithms) {
        return Arrays.stream(logarithms).map(Math::exp).toArray();
    }

    /** The criterion for some rows; it owns the one large matrix. */
    private final class Problem implements SmoothFunction {
        private final KernelScales kernel;
        private final ExactGram gram;
        private final int n;
        private final int outputs;
        private final double[] targets;
        private final double[] means;
        private final double[] matrix;

        Problem(ExactRows rows, KernelScales kernel) {
            this.kernel = kernel;
            this.gram = new ExactGram(kernel, rows, workers);
            this.n = rows.count();
            this.outputs = rows.outputs();
            this.targets = rows.targets();
            this.means = new double[outputs];
            for (int at = 0; at < targets.length; at++) {
                means[at % outputs] += targets[at] / n;
            }
            for (int at = 0; at < targets.length; at++) {
                targets[at] -= means[at % outputs];
            }
            this.matrix = new double[n * n];
        }

        /** The kernel stays below the diagonal; above it is the factor of K + 2λI. */
        private Cholesky factor(double[] scales) {
            gram.fill(scales, matrix);
            for (int i = 0; i < n; i++) {
                matrix[i * n + i] += 2 * lambda;
            }
            return Cholesky.factor(matrix, n, workers);
        }

        private double[] solve(Cholesky factor) {
            double[] coefficients = targets.clone();
            factor.solve(coefficients, outputs, workers);
            return coefficients;
        }

        double[] coefficients(double[] scales) {
            return solve(factor(scales));
        }

        @Override
        public double at(double[] logarithms, double[] gradient) {
            double[] scales = exp(logarithms);
            Cholesky factor;
            try {
                factor = factor(scales);
            } catch (NotPositiveDefiniteException e) {
                // Scales that overflow, or kernels whose rounding beats λ: no place to go to.
                return Double.NaN;
            }
            double[] coefficients = solve(factor);
            double value = leavesOneOut
                    ? leaveOneOut(scales, factor, coefficients, gradient)
                    : train(scales, coefficients, gradient);
            for (int g = 0; g < scales.length; g++) {
                value += rho * scales[g] * scales[g];
                gradient[g] += 2 * rho * scales[g] * scales[g];
            }
            return value;
        }

        /** λ·yᵀa with a = (K + 2λI)⁻¹y; its derivatives by K are −λ·aaᵀ. */
        private double train(double[] scales, double[] a, double[] gradient) {
            double sum = 0;
            for (int at = 0; at < a.length; at++) {
                sum += targets[at] * a[at];
            }
            double[] slopes = gram.contract(
                    scales,
                    matrix,
                    (from, to, out) -> Blas.get()
                            .multiply(
                                    -lambda,
                                    Matrix.of(a, from * outputs, to - from, outputs, outputs),
                                    Matrix.of(a, to, outputs).transposed(),
                                    0.0,
                                    Matrix.of(out, to - from, to)));
            System.arraycopy(slopes, 0, gradient, 0, slopes.length);
            return lambda * sum;
        }

        /**
         * ½Σ (aᵢ/Gᵢᵢ)² with G = (K + 2λI)⁻¹. With u = r/diag G and v = r²/diag G, r the residuals, its derivatives by K are
         * the symmetric part of −(Gu)aᵀ, and G·diag(v)·G.
         */
        private double leaveOneOut(double[] scales, Cholesky factor, double[] a, double[] gradient) {
            double[] inverse = inverse(factor);
            double[] u = new double[n * outputs];
            double[] roots = new double[n];
            double value = 0;
            for (int i = 0; i < n; i++) {
                double diagonal = inverse[i * n + i];
                double v = 0;
                for (int o = 0; o < outputs; o++) {
                    double residual = a[i * outputs + o] / diagonal;
                    value += 0.5 * residual * residual;
                    u[i * outputs + o] = residual / diagonal;
                    v += residual * residual / diagonal;
                }
                roots[i] = Math.sqrt(v);
            }
            factor.solve(u, outputs, workers);
            // G·diag(√v), in place; G is not needed any more.
            workers.each(n, i -> {
                for (int j = 0; j < n; j++) {
                    inverse[i * n + j] *= roots[j];
                }
            });
            double[] slopes = gram.contract(scales, matrix, (from, to, out) -> {
                Blas blas = Blas.get();
                int height = to - from;
                int width = outputs;
                blas.multiply(
                        Matrix.of(inverse, from * n, height, n, n),
                        Matrix.of(inverse, to, n).transposed(),
                        out);
                blas.multiply(
                        -0.5,
                        Matrix.of(u, from * width, height, width, width),
                        Matrix.of(a, to, width).transposed(),
                        1.0,
                        Matrix.of(out, height, to));
                blas.multiply(
                        -0.5,
                        Matrix.of(a, from * width, height, width, width),
                        Matrix.of(u, to, width).transposed(),
                        1.0,
                        Matrix.of(out, height, to));
            });
            System.arraycopy(slopes, 0, gradient, 0, slopes.length);
            return value;
        }

        private double[] inverse(Cholesky factor) {
            double[] root = factor.inverseFactor(workers);
            double[] inverse = new double[n * n];
            int height = 128;
            workers.each((n + height - 1) / height, strip -> {
                int from = strip * height;
                int to = Math.min(n, from + height);
                Blas.get()
                        .multiply(
                                1.0,
                                Matrix.of(root, from * n, to - from, n, n),
                                Matrix.of(root, n, n).transposed(),
                                0.0,
                                Matrix.of(inverse, from * n, to - from, n, n));
            });
            return inverse;
        }
    }
}
