package org.bochner.stats;

/**
 * The features of some rows, dense or sparse, with targets and weights, as iterative learners read them. Dense tiles
 * are small enough to stay in cache while they are used.
 *
 * <p>Threads: safe to read. A tile is valid until the method that received it returns.
 */
public record FeatureTile(RowFeatures features, RowTargets targets, int from, int to) {
    public int rows() {
        return to - from;
    }

    /** Returns the number of stored features: of all, or of those that are not zero if the tile is sparse. */
    long entries() {
        return features.entries(from, to);
    }

    /** Returns the index, from 0, of the first row in its source. */
    public long firstRow() {
        return targets.firstRow() + from;
    }

    /** Returns target t of a row: a number, or the index of its class. */
    public double target(int row, int t) {
        return targets.target(from + row, t);
    }

    /** Returns the weight of a row: its own weight times the factor of its class. */
    public double rowWeight(int row) {
        return targets.rowWeight(from + row);
    }

    /** Computes the scores: out (rows×outputs) ← features·weights. */
    public void multiply(WeightMatrix weights, double[] out) {
        features.multiply(from, to, weights, out);
    }

    /** Adds Zᵀ·coefficients to the sum (D×outputs); the coefficients are rows×outputs. */
    public void addTransposed(double[] coefficients, int outputs, double[] sum) {
        features.addTransposed(from, to, coefficients, outputs, sum);
    }

    /** Adds Zᵀ·coefficients to weights. */
    public void addTransposed(double[] coefficients, WeightMatrix weights) {
        features.addTransposed(from, to, coefficients, weights);
    }

    /** Computes the inner products of the rows: out (rows×rows) ← Z·Zᵀ. */
    public void gram(double[] out) {
        features.gram(from, to, out);
    }

    /** Returns a tile of the rows {@code first} to {@code last} (exclusive) of this tile. */
    public FeatureTile part(int first, int last) {
        return new FeatureTile(features, targets, from + first, from + last);
    }

    /** Returns this tile with row numbers that start {@code others} later. */
    FeatureTile after(long others) {
        return new FeatureTile(features, targets.after(others), from, to);
    }

    /** Returns the inner product of one row with D weights, in float64. */
    public double dot(int row, double[] weights) {
        return features.dot(from + row, weights);
    }

    /** Adds factor · the features of one row to {@code sum}, in float64. */
    public void addRow(int row, double factor, double[] sum) {
        features.addRow(from + row, factor, sum, 0);
    }

    /**
     * Returns Σ w |z − centre|² over the rows and adds Σ w (z − centre) to the sums.
     *
     * @param weights w, one per row
     * @param centre D numbers
     * @param sums D numbers
     */
    double addDeviations(double[] weights, double[] centre, double[] sums) {
        return features.addDeviations(from, to, weights, centre, sums);
    }
}
