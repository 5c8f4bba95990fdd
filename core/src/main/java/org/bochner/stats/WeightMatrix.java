package org.bochner.stats;

import org.bochner.base.Require;
import org.bochner.numeric.optimise.Vectors;

/**
 * The weights of linear functions, D×outputs, row-major, in float32 and float64. Products use the precision of their
 * features.
 *
 * <p>Threads: safe to read; a call of {@link #set} must not overlap with other calls.
 */
public final class WeightMatrix {
    private final int features;
    private final int outputs;
    private final double[] values;
    private final float[] rounded;

    /** Creates a matrix of zeros. */
    public WeightMatrix(int features, int outputs) {
        this.features = features;
        this.outputs = outputs;
        values = new double[Math.multiplyExact(features, outputs)];
        rounded = new float[values.length];
    }

    private WeightMatrix(int features, int outputs, double[] values) {
        this.features = features;
        this.outputs = outputs;
        Require.atLeast("WeightMatrix", "number of weights", values.length, Math.multiplyExact(features, outputs));
        this.values = values;
        rounded = new float[0];
    }

    /**
     * Creates a matrix for sparse features, whose products are computed in float64, from weights that it shares.
     *
     * @param weights D×outputs numbers, and perhaps others, which are not used
     */
    public static WeightMatrix forSparse(int features, int outputs, double[] weights) {
        return new WeightMatrix(features, outputs, weights);
    }

    /** Creates a matrix from a copy of the given weights. */
    public static WeightMatrix of(int features, int outputs, double[] weights) {
        WeightMatrix matrix = new WeightMatrix(features, outputs);
        Require.sameSize("WeightMatrix", "number of weights", weights.length, matrix.values.length);
        matrix.set(weights);
        return matrix;
    }

    /** Copies the first D×outputs numbers of an array. */
    public void set(double[] weights) {
        System.arraycopy(weights, 0, values, 0, values.length);
        round();
    }

    /** Rounds the changed float64 weights to float32. */
    void round() {
        Vectors.round(values, 0, rounded, 0, values.length);
    }

    /** Rounds the changed float64 weights of one feature to float32. */
    void round(int feature) {
        Vectors.round(values, feature * outputs, rounded, feature * outputs, outputs);
    }

    public int features() {
        return features;
    }

    public int outputs() {
        return outputs;
    }

    public double get(int feature, int output) {
        return values[feature * outputs + output];
    }

    /** The shared array; not to be changed. */
    public double[] float64() {
        return values;
    }

    /** The shared array; not to be changed. */
    float[] float32() {
        return rounded;
    }
}
