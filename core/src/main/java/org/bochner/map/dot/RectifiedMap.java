package org.bochner.map.dot;

import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.kernel.dot.ArcCosine;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.map.composed.MapTypes;
import org.bochner.map.fourier.DenseProjection;
import org.bochner.map.fourier.ProjectedMap;
import org.bochner.map.fourier.Projection;
import org.bochner.map.layout.FeatureGroups;

/**
 * A layer of random units for an arc-cosine kernel: {@code [max(0, w·x)ⁿ, max(0, −w·x)ⁿ] / √m} for m Gaussian vectors
 * w, where n is the degree and 0⁰ = 0. D = 2m, and the features of one sign come before those of the other.
 *
 * <p>Both signs are used, because that halves the cost of the product and has a smaller error than D independent
 * vectors: the estimates of both signs are negatively correlated.
 *
 * <p>Accuracy: unbiased, with variance (k₀ − k₀²)/m for degree 0, which is 0 on the diagonal, and at most (3|x|²|y|² −
 * k₁²)/m for degree 1. Cost: one matrix product per block.
 *
 * <p>Threads: safe; immutable.
 *
 * <p>Reference: Cho and Saul, Large-margin classification in infinite neural networks, 2010, doi:10.1162/NECO_a_00018.
 */
public final class RectifiedMap extends ProjectedMap {
    public static final String TYPE = "rectified";

    private final ArcCosine kernel;

    /** The number of directions that were drawn. Fewer may be left, with the same amplitude. */
    private final int drawn;

    public RectifiedMap(ArcCosine kernel, Projection directions) {
        this(kernel, directions, directions.frequencies());
    }

    private RectifiedMap(ArcCosine kernel, Projection directions, int drawn) {
        super(directions);
        this.kernel = kernel;
        this.drawn = drawn;
    }

    public static RectifiedMap load(State state) {
        ArcCosine kernel = MapTypes.kernel(state, ArcCosine.class);
        int columns = state.count("columns");
        int directions = state.count("directions");
        Require.that(
                columns >= 1 && directions >= 1 && directions <= Integer.MAX_VALUE / 2,
                TYPE + ": the saved form has " + columns + " columns and " + directions + " directions");
        int drawn = state.has("drawn") ? state.count("drawn") : directions;
        Require.that(drawn >= directions, TYPE, "of " + drawn + " directions, " + directions + " cannot be left");
        return new RectifiedMap(
                kernel, DenseProjection.load(state.part("projection"), new Gaussian(1), columns, directions), drawn);
    }

    @Override
    public int outputDimension() {
        return 2 * frequencyCount();
    }

    @Override
    public ArcCosine kernel() {
        return kernel;
    }

    /** Returns 1/√m for m drawn directions, times 2π for degree 1, because a projection is w·x in turns. */
    private double amplitude() {
        return (kernel.degree() == 0 ? 1 : 2 * Math.PI) / Math.sqrt(drawn);
    }

    @Override
    protected void activate(float[] out, int at) {
        int m = frequencyCount();
        float amplitude = (float) amplitude();
        for (int j = at; j < at + m; j++) {
            float size = amplitude * (kernel.degree() == 0 ? Math.signum(out[j]) : out[j]);
            out[j] = Math.max(0, size);
            out[j + m] = Math.max(0, -size);
        }
    }

    @Override
    protected void activate(double[] out, int at) {
        int m = frequencyCount();
        double amplitude = amplitude();
        for (int j = at; j < at + m; j++) {
            double size = amplitude * (kernel.degree() == 0 ? Math.signum(out[j]) : out[j]);
            out[j] = Math.max(0, size);
            out[j + m] = Math.max(0, -size);
        }
    }

    /** Returns one unit per direction: both of its signs. */
    @Override
    public int[] units() {
        return FeatureGroups.halves(frequencyCount());
    }

    /** Returns the map of some of the directions. */
    @Override
    public RectifiedMap restrict(int... kept) {
        return new RectifiedMap(
                kernel, projection().restrict(FeatureGroups.unitsOf(this).groupsOf(kept)), drawn);
    }

    @Override
    public State state() {
        State state = State.of(TYPE)
                .with("kernel", kernel.toString())
                .with("columns", inputDimension())
                .with("directions", frequencyCount())
                .with("projection", projection().state());
        return drawn > frequencyCount() ? state.with("drawn", drawn) : state;
    }
}
