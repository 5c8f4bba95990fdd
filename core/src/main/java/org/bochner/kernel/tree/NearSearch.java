package org.bochner.kernel.tree;

import java.util.Arrays;

/** Finds the points of a tree at which a kernel has at least a value, in the order of the tree. Threads: not safe. */
final class NearSearch {
    private final PointTree tree;
    private final DecayingKernel kernel;
    private final DecayingKernel.Reach reach;
    private final double[] delta;
    private int[] stack = new int[64];

    /** The points found by the last search, as indices of the tree. */
    int[] found = new int[64];

    NearSearch(PointTree tree, DecayingKernel kernel, DecayingKernel.Reach reach) {
        this.tree = tree;
        this.kernel = kernel;
        this.reach = reach;
        delta = new double[tree.columns];
    }

    /** Searches for a point and returns the number of points found. */
    int search(double[] x, int at) {
        int count = 0;
        int waiting = 0;
        stack[waiting++] = 0;
        while (waiting > 0) {
            int node = stack[--waiting];
            tree.distances(x, at, node, delta);
            if (!reach.holds(delta)) {
                continue;
            }
            int child = tree.child(node);
            if (child > 0) {
                if (waiting + 2 > stack.length) {
                    stack = Arrays.copyOf(stack, 2 * stack.length);
                }
                stack[waiting++] = child + 1;
                stack[waiting++] = child;
                continue;
            }
            int end = tree.end(node);
            if (count + tree.count(node) > found.length) {
                found = Arrays.copyOf(found, Math.max(2 * found.length, count + tree.count(node)));
            }
            for (int j = tree.start(node); j < end; j++) {
                if (reach.holds(x, at, tree.points, j * tree.columns, delta)) {
                    found[count++] = j;
                }
            }
        }
        return count;
    }

    /** Returns the value of the kernel at a point and a point of the tree. */
    double value(double[] x, int at, int j) {
        return kernel.value(x, at, tree.points, j * tree.columns, delta);
    }
}
