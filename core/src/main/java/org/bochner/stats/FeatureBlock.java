package org.bochner.stats;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.data.RowBlock;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapGradient;
import org.bochner.numeric.Precision;
import org.bochner.numeric.optimise.Vectors;

/**
 * A block of mapped rows in float32 or float64, whose memory is reused for the next rows. All bulk operations on
 * features are methods of this class, which keeps the other classes free of the precision.
 *
 * <p>Threads: not safe; each worker has its own block.
 */
public abstract sealed class FeatureBlock extends RowFeatures permits Float32Block, Float64Block {
    final int features;
    int rows;

    FeatureBlock(int features) {
        this.features = features;
    }

    @Override
    final long entries(int from, int to) {
        return (long) (to - from) * features;
    }

    /** Creates an empty block for D features, which grows as rows are put in. */
    public static FeatureBlock of(Precision precision, int features) {
        Require.atLeast("FeatureBlock", "features", features, 1);
        return precision == Precision.FLOAT32 ? new Float32Block(features) : new Float64Block(features);
    }

    /** Creates a block over an array of features; the array is shared, not copied. */
    static FeatureBlock of(int features, int rows, float[] values) {
        Float32Block block = new Float32Block(features);
        block.z = values;
        block.rows = rows;
        return block;
    }

    /** Replaces the content by the features of the given rows. */
    public abstract void fill(FeatureMap map, RowBlock block);

    /** Replaces the content by given features, rowCount×D, which are rounded to this block's precision. */
    abstract void put(int rowCount, double[] values);

    /** Replaces the content by coefficients·weightsᵀ, with coefficients in a rowCount×outputs matrix. */
    public abstract void fill(int rowCount, double[] coefficients, WeightMatrix weights);

    /** Adds the rows of these features to a gradient; the cotangents must have this block's precision. */
    public abstract void addTo(MapGradient gradient, RowBlock block, FeatureBlock cotangents);

    /** Computes the scores of linear functions: out (rows×outputs) ← features·weights. */
    public final void multiply(WeightMatrix weights, double[] out) {
        multiply(0, rows, weights, out);
    }

    /**
     * Computes scores as {@link #multiply(WeightMatrix, double[])} does, but with weights and sums in float64 for
     * both precisions of the features. Predictions need it because large weights of both signs cancel, and float32
     * would leave few digits. Learners need only a direction and use {@code multiply}, which is faster with many
     * outputs.
     */
    public abstract void score(WeightMatrix weights, double[] out);

    /** Adds Zᵀ·coefficients to the sum (D×outputs); the coefficients are rows×outputs. */
    public final void addTransposed(double[] coefficients, int outputs, double[] sum) {
        addTransposed(0, rows, coefficients, outputs, sum);
    }

    @Override
    final double addDeviations(int from, int to, double[] weights, double[] centre, double[] sums) {
        double squares = 0;
        double[] apart = new double[features];
        for (int i = from; i < to; i++) {
            double weight = weights[i - from];
            if (weight > 0) {
                Arrays.fill(apart, 0);
                Vectors.add(-1, centre, apart);
                addRow(i, 1, apart, 0);
                Vectors.add(weight, apart, sums);
                squares += weight * Vectors.dot(apart, 0, apart, 0, features);
            }
        }
        return squares;
    }

    public int rows() {
        return rows;
    }

    public int features() {
        return features;
    }

    /** Rounds the shift in place to this block's precision and stores it in the sum. */
    abstract void round(double[] shift, GramSum sum);

    /** Subtracts the shift of the sum from a row. */
    abstract void subtract(int row, GramSum sum);

    /** Adds weight · some features of a row, from {@code first} on, to {@code to[at]} and the numbers after it. */
    abstract void addPart(int row, int first, int count, double weight, double[] to, int at);

    abstract void scaleRow(int row, double factor);

    /** Adds ZᵀZ to the products of a sum; if {@code anew}, replaces them. */
    abstract void addToGram(GramSum sum, boolean anew);

    /** Returns the features in float32, rows×D: the shared array, or rounded features in a new array. */
    public abstract float[] float32();
}
