package org.bochner.learn.solve;

/**
 * The rows A of a {@link ScatterPreconditioner}: s centred rows of D features, each with a factor.
 *
 * <p>Threads: not safe; the methods use several threads themselves, whose number does not change the results.
 */
sealed interface ScatterRows permits DenseScatterRows, SparseScatterRows {
    /** Returns the upper triangle of AAᵀ, s×s. */
    double[] products();

    /** Adds A·in to {@code small}: D×outputs and s×outputs numbers. */
    void multiply(double[] in, int outputs, double[] small);

    /** Writes (in − Aᵀ·small)/shift: D×outputs numbers. */
    void finish(double[] in, double[] small, int outputs, double shift, double[] out);
}
