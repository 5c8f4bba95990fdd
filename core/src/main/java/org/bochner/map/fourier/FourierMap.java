package org.bochner.map.fourier;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Warp;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;
import org.bochner.map.composed.MapTypes;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.map.layout.RowGradients;
import org.bochner.numeric.function.Turns;
import org.jspecify.annotations.Nullable;

/**
 * Fourier map of a shift-invariant kernel: cosines and sines of ωⱼ·x, with ωⱼ from the kernel's spectrum, in one of the
 * two {@link FourierForm forms}. ωⱼ is a unit frequency divided, column by column, by the kernel's length-scales; both
 * are kept, so that kernel learning can change length-scales and keep unit frequencies.
 *
 * <p>Accuracy: for independent frequencies, P(|⟨φ(x), φ(y)⟩ − k(x, y)| ≥ ε) ≤ 2·exp(−Dε²/4) in pairs and
 * 2·exp(−Dε²/8) with phases. Blocks agree with {@link #apply(double[], double[])} within float32 rounding of ω·x;
 * heavy-tailed spectra are projected in float64.
 *
 * <p>Cost: one matrix product per block, and the cosines while it is in cache; O(D log d) per row where frequencies are
 * structured.
 *
 * <p>Threads: safe; immutable.
 */
public final class FourierMap extends ProjectedMap implements RowGradients.Source {
    public static final String TYPE = "fourier";

    private final ShiftInvariantKernel kernel;

    /** The number of frequencies that were drawn. Fewer may be left, with the same amplitude. */
    private final int drawn;

    private final FourierForm form;

    /** Takes over the phases, in turns: one per frequency, or none for pairs. */
    public FourierMap(ShiftInvariantKernel kernel, Projection projection, FourierForm form, double[] phases) {
        this(kernel, projection, projection.frequencies(), form, phases);
    }

    private FourierMap(
            ShiftInvariantKernel kernel, Projection projection, int drawn, FourierForm form, double[] phases) {
        super(projection, phases);
        this.kernel = kernel;
        this.drawn = drawn;
        this.form = form;
    }

    public static FourierMap load(State state) {
        ShiftInvariantKernel kernel = MapTypes.kernel(state, ShiftInvariantKernel.class);
        FourierForm form = MapTypes.constant(state, "form", FourierForm.values());
        int columns = state.count("columns");
        int frequencies = state.count("frequencies");
        Require.that(columns >= 1 && frequencies >= 1, TYPE, "the saved form has no columns or no frequencies");
        State saved = state.part("projection");
        Projection projection =
                switch (saved.type()) {
                    case DenseProjection.TYPE -> DenseProjection.load(saved, kernel, columns, frequencies);
                    case HadamardProjection.TYPE -> HadamardProjection.load(saved, kernel, columns, frequencies);
                    default -> throw new BochnerException(TYPE + ": unknown projection '" + saved.type() + "'");
                };
        double[] phases = form == FourierForm.PHASE ? state.array("phases", frequencies) : new double[0];
        int drawn = state.has("drawn") ? state.count("drawn") : frequencies;
        Require.that(drawn >= frequencies, TYPE, "of " + drawn + " frequencies, " + frequencies + " cannot be left");
        return new FourierMap(kernel, projection, drawn, form, phases);
    }

    /** Returns the kernel's length-scales of all columns; fails unless its column ranges cover just these columns. */
    public static double[] sigma(ShiftInvariantKernel kernel, int columns) {
        Bandwidth sigma = kernel.sigma();
        Require.that(
                sigma.uniform() || sigma.columns() == columns,
                kernel.toString() + ": its column ranges cover " + sigma.columns() + " columns, the rows have "
                        + columns);
        return sigma.toArray(columns);
    }

    @Override
    public int outputDimension() {
        return frequencyCount() * form.featuresPerFrequency();
    }

    @Override
    public Kernel kernel() {
        return kernel;
    }

    public FourierForm form() {
        return form;
    }

    /** Returns the unit frequencies, one after the other, {@link #inputDimension} numbers each; a new array. */
    public double[] unitFrequencies() {
        return projection().unitFrequencies();
    }

