package org.bochner.map;

import org.bochner.data.DenseRows;
import org.bochner.kernel.RowSample;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/** Samples of rows that are all of them given. */
public final class SampleRows {
    private SampleRows() {}

    public static RowSample of(double[]... rows) {
        int columns = rows[0].length;
        float[] values = new float[rows.length * columns];
        for (int i = 0; i < rows.length; i++) {
            for (int l = 0; l < columns; l++) {
                values[i * columns + l] = (float) rows[i][l];
            }
        }
        return RowSample.of(DenseRows.of(rows.length, columns, values), Math.max(2, rows.length), new Seed(1));
    }

    /** Even numbers of the unit interval. */
    public static RowSample uniform(int count, int columns) {
        return of(values(count, columns, false));
    }

    /** Histograms that sum to 1, or to 0, a third of whose bins are empty, the others of several magnitudes. */
    public static RowSample histograms(int count, int columns) {
        return of(values(count, columns, true));
    }

    private static double[][] values(int count, int columns, boolean histograms) {
        RandomStream stream = new Seed(5).stream();
        double[][] rows = new double[count][columns];
        for (double[] row : rows) {
            double sum = 0;
            for (int l = 0; l < columns; l++) {
                row[l] = stream.nextUniform();
                if (histograms) {
                    row[l] = stream.nextInt(3) == 0 ? 0 : Math.exp(-6 * row[l]);
                }
                sum += row[l];
            }
            for (int l = 0; l < columns && histograms && sum > 0; l++) {
                row[l] /= sum;
            }
        }
        return rows;
    }
}
