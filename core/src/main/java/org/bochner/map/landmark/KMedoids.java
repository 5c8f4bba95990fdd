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
 * It starts from random rows and alternates, in three rounds, between assigning each row to its nearest medoid and
 * replacing each medoid by the row of its cluster with the smallest sum of distances.
 *
 * <p>Cost: n·k kernel values per round, and at most 128² per cluster.
 */
final class KMedoids {
    private static final int ITERATIONS = 3;

    /** The most rows of a cluster that are compared with each other to find its medoid. */
    private static final int MOST_COMPARED = 128;

    private final Kernel kernel;
    private final RowBlock rows;
    private final NearestCentres nearest;
    private final Workers workers;

    private KMedoids(Kernel kernel, RowBlock rows, Workers workers) {
        this.kernel = kernel;
        this.rows = rows;
        this.workers = workers;
        nearest = new NearestCentres(kernel, rows, workers);
    }

    static int[] choose(Kernel kernel, RowBlock rows, int count, Seed seed, Workers workers) {
        return new KMedoids(kernel, rows, workers).run(count, seed.stream());
    }

    private int[] run(int count, RandomStream stream) {
        int[] medoids = Draws.uniform(rows.rows(), count, stream);
        for (int iteration = 0; iteration < ITERATIONS; iteration++) {
            nearest.clear();
            nearest.add(LandmarkRows.select(rows, medoids), 0);
            int[] better = medoids.clone();
            int[][] clusters = nearest.clusters(medoids.length);
            workers.each(clusters.length, c -> better[c] = medoid(clusters[c], better[c]));
            if (Arrays.equals(medoids, better)) {
                break;
            }
            medoids = better;
        }
        return medoids;
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
                sum += nearest.squares()[compared[a]] - 2 * values[a * compared.length + b];
            }
            if (sum < least) {
                least = sum;
                best = compared[a];
            }
        }
        return best;
    }
}
