package org.bochner.map.landmark;

import java.util.Arrays;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.additive.Linear;
import org.bochner.map.layout.MapMemory;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/**
 * Clusters rows by k-means. The first centres are rows that lie far from each other, drawn as by k-means++ but several
 * at a time; then Lloyd's iterations follow.
 *
 * <p>Cost: 2·n·k·d operations per iteration, as a matrix product.
 */
final class KMeans {
    /** The most iterations; landmarks need no converged clusters. */
    private static final int ITERATIONS = 10;

    /** The parts in which the first centres are drawn. */
    private static final int ROUNDS = 32;

    private final RowBlock rows;
    private final int count;
    private final NearestCentres nearest;

    private KMeans(RowBlock rows, int count, Workers workers) {
        this.rows = rows;
        this.count = count;
        nearest = new NearestCentres(new Linear(), rows, workers);
    }

    /** The clusters of rows: the centres, and the nearest centre of each row. */
    record Clusters(DenseRows centres, NearestCentres nearest) {
        /** Returns the row nearest to each centre; centres without rows are left out. */
        int[] nearestRows() {
            return nearest.nearestRows(centres.rows());
        }
    }

    /** Divides rows into at most {@code count} clusters. */
    static Clusters cluster(RowBlock rows, int count, Seed seed, Workers workers) {
        return new KMeans(rows, count, workers).run(seed.stream());
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
        int[] sizes = new int[centres.rows()];
        for (int i = 0; i < rows.rows(); i++) {
            int c = nearest.nearest()[i];
            addRow(i, sums, c * columns);
            sizes[c]++;
        }
        float[] means = new float[sums.length];
        for (int k = 0; k < means.length; k++) {
            int c = k / columns;
            means[k] = sizes[c] == 0 ? centres.values()[k] : (float) (sums[k] / sizes[c]);
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

    /** Adds the values of a row to sums that start at an index. */
    private void addRow(int i, double[] sums, int at) {
        if (rows instanceof SparseRows sparse) {
            for (int e = sparse.starts()[i]; e < sparse.starts()[i + 1]; e++) {
                sums[at + sparse.indices()[e]] += sparse.values()[e];
            }
        } else {
            DenseRows dense = (DenseRows) rows;
            int from = dense.offset() + i * dense.stride();
            for (int l = 0; l < rows.columns(); l++) {
                sums[at + l] += dense.values()[from + l];
            }
        }
    }
}
