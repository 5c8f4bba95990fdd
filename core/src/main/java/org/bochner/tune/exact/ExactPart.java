package org.bochner.tune.exact;

import java.util.Arrays;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.matrix.Strips;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.tune.folds.FoldedRows;

/**
 * The rows without a fold, those before {@code start} and those from {@code end} on, and ridge regression on them. All
 * matrices of kernel values are RKR, where R has the roots of the row weights; see {@link ExactCriterion}.
 */
final class ExactPart {
    private final ExactFolds rows;
    private final int n;
    private final int outputs;
    final int start;
    final int end;
    final int size;
    /** The weight of the rows of the part. */
    final double weight;
    /** ŝ, one number per row of the part. */
    final double[] unit;
    /** PRy, size×outputs, row-major. */
    final double[] targets;

    private final double[] targetMeans;

    /**
     * Creates a part.
     *
     * @param fold the fold that is left out; the number of folds for none
     */
    ExactPart(ExactFolds rows, int fold) {
        this.rows = rows;
        n = rows.count();
        outputs = rows.outputs();
        boolean all = fold == rows.folds();
        start = all ? n : rows.start(fold);
        end = all ? n : rows.start(fold + 1);
        size = n - (end - start);
        if (size == 0 || (!all && start == end)) {
            throw FoldedRows.emptyFold(end - start, size);
        }
        double[] own = gather(rows.roots(), 1);
        weight = Vectors.dot(own, own);
        double length = Math.sqrt(weight);
        unit = Arrays.stream(own).map(root -> root / length).toArray();
        targets = gather(rows.weightedTargets(), outputs);
        targetMeans = project(targets);
        Arrays.setAll(targetMeans, o -> targetMeans[o] / length);
    }

    /** Returns the weight of all rows. */
    double totalWeight() {
        return Vectors.dot(rows.roots(), rows.roots());
    }

    /** Returns the rows of the part of an n×columns matrix. */
    private double[] gather(double[] of, int columns) {
        double[] own = new double[size * columns];
        System.arraycopy(of, 0, own, 0, start * columns);
        System.arraycopy(of, end * columns, own, start * columns, (n - end) * columns);
        return own;
    }

    /** Returns an n×columns matrix with the rows of the part, and 0 in the others. */
    private double[] scatter(double[] own, int columns) {
        double[] all = new double[n * columns];
        System.arraycopy(own, 0, all, 0, start * columns);
        System.arraycopy(own, start * columns, all, end * columns, (n - end) * columns);
        return all;
    }

    /** Returns factor·Rα, n×outputs, with 0 in the rows outside of the part. */
    double[] scattered(double[] alpha, double factor) {
        double[] all = scatter(alpha, outputs);
        for (int k = 0; k < all.length; k++) {
            all[k] *= factor * rows.roots()[k / outputs];
        }
        return all;
    }

    /** Replaces X, size×outputs, by PX; returns ŝᵀX. */
    double[] project(double[] x) {
        double[] along = new double[outputs];
        for (int i = 0; i < size; i++) {
            Vectors.add(unit[i], x, i * outputs, along, 0, outputs);
        }
        for (int i = 0; i < size; i++) {
            Vectors.add(-unit[i], along, 0, x, i * outputs, outputs);
        }
        return along;
    }

    /** Replaces F, n×n, by factor·RPF; for the part of all rows. */
    double[] projected(double[] f, double factor) {
        double[] along = new double[n];
        for (int i = 0; i < n; i++) {
            Vectors.add(unit[i], f, i * n, along, 0, n);
        }
        for (int i = 0; i < n; i++) {
            double root = factor * rows.roots()[i];
            for (int j = 0; j < n; j++) {
                f[i * n + j] = root * (f[i * n + j] - unit[i] * along[j]);
            }
        }
        return f;
    }

    /**
     * Factors A = PKP + λI.
     *
     * @param kernel K, n×n
     * @param scratch receives the factor
     * @throws org.bochner.numeric.matrix.NotPositiveDefiniteException if the penalty is too small
     */
    Fit factor(double[] kernel, double lambda, double[] scratch, Workers workers) {
        return new Fit(kernel, lambda, scratch, workers);
    }

