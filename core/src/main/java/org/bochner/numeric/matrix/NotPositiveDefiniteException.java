package org.bochner.numeric.matrix;

import org.bochner.base.BochnerException;

/** Reports that a matrix has no Cholesky factor: at some pivot it is singular or indefinite in float64. */
public final class NotPositiveDefiniteException extends BochnerException {
    private static final long serialVersionUID = 1L;

    private final int pivot;

    NotPositiveDefiniteException(int pivot, int n) {
        super("Cholesky: the " + n + " x " + n + " matrix is not positive definite in float64: pivot " + pivot
                + ", counted from 0, is not a positive number; add more to the diagonal (a larger penalty)");
        this.pivot = pivot;
    }

    /**
     * Returns the index, from 0, of the first row that depends on the rows before it or holds a value that is not
     * finite.
     */
    public int pivot() {
        return pivot;
    }
}
