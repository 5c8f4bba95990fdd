package org.bochner.kernel.tree;

import org.bochner.numeric.Workers;

/** Multiplies the symmetric matrix of kernel values between n rows, or of values near them, by vectors. */
public interface KernelProduct {
    /** Returns the number of rows. */
    int size();

    /**
     * Computes K·V. The result does not depend on the number of threads.
     *
     * @param vectors V, n×count, row-major
     * @param out receives the products, n×count, row-major; not V itself
     */
    void multiply(double[] vectors, int count, double[] out, Workers workers);
}
