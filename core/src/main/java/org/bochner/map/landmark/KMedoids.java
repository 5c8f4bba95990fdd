package org.bochner.map.landmark;

import java.util.Arrays;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.gram.CrossKernel;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/**
 * Chooses rows as centres of clusters, with the distance of the kernel's features, k(x, x) + k(y, y) − 2k(x, y).
 * It starts from rows that lie far from each other and alternates between the nearest medoid of each row and the best
 * medoid of each cluster.
 */
final class KMedoids {
    private static final int ITERATIONS = 3;

    /** The most rows of a cluster that are compared with each other to find its medoid. */
    private static final int MOST_COMPARED = 128;

    private static final int STRIP = 256;

    private final Kernel kernel;
    private final RowBlock rows;
    private final double[] squares;
    private final double[] distances;
    private final int[] nearest;

    private KMedoids(Kernel kernel, RowBlock rows) {
        this.kernel = kernel;
        this.rows = rows;
        squares = new double[rows.rows()];
        double[] x = new double[rows.columns()];
        for (int i = 0; i < squares.length; i++) {
            rows.copyRow(i, x);
            squares[i] = kernel.value(x, x);
        }
        distances = new double[rows.rows()];
        nearest = new int[rows.rows()];
    }

    static int[] choose(Kernel kernel, RowBlock rows, int count, Seed seed) {
        return new KMedoids(kernel, rows).run(count, seed.stream());
    }

    private int[] run(int count, RandomStream stream) {
        int[] medoids = Draws.uniform(rows.rows(), count, stream);
        for (int iteration = 0; iteration < ITERATIONS; iteration++) {
            Arrays.fill(distances, Double.POSITIVE_INFINITY);
            assign(medoids);
            int[] better = medoids.clone();
            int[][] clusters = clusters(medoids.length);
            Workers.all().each(clusters.length, c -> better[c] = medoid(clusters[c], better[c]));
            if (Arrays.equals(medoids, better)) {
                break;
            }
            medoids = better;
        }
        return medoids;
    }

    private void assign(int[] medoids) {
        CrossKernel cross = CrossKernel.of(kernel, LandmarkRows.select(rows, medoids));
        Workers.all().each((rows.rows() + STRIP - 1) / STRIP, s -> {
            int from = s * STRIP;
            int to = Math.min(rows.rows(), from + STRIP);
            double[] values = new double[(to - from) * medoids.length];
            cross.values(LandmarkRows.range(rows, from, to), values, 0, medoids.length);
            for (int i = from; i < to; i++) {
                for (int c = 0; c < medoids.length; c++) {
                    double distance = squares[i] + squares[medoids[c]] - 2 * values[(i - from) * medoids.length + c];
                    if (distance < distances[i]) {
                        distances[i] = distance;
                        nearest[i] = c;
                    }
                }
            }
        });
    }

    private int[][] clusters(int count) {
        int[] sizes = new int[count];
        for (int c : nearest) {
            sizes[c]++;
        }
        int[][] clusters = new int[count][];
        Arrays.setAll(clusters, c -> new int[sizes[c]]);
        int[] next = new int[count];
        for (int i = 0; i < nearest.length; i++) {
            clusters[nearest[i]][next[nearest[i]]++] = i;
        }
        return clusters;
    }

    /** Returns the row of a cluster with the smallest sum of distances to its other rows. */
    private int medoid(int[] cluster, int present) {
        if (cluster.length < 3) {
            return present;
        }
        int[] compared = cluster.length <= MOST_COMPARED
                ? cluster
                : Arrays.stream(Draws.spread(cluster.length, MOST_COMPARED))
                        .map(k -> cluster[k])
                        .toArray();
        RowBlock block = LandmarkRows.select(rows, compared);
        double[] values = new double[compared.length * compared.length];
        CrossKernel.of(kernel, block).values(block, values, 0, compared.length);
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int a = 0; a < compared.length; a++) {
            double sum = 0;
            for (int b = 0; b < compared.length; b++) {
                sum += squares[compared[a]] - 2 * values[a * compared.length + b];
            }
            if (sum < least) {
                least = sum;
                best = compared[a];
            }
        }
        return best;
    }
}
