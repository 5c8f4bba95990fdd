package org.bochner.map.composed;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.map.MapGradient;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;
import org.bochner.map.additive.AdditiveMap;
import org.bochner.map.fourier.FourierGradient;
import org.bochner.map.fourier.FourierMap;
import org.bochner.map.fourier.RowReader;

/**
 * A Fourier map of the features ψ of an additive map: the map of a kernel of their distance, k(x, y) = κ(|ψ(x) −
 * ψ(y)|).
 *
 * <p>Accuracy: that of the Fourier stage, see {@link FourierMap}; and an error e of D² in the additive stage changes
 * exp(−γD²) by about γ·e·k. Cost: that of a Fourier map of the additive features, for sparse rows of the non-zero ones.
 *
 * <p>Threads: safe; immutable.
 */
public final class TwoStageMap extends DelegatingMap<FourierMap> {
    public static final String TYPE = "composed";

    /** The most additive features that are made at a time, 4 MiB, so that they are in cache when they are projected. */
    private static final int TILE_VALUES = 1 << 20;

    private final RadialKernel kernel;
    private final AdditiveMap first;

    /** True if frequencies are so large that features of the first stage must not be rounded to float32. */
    private final boolean heavyTailed;

    public TwoStageMap(RadialKernel kernel, AdditiveMap first, FourierMap second) {
        super(second);
        Require.that(
                first.kernel().equals(kernel.additive()) && second.kernel().equals(kernel.outer()),
                TYPE + ": the stages are maps of " + first.kernel() + " and " + second.kernel() + ", not of " + kernel);
        Require.that(
                first.hasPlainPenalty(),
                TYPE + ": " + first
                        + " has no plain inner products, so no second stage can follow it; take the dense form of the map");
        Require.sameSize(TYPE, "columns of the second stage", second.inputDimension(), first.outputDimension());
        this.kernel = kernel;
        this.first = first;
        this.heavyTailed = kernel.outer().spectrum().heavyTailed();
    }

    public static TwoStageMap load(State state) {
        if (MapTypes.loadPart(state, "first") instanceof AdditiveMap first
                && MapTypes.loadPart(state, "second") instanceof FourierMap second) {
            return new TwoStageMap(MapTypes.kernel(state, RadialKernel.class), first, second);
        }
        throw new BochnerException(TYPE + ": the saved stages are not an additive and a Fourier map");
    }

    /** Returns the additive stage. */
    public AdditiveMap first() {
        return first;
    }

    /** Returns the Fourier stage. */
    public FourierMap second() {
        return map();
    }

    @Override
    public int inputDimension() {
        return first.inputDimension();
    }

    @Override
    public Kernel kernel() {
        return kernel;
    }

    @Override
    public void apply(double[] x, double[] out) {
        double[] inner = new double[first.outputDimension()];
        first.apply(x, inner);
        second().apply(inner, out);
    }

    @Override
    public void apply(RowBlock rows, float[] out, int offset, int stride) {
        checkColumns(rows);
        if (heavyTailed || !(rows instanceof DenseRows dense)) {
            second().apply(inner(rows, new float[0]), out, offset, stride);
            return;
        }
        int tile = Math.max(1, Math.min(rows.rows(), TILE_VALUES / first.outputDimension()));
        float[] values = new float[tile * first.outputDimension()];
        for (int from = 0; from < rows.rows(); from += tile) {
            RowBlock part = dense.values(from, Math.min(rows.rows(), from + tile));
            second().apply(inner(part, values), out, offset + from * stride, stride);
        }
    }

    /**
     * Returns the features of the first stage, as the second stage reads them.
     *
     * @param values receives the features of dense rows, unless they stay in float64
     */
    private RowReader inner(RowBlock rows, float[] values) {
        if (heavyTailed) {
            return RowReader.mapped(first, rows);
        }
        if (rows instanceof SparseRows sparse) {
            return RowReader.of(first.apply(sparse), null);
        }
        first.apply(rows, values, 0, first.outputDimension());
        return RowReader.of(DenseRows.like(rows, first.outputDimension(), values), null);
    }

    @Override
    public void apply(RowBlock rows, double[] out, int offset, int stride) {
        checkColumns(rows);
        second().apply(RowReader.mapped(first, rows), out, offset, stride);
    }

    /** One scale, which is one over the length-scale of the second stage; or the frequencies of the second stage. */
    @Override
    public MapParameters parameters(ParameterKind kind) {
        return kind == ParameterKind.SCALES
                ? new Scale()
                : new DelegatedParameters(
                        second().parameters(kind),
                        moved -> new TwoStageMap(kernel, first, (FourierMap) moved),
                        () -> new Gradient(kind),
                        scope -> new MapParameters.Scope(0, 0, inputDimension()));
    }

    private final class Scale implements MapParameters {
        @Override
        public int count() {
            return 1;
        }

        @Override
        public double[] values() {
            return Arrays.copyOf(second().scales(), 1);
        }

        @Override
        public Scope scope(int parameter) {
            return new Scope(0, 0, inputDimension());
        }

        @Override
        public TwoStageMap with(double... values) {
            Require.sameSize(TYPE, "number of parameters", values.length, 1);
            RadialKernel moved = kernel.withOuterSigma(1 / Require.positive(TYPE, "scale", values[0]));
            return new TwoStageMap(
                    moved, first, second().withSigma(moved.outer().sigma()));
        }

        @Override
        public MapGradient gradient() {
            return new Gradient(ParameterKind.SCALES);
        }
    }

    /** Passes the features of the first stage to the gradient of the second. */
    private final class Gradient extends DelegatingGradient<FourierGradient> {
        private final ParameterKind kind;

        Gradient(ParameterKind kind) {
            super(new FourierGradient(second(), null, kind));
            this.kind = kind;
        }

        @Override
        public void add(double[] x, double[] cotangent) {
            double[] features = new double[first.outputDimension()];
            first.apply(x, features);
            inner.add(features, cotangent);
        }

        @Override
        public void add(RowBlock rows, float[] features, float[] cotangents, int offset, int stride) {
            boolean dense = !heavyTailed && rows instanceof DenseRows;
            float[] values = new float[dense ? rows.rows() * first.outputDimension() : 0];
            inner.add(inner(rows, values), features, cotangents, offset, stride);
        }

        @Override
        public void add(RowBlock rows, double[] features, double[] cotangents, int offset, int stride) {
            inner.add(RowReader.mapped(first, rows), features, cotangents, offset, stride);
        }

        @Override
        public double[] values() {
            double[] all = inner.values();
            return kind == ParameterKind.SCALES
                    ? new double[] {Arrays.stream(all).sum()}
                    : all;
        }
    }

    /** Keeps the first stage whole, because every frequency of the second stage sees all of its features. */
    @Override
    public TwoStageMap restrict(int... kept) {
        return new TwoStageMap(kernel, first, second().restrict(kept));
    }

    @Override
    public State state() {
        return State.of(TYPE)
                .with("kernel", kernel.toString())
                .with("first", first.state())
                .with("second", second().state());
    }

    @Override
    public String toString() {
        return "TwoStageMap[" + second() + " of " + first + "]";
    }
}
