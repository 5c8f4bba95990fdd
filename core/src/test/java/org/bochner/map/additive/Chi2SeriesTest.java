package org.bochner.map.additive;

import static org.bochner.GoldenTable.number;
import static org.bochner.GoldenTable.numbers;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import org.bochner.GoldenTable;
import org.bochner.base.Notes;
import org.bochner.data.DenseRows;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.additive.Chi2;
import org.bochner.map.FeatureMap;
import org.bochner.map.study.AdditiveErrors;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The two series of the χ² kernel against reference terms and errors. */
class Chi2SeriesTest {
    private static SeriesMap map(Chi2Series series, int terms, double scale) {
        return new SeriesMap(new Chi2(1), 1, series, terms, scale);
    }

    private static int terms(Map<String, String> row, String column) {
        return (int) number(row, column);
    }

    private static double[] features(FeatureMap map, double x) {
        double[] features = new double[map.outputDimension()];
        map.apply(new double[] {x}, features);
        return features;
    }

    @ParameterizedTest
    @EnumSource
    void termsAgreeWithTheReference(Chi2Series series) {
        for (Map<String, String> row : GoldenTable.read("series.csv")) {
            double[] expected = numbers(row, series.toString());
            double largest = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
            double[] actual = features(map(series, expected.length, 1), number(row, "x"));
            assertArrayEquals(expected, actual, 1e-13 * largest + Double.MIN_VALUE, row.toString());
        }
    }

    /** On all pairs of 60 values from 1e-4 to 1. */
    @Nested
    class Errors {
        private final double[] values = AdditiveErrors.values(AdditiveErrors.TYPICAL);

        private double largest(AdditiveMap map, boolean relative) {
            double largest = 0;
            for (double x : values) {
                double[] atX = features(map, x);
                for (double y : values) {
                    double[] atY = features(map, y);
                    double product = 0;
                    for (int k = 0; k < atX.length; k++) {
                        product += atX[k] * atY[k];
                    }
                    double exact = 2 * x * y / (x + y);
                    double error = Math.abs(product - exact);
                    largest = Math.max(largest, relative ? error / exact : error);
                }
            }
            return largest;
        }

        @ParameterizedTest
        @EnumSource
        void agreeWithTheReference(Chi2Series series) {
            for (Map<String, String> row : GoldenTable.read("series_errors.csv")) {
                for (int scale : new int[] {1, 10, 100}) {
                    SeriesMap map = map(series, terms(row, "terms"), scale);
                    assertEquals(number(row, series + "_" + scale), largest(map, false), 1e-9, row.toString());
                    assertEquals(AdditiveErrors.largest(map, AdditiveErrors.TYPICAL), largest(map, false), 1e-14);
                    if (scale != 10) {
                        double expected = number(row, "relative_" + series + "_" + scale);
                        assertEquals(expected, largest(map, true), 1e-9 * expected, row.toString());
                    }
                }
            }
        }

        @ParameterizedTest
        @EnumSource
        void ofTheChosenScaleAreTheLeastKnown(Chi2Series series) {
            for (Map<String, String> row : GoldenTable.read("series_best.csv")) {
                SeriesMap map = new SeriesRecipe(series, terms(row, "dimensions"))
                        .additive(new Chi2(1), RowSample.none(1), new Notes());
                // The table has 5 decimals.
                double allowed = 1.02 * number(row, series.toString()) + 5e-6;
                double error = largest(map, false);
                assertTrue(error <= allowed, series + " with scale " + map.scale() + ": " + error + " of " + row);
            }
        }

        @Test
        void ofSampledSpectraAreThoseOfTheSameTable() {
            for (Map<String, String> row : GoldenTable.read("series_best.csv")) {
                int order = terms(row, "dimensions") / 2;
                double period = 2 * Math.PI / number(row, "best_L");
                SpectralMap map = SampledSpectrum.of(new Chi2(1), order, Window.UNIFORM, period)
                        .map(1);
                assertEquals(number(row, "sampled"), largest(map, false), 1.01 * 5e-6, row.toString());
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 5, 10})
        void ofTheDirectSeriesAreItsRemainder(int terms) {
            double scale = 3.6;
            SeriesMap map = map(Chi2Series.DIRECT, terms, scale);
            for (double x : values) {
                for (double y : values) {
                    double[] atX = features(map, x);
                    double[] atY = features(map, y);
                    double product = 0;
                    for (int k = 0; k < terms; k++) {
                        product += atX[k] * atY[k];
                    }
                    double exact = 2 * x * y / (x + y);
                    double qx = (scale * x - 1) / (scale * x + 1);
                    double qy = (scale * y - 1) / (scale * y + 1);
                    assertEquals(exact * Math.pow(qx * qy, terms), exact - product, 1e-15);
                }
            }
        }

        @Test
        void ofTheChebyshevSeriesFallLikeOneOverTheTerms() {
            // x − Σ cₖ(x)² ≈ x·A(x)²/(2m) with A(x) = (2/π)·√(|log x|·tanh(|log x|/2)), to 4 digits for many terms.
            int terms = 2000;
            for (double x : new double[] {1e-6, 0.01, 0.3, 4, 300}) {
                double log = Math.abs(Math.log(x));
                double envelope = 4 / (Math.PI * Math.PI) * log * Math.tanh(log / 2);
                double sum = 0;
                for (double c : features(map(Chi2Series.CHEBYSHEV, terms, 1), x)) {
                    sum += c * c;
                }
                assertEquals(x * envelope / (2 * terms), x - sum, 2e-3 * x * envelope / (2 * terms), "at " + x);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void termsOfTheSmallestAndTheLargestNumbersAreFinite(Chi2Series series) {
        for (double scale : new double[] {1e-30, 0.25, 1, 1e30}) {
            for (double x : new double[] {Double.MIN_VALUE, Double.MIN_NORMAL, Double.MAX_VALUE}) {
                for (double term : features(map(series, 8, scale), x)) {
                    assertTrue(Math.abs(term) < Double.POSITIVE_INFINITY, term + " at " + x + " with scale " + scale);
                }
            }
        }
    }

    @Nested
    class Scales {
        @ParameterizedTest
        @EnumSource
        void followTheData(Chi2Series series) {
            // The same histograms as counts and as shares: scales make up for the factor.
            float[] counts = new float[400];
            for (int k = 0; k < counts.length; k++) {
                counts[k] = 1 + k * 4999 / 399f;
            }
            float[] shares = new float[counts.length];
            for (int k = 0; k < counts.length; k++) {
                shares[k] = counts[k] / 8192;
            }
            SeriesRecipe recipe = new SeriesRecipe(series, 5);
            SeriesMap ofCounts = recipe.additive(new Chi2(1), sample(counts), new Notes());
            SeriesMap ofShares = recipe.additive(new Chi2(1), sample(shares), new Notes());
            assertEquals(8192, ofShares.scale() / ofCounts.scale(), 1e-3 * 8192);
        }

        private static RowSample sample(float[] values) {
            return RowSample.of(DenseRows.of(values.length / 4, 4, values), 100, new Seed(1));
        }

        @Test
        void doNotChangeTheKernel() {
            for (Chi2Series series : Chi2Series.values()) {
                double[] plain = features(map(series, 7, 1), 0.6);
                double[] scaled = features(map(series, 7, 4), 0.15);
                for (int k = 0; k < plain.length; k++) {
                    assertEquals(plain[k] / 2, scaled[k], 1e-15);
                }
            }
        }
    }
}
