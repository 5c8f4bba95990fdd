package org.bochner.kernel.tree;

import java.util.Arrays;
import org.bochner.numeric.Workers;
import org.bochner.numeric.optimise.Vectors;

/**
 * Products of the kernel values between n rows and vectors, without the n×n values. Each value that enters a product
 * differs from the exact one by at most the tolerance times k(x, x): those of far {@link Boxes} count as 0, those of
 * boxes with many points are interpolated, and the others are exact. The approximate matrix is symmetric.
 *
 * <p>The Gaussian kernel is a product over the columns, and so is the matrix between the grids of two boxes: its product
 * takes d·pᵈ⁺¹ operations. Other kernels are not interpolated.
 *
 * <p>Memory: at most 20·n values per vector. Threads: safe.
 */
final class BoxProduct implements KernelProduct {
    private final PointTree tree;
    private final DecayingKernel kernel;
    /** The factor of the kernel, with which vectors are multiplied. */
    private final double factor;

    private final Boxes boxes;

    BoxProduct(PointTree tree, DecayingKernel kernel, double tolerance) {
        this.tree = tree;
        this.kernel = kernel.withoutFactor();
        factor = kernel.factor();
        boxes = Boxes.of(tree, this.kernel, this.kernel.reach(tolerance * this.kernel.atZero()), tolerance);
    }

    /** Returns the bytes of the values of all grids: fewer than 20 per point and vector, see {@link Boxes}. */
    static double bytes(long points, int vectors) {
        return 8.0 * Boxes.EXPONENTIAL * points * vectors;
    }

    @Override
    public int size() {
        return tree.size();
    }

    @Override
    public void multiply(double[] vectors, int count, double[] out, Workers workers) {
        double[] ordered = ordered(vectors, count);
        double[] moments = moments(ordered, count, workers);
        int parts = parts();
        workers.each(parts, part -> {
            Workspace workspace = new Workspace(count);
            for (int c = firstOf(part, parts); c < firstOf(part + 1, parts); c++) {
                workspace.sums(c, ordered, moments, out);
            }
        });
    }

    private double[] ordered(double[] vectors, int count) {
        double[] ordered = tree.inOrder(vectors, count);
        if (factor != 1) {
            Vectors.scale(factor, ordered);
        }
        return ordered;
    }

    private int parts() {
        return Math.max(1, Math.min(boxes.count, 1024));
    }

    private int firstOf(int part, int parts) {
        return (int) ((long) part * boxes.count / parts);
    }

    /** Returns the sums over the points of each expanded box of their vectors times their Lagrange polynomials. */
    private double[] moments(double[] ordered, int count, Workers workers) {
        double[] moments = new double[Math.multiplyExact(boxes.starts[boxes.count], count)];
        int parts = parts();
        workers.each(parts, part -> {
            Workspace workspace = new Workspace(count);
            for (int c = firstOf(part, parts); c < firstOf(part + 1, parts); c++) {
                if (boxes.expanded(c)) {
                    workspace.addMoments(c, ordered, moments);
                }
            }
        });
        return moments;
    }

    /** Returns the functions Σⱼ vⱼ·k(x, xⱼ) of vectors, n×count, row-major. */
    KernelSums sums(double[] given, int count, Workers workers) {
        double[] ordered = ordered(given, count);
        double[] moments = moments(ordered, count, workers);
        ThreadLocal<Workspace> workspaces = ThreadLocal.withInitial(() -> new Workspace(count));
        return (row, out, offset) -> workspaces.get().sums(row, ordered, moments, out, offset);
    }

    /** The working memory of one thread. */
    private final class Workspace {
        private final int count;
        private final Tensors tensors = new Tensors();
        private final Boxes.BoxSearch search = new Boxes.BoxSearch(boxes);
        private final double[][] vectors = new double[tree.columns][Interpolation.MOST_POINTS];
        private final double[][] matrices = new double[tree.columns][];
        private final double[] delta = new double[tree.columns];
        private final double[] point = new double[tree.columns];
        private double[] local = new double[0];
        private double[] near = new double[0];

        Workspace(int count) {
            this.count = count;
        }

        /** Computes the Lagrange polynomials of a box at point j of the tree. */
        void basis(int c, int j) {
            int node = boxes.nodes[c];
            for (int l = 0; l < tree.columns; l++) {
                Interpolation.basis(
                        tree.points[j * tree.columns + l],
                        boxes.middle(node, l),
                        boxes.half(node, l),
                        boxes.grids[c][l],
                        vectors[l]);
            }
        }

        /** Adds the vectors of the points of a box, times their Lagrange polynomials, to the moments of its grid. */
        void addMoments(int c, double[] ordered, double[] moments) {
            for (int j = tree.start(boxes.nodes[c]); j < tree.end(boxes.nodes[c]); j++) {
                basis(c, j);
                tensors.spread(moments, boxes.starts[c] * count, boxes.grids[c], vectors, ordered, j * count, count);
            }
        }

