package org.bochner.map.fourier;

import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Warp;
import org.bochner.kernel.composed.WarpedKernel;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;
import org.bochner.map.composed.DelegatedParameters;
import org.bochner.map.composed.DelegatingMap;
import org.bochner.map.composed.MapTypes;
import org.bochner.map.layout.RowGradients;

/**
 * φ∘t: a Fourier map of warped values, such as log(x + c); see {@link Warp}. For heavy-tailed spectra, warped values
 * stay in float64 until they are projected.
 */
public final class WarpedMap extends DelegatingMap<FourierMap> implements RowGradients.Source {
    public static final String TYPE = "warped";

    private final WarpedKernel kernel;
    private final Warp warp;

    /** Takes the map of the kernel's own {@linkplain WarpedKernel#kernel kernel}. */
    public WarpedMap(FourierMap map, WarpedKernel kernel) {
        super(map);
        Require.that(
                map.kernel().equals(kernel.kernel()),
                TYPE + ": the map is one of " + map.kernel() + ", not of " + kernel.kernel());
        this.kernel = kernel;
        this.warp = kernel.warp();
    }

    public static WarpedMap load(State state) {
        return new WarpedMap(FourierMap.load(state.part("map")), MapTypes.kernel(state, WarpedKernel.class));
    }

    @Override
    public Kernel kernel() {
        return kernel;
    }

    @Override
    public void apply(double[] x, double[] out) {
        Require.sameSize(TYPE, "columns", x.length, inputDimension());
        map().apply(warp.applyToRow(x), out);
    }

    @Override
    public void apply(RowBlock rows, float[] out, int offset, int stride) {
        checkColumns(rows);
        map().apply(RowReader.of(rows, warp), out, offset, stride);
    }

    @Override
    public void apply(RowBlock rows, double[] out, int offset, int stride) {
        checkColumns(rows);
        map().apply(RowReader.of(rows, warp), out, offset, stride);
    }

    @Override
    public MapParameters parameters(ParameterKind kind) {
        MapParameters own = map().parameters(warp, kind);
        return new DelegatedParameters(own, moved -> with((FourierMap) moved), own::gradient, scope -> scope);
    }

    @Override
    public RowGradients gradients(double[] weights, int outputs) {
        return map().gradients(warp, weights, outputs);
    }

    /**
     * Returns the map with another Fourier map, whose length-scales may be rounded in the form that the kernel keeps.
     */
    private WarpedMap with(FourierMap moved) {
        WarpedKernel of = kernel.withSigma(((ShiftInvariantKernel) moved.kernel()).sigma());
        return new WarpedMap(moved.withSigma(of.kernel().sigma()), of);
    }

    @Override
    public WarpedMap restrict(int... kept) {
        return new WarpedMap(map().restrict(kept), kernel);
    }

    @Override
    public State state() {
        return State.of(TYPE).with("kernel", kernel.toString()).with("map", map().state());
    }

    @Override
    public String toString() {
        return "WarpedMap[" + map() + "@" + warp + "]";
    }
}
