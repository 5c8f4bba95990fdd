package org.bochner.map.fourier;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.composed.MapTypes;
import org.bochner.map.layout.DesignFacts;
import org.bochner.map.layout.Designed;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.map.layout.MapMemory;
import org.bochner.map.layout.RowGradients;
import org.bochner.numeric.function.Turns;
import org.bochner.numeric.optimise.Vectors;

/**
 * A map of a shift-invariant kernel by designed frequencies and spectral weights, k(x, y) ≈ Σⱼ αⱼ cos(ωⱼ·(x − y)):
 *
 * <pre>√αⱼ · [cos(ωⱼ·x), sin(ωⱼ·x)],</pre>
 *
 * first all cosines, then all sines, then one constant feature √α₀ if the frequency 0 is among them.
 *
 * <p>Accuracy: that of the design. Blocks agree with {@link #apply(double[], double[])}
 * within 2e-7 of a feature's amplitude in float32: ω·x is computed in float64 and loses its whole turns before it is
 * rounded, so rows may lie far from 0. With at most three columns the projection costs little beside the cosines.
 *
 * <p>Threads: safe; immutable.
 */
public final class WeightedFourierMap extends ProjectedMap implements Designed, RowGradients.Source {
    public static final String TYPE = "weighted-fourier";

    private final ShiftInvariantKernel kernel;
    private final double[] frequencies;
    private final double[] spectralWeights;

    /** The index of the frequency 0; the number of frequencies, where it is not among them. */
    private final int zero;

    /** √α of the other frequencies, once for the cosines and once for the sines. */
    private final double[] amplitudes;

    private final float[] floatAmplitudes;
    /** The range, error weight and error of the design; empty for some of the frequencies of a design. */
    private final Optional<DesignFacts> design;

    /**
     * Makes the map of some frequencies.
     *
     * @param frequencies ω, one after the other, {@code columns} numbers each; at most one of them is 0 in all columns
     * @param spectralWeights α, all positive
     */
    public WeightedFourierMap(
            ShiftInvariantKernel kernel, int columns, double[] frequencies, double[] spectralWeights) {
        this(kernel, columns, frequencies, spectralWeights, Optional.empty());
    }

    private WeightedFourierMap(
            ShiftInvariantKernel kernel,
            int columns,
            double[] frequencies,
            double[] spectralWeights,
            Optional<DesignFacts> design) {
        super(new DenseProjection(nonZero(columns, frequencies, spectralWeights), unitScales(columns), true));
        // Fails where the kernel's column ranges do not cover just these columns.
        FourierMap.sigma(kernel, columns);
        this.kernel = kernel;
        this.frequencies = frequencies.clone();
        this.spectralWeights = spectralWeights.clone();
        this.design = design;
        this.zero = zero(columns, frequencies);
        int m = frequencyCount();
        amplitudes = new double[2 * m];
        for (int j = 0; j < 2 * m; j++) {
            int unit = j % m;
            amplitudes[j] = Math.sqrt(spectralWeights[unit < zero ? unit : unit + 1]);
        }
        floatAmplitudes = Vectors.rounded(amplitudes);
    }

    /** Returns the frequencies other than 0, after a check of all of them. */
    private static double[] nonZero(int columns, double[] frequencies, double[] spectralWeights) {
        Require.atLeast(TYPE, "columns", columns, 1);
        Require.that(spectralWeights.length >= 1, TYPE, "needs a frequency");
        Require.sameSize(TYPE, "numbers of frequencies", frequencies.length, columns * spectralWeights.length);
        for (int j = 0; j < spectralWeights.length; j++) {
            Require.positive(TYPE, "spectral weight " + j, spectralWeights[j]);
        }
        for (int i = 0; i < frequencies.length; i++) {
            Require.finite(TYPE, "frequency " + i / columns, frequencies[i]);
        }
        int zero = zero(columns, frequencies);
        double[] others = IntStream.range(0, frequencies.length)
                .filter(i -> i / columns != zero)
                .mapToDouble(i -> frequencies[i])
                .toArray();
        Require.that(zero(columns, others) == others.length / columns, TYPE, "the frequency 0 is given twice");
        return others;
    }

