package org.bochner.map.landmark;

import java.util.Arrays;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.additive.Linear;
import org.bochner.kernel.gram.CrossKernel;
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

    /** Rows whose nearest centres are found together. */
    private static final int STRIP = 256;

    private final RowBlock rows;
    private final int count;
    private final Workers workers;
    private final int[] nearest;
    private final double[] distances;
    /** The squared lengths of the rows. */
    private final double[] squares;

    private KMeans(RowBlock rows, int count, Workers workers) {
        this.rows = rows;
        this.count = count;
        this.workers = workers;
        nearest = new int[rows.rows()];
        distances = new double[rows.rows()];
        squares = squares(rows);
    }

    /** The clusters of rows: the centres, and the nearest centre of each row with its squared distance. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Clusters(DenseRows centres, int[] nearest, double[] distances) {
        /** Returns the row nearest to each centre; centres without rows are left out. */
        int[] nearestRows() {
            int[] best = new int[centres.rows()];
            Arrays.fill(best, -1);
            for (int i = 0; i < nearest.length; i++) {
                int c = nearest[i];
                if (best[c] < 0 || distances[i] < distances[best[c]]) {
                    best[c] = i;
                }
            }
            return Arrays.stream(best).filter(i -> i >= 0).toArray();
        }
    }

    /** Divides rows into at most {@code count} clusters. */
    static Clusters cluster(RowBlock rows, int count, Seed seed, Workers workers) {
        return new KMeans(rows, count, workers).run(seed.stream());
    }

    private Clusters run(RandomStream stream) {
        DenseRows centres = firstCentres(stream);
        assign(centres, 0);
        for (int iteration = 0; iteration < ITERATIONS; iteration++) {
            centres = means(centres);
            int[] before = nearest.clone();
            Arrays.fill(distances, Double.POSITIVE_INFINITY);
            assign(centres, 0);
            if (Arrays.equals(before, nearest)) {
                break;
            }
        }
        return new Clusters(centres, nearest, distances);
    }

    /** Draws rows with probabilities in proportion to their squared distances from the centres so far. */
    private DenseRows firstCentres(RandomStream stream) {
        Arrays.fill(distances, Double.POSITIVE_INFINITY);
        int[] chosen = new int[count];
        chosen[0] = stream.nextInt(rows.rows());
        int known = 1;
        assign(dense(LandmarkRows.select(rows, chosen[0])), 0);
        while (known < count) {
            int more = Math.min(count - known, Math.max(1, Math.min(known, count / ROUNDS)));
            int[] drawn = Draws.withoutReplacement(distances, more, stream);
            if (drawn.length == 0) {
                break;
            }
            System.arraycopy(drawn, 0, chosen, known, drawn.length);
            assign(dense(LandmarkRows.select(rows, drawn)), known);
            known += drawn.length;
        }
        return dense(LandmarkRows.select(rows, Arrays.copyOf(chosen, known)));
    }

    /** Moves rows to centres that are nearer than their present one; the first centre has the given number. */
    private void assign(DenseRows centres, int first) {
        CrossKernel products = CrossKernel.of(new Linear(), centres);
        double[] lengths = squares(centres);
        int strips = (rows.rows() + STRIP - 1) / STRIP;
        workers.each(strips, s -> {
            int from = s * STRIP;
            int to = Math.min(rows.rows(), from + STRIP);
            double[] values = new double[(to - from) * centres.rows()];
            products.values(LandmarkRows.range(rows, from, to), values, 0, centres.rows());
            for (int i = from; i < to; i++) {
                for (int c = 0; c < centres.rows(); c++) {
                    double distance = squares[i] + lengths[c] - 2 * values[(i - from) * centres.rows() + c];
                    if (distance < distances[i]) {
                        distances[i] = Math.max(0, distance);
                        nearest[i] = first + c;
                    }
                }
            }
        });
    }

    /** Returns the means of the clusters; a cluster without rows keeps its centre. */
    private DenseRows means(DenseRows centres) {
        int columns = rows.columns();
        double[] sums = new double[centres.rows() * columns];
        int[] sizes = new int[centres.rows()];
        RowAdder adder = new RowAdder(rows);
        for (int i = 0; i < rows.rows(); i++) {
            adder.add(i, sums, nearest[i] * columns);
            sizes[nearest[i]]++;
        }
        float[] means = new float[sums.length];
        for (int k = 0; k < means.length; k++) {
            int c = k / columns;
            means[k] = sizes[c] == 0 ? centres.values()[k] : (float) (sums[k] / sizes[c]);
        }
        return DenseRows.of(centres.rows(), columns, means);
    }

    private static double[] squares(RowBlock rows) {
        double[] squares = new double[rows.rows()];
        double[] x = new double[rows.columns()];
        for (int i = 0; i < squares.length; i++) {
            rows.copyRow(i, x);
            for (double value : x) {
                squares[i] += value * value;
            }
        }
        return squares;
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

    /** Adds rows of a block to sums. */
    private record RowAdder(RowBlock rows) {
        void add(int i, double[] sums, int at) {
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
}
