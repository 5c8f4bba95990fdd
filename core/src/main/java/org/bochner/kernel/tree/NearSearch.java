package org.bochner.kernel.tree;

/** Finds the points of a tree at which a kernel has at least a value, as indices of the tree. Threads: not safe. */
final class NearSearch extends TreeSearch {
    private final DecayingKernel kernel;
    private final DecayingKernel.Reach reach;
    private final double[] delta;
    private double[] x = {};
    private int at;

    NearSearch(PointTree tree, DecayingKernel kernel, DecayingKernel.Reach reach) {
        super(tree);
        this.kernel = kernel;
        this.reach = reach;
        delta = new double[tree.columns];
    }

    /** Searches for a point and returns the number of points found. */
    int search(double[] point, int start) {
        x = point;
        at = start;
        return search();
    }

    @Override
    boolean near(int node) {
        tree.distances(x, at, node, delta);
        return reach.holds(delta);
    }

    @Override
    boolean take(int node) {
        if (tree.child(node) > 0) {
            return false;
        }
        grow(tree.count(node));
        int next = count;
        int end = tree.end(node);
        for (int j = tree.start(node); j < end; j++) {
            if (reach.holds(x, at, tree.points, j * tree.columns, delta)) {
                found[next++] = j;
            }
        }
        count = next;
        return true;
    }

    /** Returns the value of the kernel at a point and a point of the tree. */
    double value(double[] point, int start, int j) {
        return kernel.value(point, start, tree.points, j * tree.columns, delta);
    }
}
