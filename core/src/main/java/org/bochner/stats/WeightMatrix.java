package org.bochner.stats;

import org.bochner.base.Require;

/**
 * The weights of linear functions, D×outputs, row-major, in both precisions: a product takes those of its features'.
 *
 * <p>Threads: safe to read; whoever {@linkplain #set sets} it must be alone.
 */
public final class WeightMatrix {
    private final int features;
    private final int outputs;
    private final double[] values;
    private final float[] rounded;

    /** A matrix of zeros. */
    public WeightMatrix(int features, int outputs) {
        this.features = features;
        this.outputs = outputs;
        values = new double[Math.multiplyExact(features, outputs)];
        rounded = new float[values.length];
    }

    /** A copy of the given weights. */
    public static WeightMatrix of(int features, int outputs, double[] weights) {
        WeightMatrix matrix = new WeightMatrix(features, outputs);
        Require.sameSize("WeightMatrix", "number of weights", weights.length, matrix.values.length);
        matrix.set(weights);
        return matrix;
    }

    /** Takes over the first D×outputs numbers of an array. */
    public void set(double[] weights) {
        System.arraycopy(weights, 0, values, 0, values.length);
        round();
    }

    /** Takes over what was written to the shared array. */
    void round() {
        for (int i = 0; i < values.length; i++) {
            rounded[i] = (float) values[i];
        }
    }

    /** Takes over what was written to the shared array for one feature. */
    void round(int feature) {
        for (int i = feature * outputs; i < (feature + 1) * outputs; i++) {
            rounded[i] = (float) values[i];
        }
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
