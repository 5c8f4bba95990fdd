package org.bochner.map.landmark;

import java.util.Arrays;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.layout.MapMemory;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/**
 * Clusters rows by k-means with the distance of a kernel's features, |φ(x) − φ(c)|². The first centres are rows that lie
 * far from each other, drawn as by k-means++ but several at a time; then Lloyd's iterations follow.
 *
 * <p>A centre is the mean of its rows, weighted by k(x, c) / k(x, x) if the kernel is shift-invariant. With a Gaussian
 * kernel, no step increases the sum of the distances. Rows far from all others get little weight: centres stay where rows
 * are.
 *
 * <p>Cost: n·k kernel values per iteration.
 */
final class KMeans {
    /** The most iterations; landmarks need no converged clusters. */
    private static final int ITERATIONS = 10;

    /** The parts in which the first centres are drawn. */
    private static final int ROUNDS = 32;

    private final RowBlock rows;
    private final int count;
    private final boolean weighted;
    private final NearestCentres nearest;

    private KMeans(Kernel kernel, RowBlock rows, int count, Workers workers) {
        this.rows = rows;
        this.count = count;
        weighted = kernel instanceof ShiftInvariantKernel;
        nearest = new NearestCentres(kernel, rows, workers);
    }

    /** The clusters of rows: the centres, and the nearest centre of each row. */
    record Clusters(DenseRows centres, NearestCentres nearest) {
        /** Returns the row nearest to each centre; centres without rows are left out. */
        int[] nearestRows() {
            return nearest.nearestRows(centres.rows());
        }
    }

    /**
     * Divides rows into at most {@code count} clusters.
     *
     * @param kernel a shift-invariant kernel, or the linear one for plain distances
     */
    static Clusters cluster(Kernel kernel, RowBlock rows, int count, Seed seed, Workers workers) {
        return new KMeans(kernel, rows, count, workers).run(seed.stream());
    }

    private Clusters run(RandomStream stream) {
        DenseRows centres = firstCentres(stream);
        for (int iteration = 0; iteration < ITERATIONS; iteration++) {
            centres = means(centres);
            int[] before = nearest.nearest().clone();
            nearest.clear();
            nearest.add(centres, 0);
            if (Arrays.equals(before, nearest.nearest())) {
                break;
            }
        }
        return new Clusters(centres, nearest);
    }

    private DenseRows firstCentres(RandomStream stream) {
        int[] chosen = new int[count];
        chosen[0] = stream.nextInt(rows.rows());
        int known = 1;
        nearest.add(LandmarkRows.select(rows, chosen[0]), 0);
        while (known < count) {
            int more = Math.min(count - known, Math.max(1, Math.min(known, count / ROUNDS)));
            int[] drawn = Draws.withoutReplacement(nearest.distances(), more, stream);
            if (drawn.length == 0) {
                break;
            }
            System.arraycopy(drawn, 0, chosen, known, drawn.length);
            nearest.add(LandmarkRows.select(rows, drawn), known);
            known += drawn.length;
        }
        return dense(LandmarkRows.select(rows, Arrays.copyOf(chosen, known)));
    }

    /** Returns the means of the clusters; a cluster without rows keeps its centre. */
    private DenseRows means(DenseRows centres) {
        int columns = rows.columns();
        double[] sums = new double[centres.rows() * columns];
        double[] weights = new double[centres.rows()];
        for (int i = 0; i < rows.rows(); i++) {
            int c = nearest.nearest()[i];
            // k(x, c) = k(x, x) − |φ(x) − φ(c)|²/2, because k(c, c) = k(x, x).
            double weight = weighted ? Math.max(0, 1 - nearest.distances()[i] / (2 * nearest.squares()[i])) : 1;
            addRow(i, weight, sums, c * columns);
            weights[c] += weight;
        }
        float[] means = new float[sums.length];
        for (int k = 0; k < means.length; k++) {
            int c = k / columns;
            means[k] = weights[c] == 0 ? centres.values()[k] : (float) (sums[k] / weights[c]);
        }
        return DenseRows.of(centres.rows(), columns, means);
    }

    private static DenseRows dense(RowBlock rows) {
        if (rows instanceof DenseRows dense) {
            return dense;
        }
        float[] values = new float
                [MapMemory.length(LandmarkMap.TYPE, "the values of the centres", (long) rows.rows() * rows.columns())];
        ((SparseRows) rows).copyDense(0, rows.rows(), values);
        return DenseRows.of(rows.rows(), rows.columns(), values);
    }

    /** Adds the weighted values of a row to sums that start at an index. */
    private void addRow(int i, double weight, double[] sums, int at) {
        if (rows instanceof SparseRows sparse) {
            for (int e = sparse.starts()[i]; e < sparse.starts()[i + 1]; e++) {
                sums[at + sparse.indices()[e]] += weight * sparse.values()[e];
            }
        } else {
            DenseRows dense = (DenseRows) rows;
            int from = dense.offset() + i * dense.stride();
            for (int l = 0; l < rows.columns(); l++) {
                sums[at + l] += weight * dense.values()[from + l];
            }
        }
    }
}
