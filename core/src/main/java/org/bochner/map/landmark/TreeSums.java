package org.bochner.map.landmark;

import org.bochner.kernel.tree.KernelSums;
import org.bochner.kernel.tree.TreeKernel;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;

/**
 * Linear functions of the kernel values with all training rows, prepared when they are first needed.
 *
 * <p>Threads: safe.
 */
public final class TreeSums implements KernelSums {
    private final TreeKernel tree;
    private final double[] weights;
    private final int count;
    private volatile @Nullable KernelSums prepared;

    TreeSums(TreeKernel tree, double[] weights, int count) {
        this.tree = tree;
        this.weights = weights;
        this.count = count;
    }

    /** Prepares the functions, if they are not prepared yet. */
    public KernelSums prepare(Workers workers) {
        KernelSums known = prepared;
        if (known == null) {
            synchronized (this) {
                known = prepared;
                if (known == null) {
                    known = tree.sums(weights, count, workers);
                    prepared = known;
                }
            }
        }
        return known;
    }

    /** Computes the functions at a row; prepares them on the calling thread if {@link #prepare} was not called. */
    @Override
    public void at(double[] row, double[] out, int offset) {
        prepare(new Workers(1)).at(row, out, offset);
    }
}
