package org.bochner.map.additive;

import java.util.Arrays;
import org.bochner.base.memory.LruCache;
import org.bochner.kernel.HomogeneousKernel;
import org.jspecify.annotations.Nullable;

/**
 * Samples of a homogeneous kernel's spectrum at 0, L, …, order·L with L = 2π/period, and the error of the signature
 * that they make.
 *
 * @param spectralWeights α of the frequencies jL
 * @param largestError sup |κ(x, y) − κ̂(x, y)| over 0 ≤ x, y ≤ 1
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SampledSpectrum(
        HomogeneousKernel kernel, Window window, double period, double[] spectralWeights, double largestError) {
    private static final double FINE_STEP = 0.005;
    private static final double COARSE_STEP = 0.04;

    /** The best frequency steps of all orders from 1 to some hundreds lie between this and {@link #LARGEST_L}. */
    private static final double SMALLEST_L = 0.02;

    private static final double LARGEST_L = 4;

    /** The ratio of one step that is tried to the one before. */
    private static final double STEP_FACTOR = 1.05;

    private record Question(HomogeneousKernel kernel, int order, Window window) {}

    /** Results of searches. A search takes about 10 ms, and choosing a map needs up to a hundred. */
    private static final LruCache<Question, SampledSpectrum> BEST = new LruCache<>(1000);

    /** Returns the samples with a given period. */
    public static SampledSpectrum of(HomogeneousKernel kernel, int order, Window window, double period) {
        double[] spectralWeights = spectralWeights(kernel, order, window, period);
        double error = new Signature(kernel, FINE_STEP)
                .largestError(spectralWeights, 2 * Math.PI / period, Double.POSITIVE_INFINITY);
        return new SampledSpectrum(kernel, window, period, spectralWeights, error);
    }

    /**
     * Returns the samples with the smallest largest error over all periods and, if the window is null, both windows.
     */
    public static SampledSpectrum best(HomogeneousKernel kernel, int order, @Nullable Window window) {
        if (window != null) {
            Question question = new Question(kernel, order, window);
            return BEST.get(question, () -> search(question));
        }
        SampledSpectrum uniform = best(kernel, order, Window.UNIFORM);
        SampledSpectrum rectangular = best(kernel, order, Window.RECTANGULAR);
        return uniform.largestError <= rectangular.largestError ? uniform : rectangular;
    }

    /** Returns α₀ = L κ₀ and αⱼ = 2L κⱼ. */
    private static double[] spectralWeights(HomogeneousKernel kernel, int order, Window window, double period) {
        double[] spectralWeights = window.coefficients(kernel, period, order);
        for (int j = 0; j <= order; j++) {
            spectralWeights[j] *= (j == 0 ? 1 : 2) * 2 * Math.PI / period;
        }
        return spectralWeights;
    }

    private static SampledSpectrum search(Question question) {
        Signature coarse = new Signature(question.kernel, COARSE_STEP);
        Signature fine = new Signature(question.kernel, FINE_STEP);
        double step = GoldenSection.least(
                (frequency, least) -> coarse.largestError(question, frequency, least),
                frequency -> fine.largestError(question, frequency, Double.POSITIVE_INFINITY),
                SMALLEST_L,
                LARGEST_L,
                STEP_FACTOR,
                1e-5);
        return of(question.kernel, question.order, question.window, 2 * Math.PI / step);
    }

    /** Returns the map, without the frequencies whose weight is 0. */
    public SpectralMap map(int columns) {
        double[] frequencies = new double[spectralWeights.length];
        double[] kept = new double[spectralWeights.length];
        int count = 0;
        for (int j = 0; j < spectralWeights.length; j++) {
            if (spectralWeights[j] > 0) {
                frequencies[count] = j * (2 * Math.PI / period);
                kept[count++] = spectralWeights[j];
            }
        }
        return new SpectralMap(kernel, columns, Arrays.copyOf(frequencies, count), Arrays.copyOf(kept, count));
    }

    /** A signature on a grid of log-ratios, with the factors of its errors there. */
    private static final class Signature {
        private final double step;
        private final double[] values;
        private final double[] sizes;

        Signature(HomogeneousKernel kernel, double step) {
            this.step = step;
            int count = (int) Math.round(SpectralMap.largestLogRatio(kernel) / step) + 1;
            values = new double[count];
            sizes = new double[count];
            for (int i = 0; i < count; i++) {
                values[i] = kernel.signature(i * step);
                // With x = 1 and y = e^−λ, (xy)^(degree/2).
                sizes[i] = Math.exp(-kernel.degree() * i * step / 2);
            }
        }

        double largestError(Question question, double frequency, double enough) {
            double period = 2 * Math.PI / frequency;
            return largestError(
                    spectralWeights(question.kernel, question.order, question.window, period), frequency, enough);
        }

        /** Returns the largest error; or any number from {@code enough} on, where the largest error reaches it. */
        double largestError(double[] spectralWeights, double frequency, double enough) {
            double total = Arrays.stream(spectralWeights).sum();
            double largest = 0;
            for (int i = 0; i < values.length && largest < enough; i++) {
                // Nothing further out can be larger.
                if (sizes[i] * (1 + total) <= largest) {
                    break;
                }
                double cosine = Math.cos(frequency * i * step);
                double before = cosine;
                double current = 1;
                double sum = 0;
                for (double weight : spectralWeights) {
                    sum += weight * current;
                    double next = 2 * cosine * current - before;
                    before = current;
                    current = next;
                }
                largest = Math.max(largest, sizes[i] * Math.abs(values[i] - sum));
            }
            return largest;
        }
    }
}
