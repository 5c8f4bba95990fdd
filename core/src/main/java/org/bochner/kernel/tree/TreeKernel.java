package org.bochner.kernel.tree;

import java.util.Arrays;
import java.util.Locale;
import org.bochner.base.BochnerException;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.numeric.Workers;

/**
 * The kernel values between any rows and n fixed rows, which are in a tree: without values below a threshold, or to a
 * tolerance. With a threshold, prediction uses exactly the values of training. With products, every value is within the
 * tolerance, but that of a pair may differ between training, prediction and {@link #values}, which is exact.
 *
 * <p>Threads: safe; immutable.
 */
public final class TreeKernel {
    private final DecayingKernel kernel;
    private final TreeForm form;
    private final PointTree tree;
    /** The pairs of rows whose values are not left out. */
    private final DecayingKernel.Reach reach;

    private TreeKernel(DecayingKernel kernel, TreeForm form, RowBlock rows) {
        this.kernel = kernel;
        this.form = form;
        tree = new PointTree(kernel.points(rows), kernel.columns());
        reach = kernel.reach(Math.max(Double.MIN_VALUE, form.level() * kernel.atZero()));
    }

    /**
     * Builds the tree of fixed rows.
     *
     * @throws BochnerException if the kernel does not decrease with the distance
     */
    public static TreeKernel of(Kernel kernel, TreeForm form, RowBlock rows) {
        return DecayingKernel.of(kernel, rows.columns())
                .map(decaying -> new TreeKernel(decaying, form, rows))
                .orElseThrow(() -> new BochnerException(
                        "a tree needs a kernel that decreases with the distance in every column, got " + kernel));
    }

    /** Returns true if the kernel decreases with the distance. */
    public static boolean takes(Kernel kernel, int columns) {
        return DecayingKernel.of(kernel, columns).isPresent();
    }

    /** Returns the bytes of a tree of rows. */
    public static double bytes(long rows, int columns) {
        return rows * (24.0 * columns + 16);
    }

    /**
     * Returns the most bytes that one product takes beside its vectors.
     *
     * @param outputs the number of vectors
     */
    public static double productBytes(TreeForm form, long rows, int outputs) {
        return form.kind() == TreeForm.Kind.PRODUCTS ? BoxProduct.bytes(rows, outputs) : 0;
    }

    /** Returns the number of fixed rows. */
    public int size() {
        return tree.size();
    }

    public TreeForm form() {
        return form;
    }

    /** Returns k(x, x). */
    public double diagonal() {
        return kernel.atZero();
    }

    /**
     * The product of the kernel values between the fixed rows, and what is known about it.
     *
     * @param values the number of stored values
     * @param error a bound of the norm of the difference from the exact matrix
     */
    public record Product(KernelProduct product, long values, double error) {}

    /**
     * Returns the product of the kernel values between the fixed rows.
     *
     * @param taken the bytes that other parts of the work take
     * @throws org.bochner.base.memory.MemoryException if the values at or above the threshold exceed the memory; they
     *     are counted before they are stored
     */
    public Product product(double taken, Workers workers) {
        double unit = form.level() * kernel.atZero();
        if (form.kind() == TreeForm.Kind.PRODUCTS) {
            return new Product(new BoxProduct(tree, kernel, form.level()), 0, unit * size());
        }
        int[] counts = SparseGram.count(tree, kernel, reach, workers);
        long values = Arrays.stream(counts).asLongStream().sum();
        MemoryBudget.whole()
                .require(
                        12.0 * values + 4.0 * size() + taken,
                        String.format(
                                Locale.ROOT,
                                "an exact machine of %d rows with %d kernel values of at least %s times k(x, x)",
                                size(),
                                values,
                                form.level()),
                        "use a larger threshold",
                        "use the map none(products=tree), which stores no kernel values",
                        "use the map landmarks(2000), whose memory does not grow with the rows",
                        "use a random sample of the rows");
        int fewest = Arrays.stream(counts).min().orElse(0);
        return new Product(
                SparseGram.of(tree, kernel, reach, counts, workers), values, unit * (size() - (double) fewest));
    }

    /** Returns the functions Σⱼ vⱼ·k(x, xⱼ) of vectors, n×count, row-major. */
    public KernelSums sums(double[] vectors, int count, Workers workers) {
        if (form.kind() == TreeForm.Kind.PRODUCTS) {
            return new BoxProduct(tree, kernel, form.level()).sums(vectors, count, workers);
        }
        double[] ordered = tree.inOrder(vectors, count);
        ThreadLocal<Near> workspaces = ThreadLocal.withInitial(Near::new);
        return (row, out, offset) -> workspaces.get().sums(row, ordered, count, out, offset);
    }

    /** Writes the kernel values of a row with the fixed rows, in float64; those below the threshold are 0. */
    public void values(double[] row, double[] out, int offset) {
        if (form.kind() == TreeForm.Kind.THRESHOLD) {
            Arrays.fill(out, offset, offset + size(), 0);
            new Near().values(row, out, offset);
            return;
        }
        double[] point = new double[tree.columns];
        double[] delta = new double[tree.columns];
        kernel.toPoint(row, point, 0);
        for (int j = 0; j < size(); j++) {
            out[offset + tree.given[j]] = kernel.value(point, 0, tree.points, j * tree.columns, delta);
        }
    }

    /** The working memory of a search. */
    private final class Near {
        private final NearSearch search = new NearSearch(tree, kernel, reach);
        private final double[] point = new double[tree.columns];

        void values(double[] row, double[] out, int offset) {
            int found = find(row);
            for (int k = 0; k < found; k++) {
                out[offset + tree.given[search.found[k]]] = search.value(point, 0, search.found[k]);
            }
        }

        void sums(double[] row, double[] ordered, int count, double[] out, int offset) {
            Arrays.fill(out, offset, offset + count, 0);
            int found = find(row);
            for (int k = 0; k < found; k++) {
                int j = search.found[k];
                double value = search.value(point, 0, j);
                for (int o = 0; o < count; o++) {
                    out[offset + o] += value * ordered[j * count + o];
                }
            }
        }

        private int find(double[] row) {
            kernel.toPoint(row, point, 0);
            return search.search(point, 0);
        }
    }
}
