package org.bochner.stats;

/** The features Z of some rows, dense or sparse. Ranges of rows are {@code from} to {@code to} (exclusive). */
abstract sealed class RowFeatures permits FeatureBlock, SparseFeatures {
    /** Returns the number of stored features of a range of rows. */
    abstract long entries(int from, int to);

    /** Computes the scores of a range of rows into the start of {@code out}: rows×outputs. */
    abstract void multiply(int from, int to, WeightMatrix weights, double[] out);

    /** Adds Zᵀ·coefficients over a range of rows to the sum (D×outputs). */
    abstract void addTransposed(int from, int to, double[] coefficients, int outputs, double[] sum);

    /** Adds Zᵀ·coefficients over a range of rows to weights. */
    void addTransposed(int from, int to, double[] coefficients, WeightMatrix weights) {
        addTransposed(from, to, coefficients, weights.outputs(), weights.float64());
        weights.round();
    }

    /** Computes out ← Z·Zᵀ for a range of rows. */
    abstract void gram(int from, int to, double[] out);

    /** Returns Σⱼ z(row, j)·w(j), in float64. */
    abstract double dot(int row, double[] w);

    /** Adds weight · feature j of the row to {@code to[at + j]}. */
    abstract void addRow(int row, double weight, double[] to, int at);

    /**
     * Returns Σ w |z − centre|² over a range of rows and adds Σ w (z − centre) to the sums.
     *
     * @param weights w, one per row of the range
     * @param centre D numbers
     * @param sums D numbers
     */
    abstract double addDeviations(int from, int to, double[] weights, double[] centre, double[] sums);
}
