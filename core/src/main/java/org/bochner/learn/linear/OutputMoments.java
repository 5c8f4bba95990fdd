package org.bochner.learn.linear;

import org.bochner.stats.GramStatistics;

/** The moments of the targets of all outputs: products with the features, means and centred squares. */
public final class OutputMoments {
    private final double[] cross;
    private final double[] means;
    private final double[] squares;

    /**
     * Creates the moments; keeps the arrays.
     *
     * @param cross the products with the centred features, D×outputs, row-major
     * @param means one mean per output
     * @param squares Σ w (y − ȳ)² of each output
     */
    public OutputMoments(double[] cross, double[] means, double[] squares) {
        this.cross = cross;
        this.means = means;
        this.squares = squares;
    }

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

    /** Returns the products with the centred features, D×outputs, row-major; the shared array. */
    public double[] cross() {
        return cross;
    }

    /** Returns the means; the shared array. */
    public double[] means() {
        return means;
    }

    /** Returns Σ w (y − ȳ)² of each output; the shared array. */
    public double[] squares() {
        return squares;
    }
}
