package org.bochner.kernel.tree;

import java.util.Arrays;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Strips;

/**
 * The kernel values between n rows without those below a threshold, in compressed rows.
 *
 * <p>Memory: 12 bytes per value. Cost of a product: two operations per value and vector. Threads: safe; immutable.
 */
final class SparseGram implements KernelProduct {
    /** Rows that are searched and multiplied together. */
    private static final int STRIP = 256;

    private final PointTree tree;
    private final int[][] indices;
    private final double[][] values;
    /** The number of values of each row of the tree. */
    private final int[] counts;

    private SparseGram(PointTree tree, int[] counts, int[][] indices, double[][] values) {
        this.tree = tree;
        this.counts = counts;
        this.indices = indices;
        this.values = values;
    }

    /** Counts the values of each row of the tree that are at least a threshold. */
    static int[] count(PointTree tree, DecayingKernel kernel, DecayingKernel.Reach reach, Workers workers) {
        int[] counts = new int[tree.size()];
        Strips.each(workers, counts.length, STRIP, (from, to) -> {
            NearSearch search = new NearSearch(tree, kernel, reach);
            for (int i = from; i < to; i++) {
                counts[i] = search.search(tree.points, i * tree.columns);
            }
        });
        return counts;
    }

    /** Computes the values that were counted. */
    static SparseGram of(
            PointTree tree, DecayingKernel kernel, DecayingKernel.Reach reach, int[] counts, Workers workers) {
        int[][] indices = new int[(tree.size() + STRIP - 1) / STRIP][];
        double[][] values = new double[indices.length][];
        Strips.each(workers, counts.length, STRIP, (from, to) -> {
            NearSearch search = new NearSearch(tree, kernel, reach);
            int s = from / STRIP;
            int total = Arrays.stream(counts, from, to).reduce(0, Math::addExact);
            indices[s] = new int[total];
            values[s] = new double[total];
            int entry = 0;
            for (int i = from; i < to; i++) {
                int count = search.search(tree.points, i * tree.columns);
                for (int e = 0; e < count; e++) {
                    indices[s][entry] = search.found[e];
                    values[s][entry++] = search.value(tree.points, i * tree.columns, search.found[e]);
                }
            }
        });
        return new SparseGram(tree, counts, indices, values);
    }

    @Override
    public int size() {
        return tree.size();
    }

    @Override
    public void multiply(double[] vectors, int count, double[] out, Workers workers) {
        double[] ordered = tree.inOrder(vectors, count);
        Strips.each(workers, size(), STRIP, (from, to) -> {
            double[] sums = new double[count];
            int entry = 0;
            for (int i = from; i < to; i++) {
                Arrays.fill(sums, 0);
                int end = entry + counts[i];
                add(from / STRIP, entry, end, ordered, sums);
                entry = end;
                System.arraycopy(sums, 0, out, tree.given[i] * count, count);
            }
        });
    }

    private void add(int s, int from, int to, double[] ordered, double[] sums) {
        int[] own = indices[s];
        double[] value = values[s];
        int count = sums.length;
        if (count == 1) {
            double sum = 0;
            for (int e = from; e < to; e++) {
                sum += value[e] * ordered[own[e]];
            }
            sums[0] = sum;
            return;
        }
        for (int e = from; e < to; e++) {
            for (int o = 0; o < count; o++) {
                sums[o] += value[e] * ordered[own[e] * count + o];
            }
        }
    }
}
