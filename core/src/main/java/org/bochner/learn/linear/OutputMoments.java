package org.bochner.learn.linear;

import org.bochner.stats.GramStatistics;

/**
 * The moments of the targets of all outputs. The arrays are shared and must not be changed.
 *
 * @param cross the products with the centred features, D×outputs, row-major
 * @param means one mean per output
 * @param squares Σ w (y − ȳ)² of each output
 */
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
}
