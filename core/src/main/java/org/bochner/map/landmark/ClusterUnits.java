package org.bochner.map.landmark;

import java.util.Arrays;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.layout.MapMemory;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/**
 * Rows in the units in which they are clustered: divided by the length-scales of the kernel, if it has different ones
 * per column.
 *
 * @param rows the rows in these units
 */
record ClusterUnits(RowBlock rows) {
    static ClusterUnits of(Kernel kernel, RowBlock rows) {
        if (!(kernel instanceof ShiftInvariantKernel shiftInvariant)
                || shiftInvariant.sigma().uniform()) {
            return new ClusterUnits(rows);
        }
        Bandwidth sigma = shiftInvariant.sigma();
        int columns = rows.columns();
        double[] scales = new double[columns];
        for (int l = 0; l < columns; l++) {
            // Columns beyond those of the kernel, and with infinite length-scales, do not count.
            scales[l] = l < sigma.columns() ? sigma.at(l) : Double.POSITIVE_INFINITY;
        }
        float[] values = new float
                [MapMemory.length(LandmarkMap.TYPE, "the values of the sampled rows", (long) rows.rows() * columns)];
        double[] row = new double[columns];
        for (int i = 0; i < rows.rows(); i++) {
            rows.copyRow(i, row);
            for (int l = 0; l < columns; l++) {
                values[i * columns + l] = (float) (row[l] / scales[l]);
            }
        }
        return new ClusterUnits(DenseRows.of(rows.rows(), columns, values));
    }

    /** Returns the rows, multiplied by a Gaussian matrix if they have more columns than are wanted. */
    DenseRows projected(int most, Seed seed) {
        int columns = rows.columns();
        int axes = Math.min(most, columns);
        double[] matrix = new double[columns * axes];
        RandomStream stream = seed.stream();
        for (int l = 0; l < columns; l++) {
            for (int p = 0; p < axes; p++) {
                matrix[l * axes + p] = columns <= most ? (l == p ? 1 : 0) : stream.nextGaussian() / Math.sqrt(axes);
            }
        }
        float[] projected = new float[rows.rows() * axes];
        double[] row = new double[columns];
        double[] sum = new double[axes];
        for (int i = 0; i < rows.rows(); i++) {
            rows.copyRow(i, row);
            Arrays.fill(sum, 0);
            for (int l = 0; l < columns; l++) {
                if (row[l] != 0) {
                    for (int p = 0; p < axes; p++) {
                        sum[p] += row[l] * matrix[l * axes + p];
                    }
                }
            }
            Vectors.round(sum, 0, projected, i * axes, axes);
        }
        return DenseRows.of(rows.rows(), axes, projected);
    }
}
