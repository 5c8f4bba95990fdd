package org.bochner.map.landmark;

import java.util.Arrays;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.gram.CrossKernel;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Strips;

/** The nearest centre of each row, with the distance of the kernel's features, k(x, x) + k(y, y) − 2k(x, y). */
final class NearestCentres {
    /** Rows whose nearest centres are found together. */
    private static final int STRIP = 256;

    private final Kernel kernel;
    private final RowBlock rows;
    private final Workers workers;
    private final double[] squares;
    private final int[] nearest;
    private final double[] distances;

    /** Starts without centres. */
    NearestCentres(Kernel kernel, RowBlock rows, Workers workers) {
        this.kernel = kernel;
        this.rows = rows;
        this.workers = workers;
        squares = LandmarkRows.diagonal(kernel, rows);
        nearest = new int[rows.rows()];
        distances = new double[rows.rows()];
        clear();
    }

    /** Forgets all centres. */
    void clear() {
        Arrays.fill(distances, Double.POSITIVE_INFINITY);
    }

    /** Returns k(x, x) of each row x. */
    double[] squares() {
        return squares;
    }

    /** Returns the index of the nearest centre of each row. */
    int[] nearest() {
        return nearest;
    }

    /** Returns the squared distance of each row from its nearest centre. */
    double[] distances() {
        return distances;
    }

    /** Adds centres, of which the first has the given index. */
    void add(RowBlock centres, int first) {
        CrossKernel cross = CrossKernel.of(kernel, centres);
        double[] lengths = LandmarkRows.diagonal(kernel, centres);
        int count = centres.rows();
        Strips.each(workers, rows.rows(), STRIP, (from, to) -> {
            double[] values = new double[(to - from) * count];
            cross.values(LandmarkRows.range(rows, from, to), values, 0, count);
            for (int i = from; i < to; i++) {
                for (int c = 0; c < count; c++) {
                    double distance = squares[i] + lengths[c] - 2 * values[(i - from) * count + c];
                    if (distance < distances[i]) {
                        distances[i] = Math.max(0, distance);
                        nearest[i] = first + c;
                    }
                }
            }
        });
    }

    /** Returns the rows of each of a number of centres. */
    int[][] clusters(int count) {
        return FeatureGroups.members(nearest, count);
    }

    /** Returns the row nearest to each of a number of centres; centres without rows are left out. */
    int[] nearestRows(int count) {
        int[] best = new int[count];
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
