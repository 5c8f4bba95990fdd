package org.bochner.kernel.tree;

/** The functions f(x) = Σⱼ vⱼ·k(x, xⱼ) of fixed rows xⱼ and vectors v. Threads: safe. */
public interface KernelSums {
    /**
     * Computes the functions at a row.
     *
     * @param row a scaled row
     * @param out receives one value per vector, from an index on
     */
    void at(double[] row, double[] out, int offset);
}
