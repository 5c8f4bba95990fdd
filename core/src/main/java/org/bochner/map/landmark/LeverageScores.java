package org.bochner.map.landmark;

import java.util.Arrays;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.random.Seed;

/**
 * Approximate ridge leverage scores: how much a row adds to what a ridge regression with the kernel can express,
 * {@code ℓᵢ = (K(K + μI)⁻¹)ᵢᵢ}.
 *
 * <p>K is replaced by its approximation ZZᵀ from a random dictionary of rows, and what that leaves of k(x, x) counts in
 * full: {@code ℓᵢ ≈ zᵢᵀ(ZᵀZ + μI)⁻¹zᵢ + (k(xᵢ, xᵢ) − |zᵢ|²)/μ}. The penalty μ is the mean, per chosen row, of the
 * eigenvalues beyond the first half of the dictionary.
 *
 * <p>Reference: Musco and Musco, Recursive sampling for the Nyström method, 2017.
 */
final class LeverageScores {
    /** The most rows of the dictionary; eigenvalues of more take longer than the rest of a fit. */
    private static final int MOST_ROWS = 1000;

    private LeverageScores() {}

    static double[] of(Kernel kernel, RowBlock rows, int count, Seed seed, Workers workers) {
        int size = Math.min(MOST_ROWS, Math.min(count, rows.rows()));
        IncompleteCholesky factor = new IncompleteCholesky(kernel, rows, size);
        double trace = Arrays.stream(factor.residual()).sum();
        double largest = Arrays.stream(factor.residual()).max().orElse(0);
        int[] dictionary = Draws.uniform(rows.rows(), size, seed.stream());
        factor.add(dictionary, (row, residual) -> residual > LandmarkRecipe.USUAL_CUTOFF * largest, workers);
        int rank = factor.rank();
        double[] z = factor.rows();
        double[] gram = new double[rank * rank];
        Blas.get().gram(1, Matrix.of(z, rows.rows(), rank), 0, Matrix.of(gram, rank, rank));
        double[] eigenvalues = Blas.get().eigen(rank, gram);
        int half = Math.max(1, rank / 2);
        double head = Arrays.stream(eigenvalues, rank - half, rank).sum();
        double penalty = Math.max((trace - head) / half, Double.MIN_NORMAL + 1e-12 * trace);
        // Rows of gram are eigenvectors; scores are sums of squared coordinates divided by eigenvalue + penalty.
        for (int e = 0; e < rank; e++) {
            double scale = 1 / Math.sqrt(Math.max(0, eigenvalues[e]) + penalty);
            for (int j = 0; j < rank; j++) {
                gram[e * rank + j] *= scale;
            }
        }
        double[] coordinates = new double[rows.rows() * rank];
        Blas.get()
                .multiply(
                        1,
                        Matrix.of(z, rows.rows(), rank),
                        Matrix.of(gram, rank, rank).transposed(),
                        0,
                        Matrix.of(coordinates, rows.rows(), rank));
        double[] scores = factor.residual().clone();
        for (int i = 0; i < scores.length; i++) {
            scores[i] /= penalty;
            for (int e = 0; e < rank; e++) {
                scores[i] += coordinates[i * rank + e] * coordinates[i * rank + e];
            }
            scores[i] = Math.min(1, scores[i]);
        }
        return scores;
    }
}