        /** Computes, per column, the kernel values between a point and the grid of a box. */
        private void toGrid(int c, double[] points, int at) {
            int node = boxes.nodes[c];
            for (int l = 0; l < tree.columns; l++) {
                double middle = boxes.middle(node, l);
                double half = boxes.half(node, l);
                int p = boxes.grids[c][l];
                for (int m = 0; m < p; m++) {
                    double difference = points[at + l] - Interpolation.point(middle, half, p, m);
                    vectors[l][m] = Math.exp(-0.5 * difference * difference);
                }
            }
        }

        /** Computes, per column, the kernel values between the grids of two boxes. */
        private void betweenGrids(int to, int from) {
            for (int l = 0; l < tree.columns; l++) {
                int rows = boxes.grids[to][l];
                int columns = boxes.grids[from][l];
                double[] matrix = Tensors.grown(matrices[l] == null ? new double[0] : matrices[l], rows * columns);
                matrices[l] = matrix;
                for (int a = 0; a < rows; a++) {
                    double x = Interpolation.point(
                            boxes.middle(boxes.nodes[to], l), boxes.half(boxes.nodes[to], l), rows, a);
                    for (int b = 0; b < columns; b++) {
                        double difference = x
                                - Interpolation.point(
                                        boxes.middle(boxes.nodes[from], l),
                                        boxes.half(boxes.nodes[from], l),
                                        columns,
                                        b);
                        matrix[a * columns + b] = Math.exp(-0.5 * difference * difference);
                    }
                }
            }
        }

        /** Computes the sums at the points of a box. */
        void sums(int to, double[] ordered, double[] moments, double[] out) {
            int node = boxes.nodes[to];
            int start = tree.start(node);
            int points = tree.count(node);
            int size = (boxes.starts[to + 1] - boxes.starts[to]) * count;
            local = Tensors.grown(local, size);
            near = Tensors.grown(near, points * count);
            Arrays.fill(local, 0, size, 0);
            Arrays.fill(near, 0, points * count, 0);
            int found = search.search(to);
            for (int k = 0; k < found; k++) {
                int from = search.found[k];
                switch (boxes.method(to, from)) {
                    case POINTS -> {
                        for (int i = 0; i < points; i++) {
                            direct(tree.points, (start + i) * tree.columns, from, ordered, near, i * count);
                        }
                    }
                    case GRID_TO_POINTS -> {
                        for (int i = 0; i < points; i++) {
                            fromGrid(tree.points, (start + i) * tree.columns, from, moments, near, i * count);
                        }
                    }
                    case POINTS_TO_GRID -> {
                        for (int j = tree.start(boxes.nodes[from]); j < tree.end(boxes.nodes[from]); j++) {
                            toGrid(to, tree.points, j * tree.columns);
                            tensors.spread(local, 0, boxes.grids[to], vectors, ordered, j * count, count);
                        }
                    }
                    case GRIDS -> {
                        betweenGrids(to, from);
                        tensors.multiply(
                                moments,
                                boxes.starts[from] * count,
                                boxes.grids[from],
                                matrices,
                                local,
                                0,
                                boxes.grids[to],
                                count);
                    }
                }
            }
            for (int i = 0; i < points; i++) {
                if (size > 0) {
                    basis(to, start + i);
                    tensors.contract(local, 0, boxes.grids[to], vectors, near, i * count, count);
                }
                System.arraycopy(near, i * count, out, tree.given[start + i] * count, count);
            }
        }

        /** Computes the sums at a row. */
        void sums(double[] row, double[] ordered, double[] moments, double[] out, int offset) {
            kernel.toPoint(row, point, 0);
            Arrays.fill(out, offset, offset + count, 0);
            int found = search.search(point, 0);
            for (int k = 0; k < found; k++) {
                if (boxes.expanded(search.found[k])) {
                    fromGrid(point, 0, search.found[k], moments, out, offset);
                } else {
                    direct(point, 0, search.found[k], ordered, out, offset);
                }
            }
        }

        private void direct(double[] points, int at, int from, double[] ordered, double[] out, int offset) {
            int node = boxes.nodes[from];
            for (int j = tree.start(node); j < tree.end(node); j++) {
                double value = kernel.value(points, at, tree.points, j * tree.columns, delta);
                for (int o = 0; o < count; o++) {
                    out[offset + o] += value * ordered[j * count + o];
                }
            }
        }

        private void fromGrid(double[] points, int at, int from, double[] moments, double[] out, int offset) {
            toGrid(from, points, at);
            tensors.contract(moments, boxes.starts[from] * count, boxes.grids[from], vectors, out, offset, count);
        }
    }
}
