package org.bochner.learn.ridge;

import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.matrix.Strips;

/**
 * The factor of the matrix A = UᵀU of a held-out fold, for solutions that are orthogonal to some vectors V: the minimiser x
 * of xᵀAx/2 − bᵀx with Vᵀx = 0. With B = U⁻ᵀV it is {@code x = U⁻¹(y − B(BᵀB)⁻¹Bᵀy)}, where y = U⁻ᵀb.
 *
 * <p>Cost: D²·q operations for q vectors, and 2D² + 4D·q per solution.
 */
final class FoldFactor {
    /**
     * The number, relative to the mean of the diagonal, that is added to the diagonals of VᵀV and BᵀB. It is above the rounding
     * errors of these products for up to 50,000 vectors, about q·2⁻⁵³, and keeps the matrices positive definite if vectors
     * nearly depend on each other.
     */
    private static final double SHIFT = 1e-11;

    private final Cholesky factor;
    private final int features;
    private final int count;
    /** B, D×q. */
    private final double[] images;

    private final Cholesky products;

    /**
     * Creates a factor.
     *
     * @param basis V, D×q, row-major, well-conditioned as a {@link #basis}
     * @param lambda the penalty in A, for messages
     */
    FoldFactor(Cholesky factor, double[] basis, double lambda, Workers workers) {
        this.factor = factor;
        features = factor.size();
        count = basis.length / features;
        images = basis.clone();
        factor.solveTransposed(images, count, workers);
        products = RidgeProblem.factor(gram(images, features), count, lambda, workers);
    }

    /** Returns an orthonormal basis of the span of some vectors, the columns of a row-major D×q matrix. */
    static double[] basis(double[] vectors, int features, Workers workers) {
        int count = vectors.length / features;
        double[] basis = vectors.clone();
        double[] upper = gram(vectors, features);
        Cholesky.factor(upper, count, workers);
        Matrix<double[]> right = Matrix.of(upper, count, count);
        Strips.each(
                workers,
                features,
                Strips.USUAL,
                (from, to) ->
                        Blas.get().solveUpperOnRight(right, Matrix.of(basis, from * count, to - from, count, count)));
        return basis;
    }

    /** Returns the upper triangle of the products of the columns of a matrix, with {@link #SHIFT} on the diagonal. */
    private static double[] gram(double[] matrix, int rows) {
        int columns = matrix.length / rows;
        double[] gram = new double[columns * columns];
        Blas.get().gram(1.0, Matrix.of(matrix, rows, columns), 0.0, Matrix.of(gram, columns, columns));
        double trace = 0;
        for (int c = 0; c < columns; c++) {
            trace += gram[c * (columns + 1)];
        }
        for (int c = 0; c < columns; c++) {
            gram[c * (columns + 1)] += SHIFT * trace / columns;
        }
        return gram;
    }

    /** Solves for all columns of b, D×outputs, in place. */
    void solve(double[] b, int outputs, Workers workers) {
        factor.solveTransposed(b, outputs, workers);
        double[] multipliers = new double[count * outputs];
        Matrix<double[]> columns = Matrix.of(images, features, count);
        Matrix<double[]> sides = Matrix.of(b, features, outputs);
        Blas.get().multiply(columns.transposed(), sides, multipliers);
        products.solve(multipliers, outputs, workers);
        Blas.get().multiply(-1.0, columns, Matrix.of(multipliers, count, outputs), 1.0, sides);
        factor.solveUpper(b, outputs, workers);
    }
}
