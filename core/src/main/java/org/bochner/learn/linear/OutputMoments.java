package org.bochner.learn.linear;

import java.util.Arrays;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.GramStatistics;

/**
 * The moments of the targets of all outputs. The arrays are shared and must not be changed.
 *
 * @param cross the products with the centred features, D×outputs, row-major
 * @param means one mean per output
 * @param squares Σ w (y − ȳ)² of each output
 */
@SuppressWarnings("ArrayRecordComponent")
public record OutputMoments(double[] cross, double[] means, double[] squares) {
    /** Reads the moments from statistics. */
    public static OutputMoments of(GramStatistics statistics) {
        OutputCoding coding = OutputCoding.of(statistics.labels());
        int count = coding.count();
        double[] cross = new double[Math.multiplyExact(statistics.features(), count)];
        double[] means = new double[count];
        double[] squares = new double[count];
        for (int o = 0; o < count; o++) {
            int target = coding.target(o);
            double[] row = statistics.cross(target);
            for (int j = 0; j < row.length; j++) {
                cross[j * count + o] = coding.scale() * row[j];
            }
            means[o] = coding.mean(statistics.targetMean(target));
            squares[o] = coding.scale() * coding.scale() * statistics.targetScatter(target);
        }
        return new OutputMoments(cross, means, squares);
    }

    /**
     * Returns Σ w (f(z) − y)² over the rows of these moments and all outputs, for f(z) = mean + weights·(z − centre).
     *
     * @param rows the statistics that these are moments of
     */
    public double squaredErrors(GramStatistics rows, double[] weights, double[] ofMeans, double[] centre) {
        // Minus the mean residual of each output; the residuals about the means come after it.
        double[] shifts = LinearModel.uncentre(
                Vectors.difference(means, ofMeans), weights, Vectors.difference(rows.mean(), centre));
        return rows.quadratic(weights, means.length)
                - 2 * Vectors.dot(weights, cross)
                + Arrays.stream(squares).sum()
                + rows.totalRowWeight() * Vectors.dot(shifts, shifts);
    }
}