    private static int zero(int columns, double[] frequencies) {
        int zero = 0;
        while (zero < frequencies.length / columns
                && Arrays.stream(frequencies, zero * columns, (zero + 1) * columns)
                        .anyMatch(omega -> omega != 0)) {
            zero++;
        }
        return zero;
    }

    private static double[] unitScales(int columns) {
        double[] sigma = new double[columns];
        Arrays.fill(sigma, 1);
        return sigma;
    }

    public static WeightedFourierMap load(State state) {
        int columns = state.count("columns");
        double[] spectralWeights = state.array("weights", state.count("count"));
        double[] frequencies = state.array("frequencies", MapMemory.size(TYPE, columns, spectralWeights.length));
        return new WeightedFourierMap(
                MapTypes.kernel(state, ShiftInvariantKernel.class),
                columns,
                frequencies,
                spectralWeights,
                DesignFacts.in(state));
    }

    @Override
    public Optional<DesignFacts> design() {
        return design;
    }

    /** Returns the map with the facts of its design, which are saved with it. */
    public WeightedFourierMap designed(DesignFacts facts) {
        return new WeightedFourierMap(kernel, inputDimension(), frequencies, spectralWeights, Optional.of(facts));
    }

    @Override
    public int outputDimension() {
        return amplitudes.length + (hasConstant() ? 1 : 0);
    }

    private boolean hasConstant() {
        return zero < spectralWeights.length;
    }

    @Override
    public Kernel kernel() {
        return kernel;
    }

    @Override
    protected void activate(float[] out, int at) {
        Turns.cosSin(out, at, frequencyCount(), 1);
        for (int j = 0; j < floatAmplitudes.length; j++) {
            out[at + j] *= floatAmplitudes[j];
        }
        if (hasConstant()) {
            out[at + amplitudes.length] = (float) Math.sqrt(spectralWeights[zero]);
        }
    }

    @Override
    protected void activate(double[] out, int at) {
        Turns.cosSin(out, at, frequencyCount(), 1);
        for (int j = 0; j < amplitudes.length; j++) {
            out[at + j] *= amplitudes[j];
        }
        if (hasConstant()) {
            out[at + amplitudes.length] = Math.sqrt(spectralWeights[zero]);
        }
    }

    @Override
    public RowGradients gradients(double[] weights, int outputs) {
        return new AngleGradients(this, true, null, projection().unitFrequencies(), weights, outputs);
    }

    /** Returns one unit per frequency, and the last one for the constant. */
    @Override
    public int[] units() {
        return FeatureGroups.concatenate(
                Stream.of(FeatureGroups.halves(frequencyCount()), new int[hasConstant() ? 1 : 0]));
    }

    /** Returns the map of some of the frequencies. */
    @Override
    public WeightedFourierMap restrict(int... kept) {
        int columns = inputDimension();
        int[] left = Arrays.stream(FeatureGroups.unitsOf(this).groupsOf(kept))
                .map(unit -> unit == frequencyCount() ? zero : unit < zero ? unit : unit + 1)
                .sorted()
                .toArray();
        if (left.length == spectralWeights.length) {
            // Only the whole map has the error of its design.
            return this;
        }
        return new WeightedFourierMap(
                kernel,
                columns,
                Arrays.stream(left)
                        .flatMap(j -> IntStream.range(j * columns, (j + 1) * columns))
                        .mapToDouble(i -> frequencies[i])
                        .toArray(),
                Arrays.stream(left).mapToDouble(j -> spectralWeights[j]).toArray());
    }

    @Override
    public State state() {
        State state = State.of(TYPE)
                .with("kernel", kernel.toString())
                .with("columns", inputDimension())
                .with("count", spectralWeights.length)
                .with("frequencies", frequencies, spectralWeights.length, inputDimension())
                .with("weights", spectralWeights);
        design.ifPresent(facts -> facts.addTo(state));
        return state;
    }
}
