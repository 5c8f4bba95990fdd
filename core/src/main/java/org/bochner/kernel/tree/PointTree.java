package org.bochner.kernel.tree;

import java.util.Arrays;
import org.bochner.base.Require;

/**
 * A binary tree of points. A node has the points of a range and the smallest box that contains them. The box is divided
 * at the middle of its longest side; if less than a sixteenth of the points lies on one side, at the median.
 *
 * <p>Small boxes around the points serve few and many columns: along the columns in which near points agree they are
 * narrow, whatever the number of columns.
 *
 * <p>Cost: about d·n·log n operations. Memory: 8·n·d bytes for the points, and 16·d + 12 bytes per node, of which there
 * are usually fewer than n/4 and at most 1.1·n. Threads: safe; immutable after construction.
 */
final class PointTree {
    /** The most points of a leaf, unless all are equal. */
    static final int LEAF = 16;

    private static final int LEAST_SHARE = 16;

    final int columns;
    /** The points, one after the other, in the order of the tree. */
    final double[] points;
    /** The index, among the given points, of each point of the tree. */
    final int[] given;

    private int[] start = new int[64];
    private int[] end = new int[64];
    /** The first of two neighbouring children; 0 for leaves. */
    private int[] child = new int[64];

    private double[] low;
    private double[] high;
    private int nodes;

    /** Creates a tree that takes over the points. */
    PointTree(double[] points, int columns) {
        this.columns = Require.atLeast("tree", "columns", columns, 1);
        this.points = points;
        int n = points.length / columns;
        Require.that(
                n >= 1 && n * columns == points.length,
                "tree",
                "the number of values must be a positive multiple of " + columns + ", got " + points.length);
        for (double value : points) {
            Require.finite("tree", "a value in units of the length-scale", value);
        }
        given = new int[n];
        Arrays.setAll(given, i -> i);
        low = new double[64 * columns];
        high = new double[64 * columns];
        add(0, n);
        for (int node = 0; node < nodes; node++) {
            divide(node);
        }
    }

    int size() {
        return given.length;
    }

    int nodes() {
        return nodes;
    }

    int start(int node) {
        return start[node];
    }

    int end(int node) {
        return end[node];
    }

    int count(int node) {
        return end[node] - start[node];
    }

    /** Returns the first of two neighbouring children; 0 for leaves. */
    int child(int node) {
        return child[node];
    }

    double low(int node, int column) {
        return low[node * columns + column];
    }

    double high(int node, int column) {
        return high[node * columns + column];
    }

    /** Writes the smallest size of each difference between a point and a point of a node. */
    void distances(double[] others, int at, int node, double[] delta) {
        for (int l = 0; l < columns; l++) {
            double x = others[at + l];
            delta[l] = Math.max(0, Math.max(low[node * columns + l] - x, x - high[node * columns + l]));
        }
    }

    /** Writes the smallest size of each difference between points of two nodes. */
    void distances(int first, int second, double[] delta) {
        for (int l = 0; l < columns; l++) {
            int f = first * columns + l;
            int s = second * columns + l;
            delta[l] = Math.max(0, Math.max(low[s] - high[f], low[f] - high[s]));
        }
    }

    /** Returns values of the given points in the order of the tree, with a number of values per point. */
    double[] inOrder(double[] values, int perPoint) {
        double[] ordered = new double[values.length];
        for (int i = 0; i < given.length; i++) {
            System.arraycopy(values, given[i] * perPoint, ordered, i * perPoint, perPoint);
        }
        return ordered;
    }

    private int add(int from, int to) {
        int node = nodes++;
        if (node == start.length) {
            start = Arrays.copyOf(start, 2 * node);
            end = Arrays.copyOf(end, 2 * node);
            child = Arrays.copyOf(child, 2 * node);
            low = Arrays.copyOf(low, 2 * node * columns);
            high = Arrays.copyOf(high, 2 * node * columns);
        }
        start[node] = from;
        end[node] = to;
        for (int l = 0; l < columns; l++) {
            double least = Double.POSITIVE_INFINITY;
            double most = Double.NEGATIVE_INFINITY;
            for (int i = from; i < to; i++) {
                least = Math.min(least, points[i * columns + l]);
                most = Math.max(most, points[i * columns + l]);
            }
            low[node * columns + l] = least;
            high[node * columns + l] = most;
        }
        return node;
    }

    private void divide(int node) {
        int from = start[node];
        int to = end[node];
        int longest = 0;
        for (int l = 1; l < columns; l++) {
            longest = length(node, l) > length(node, longest) ? l : longest;
        }
        if (to - from <= LEAF || !(length(node, longest) > 0)) {
            return;
        }
        double middle = low(node, longest) / 2 + high(node, longest) / 2;
        int at = partition(from, to, longest, middle);
        if (Math.min(at - from, to - at) < (to - from) / LEAST_SHARE) {
            at = (from + to) >>> 1;
            select(from, to, longest, at);
        }
        int first = add(from, at);
        add(at, to);
        child[node] = first;
    }

    private double length(int node, int column) {
        return high(node, column) - low(node, column);
    }

    /** Moves the points with at most a value in a column to the front; returns the index after them. */
    private int partition(int from, int to, int column, double value) {
        int i = from;
        int j = to;
        while (i < j) {
            if (points[i * columns + column] <= value) {
                i++;
            } else {
                swap(i, --j);
            }
        }
        return i;
    }

    /** Orders the points so that those before an index have no larger values in a column than those from it on. */
    private void select(int from, int to, int column, int index) {
        int first = from;
        int last = to - 1;
        while (first < last) {
            double pivot = points[((first + last) >>> 1) * columns + column];
            int i = first;
            int j = last;
            while (i <= j) {
                while (points[i * columns + column] < pivot) {
                    i++;
                }
                while (points[j * columns + column] > pivot) {
                    j--;
                }
                if (i <= j) {
                    swap(i++, j--);
                }
            }
            if (index <= j) {
                last = j;
            } else if (index >= i) {
                first = i;
            } else {
                return;
            }
        }
    }

    private void swap(int i, int j) {
        for (int l = 0; l < columns; l++) {
            double kept = points[i * columns + l];
            points[i * columns + l] = points[j * columns + l];
            points[j * columns + l] = kept;
        }
        int kept = given[i];
        given[i] = given[j];
        given[j] = kept;
    }
}
