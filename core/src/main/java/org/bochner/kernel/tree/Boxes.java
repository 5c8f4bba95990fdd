package org.bochner.kernel.tree;

import java.util.Arrays;

/**
 * A division of the points of a tree into boxes, which are nodes. A box with many points of a Gaussian kernel is
 * expanded: kernel values at its points are interpolated from those at a grid of Chebyshev points, p₁×p₂×…, whose error
 * is below the tolerance. Pairs of boxes whose values are all below the tolerance count as 0.
 */
final class Boxes {
    /** Nodes with at most this many points are not divided; not tuned. */
    private static final int FEW = 32;

    /** The estimated time of an exponential, in units of one multiplication; not tuned. */
    static final double EXPONENTIAL = 20;

    /** Boxes whose times are estimated; not tuned. */
    private static final int SAMPLED = 64;

    /** The half lengths of boxes that are tried, in units of the length-scale. */
    private static final double[] HALF_LENGTHS = {0, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 4, 5};

    final PointTree tree;
    final DecayingKernel.Reach reach;
    final int count;
    /** The node of each box. */
    final int[] nodes;
    /** The box of each node; −1 for others. */
    private final int[] boxes;
    /** The numbers of points of the grids, one per column. */
    final int[][] grids;
    /** The sums of the numbers of points of the grids over the columns. */
    private final int[] sides;
    /** Where the values of each grid start; empty for boxes that are not expanded. */
    final int[] starts;

    private Boxes(PointTree tree, DecayingKernel.Reach reach, double half, boolean gaussian, double tolerance) {
        this.tree = tree;
        this.reach = reach;
        boxes = new int[tree.nodes()];
        Arrays.fill(boxes, -1);
        int[] found = new int[tree.nodes()];
        int[] stack = new int[tree.nodes() + 1];
        int waiting = 1;
        int made = 0;
        while (waiting > 0) {
            int node = stack[--waiting];
            int child = tree.child(node);
            if (child == 0 || tree.count(node) <= FEW || longest(node) <= half) {
                boxes[node] = made;
                found[made++] = node;
            } else {
                stack[waiting++] = child + 1;
                stack[waiting++] = child;
            }
        }
        count = made;
        nodes = Arrays.copyOf(found, made);
        grids = new int[made][];
        sides = new int[made];
        starts = new int[made + 1];
        for (int c = 0; c < made; c++) {
            grids[c] = gaussian ? grid(nodes[c], tolerance) : new int[0];
            sides[c] = Arrays.stream(grids[c]).sum();
            starts[c + 1] = starts[c] + size(grids[c]);
        }
    }

    /** Returns the boxes with the smallest estimated time of a product. */
    static Boxes of(PointTree tree, DecayingKernel kernel, DecayingKernel.Reach reach, double tolerance) {
        Boxes best = new Boxes(tree, reach, HALF_LENGTHS[0], kernel.gaussian(), tolerance);
        if (!kernel.gaussian()) {
            return best;
        }
        double least = best.time();
        for (int h = 1; h < HALF_LENGTHS.length; h++) {
            Boxes other = new Boxes(tree, reach, HALF_LENGTHS[h], true, tolerance);
            double time = other.time();
            if (time < least) {
                best = other;
                least = time;
            }
        }
        return best;
    }

    private double longest(int node) {
        double longest = 0;
        for (int l = 0; l < tree.columns; l++) {
            longest = Math.max(longest, half(node, l));
        }
        return longest;
    }

    double half(int node, int column) {
        return (tree.high(node, column) - tree.low(node, column)) / 2;
    }

    double middle(int node, int column) {
        return tree.low(node, column) / 2 + tree.high(node, column) / 2;
    }

    /** Returns the grid of a box; an empty array if kernel values at the points cost less. */
    private int[] grid(int node, double tolerance) {
        int columns = tree.columns;
        int[] grid = new int[columns];
        double size = 1;
        double sum = 0;
        for (int l = 0; l < columns; l++) {
            // The product of values of at most 1 with errors e₁, …, e_d has an error of at most Π(1 + eₗ) − 1.
            grid[l] = Interpolation.points(half(node, l), tolerance / (2 * columns));
            size *= grid[l];
            sum += grid[l];
            if (grid[l] > Interpolation.MOST_POINTS) {
                return new int[0];
            }
        }
        return size + EXPONENTIAL * sum < EXPONENTIAL * tree.count(node) ? grid : new int[0];
    }

