package org.bochner.stats;

import org.bochner.base.Require;
import org.bochner.data.RowBlock;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapGradient;
import org.bochner.numeric.Precision;

/**
 * A block of mapped rows in one of the two precisions, reused from block to block. Everything that touches features in
 * bulk is here, so that the rest is written once for both precisions.
 *
 * <p>Threads: not safe; each worker has its own.
 */
public abstract sealed class FeatureBlock permits Float32Block, Float64Block {
    final int features;
    int rows;

    FeatureBlock(int features) {
        this.features = features;
    }

    /** An empty block for D features; it grows to the rows it is given. */
    public static FeatureBlock of(Precision precision, int features) {
        Require.atLeast("FeatureBlock", "features", features, 1);
        return precision == Precision.FLOAT32 ? new Float32Block(features) : new Float64Block(features);
    }

    /** Rows of features in an array, which is shared: whoever changes it changes the block. */
    static FeatureBlock of(int features, int rows, float[] values) {
        Float32Block block = new Float32Block(features);
        block.z = values;
        block.rows = rows;
        return block;
    }

    /** Replaces the content by the map of the given rows. */
    public abstract void fill(FeatureMap map, RowBlock block);

    /** Replaces the content by coefficients·weightsᵀ: so many rows, of which each has a coefficient an output. */
    public abstract void fill(int rowCount, double[] coefficients, WeightMatrix weights);

    /** Adds the rows, whose features these are, to a gradient, given the cotangents in a block of the same precision. */
    public abstract void addTo(MapGradient gradient, RowBlock block, FeatureBlock cotangents);

    /** Scores of linear functions: out (rows×outputs) ← features·weights. */
    public final void multiply(WeightMatrix weights, double[] out) {
        multiply(0, rows, weights, out);
    }

    /**
     * The same, with weights and sums in float64 whatever the precision of the features: for predictions, where large
     * weights of both signs would cancel to fewer digits than float32 has. A learner, which only needs to know where to
     * go next, has {@link #multiply}, which is faster where there are many outputs.
     */
    public abstract void score(WeightMatrix weights, double[] out);

    /** sum (D×outputs) += Zᵀ·coefficients, of which there are rows×outputs. */
    public final void addTransposed(double[] coefficients, int outputs, double[] sum) {
        addTransposed(0, rows, coefficients, outputs, sum);
    }

    /** The same for the rows from (inclusive) to (exclusive), whose scores are the first of out. */
    abstract void multiply(int from, int to, WeightMatrix weights, double[] out);

    /** sum (D×outputs) += Zᵀ·coefficients for the rows from to to, whose coefficients, a row of outputs each, are given. */
    abstract void addTransposed(int from, int to, double[] coefficients, int outputs, double[] sum);

    /** out ← Z·Zᵀ for the rows from (inclusive) to (exclusive). */
    abstract void gram(int from, int to, double[] out);

    /** Σⱼ z(row, j)·w(j). */
    abstract double dot(int row, double[] w);

    /** Σⱼ z(row, j)². */
    public abstract double squaredNorm(int row);

    /** Returns weight · Σⱼ (z(row, j) − centre(j))², and adds weight · (z(row, j) − centre(j)) to the sums. */
    abstract double addDeviations(int row, double weight, double[] centre, double[] sums);

    public int rows() {
        return rows;
    }

    public int features() {
        return features;
    }

    public abstract double get(int row, int feature);

    /** to[at + j] += weight · feature j of the row. */
    abstract void addRow(int row, double weight, double[] to, int at);

    /** Rounds numbers, in place, to this block's precision, and keeps them in the sum. */
    abstract void round(double[] shift, GramSum sum);

    /** Subtracts the shift of the sum from a row. */
    abstract void subtract(int row, GramSum sum);

    abstract void scaleRow(int row, double factor);

    /** Adds ZᵀZ to the products of a sum, or starts them again. */
    abstract void addToGram(GramSum sum, boolean anew);

    /** Returns the shared array of float32 features, rows×D; fails for a block of float64. */
    public float[] float32() {
        throw new IllegalStateException("the features are float64");
    }
}
