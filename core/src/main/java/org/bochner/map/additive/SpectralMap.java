package org.bochner.map.additive;

import java.util.Arrays;
import java.util.Optional;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.map.composed.MapTypes;
import org.bochner.map.layout.DesignFacts;
import org.bochner.map.layout.Designed;
import org.bochner.numeric.function.LogCosines;

/**
 * A map of a homogeneous kernel of degree g by frequencies of its signature, K(λ) ≈ Σⱼ αⱼ cos(ωⱼλ). A value x becomes
 *
 * <pre>√(αⱼ x^g) · [cos(ωⱼ log x), sin(ωⱼ log x)],</pre>
 *
 * two features per frequency, and one, √(α₀ x^g), for the frequency 0. The recipe {@code sampled} takes frequencies at
 * equal distances from the spectrum; {@code lp} designs them by linear programming.
 *
 * <p>Accuracy: √(x^g·y^g) times the error of K at log(y/x), for values of any magnitude.
 */
public final class SpectralMap extends AdditiveMap implements Designed {
    public static final String TYPE = "spectral";

    /** Distance of the log-ratios at which the error is computed. */
    private static final double STEP = 0.005;

    /** The largest log-ratio at degree 1. Beyond, the factor (xy)^(degree/2) is below 1e-8. */
    private static final double LARGEST_LOG_RATIO = 40;

    /** The largest log-ratio at any degree: more than a few periods of any sampled spectrum. */
    private static final double LARGEST_OF_ALL = 1000;

    private final HomogeneousKernel kernel;
    private final double[] frequencies;
    private final double[] spectralWeights;
    private final LogCosines features;
    /** The range, error weight and error of the design; empty if there is none. */
    private final Optional<DesignFacts> design;

    /**
     * Makes the map of some frequencies.
     *
     * @param frequencies ω, ascending, from 0 or above
     * @param spectralWeights α, all positive
     */
    public SpectralMap(HomogeneousKernel kernel, int columns, double[] frequencies, double[] spectralWeights) {
        this(kernel, columns, frequencies, spectralWeights, Optional.empty());
    }

    private SpectralMap(
            HomogeneousKernel kernel,
            int columns,
            double[] frequencies,
            double[] spectralWeights,
            Optional<DesignFacts> design) {
        super(kernel, columns, featuresPerColumn(frequencies));
        Require.sameSize(TYPE, "number of spectral weights", spectralWeights.length, frequencies.length);
        for (int j = 0; j < frequencies.length; j++) {
            Require.positive(TYPE, "spectral weight " + j, spectralWeights[j]);
        }
        this.kernel = kernel;
        this.frequencies = frequencies.clone();
        this.spectralWeights = spectralWeights.clone();
        this.design = design;
        this.features = new LogCosines(
                frequencies, Arrays.stream(spectralWeights).map(Math::sqrt).toArray(), kernel.degree());
    }

    private static int featuresPerColumn(double[] frequencies) {
        Require.that(frequencies.length >= 1, TYPE, "needs a frequency");
        return 2 * frequencies.length - (frequencies[0] == 0 ? 1 : 0);
    }

    public static SpectralMap load(State state) {
        double[] frequencies = state.array("frequencies", state.count("count"));
        double[] weights = state.array("weights", frequencies.length);
        HomogeneousKernel kernel = MapTypes.kernel(state, HomogeneousKernel.class);
        return new SpectralMap(kernel, state.count("columns"), frequencies, weights, DesignFacts.in(state));
    }

    @Override
    public Optional<DesignFacts> design() {
        return design;
    }

    /** Returns the map with the facts of its design, which are saved with it. */
    SpectralMap designed(DesignFacts facts) {
        return new SpectralMap(kernel, inputDimension(), frequencies, spectralWeights, Optional.of(facts));
    }

    /**
     * Returns the log-ratio up to which errors matter. Small degrees weigh distant ratios nearly as much as equal
     * values.
     */
    public static double largestLogRatio(HomogeneousKernel kernel) {
        return Math.min(LARGEST_OF_ALL, LARGEST_LOG_RATIO / Math.min(1, kernel.degree()));
    }

    /** Returns Σⱼ αⱼ cos(ωⱼλ), the approximation of the signature. */
    public double signature(double lambda) {
        double sum = 0;
        for (int j = 0; j < frequencies.length; j++) {
            sum += spectralWeights[j] * Math.cos(frequencies[j] * lambda);
        }
        return sum;
    }

    /**
     * Returns sup |κ(x, y) − ⟨φ(x), φ(y)⟩| over 0 ≤ x, y ≤ 1. For other values the bound is this times the larger value
     * to the power of the degree.
     */
    public double largestError() {
        double total = Arrays.stream(spectralWeights).sum();
        double largest = 0;
        double end = largestLogRatio(kernel);
        for (int i = 0; i * STEP <= end; i++) {
            double lambda = i * STEP;
            // With x = 1 and y = e^−λ, (xy)^(degree/2); nothing further out can be larger.
            double size = Math.exp(-kernel.degree() * lambda / 2);
            if (size * (1 + total) <= largest) {
                break;
            }
            largest = Math.max(largest, size * Math.abs(kernel.signature(lambda) - signature(lambda)));
        }
        return largest;
    }

    @Override
    public ErrorBound errorBound() {
        double largest = largestError();
        return (column, x, y) -> largest * Math.pow(Math.max(x, y), kernel.degree());
    }

    @Override
    public void map(double x, double[] out, int at) {
        features.apply(x, out, at);
    }

    @Override
    public void map(float[] x, int from, int count, float[] out, int at) {
        features.apply(x, from, count, out, at);
    }

    @Override
    public SpectralMap ofColumns(int[] kept) {
        return new SpectralMap(kernel, kept.length, frequencies, spectralWeights, design);
    }

    @Override
    public State state() {
        State state = State.of(TYPE)
                .with("kernel", kernel.toString())
                .with("columns", inputDimension())
                .with("count", frequencies.length)
                .with("frequencies", frequencies)
                .with("weights", spectralWeights);
        design.ifPresent(facts -> facts.addTo(state));
        return state;
    }
}
