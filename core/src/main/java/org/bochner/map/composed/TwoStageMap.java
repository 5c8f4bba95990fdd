package org.bochner.map.composed;

import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;
import org.bochner.map.additive.AdditiveMap;
import org.bochner.map.fourier.FourierMap;
import org.bochner.map.fourier.RowReader;
import org.bochner.map.layout.FeatureGroups;

/**
 * A Fourier map of the features ψ of an additive map: the map of a kernel of their distance, k(x, y) = κ(|ψ(x) − ψ(y)|).
 *
 * <p>Accuracy: the Fourier stage errs as {@link FourierMap} says; an error e of the additive stage in D² moves
 * exp(−γD²) by about γ·e·k. Cost: that of the Fourier map of width·columns columns, for sparse rows of their non-zeros.
 *
 * <p>Threads: safe; immutable.
 */
public final class TwoStageMap implements FeatureMap {
    public static final String TYPE = "composed";

    /** Additive features made at a time, 4 MiB of them: they are still in cache when they are projected. */
    private static final int TILE_VALUES = 1 << 20;

    private final RadialKernel kernel;
    private final AdditiveMap first;
    private final FourierMap second;

    /** Whether frequencies are so large that features of the first stage must not be rounded to float32 before them. */
    private final boolean heavyTailed;

    public TwoStageMap(RadialKernel kernel, AdditiveMap first, FourierMap second) {
        Require.that(
                first.kernel().equals(kernel.additive()) && second.kernel().equals(kernel.outer()),
                TYPE,
                "the stages are maps of " + first.kernel() + " and " + second.kernel() + ", not of " + kernel);
        Require.that(
                first.penalty().plain(),
                TYPE,
                first
                        + " has no plain inner products, so no second stage can follow it; take the dense form of the map");
        Require.sameSize(TYPE, "columns of the second stage", second.inputDimension(), first.outputDimension());
        this.kernel = kernel;
        this.first = first;
        this.second = second;
        this.heavyTailed = kernel.outer().spectrum().heavyTailed();
    }

    public static TwoStageMap load(State state) {
        if (Kernels.parse(state.text("kernel")) instanceof RadialKernel kernel
                && FeatureMaps.loadPart(state, "first") instanceof AdditiveMap first
                && FeatureMaps.loadPart(state, "second") instanceof FourierMap second) {
            return new TwoStageMap(kernel, first, second);
        }
        throw new BochnerException(TYPE + ": the saved form is not one of an additive and a Fourier map of '"
                + state.text("kernel") + "'");
    }

    /** The additive stage. */
    public AdditiveMap first() {
        return first;
    }

    /** The Fourier stage. */
    public FourierMap second() {
        return second;
    }

    /** Whether the second stage needs the features of the first in float64. */
    public boolean heavyTailed() {
        return heavyTailed;
    }

    @Override
    public int inputDimension() {
        return first.inputDimension();
    }

    @Override
    public int outputDimension() {
        return second.outputDimension();
    }

    @Override
    public Kernel kernel() {
        return kernel;
    }

    @Override
    public void apply(double[] x, double[] out) {
        double[] inner = new double[first.outputDimension()];
        first.apply(x, inner);
        second.apply(inner, out);
    }

    @Override
    public void apply(RowBlock rows, float[] out, int offset, int stride) {
        checkWidth(rows);
        if (heavyTailed) {
            second.apply(RowReader.mapped(first, rows), out, offset, stride);
            return;
        }
        if (rows instanceof SparseRows sparse) {
            second.apply(first.apply(sparse), out, offset, stride);
            return;
        }
        int width = first.outputDimension();
        int tile = Math.max(1, Math.min(rows.rows(), TILE_VALUES / width));
        float[] inner = new float[tile * width];
        for (int from = 0; from < rows.rows(); from += tile) {
            RowBlock part = ((DenseRows) rows).values(from, Math.min(rows.rows(), from + tile));
            first.apply(part, inner, 0, width);
            second.apply(DenseRows.like(part, width, inner), out, offset + from * stride, stride);
        }
    }

    @Override
    public void apply(RowBlock rows, double[] out, int offset, int stride) {
        checkWidth(rows);
        second.apply(RowReader.mapped(first, rows), out, offset, stride);
    }

    @Override
    public MapParameters parameters(ParameterKind freedom) {
        return freedom == ParameterKind.SCALES
                ? new TwoStageScale(this)
                : DelegatedParameters.of(second.parameters(freedom), moved -> with((FourierMap) moved))
                        .withGradient(() -> new TwoStageGradient(this, freedom))
                        .withScope(new MapParameters.Scope(0, 0, inputDimension()));
    }

    /** The map with another second stage of the same kernel. */
    private TwoStageMap with(FourierMap moved) {
        return new TwoStageMap(kernel, first, moved);
    }

    /** The map for another length-scale of the distance. */
    public TwoStageMap withSigma(double sigma) {
        RadialKernel moved = kernel.withOuterSigma(sigma);
        return new TwoStageMap(moved, first, second.withSigma(moved.outer().sigma()));
    }

    @Override
    public FeatureGroups units() {
        return second.units();
    }

    /** The additive stage stays whole: every frequency of the second sees all of its features. */
    @Override
    public TwoStageMap restrict(int... kept) {
        return new TwoStageMap(kernel, first, second.restrict(kept));
    }

    @Override
    public State state() {
        return State.of(TYPE)
                .with("kernel", kernel.toString())
                .with("first", first.state())
                .with("second", second.state());
    }

    @Override
    public String toString() {
        return "TwoStageMap[" + second + " of " + first + "]";
    }
}
