package org.bochner.learn;

import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.SparseRows;
import org.bochner.stats.FeatureBlock;
import org.bochner.stats.WeightMatrix;

/**
 * Linear functions of the features, one an output: f(z) = wᵀz + b.
 *
 * <p>Threads: safe; immutable.
 */
public final class LinearModel {
    private final int features;
    private final int outputs;
    private final WeightMatrix weights;
    private final double[] intercepts;

    /** Weights in D×outputs, row-major, and one intercept an output. */
    public LinearModel(int features, int outputs, double[] weights, double[] intercepts) {
        Require.sameSize("LinearModel", "number of intercepts", intercepts.length, outputs);
        this.features = features;
        this.outputs = outputs;
        this.weights = WeightMatrix.of(features, outputs, weights);
        this.intercepts = intercepts.clone();
    }

    public int features() {
        return features;
    }

    public int outputs() {
        return outputs;
    }

    public double weight(int feature, int output) {
        return weights.get(feature, output);
    }

    public double intercept(int output) {
        return intercepts[output];
    }

    /** The values of a block of features, rows×outputs, row-major. */
    public void apply(FeatureBlock block, double[] out) {
        block.multiply(weights, out);
        for (int i = 0; i < block.rows(); i++) {
            for (int o = 0; o < outputs; o++) {
                out[i * outputs + o] += intercepts[o];
            }
        }
    }

    /** The values of rows of sparse features, rows×outputs, row-major, in float64. Cost: non-zeros·outputs. */
    public void apply(SparseRows rows, double[] out) {
        Require.sameSize("LinearModel", "features", rows.columns(), features);
        int[] starts = rows.starts();
        double[] w = weights.float64();
        for (int i = 0; i < rows.rows(); i++) {
            int to = i * outputs;
            System.arraycopy(intercepts, 0, out, to, outputs);
            for (int e = starts[i]; e < starts[i + 1]; e++) {
                double value = rows.values()[e];
                int from = rows.indices()[e] * outputs;
                for (int o = 0; o < outputs; o++) {
                    out[to + o] += value * w[from + o];
                }
            }
        }
    }

    /** The values of one row of features. */
    public double[] apply(double[] z) {
        double[] values = intercepts.clone();
        double[] w = weights.float64();
        for (int j = 0; j < features; j++) {
            for (int o = 0; o < outputs; o++) {
                values[o] += z[j] * w[j * outputs + o];
            }
        }
        return values;
    }

    /** Its saved form. */
    public State state() {
        return State.of("linear")
                .with("features", features)
                .with("outputs", outputs)
                .with("weights", weights.float64(), features, outputs)
                .with("intercepts", intercepts);
    }

    /** The model whose {@link #state} this is. */
    public static LinearModel load(State state) {
        int features = state.count("features");
        int outputs = state.count("outputs");
        long weights = (long) features * outputs;
        Require.that(weights <= Integer.MAX_VALUE, "linear", features + " x " + outputs + " weights are too many");
        return new LinearModel(
                features, outputs, state.array("weights", (int) weights), state.array("intercepts", outputs));
    }
}