    private static int size(int[] grid) {
        int size = grid.length == 0 ? 0 : 1;
        for (int p : grid) {
            size *= p;
        }
        return size;
    }

    boolean expanded(int box) {
        return grids[box].length > 0;
    }

    /** How the values between two boxes are computed: the first are those of the sums, the second of the vectors. */
    enum PairMethod {
        POINTS,
        POINTS_TO_GRID,
        GRID_TO_POINTS,
        GRIDS
    }

    /** Returns the method with the least estimated time; that of exchanged boxes is the transposed one. */
    PairMethod method(int to, int from) {
        double points = pointsTime(to, from);
        double toPoints = expanded(from) ? gridTime(tree.count(nodes[to]), from) : Double.POSITIVE_INFINITY;
        double toGrid = expanded(to) ? gridTime(tree.count(nodes[from]), to) : Double.POSITIVE_INFINITY;
        double grids = expanded(to) && expanded(from) ? gridsTime(to, from) : Double.POSITIVE_INFINITY;
        double least = Math.min(Math.min(points, grids), Math.min(toPoints, toGrid));
        // A box with itself is never half expanded, which would not be symmetric: an expanded box has
        // size + 20·sides < 20·points, so that both grids take less time than one, and one takes less than the points.
        if (points == least) {
            return PairMethod.POINTS;
        }
        if (grids == least) {
            return PairMethod.GRIDS;
        }
        boolean smaller = toPoints == toGrid ? to < from : toPoints == least;
        return smaller ? PairMethod.GRID_TO_POINTS : PairMethod.POINTS_TO_GRID;
    }

    private double pointsTime(int to, int from) {
        return (EXPONENTIAL + tree.columns) * tree.count(nodes[to]) * tree.count(nodes[from]);
    }

    private double gridTime(int points, int box) {
        return points * (starts[box + 1] - starts[box] + EXPONENTIAL * sides[box]);
    }

    private double gridsTime(int to, int from) {
        double sum = 0;
        double largest = 0;
        for (int l = 0; l < tree.columns; l++) {
            sum += EXPONENTIAL * grids[to][l] * grids[from][l];
            largest += Math.max(grids[to][l], grids[from][l]);
        }
        return sum + largest * Math.max(starts[to + 1] - starts[to], starts[from + 1] - starts[from]);
    }

    private double time() {
        int sampled = Math.min(count, SAMPLED);
        BoxSearch search = new BoxSearch(this);
        double time = 0;
        for (int s = 0; s < sampled; s++) {
            int to = (int) ((long) s * count / sampled);
            int near = search.search(to);
            for (int k = 0; k < near; k++) {
                int from = search.found[k];
                time += switch (method(to, from)) {
                    case POINTS -> pointsTime(to, from);
                    case GRID_TO_POINTS -> gridTime(tree.count(nodes[to]), from);
                    case POINTS_TO_GRID -> gridTime(tree.count(nodes[from]), to);
                    case GRIDS -> gridsTime(to, from);
                };
            }
        }
        time *= (double) count / sampled;
        for (int c = 0; c < count; c++) {
            // To the grid and back.
            time += 2.0 * tree.count(nodes[c]) * (starts[c + 1] - starts[c]);
        }
        return time;
    }

    /** Finds the boxes within reach of a box or a point, ascending. Threads: not safe. */
    static final class BoxSearch extends TreeSearch {
        private final Boxes boxes;
        private final double[] delta;
        private Distances distances = (node, into) -> {};

        /** Writes the smallest size of each difference between a point of a node and what is searched for. */
        @FunctionalInterface
        private interface Distances {
            void to(int node, double[] delta);
        }

        BoxSearch(Boxes boxes) {
            super(boxes.tree);
            this.boxes = boxes;
            delta = new double[tree.columns];
        }

        int search(int box) {
            int own = boxes.nodes[box];
            distances = (node, into) -> tree.distances(own, node, into);
            return search();
        }

        int search(double[] points, int at) {
            distances = (node, into) -> tree.distances(points, at, node, into);
            return search();
        }

        @Override
        boolean near(int node) {
            distances.to(node, delta);
            return boxes.reach.holds(delta);
        }

        @Override
        boolean take(int node) {
            if (boxes.boxes[node] < 0) {
                return false;
            }
            grow(1);
            found[count++] = boxes.boxes[node];
            return true;
        }
    }
}
