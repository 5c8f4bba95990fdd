package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.stats.FeatureTile;
import org.jspecify.annotations.Nullable;

/**
 * The second derivatives of an {@link Objective} as a sample of its rows has them, in a form whose inverse is cheap: a
 * preconditioner.
 *
 * <p>With the sampled rows A, centred and with a 1 for the intercept, and the curvatures h of their losses, scaled to the
 * number of all rows, the second derivatives of an output are about {@code M = AᵀSSA + μI}, S = diag(√h). Then
 * {@code M⁻¹v = (v − AᵀS(SAAᵀS + μI)⁻¹SAv)/μ}, where the matrix in brackets has the order of the sample. The products AAᵀ
 * are the same at every point. Of softmax, the parts that tie outputs together are left out.
 *
 * <p>μ is the squared penalty and the mean of the other eigenvalues: directions that the sample does not hold have about
 * that much. On 2,000 cosines and sines of the data set a9a (C = 1, gradient down to 10⁻⁴) this takes 23 passes over the
 * features for the logistic loss and 44 for the squared hinge, and 65 and 162 without it. Samples of 512 rows take 28 and
 * 51; with a μ of half or four times that mean it takes some more.
 *
 * <p>Cost: one pass over the features, m²D operations once, m³/3 a point and an output, 4mD a product. Memory: mD
 * numbers in float32 and m² in float64 an output.
 */
final class CurvaturePreconditioner {
    private static final int MOST_ROWS = 768;

    /** So many rows are always worth it. */
    private static final int FEW_ROWS = 128;

    /** Features of the sampled rows at most. */
    private static final int MOST_VALUES = 1 << 23;

    /** Numbers in the factors of all outputs together at most. */
    private static final int MOST_FACTORS = 1 << 24;

    private final Objective objective;
    private final int count;
    /** D + 1. */
    private final int width;

    private final double scale;
    private final float[] rows;
    private final double[] weights;
    /** The targets, one an output; for a joint loss they do not matter. */
    private final double[] targets;

    private final float[] products;

    private CurvaturePreconditioner(Objective objective) {
        this.objective = objective;
        width = objective.features() + 1;
        long all = objective.source().rows();
        count = (int) Math.min((double) all, rows((double) all, width, objective.outputs()));
        scale = (double) all / Math.max(1, count);
        rows = new float[count * width];
        weights = new double[count];
        targets = new double[count * objective.outputs()];
        products = new float[count * count];
    }

    /** Samples the rows, in one pass, and multiplies them. */
    static CurvaturePreconditioner of(Objective objective) {
        CurvaturePreconditioner sample = new CurvaturePreconditioner(objective);
        if (sample.count > 0) {
            sample.copyRows(sample.chosen(objective.source().rows()));
        }
        sample.multiplyRows();
        return sample;
    }

    private void multiplyRows() {
        Blas.get()
                .multiply(
                        Matrix.of(rows, count, width),
                        Matrix.of(rows, count, width).transposed(),
                        products);
    }

    /** How many rows pay: a factor of them should cost no more than some passes over all rows. */
    private static double rows(double all, int width, int outputs) {
        double asManyAsPass = Math.cbrt(8 * all * width);
        double fit = Math.min((double) MOST_VALUES / width, Math.sqrt((double) MOST_FACTORS / outputs));
        return Math.min(fit, Math.max(FEW_ROWS, Math.min(MOST_ROWS, asManyAsPass)));
    }

    /** One row of each of as many equal parts of all rows, ascending. */
    private long[] chosen(long all) {
        RandomStream stream = new Seed(1).derive("curvature").stream();
        long[] chosen = new long[count];
        for (int k = 0; k < count; k++) {
            long from = all * k / count;
            long to = all * (k + 1) / count;
            chosen[k] = from + (long) (stream.nextUniform() * (to - from));
        }
        return chosen;
    }

    private void copyRows(long[] chosen) {
        double[] mean = objective.source().mean();
        objective
                .source()
                .pass(
                        () -> new double[width - 1],
                        (tile, buffer) -> {
                            int at = Arrays.binarySearch(chosen, tile.firstRow());
                            for (int k = at < 0 ? -at - 1 : at;
                                    k < count && chosen[k] < tile.firstRow() + tile.rows();
                                    k++) {
                                copyRow(tile, (int) (chosen[k] - tile.firstRow()), k, mean, buffer);
                            }
                        },
                        buffer -> {});
    }

