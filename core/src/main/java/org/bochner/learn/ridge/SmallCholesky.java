package org.bochner.learn.ridge;

import org.bochner.numeric.optimise.Vectors;

/**
 * The Cholesky factor R, P = RᵀR, of a small block, such as that of a cosine and its sine, for which a call of LAPACK
 * would cost more than the arithmetic.
 */
final class SmallCholesky {
    private final double[] r;
    private final int size;

    /**
     * Factors the row-major matrix with the given upper triangle in place. A pivot that rounding makes 0 or negative is
     * replaced by infinity, which removes its row from all results.
     */
    SmallCholesky(double[] p, int size) {
        this.r = p;
        this.size = size;
        for (int i = 0; i < size; i++) {
            double pivot = r[i * size + i];
            for (int k = 0; k < i; k++) {
                pivot -= r[k * size + i] * r[k * size + i];
            }
            double root = pivot > 0 ? Math.sqrt(pivot) : Double.POSITIVE_INFINITY;
            r[i * size + i] = root;
            for (int j = i + 1; j < size; j++) {
                double value = r[i * size + j];
                for (int k = 0; k < i; k++) {
                    value -= r[k * size + i] * r[k * size + j];
                }
                r[i * size + j] = value / root;
            }
        }
    }

    /** Computes X ← R⁻ᵀX for size×columns numbers. */
    void reduce(double[] x, int columns) {
        for (int i = 0; i < size; i++) {
            for (int k = 0; k < i; k++) {
                Vectors.add(-r[k * size + i], x, k * columns, x, i * columns, columns);
            }
            for (int c = 0; c < columns; c++) {
                x[i * columns + c] /= r[i * size + i];
            }
        }
    }

    /** Returns tr(BᵀP⁻¹B) = |R⁻ᵀB|² for size×columns numbers, which are overwritten. */
    double squares(double[] b, int columns) {
        reduce(b, columns);
        return Vectors.dot(b, b);
    }
}
