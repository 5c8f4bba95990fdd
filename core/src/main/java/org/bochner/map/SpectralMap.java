package org.bochner.map;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.numeric.LogHarmonics;

/**
 * A map of a homogeneous kernel by some frequencies of its signature, K(λ) ≈ Σⱼ αⱼ cos(ωⱼλ): of every value x, with the
 * degree g,
 *
 * <pre>√(αⱼ x^g) · [cos(ωⱼ log x), sin(ωⱼ log x)],</pre>
 *
 * two numbers a frequency, and one, √(α₀ x^g), for the frequency 0. Recipes differ in how they choose frequencies and
 * weights: {@code sampled} takes them evenly from the spectrum; designs by linear programming are maps of this kind too.
 *
 * <p>Accuracy: x^g·y^g under the root times the error of K at log(y/x); any magnitude, nothing is clipped.
 */
public final class SpectralMap extends AdditiveMap {
    static final String TYPE = "spectral";

    /** Distance of the log-ratios at which the error is looked at: finer than it changes. */
    private static final double STEP = 0.005;

    /** How far they reach: at degree 1, (xy)^(degree/2) leaves no more than 1e-8 of what is beyond. */
    private static final double LARGEST_LOG_RATIO = 40;

    /** Further than some periods of any sampled spectrum. */
    private static final double LARGEST_OF_ALL = 1000;

    /** Multiples of the least frequency up to the next that is used, in the mean. */
    private static final int MOST_STEPS = 4;

    private static final double LARGEST_FAST_FREQUENCY = 64;

    /** Values that are mapped at a time where frequencies are taken one by one: they and their features stay in cache. */
    private static final int CHUNK = 512;

    private final HomogeneousKernel kernel;
    private final double[] frequencies;
    private final double[] weights;
    private final Optional<LogHarmonics> harmonics;

    /** Where the frequencies are no multiples of one: the fast features of each by itself. */
    private final List<LogHarmonics> separate;

    /**
     * Makes the map of some frequencies.
     *
     * @param frequencies ω, ascending, from 0 or above
     * @param weights α, all positive
     */
    public SpectralMap(HomogeneousKernel kernel, int columns, double[] frequencies, double[] weights) {
        super(kernel, columns, width(frequencies));
        Require.sameSize(TYPE, "number of weights", weights.length, frequencies.length);
        for (int j = 0; j < frequencies.length; j++) {
            Require.positive(TYPE, "weight " + j, weights[j]);
            Require.that(
                    frequencies[j] < Double.POSITIVE_INFINITY
                            && (j == 0 ? frequencies[0] >= 0 : frequencies[j] > frequencies[j - 1]),
                    TYPE,
                    "frequencies must ascend from 0 or above, got " + frequencies[j]);
        }
        this.kernel = kernel;
        this.frequencies = frequencies.clone();
        this.weights = weights.clone();
        this.harmonics = harmonics(frequencies, weights, kernel.degree());
        this.separate = harmonics.isPresent() ? List.of() : separate(frequencies, weights, kernel.degree());
    }

    private static int width(double[] frequencies) {
        Require.that(frequencies.length >= 1, TYPE, "needs a frequency");
        return 2 * frequencies.length - (frequencies[0] == 0 ? 1 : 0);
    }

    /**
     * The fast features, where the frequencies are 0 and multiples of the first after it, with few gaps: every multiple up
     * to the last costs a step, and an error.
     */
    private static Optional<LogHarmonics> harmonics(double[] frequencies, double[] weights, double degree) {
        if (frequencies[0] != 0 || frequencies.length < 2) {
            return Optional.empty();
        }
        double spacing = frequencies[1];
        int[] multiples = new int[frequencies.length];
        double[] amplitudes = new double[frequencies.length];
        for (int j = 0; j < frequencies.length; j++) {
            multiples[j] = (int) Math.rint(frequencies[j] / spacing);
            amplitudes[j] = Math.sqrt(weights[j]);
            boolean even = Math.abs(frequencies[j] - multiples[j] * spacing) <= 4e-16 * frequencies[j];
            if (!even || multiples[j] > MOST_STEPS * j) {
                return Optional.empty();
            }
        }
        return Optional.of(new LogHarmonics(spacing, multiples, amplitudes, degree));
    }