    private void copyRow(FeatureTile tile, int row, int to, double[] mean, double[] buffer) {
        Arrays.fill(buffer, 0);
        tile.addRow(row, 1, buffer);
        for (int j = 0; j < buffer.length; j++) {
            rows[to * width + j] = (float) (buffer[j] - mean[j]);
        }
        rows[to * width + width - 1] = 1;
        weights[to] = tile.weight(row);
        for (int o = 0; o < objective.outputs(); o++) {
            targets[to * objective.outputs() + o] = objective.target(tile, row, o);
        }
    }

    /** The inverse at a point, for some of the outputs. */
    Inverse inverse(double[] point, double l2, int[] chosen) {
        int outputs = objective.outputs();
        double[] curvatures = new double[count * outputs];
        objective.curvatures(multiply(point), targets, curvatures);
        Inverse inverse = new Inverse(chosen);
        for (int k = 0; k < chosen.length; k++) {
            double[] roots = new double[count];
            for (int i = 0; i < count; i++) {
                roots[i] = Math.sqrt(scale * weights[i] * curvatures[i * outputs + chosen[k]]);
            }
            inverse.factor(k, roots, l2);
        }
        return inverse;
    }

    /** A·x for a vector or a point: count×outputs. */
    private float[] multiply(double[] x) {
        int outputs = objective.outputs();
        float[] rounded = new float[x.length];
        for (int i = 0; i < x.length; i++) {
            rounded[i] = (float) x[i];
        }
        float[] product = new float[count * outputs];
        Blas.get().multiply(Matrix.of(rows, count, width), Matrix.of(rounded, width, outputs), product);
        return product;
    }

    /** M⁻¹ for some outputs. */
    final class Inverse {
        private final int[] chosen;
        private final double[][] roots;
        private final @Nullable Cholesky[] factors;
        private final double[] shifts;

        private Inverse(int[] chosen) {
            this.chosen = chosen;
            roots = new double[chosen.length][];
            factors = new Cholesky[chosen.length];
            shifts = new double[chosen.length];
        }

        private void factor(int k, double[] root, double l2) {
            double trace = 0;
            for (int i = 0; i < count; i++) {
                // The 1 of the intercept has no part in the eigenvalues of the features.
                trace += root[i] * root[i] * (products[i * count + i] - 1);
            }
            roots[k] = root;
            shifts[k] = l2 + Math.max(0, trace) / Math.max(count, width);
            if (!(shifts[k] > 0)) {
                shifts[k] = 1;
            }
            double[] matrix = new double[count * count];
            for (int i = 0; i < count; i++) {
                for (int j = i; j < count; j++) {
                    matrix[i * count + j] = root[i] * root[j] * products[i * count + j];
                }
                matrix[i * count + i] += shifts[k];
            }
            try {
                factors[k] = Cholesky.factor(matrix, count, new Workers(1));
            } catch (NotPositiveDefiniteException e) {
                // Rounding in float32 outweighs the shift: conjugate gradients do without.
                factors[k] = null;
            }
        }

        /** to ← M⁻¹·vector for the outputs of this inverse; for others to is what it was. */
        void apply(double[] vector, double[] to) {
            int outputs = objective.outputs();
            float[] coefficients = multiply(vector);
            float[] solved = new float[coefficients.length];
            double[] column = new double[count];
            for (int k = 0; k < chosen.length; k++) {
                Cholesky factor = factors[k];
                if (factor == null) {
                    continue;
                }
                for (int i = 0; i < count; i++) {
                    column[i] = roots[k][i] * coefficients[i * outputs + chosen[k]];
                }
                factor.solve(column, 1);
                for (int i = 0; i < count; i++) {
                    solved[i * outputs + chosen[k]] = (float) (roots[k][i] * column[i]);
                }
            }
            float[] product = new float[width * outputs];
            Blas.get().multiply(Matrix.of(rows, count, width).transposed(), Matrix.of(solved, count, outputs), product);
            for (int j = 0; j < width; j++) {
                for (int k = 0; k < chosen.length; k++) {
                    int at = j * outputs + chosen[k];
                    to[at] = (vector[at] - product[at]) / shifts[k];
                }
            }
        }
    }
}