    /** A ridge regression on the rows of the part. */
    final class Fit {
        private final double[] kernel;
        private final Workers workers;
        private final Cholesky factor;
        /** Kŝ, one number per row of the part. */
        private final double[] withUnit;

        private double[] alpha = {};

        private Fit(double[] kernel, double lambda, double[] scratch, Workers workers) {
            this.kernel = kernel;
            this.workers = workers;
            withUnit = gather(times(scatter(unit, 1), 1), 1);
            fill(scratch, lambda);
            factor = Cholesky.factor(scratch, size, workers);
        }

        /** The upper triangle of A; PKP = K − vŝᵀ − ŝvᵀ + (ŝᵀv)ŝŝᵀ with v = Kŝ. */
        private void fill(double[] matrix, double lambda) {
            double ofUnit = Vectors.dot(unit, withUnit);
            Strips.each(workers, size, Strips.USUAL, (from, to) -> {
                for (int i = from; i < to; i++) {
                    int write = i * size;
                    int read = (i < start ? i : i - start + end) * n;
                    int first = Math.max(i, start);
                    System.arraycopy(kernel, read + i, matrix, write + i, first - i);
                    System.arraycopy(kernel, read + first - start + end, matrix, write + first, size - first);
                    Vectors.add(ofUnit * unit[i] - withUnit[i], unit, i, matrix, write + i, size - i);
                    Vectors.add(-unit[i], withUnit, i, matrix, write + i, size - i);
                    matrix[write + i] += lambda;
                }
            });
        }

        Cholesky cholesky() {
            return factor;
        }

        /** Returns KX, n×columns. */
        private double[] times(double[] x, int columns) {
            double[] result = new double[n * columns];
            Strips.each(
                    workers,
                    n,
                    Strips.USUAL,
                    (from, to) -> Blas.get()
                            .multiply(
                                    1.0,
                                    Matrix.of(kernel, from * n, to - from, n, n),
                                    Matrix.of(x, n, columns),
                                    0.0,
                                    Matrix.of(result, from * columns, to - from, columns, columns)));
            return result;
        }

        /** Returns α = A⁻¹PRy, size×outputs. */
        double[] solution() {
            alpha = targets.clone();
            factor.solve(alpha, outputs, workers);
            project(alpha);
            return alpha;
        }

        /** Returns √w·(f − y) for the rows of the fold, after {@link #solution}. */
        double[] heldOut() {
            double[] scores = times(scatter(alpha, outputs), outputs);
            double[] along = new double[outputs];
            for (int i = 0; i < size; i++) {
                Vectors.add(withUnit[i], alpha, i * outputs, along, 0, outputs);
            }
            double length = Math.sqrt(weight);
            double[] residuals = new double[(end - start) * outputs];
            for (int k = 0; k < residuals.length; k++) {
                int at = start * outputs + k;
                double constant = targetMeans[k % outputs] - along[k % outputs] / length;
                residuals[k] = rows.roots()[at / outputs] * constant + scores[at] - rows.weightedTargets()[at];
            }
            return residuals;
        }

        /**
         * Returns p, the adjoint of the rows of the part.
         *
         * @param slopes e, the derivatives by the weighted scores of the rows of the fold
         * @param left receives e in the rows of the fold and −κŝ − p in the others, n×outputs
         */
        double[] adjoint(double[] slopes, double[] left) {
            double length = Math.sqrt(weight);
            double[] pull = new double[outputs];
            for (int k = 0; k < slopes.length; k++) {
                pull[k % outputs] += slopes[k] * rows.roots()[start + k / outputs] / length;
            }
            System.arraycopy(slopes, 0, left, start * outputs, slopes.length);
            double[] adjoint = gather(times(left, outputs), outputs);
            for (int i = 0; i < size; i++) {
                Vectors.add(-withUnit[i], pull, 0, adjoint, i * outputs, outputs);
            }
            project(adjoint);
            factor.solve(adjoint, outputs, workers);
            project(adjoint);
            for (int i = 0; i < size; i++) {
                int at = (i < start ? i : i - start + end) * outputs;
                for (int o = 0; o < outputs; o++) {
                    left[at + o] = -pull[o] * unit[i] - adjoint[i * outputs + o];
                }
            }
            return adjoint;
        }
    }
}