    /**
     * Of every frequency that is not 0, the constant feature, which is that of the frequency 0 in the first and nothing in the
     * others, and a pair. None where a frequency is so large that angles in float32 would err by 1e-5.
     */
    private static List<LogHarmonics> separate(double[] frequencies, double[] weights, double degree) {
        List<LogHarmonics> all = new ArrayList<>();
        if (frequencies[frequencies.length - 1] > LARGEST_FAST_FREQUENCY) {
            return all;
        }
        int[] harmonics = {0, 1};
        for (int j = 0; j < frequencies.length; j++) {
            if (frequencies[j] > 0) {
                boolean constant = j == 1 && frequencies[0] == 0;
                double[] amplitudes = {constant ? Math.sqrt(weights[0]) : 0, Math.sqrt(weights[j])};
                all.add(new LogHarmonics(frequencies[j], harmonics, amplitudes, degree));
            }
        }
        return all;
    }

    static SpectralMap load(State state) {
        double[] frequencies = state.array("frequencies", state.count("count"));
        return new SpectralMap(
                kernel(state, HomogeneousKernel.class),
                state.count("columns"),
                frequencies,
                state.array("weights", frequencies.length));
    }

    /** The frequencies ω, a new array. */
    public double[] frequencies() {
        return frequencies.clone();
    }

    /** The weights α of the frequencies, a new array. */
    public double[] weights() {
        return weights.clone();
    }

    /** The log-ratio up to which errors matter. Small degrees weigh distant ratios nearly as much as equal values. */
    static double largestLogRatio(HomogeneousKernel kernel) {
        return Math.min(LARGEST_OF_ALL, LARGEST_LOG_RATIO / Math.min(1, kernel.degree()));
    }

    /** Σⱼ αⱼ cos(ωⱼλ): what it takes for the signature. */
    public double signature(double lambda) {
        double sum = 0;
        for (int j = 0; j < frequencies.length; j++) {
            sum += weights[j] * Math.cos(frequencies[j] * lambda);
        }
        return sum;
    }

    /**
     * sup |κ(x, y) − ⟨φ(x), φ(y)⟩| over 0 ≤ x, y ≤ 1, and over all other values times the larger one to the power of the
     * degree: what the map errs by at most, whatever the ratio of the values.
     */
    public double largestError() {
        double total = Arrays.stream(weights).sum();
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
    ErrorBound errorBound() {
        double largest = largestError();
        return (column, x, y) -> largest * Math.pow(Math.max(x, y), kernel.degree());
    }

    @Override
    void map(double x, double[] out, int at) {
        double log = Math.log(x);
        double root = kernel.degree() == 1 ? Math.sqrt(x) : Math.pow(x, kernel.degree() / 2);
        int next = at;
        for (int j = 0; j < frequencies.length; j++) {
            double amplitude = Math.sqrt(weights[j]) * root;
            if (frequencies[j] == 0) {
                out[next++] = amplitude;
            } else {
                out[next++] = amplitude * Math.cos(frequencies[j] * log);
                out[next++] = amplitude * Math.sin(frequencies[j] * log);
            }
        }
    }

    @Override
    void map(float[] x, int from, int count, float[] out, int at) {
        if (harmonics.isPresent()) {
            harmonics.get().apply(x, from, count, out, at);
        } else if (separate.isEmpty()) {
            super.map(x, from, count, out, at);
        } else {
            float[] triples = new float[3 * Math.min(count, CHUNK)];
            for (int start = 0; start < count; start += CHUNK) {
                mapChunk(x, from + start, Math.min(CHUNK, count - start), triples, out, at + start * width());
            }
        }
    }

    /** Some 15 ns a value with two pairs and 23 with three, against 56 and 127 value by value, on a busy machine. */
    private void mapChunk(float[] x, int from, int count, float[] triples, float[] out, int at) {
        int width = width();
        boolean constant = frequencies[0] == 0;
        for (int k = 0; k < separate.size(); k++) {
            separate.get(k).apply(x, from, count, triples, 0);
            int pair = at + 2 * k + (constant ? 1 : 0);
            for (int i = 0; i < count; i++) {
                out[pair + i * width] = triples[3 * i + 1];
                out[pair + i * width + 1] = triples[3 * i + 2];
            }
            for (int i = 0; i < count && constant && k == 0; i++) {
                out[at + i * width] = triples[3 * i];
            }
        }
    }

    @Override
    public State state() {
        return State.of(TYPE)
                .with("kernel", kernel.toString())
                .with("columns", inputDimension())
                .with("count", frequencies.length)
                .with("frequencies", frequencies)
                .with("weights", weights);
    }

    @Override
    public String toString() {
        return "SpectralMap[" + kernel + ", " + inputDimension() + " columns, " + width() + " numbers each]";
    }
}
