package org.bochner.map.dot;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.kernel.dot.ArcSine;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.map.composed.MapTypes;
import org.bochner.map.fourier.DenseProjection;
import org.bochner.map.fourier.ProjectedMap;
import org.bochner.map.fourier.Projection;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.numeric.function.Erf;

/**
 * A layer of random sigmoid units for an arc-sine kernel: {@code erf(w·x + b) / √D} for D Gaussian vectors w with
 * variance γ per column and Gaussian biases b with variance c.
 *
 * <p>Accuracy: unbiased, with variance at most (1 − k²)/D. Cost: one matrix product per block, and one error function
 * per feature.
 *
 * <p>Threads: safe; immutable.
 *
 * <p>Reference: Williams, Computation with infinite neural networks, 1998, doi:10.1162/089976698300017412.
 */
public final class SigmoidMap extends ProjectedMap {
    public static final String TYPE = "sigmoid";

    private final ArcSine kernel;
    private final double[] biases;

    /** The number of units that were drawn. Fewer may be left, with the same amplitude. */
    private final int drawn;

    /**
     * Creates a map.
     *
     * @param weights the vectors w, as frequencies of the Gaussian kernel with σ = 1/√γ
     * @param biases b/2π, one per vector
     */
    SigmoidMap(ArcSine kernel, Projection weights, double[] biases) {
        this(kernel, weights, biases, biases.length);
    }

    private SigmoidMap(ArcSine kernel, Projection weights, double[] biases, int drawn) {
        super(weights, biases);
        this.kernel = kernel;
        this.biases = biases;
        this.drawn = drawn;
    }

    /** Returns the kernel whose frequencies are the weights of units. */
    static Gaussian weights(ArcSine kernel) {
        return new Gaussian(1 / Math.sqrt(kernel.gamma()));
    }

    /** Loads a map from its saved form. */
    public static SigmoidMap load(State state) {
        ArcSine kernel = MapTypes.kernel(state, ArcSine.class);
        int columns = state.count("columns");
        int units = state.count("units");
        Require.that(
                columns >= 1 && units >= 1,
                TYPE + ": the saved form has " + columns + " columns and " + units + " units");
        int drawn = state.has("drawn") ? state.count("drawn") : units;
        Require.that(drawn >= units, TYPE, "of " + drawn + " units, " + units + " cannot be left");
        double[] biases = state.array("biases", units);
        Require.that(Arrays.stream(biases).allMatch(Double::isFinite), TYPE, "the biases must be finite");
        return new SigmoidMap(
                kernel, DenseProjection.load(state.part("projection"), weights(kernel), columns, units), biases, drawn);
    }

    @Override
    public int outputDimension() {
        return frequencyCount();
    }

    @Override
    public ArcSine kernel() {
        return kernel;
    }

    @Override
    protected void activate(float[] out, int at) {
        double amplitude = 1 / Math.sqrt(drawn);
        for (int j = at; j < at + frequencyCount(); j++) {
            out[j] = (float) (amplitude * Erf.of(2 * Math.PI * out[j]));
        }
    }

    @Override
    protected void activate(double[] out, int at) {
        double amplitude = 1 / Math.sqrt(drawn);
        for (int j = at; j < at + frequencyCount(); j++) {
            out[j] = amplitude * Erf.of(2 * Math.PI * out[j]);
        }
    }

    /** Returns the map of some of the units. */
    @Override
    public SigmoidMap restrict(int... kept) {
        int[] units = FeatureGroups.unitsOf(this).groupsOf(kept);
        double[] left = Arrays.stream(units).mapToDouble(j -> biases[j]).toArray();
        return new SigmoidMap(kernel, projection().restrict(units), left, drawn);
    }

    @Override
    public State state() {
        State state = State.of(TYPE)
                .with("kernel", kernel.toString())
                .with("columns", inputDimension())
                .with("units", frequencyCount())
                .with("biases", biases)
                .with("projection", projection().state());
        return drawn > frequencyCount() ? state.with("drawn", drawn) : state;
    }
}