    /** Returns the frequencies ω: unit frequencies over the length-scales of their columns; a new array. */
    public double[] frequencies() {
        double[] sigma = sigma(kernel, inputDimension());
        double[] omega = projection().unitFrequencies();
        for (int i = 0; i < omega.length; i++) {
            omega[i] /= sigma[i % sigma.length];
        }
        return omega;
    }

    /** Returns the map with other length-scales, and the same unit frequencies and phases. */
    public FourierMap withSigma(Bandwidth sigma) {
        ShiftInvariantKernel moved = kernel.withSigma(sigma);
        return new FourierMap(moved, projection().withSigma(sigma(moved, inputDimension())), drawn, form, phases());
    }

    /** Returns the frequency scales, one over the length-scales; one per column, 0 for a dropped column. */
    public double[] scales() {
        return Arrays.stream(sigma(kernel, inputDimension()))
                .map(sigma -> 1 / sigma)
                .toArray();
    }

    /**
     * Returns the map with other unit frequencies, in the layout of {@link #unitFrequencies}. Its kernel is still that
     * of the frequencies that were drawn.
     */
    public FourierMap withUnitFrequencies(double[] unit) {
        return new FourierMap(kernel, projection().withUnitFrequencies(unit), drawn, form, phases());
    }

    /**
     * Returns the map with all phases a quarter turn ahead: the derivatives of the features with respect to the angles
     * ω·x.
     */
    public FourierMap quarterTurnAhead() {
        double[] ahead = Arrays.stream(phases()).map(phase -> phase + 0.25).toArray();
        return new FourierMap(kernel, projection(), drawn, form, ahead);
    }

    @Override
    public MapParameters parameters(ParameterKind kind) {
        return parameters(null, kind);
    }

    /** Returns the parameters where rows go through a warp before the map. */
    public MapParameters parameters(@Nullable Warp warp, ParameterKind kind) {
        return kind == ParameterKind.FREQUENCIES && !projection().movable()
                ? MapParameters.NONE
                : new FourierParameters(this, warp, kind);
    }

    @Override
    public RowGradients gradients(double[] weights, int outputs) {
        return gradients(null, weights, outputs);
    }

    /** Returns the gradients of linear functions where rows go through a warp before the map. */
    RowGradients gradients(@Nullable Warp warp, double[] weights, int outputs) {
        boolean pairs = form == FourierForm.PAIRS;
        return new AngleGradients(pairs ? this : quarterTurnAhead(), pairs, warp, frequencies(), weights, outputs);
    }

    /** Returns the factor of every feature: √(1/m) for pairs and √(2/m) with phases, for m drawn frequencies. */
    public double amplitude() {
        return Math.sqrt((form == FourierForm.PAIRS ? 1.0 : 2.0) / drawn);
    }

    @Override
    protected void activate(float[] out, int at) {
        int m = frequencyCount();
        float amplitude = (float) amplitude();
        if (form == FourierForm.PAIRS) {
            Turns.cosSin(out, at, m, amplitude);
        } else {
            Turns.cos(out, at, at + m, amplitude);
        }
    }

    @Override
    protected void activate(double[] out, int at) {
        int m = frequencyCount();
        double amplitude = amplitude();
        if (form == FourierForm.PAIRS) {
            Turns.cosSin(out, at, m, amplitude);
        } else {
            Turns.cos(out, at, at + m, amplitude);
        }
    }

    /** Returns one unit per frequency: its cosine and its sine, or its cosine with a phase. */
    @Override
    public int[] units() {
        return form == FourierForm.PAIRS ? FeatureGroups.halves(frequencyCount()) : super.units();
    }

    /** Returns the map of some of the frequencies. */
    @Override
    public FourierMap restrict(int... kept) {
        int[] frequencies = FeatureGroups.unitsOf(this).groupsOf(kept);
        double[] left = phases().length == 0
                ? phases()
                : Arrays.stream(frequencies).mapToDouble(j -> phases()[j]).toArray();
        return new FourierMap(kernel, projection().restrict(frequencies), drawn, form, left);
    }

    @Override
    public State state() {
        State state = State.of(TYPE)
                .with("kernel", kernel.toString())
                .with("form", form.name())
                .with("columns", inputDimension())
                .with("frequencies", frequencyCount())
                .with("projection", projection().state());
        if (drawn > frequencyCount()) {
            state.with("drawn", drawn);
        }
        return phases().length == 0 ? state : state.with("phases", phases());
    }
}
