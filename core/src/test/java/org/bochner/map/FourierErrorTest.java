package org.bochner.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.map.fourier.FourierForm;
import org.bochner.map.fourier.HadamardProjection;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The distribution of the error ⟨φ(x), φ(y)⟩ − k(x, y) of structured, orthogonal and quasi-random frequencies, and how it falls
 * with D. The contract of random maps in the testkit tests mean and variance for every kernel.
 */
class FourierErrorTest {
    /** A row of the given length in a fixed, random direction. */
    private static double[] row(int columns, double length) {
        RandomStream stream = new Seed(11).stream();
        double[] x = new double[columns];
        double square = 0;
        for (int l = 0; l < columns; l++) {
            x[l] = stream.nextGaussian();
            square += x[l] * x[l];
        }
        for (int l = 0; l < columns; l++) {
            x[l] *= length / Math.sqrt(square);
        }
        return x;
    }

    private static double estimate(FeatureMap map, double[] x, double[] y) {
        double[] a = new double[map.outputDimension()];
        double[] b = new double[map.outputDimension()];
        map.apply(x, a);
        map.apply(y, b);
        double sum = 0;
        for (int j = 0; j < a.length; j++) {
            sum += a[j] * b[j];
        }
        return sum;
    }

    /** Estimates of k(x, 0) by maps of different seeds. */
    private static final class Estimates {
        final int maps;
        final double mean;
        final double variance;

        Estimates(String recipe, Kernel kernel, double[] x, int features, int maps) {
            double[] values = new double[maps];
            double sum = 0;
            for (int s = 0; s < maps; s++) {
                FeatureMap map = FeatureMaps.parse(recipe).build(kernel, x.length, features, new Seed(s));
                values[s] = estimate(map, x, new double[x.length]);
                sum += values[s];
            }
            this.maps = maps;
            mean = sum / maps;
            double squares = 0;
            for (double value : values) {
                squares += (value - mean) * (value - mean);
            }
            variance = squares / (maps - 1);
        }

        /** Five standard deviations of the mean. */
        double fiveSigma() {
            return 5 * Math.sqrt(variance / maps);
        }
    }

    @Nested
    class Mean {
        @ParameterizedTest
        @ValueSource(ints = {1, 3, 16, 64, 100})
        void isOffByAKnownBiasForStructuredFrequencies(int columns) {
            // All frequencies have length √p, so the mean is that of a sphere: k·(1 − r⁴/(4p) + O(1/p²)). At p = 64 the
            // next terms are below a fifth of it, for r ≤ 2; 0.54/p is the largest value of k·r⁴/(4p), at r = 2.
            double p = HadamardProjection.padded(columns);
            for (double r : new double[] {1, 2}) {
                double[] x = row(columns, r);
                double k = Math.exp(-r * r / 2);
                Estimates estimates = new Estimates("structured", new Gaussian(1), x, 512, 1000);
                double bias = -k * Math.pow(r, 4) / (4 * p);
                assertEquals(k + bias, estimates.mean, estimates.fiveSigma() + 0.25 * Math.abs(bias));
                assertTrue(Math.abs(bias) <= 0.5414 / p);
            }
        }
    }

    @Nested
    class Variance {
        /** Returns the variance for the Gaussian kernel of x and 0 with independent frequencies. */
        private static double variance(double[] x, int features) {
            double square = Arrays.stream(x).map(v -> v * v).sum();
            return FourierForm.PAIRS.variance(Math.exp(-square / 2), Math.exp(-2 * square), features);
        }

        @Test
        void isMuchLowerForOrthogonalFrequencies() {
            // 16 columns, 16 frequencies, k = 0.63: 0.028 a frequency against 0.181 by the formula, a sixth.
            double[] x = row(16, 0.96);
            int maps = 500;
            Estimates orthogonal = new Estimates("orthogonal", new Gaussian(1), x, 32, maps);
            double independent = variance(x, 32);
            double ratio = orthogonal.variance / independent;
            assertTrue(ratio * (1 - 5 * Math.sqrt(2.0 / maps)) < 0.16, "ratio " + ratio);
            assertTrue(ratio < 0.3, "ratio " + ratio);
        }

        @Test
        void isLowestForStructuredFrequencies() {
            double[] x = row(16, 0.96);
            Estimates structured = new Estimates("structured", new Gaussian(1), x, 128, 500);
            double independent = variance(x, 128);
            assertTrue(structured.variance < 0.15 * independent);
        }
    }

    @Nested
    class Rms {
        private static double rms(String recipe, int columns, int features, int maps) {
            RandomStream stream = new Seed(2).stream();
            double[][] rows = new double[20][columns];
            for (double[] row : rows) {
                for (int l = 0; l < columns; l++) {
                    row[l] = stream.nextGaussian() / Math.sqrt(columns);
                }
            }
            double squares = 0;
            for (int s = 0; s < maps; s++) {
                FeatureMap map = FeatureMaps.parse(recipe).build(new Gaussian(1), columns, features, new Seed(s));
                double rms = MapReport.measure(map, SampleRows.of(rows), 1000, new Seed(1))
                        .overall()
                        .absolute()
                        .rms();
                squares += rms * rms;
            }
            return Math.sqrt(squares / maps);
        }

        @ParameterizedTest
        @ValueSource(strings = {"fourier", "fourier(phase)", "orthogonal", "structured(phase)"})
        void isAQuarterForSixteenTimesTheFeatures(String recipe) {
            // Even if the 190 errors of a map were one, the squares' mean over 40 maps would be good to √(2/40) = 22%,
            // each RMS to 11% and the ratio to 16%; five times that is 80%. A rate of D^(-1/4) or D^-1 gives 2 or 16.
            double ratio = rms(recipe, 4, 64, 40) / rms(recipe, 4, 1024, 40);
            assertTrue(ratio > 4 / 1.8 && ratio < 4 * 1.8, "ratio " + ratio);
        }

        @Test
        void isFarLowerForQuasiRandomFrequenciesOfFewColumns() {
            // In 8 columns with 1024 points, 0.0055 against 0.0152 was measured elsewhere: a third.
            double random = rms("fourier", 8, 2048, 10);
            double quasi = rms("quasi", 8, 2048, 10);
            assertTrue(quasi < 0.55 * random, quasi + " against " + random);
        }
    }
}
