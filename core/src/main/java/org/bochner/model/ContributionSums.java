package org.bochner.model;

import java.util.Arrays;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.map.curve.CurveMap;

/**
 * Sums of the contributions of columns over rows, from which their standard deviations follow. Sums are relative to the mean
 * contribution of some rows, so that contributions far from 0 keep their digits.
 *
 * <p>Threads: not safe; each thread adds to a {@linkplain #empty copy} of its own.
 */
final class ContributionSums {
    private final CurveMap map;
    private final int[] columns;
    private final int outputs;
    /** Curves × outputs. */
    private final double[] origins;
    /** The number of values of each curve that were added. Zeros that sparse rows do not hold are not among them. */
    private final long[] counts;
    /** The sum of differences from the origin and the sum of their squares; curves × outputs × 2. */
    private final double[] moments;

    private ContributionSums(CurveMap map, double[] origins) {
        this.map = map;
        this.origins = origins;
        columns = map.curveColumns();
        outputs = map.outputDimension();
        counts = new long[columns.length];
        moments = new double[2 * origins.length];
    }

    /**
     * Creates empty sums.
     *
     * @param some some scaled rows, whose mean contributions are the origins; may be empty
     */
    static ContributionSums near(CurveMap map, RowBlock some) {
        ContributionSums sums =
                new ContributionSums(map, new double[map.curveColumns().length * map.outputDimension()]);
        double[] row = new double[map.inputDimension()];
        for (int i = 0; i < some.rows(); i++) {
            some.copyRow(i, row);
            for (int a = 0; a < sums.columns.length; a++) {
                double[] values = map.at(a, row[sums.columns[a]]);
                for (int o = 0; o < values.length; o++) {
                    sums.origins[a * values.length + o] += values[o] / some.rows();
                }
            }
        }
        return sums;
    }

    /** Returns empty sums with the same origins. */
    ContributionSums empty() {
        return new ContributionSums(map, origins);
    }

    /** Adds scaled rows. */
    void add(RowBlock rows) {
        double[] row = rows instanceof SparseRows ? new double[0] : new double[map.inputDimension()];
        for (int i = 0; i < rows.rows(); i++) {
            if (rows instanceof SparseRows sparse) {
                for (int e = sparse.starts()[i]; e < sparse.starts()[i + 1]; e++) {
                    int curve = Arrays.binarySearch(columns, sparse.indices()[e]);
                    if (curve >= 0) {
                        add(curve, sparse.values()[e], 1);
                    }
                }
                continue;
            }
            rows.copyRow(i, row);
            for (int a = 0; a < columns.length; a++) {
                add(a, row[columns[a]], 1);
            }
        }
    }

    private void add(int curve, double x, long times) {
        double[] values = map.at(curve, x);
        counts[curve] += times;
        for (int o = 0; o < outputs; o++) {
            int at = curve * outputs + o;
            double difference = values[o] - origins[at];
            moments[2 * at] += times * difference;
            moments[2 * at + 1] += times * difference * difference;
        }
    }

    /** Adds the sums of other rows, and empties them. */
    void take(ContributionSums other) {
        for (int k = 0; k < moments.length; k++) {
            moments[k] += other.moments[k];
        }
        for (int a = 0; a < counts.length; a++) {
            counts[a] += other.counts[a];
        }
        Arrays.fill(other.moments, 0);
        Arrays.fill(other.counts, 0);
    }

    /**
     * Returns the standard deviation of each curve over all rows, the root mean square over the outputs. Nothing can be added
     * afterwards.
     *
     * @param rows the number of rows that were added
     */
    double[] deviations(long rows) {
        double[] deviations = new double[columns.length];
        for (int a = 0; a < deviations.length; a++) {
            if (counts[a] < rows) {
                add(a, 0, rows - counts[a]);
            }
            deviations[a] = deviation(moments, 2 * a * outputs, outputs, Math.max(1, rows));
        }
        return deviations;
    }

    /** Returns the root of the mean variance of some outputs, from sums of differences and of their squares. */
    static double deviation(double[] moments, int at, int outputs, long count) {
        double sum = 0;
        for (int o = 0; o < outputs; o++) {
            double mean = moments[at + 2 * o] / count;
            sum += Math.max(0, moments[at + 2 * o + 1] / count - mean * mean);
        }
        return Math.sqrt(sum / outputs);
    }
}
