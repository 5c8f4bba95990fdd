package org.bochner.learn.linear;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.SparseRows;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.FeatureBlock;
import org.bochner.stats.WeightMatrix;
import org.jspecify.annotations.Nullable;

/**
 * Linear functions of the features, one per output: f(z) = wᵀz + b.
 *
 * <p>Threads: safe; immutable.
 */
public final class LinearModel {
    private final WeightMatrix weights;
    private final double[] intercepts;
    /** The part of the intercepts that a calibration of the scores added, one per output; null without it. */
    private final double @Nullable [] shifts;

    private LinearModel(WeightMatrix weights, double[] intercepts, double @Nullable [] shifts) {
        Require.sameSize("LinearModel", "number of intercepts", intercepts.length, weights.outputs());
        this.weights = weights;
        this.intercepts = intercepts.clone();
        this.shifts = shifts;
    }

    /** Creates a model from D×outputs weights, row-major, and one intercept per output. */
    public LinearModel(int features, int outputs, double[] weights, double[] intercepts) {
        this(WeightMatrix.of(features, outputs, weights), intercepts, null);
    }

    /**
     * Converts intercepts for centred features to intercepts for uncentred features, in place: subtracts z̄ᵀβ.
     *
     * @param weights β, D×outputs, row-major; later entries are ignored
     */
    public static double[] uncentre(double[] intercepts, double[] weights, double[] mean) {
        int outputs = intercepts.length;
        for (int j = 0; j < mean.length; j++) {
            Vectors.add(-mean[j], weights, j * outputs, intercepts, 0, outputs);
        }
        return intercepts;
    }

    /** Returns a model with equal weights and other intercepts, one per output. */
    public LinearModel withIntercepts(double[] others) {
        for (double intercept : others) {
            Require.finite("LinearModel", "intercept", intercept);
        }
        return new LinearModel(weights, others, null);
    }

    /** Returns a model with other intercepts by a calibration of the scores; {@link #shifts} are the differences. */
    public LinearModel withCalibrated(double[] others) {
        double[] differences = others.clone();
        Arrays.setAll(differences, o -> others[o] - intercepts[o] + (shifts == null ? 0 : shifts[o]));
        return new LinearModel(withIntercepts(others).weights, others, differences);
    }

    /**
     * Returns, in a new array, the part of the intercepts that a calibration of the scores added, one per output; null if
     * none did.
     */
    public double @Nullable [] shifts() {
        return shifts == null ? null : shifts.clone();
    }

    /** Returns a model with other weights, D×outputs, row-major, and equal intercepts. */
    public LinearModel withWeights(double[] others) {
        return new LinearModel(WeightMatrix.of(features(), outputs(), others), intercepts, shifts);
    }

    public int features() {
        return weights.features();
    }

    public int outputs() {
        return weights.outputs();
    }

    public double weight(int feature, int output) {
        return weights.get(feature, output);
    }

    /** Returns all weights, D×outputs, row-major, in a new array. */
    public double[] weights() {
        return weights.float64().clone();
    }

    /** Returns all intercepts in a new array. */
    public double[] intercepts() {
        return intercepts.clone();
    }

    public double intercept(int output) {
        return intercepts[output];
    }

    /** Returns true if each output is the feature of the same index plus its intercept. */
    public boolean isIdentity() {
        boolean identity = features() == outputs();
        for (int j = 0; j < features() && identity; j++) {
            for (int o = 0; o < outputs(); o++) {
                identity &= weight(j, o) == (j == o ? 1 : 0);
            }
        }
        return identity;
    }

    /** Returns the sum of the squares of all weights. */
    public double squaredNorm() {
        return Vectors.dot(weights.float64(), weights.float64());
    }

    /** Returns the number of features with a weight other than zero for some output. */
    public int nonZeros() {
        return nonZeros(weights.float64(), features(), outputs());
    }

    /**
     * Returns the number of features with a weight other than zero for some output.
     *
     * @param weights D×outputs, row-major; later entries are ignored
     */
    public static int nonZeros(double[] weights, int features, int outputs) {
        int count = 0;
        for (int j = 0; j < features; j++) {
            boolean used = false;
            for (int o = 0; o < outputs; o++) {
                used |= weights[j * outputs + o] != 0;
            }
            count += used ? 1 : 0;
        }
        return count;
    }

    /** Writes the values for a block of features, rows×outputs, row-major, summed in float64. */
    public void apply(FeatureBlock block, double[] out) {
        block.score(weights, out);
        int outputs = outputs();
        for (int i = 0; i < block.rows(); i++) {
            for (int o = 0; o < outputs; o++) {
                out[i * outputs + o] += intercepts[o];
            }
        }
    }

    /** Writes the values for rows of sparse features, rows×outputs, row-major. Cost: non-zeros·outputs. */
    public void apply(SparseRows rows, double[] out) {
        Require.sameSize("LinearModel", "features", rows.columns(), features());
        int outputs = outputs();
        int[] starts = rows.starts();
        double[] w = weights.float64();
        for (int i = 0; i < rows.rows(); i++) {
            int to = i * outputs;
            System.arraycopy(intercepts, 0, out, to, outputs);
            for (int e = starts[i]; e < starts[i + 1]; e++) {
                Vectors.add(rows.values()[e], w, rows.indices()[e] * outputs, out, to, outputs);
            }
        }
    }

    /** Returns the values for one row of features. */
    public double[] apply(double[] z) {
        double[] values = intercepts.clone();
        double[] w = weights.float64();
        int outputs = outputs();
        for (int j = 0; j < features(); j++) {
            Vectors.add(z[j], w, j * outputs, values, 0, outputs);
        }
        return values;
    }

    /** Returns the model restricted to the given features, which must ascend, with its weights and intercepts. */
    public LinearModel restrict(int... kept) {
        int outputs = outputs();
        double[] left = new double[kept.length * outputs];
        for (int j = 0; j < kept.length; j++) {
            System.arraycopy(weights.float64(), kept[j] * outputs, left, j * outputs, outputs);
        }
        return new LinearModel(WeightMatrix.of(kept.length, outputs, left), intercepts, shifts);
    }

    /** Returns the saved form. */
    public State state() {
        State state = State.of("linear")
                .with("features", features())
                .with("outputs", outputs())
                .with("weights", weights.float64(), features(), outputs())
                .with("intercepts", intercepts);
        return shifts == null ? state : state.with("shifts", shifts);
    }

    /** Loads a model from its {@link #state}. */
    public static LinearModel load(State state) {
        int features = state.count("features");
        int outputs = state.count("outputs");
        long weights = (long) features * outputs;
        Require.that(weights <= Integer.MAX_VALUE, "linear", features + " x " + outputs + " weights are too many");
        return new LinearModel(
                WeightMatrix.of(features, outputs, state.array("weights", (int) weights)),
                state.array("intercepts", outputs),
                state.has("shifts") ? state.array("shifts", outputs) : null);
    }
}
