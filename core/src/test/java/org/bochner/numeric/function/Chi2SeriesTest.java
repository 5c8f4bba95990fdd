package org.bochner.numeric.function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.bochner.GoldenTable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** {@link ChebyshevSeries} and {@link DirectSeries}. */
class SeriesTest {
    private abstract static class Contract implements ValueFeaturesContract {
        final double scale;
        private final ValueFeatures features;

        Contract(double scale, ValueFeatures features) {
            this.scale = scale;
            this.features = features;
        }

        @Override
        public ValueFeatures features() {
            return features;
        }

        /** The squares of all the features of a value sum to x^degree at most. */
        @Test
        void hugeValuesNeitherOverflowNorBecomeNaN() {
            float[] out = new float[features.featuresPerColumn()];
            features.apply(new float[] {Float.MAX_VALUE}, 0, 1, out, 0);
            double magnitude = StrictMath.pow(Float.MAX_VALUE, features.degree() / 2);
            for (float feature : out) {
                assertTrue(Math.abs(feature) <= magnitude, () -> "got " + feature);
            }
        }
    }

    private abstract static class ChebyshevContract extends Contract {
        ChebyshevContract(int terms, double scale, double degree) {
            super(scale, new ChebyshevSeries(terms, scale, degree));
        }

        /**
         * Follows the errors through the recurrence. g₀: the root, √s and their product, three roundings of u, of which
         * log g₀ has at most as many as log u has, and three more. The logarithm a: two roundings of numbers up to
         * |a| + 0.23, and 1.1e-7·2/π. Each step: five roundings of either term. In the end two for the product with the
         * magnitude and one for the magnitude.
         */
        @Override
        public double bound(int k, float x) {
            double a = 2 / Math.PI * (StrictMath.log(x) + StrictMath.log(scale));
            double errorOfA = 2 * ROUNDING * (Math.abs(a) + 0.23) + 1.1e-7 * 2 / Math.PI;
            double older = 1 / StrictMath.cosh(a * Math.PI / 4);
            double olderError = 6 * ROUNDING * older;
            double newer = Math.sqrt(0.5) * Math.abs(a) * older;
            double newerError = Math.sqrt(0.5) * (errorOfA * (older + olderError) + Math.abs(a) * olderError)
                    + 5 * ROUNDING * newer;
            for (int j = 0; j < k; j++) {
                double error = (errorOfA * (newer + newerError) + Math.abs(a) * newerError + j * olderError) / (j + 2)
                        + 5 * ROUNDING * (Math.abs(a) * newer + j * older) / (j + 2);
                // An upper bound of |g| will do, as it only weighs roundings.
                double next = (Math.abs(a) * newer + j * older) / (j + 2);
                older = newer;
                olderError = newerError;
                newer = next;
                newerError = error;
            }
            return olderError + 3 * ROUNDING * older;
        }

        /** What the Javadoc states; the bound above, which takes all terms for positive, is looser where x is far from 1/s. */
        @Test
        void float32IsAsAccurateAsDocumented() {
            float[] values = ValueFeaturesContract.valuesOfAllSizes();
            int width = features().featuresPerColumn();
            float[] got = new float[values.length * width];
            features().apply(values, 0, values.length, got, 0);
            double[] exact = new double[width];
            for (int i = 0; i < values.length; i++) {
                features().apply(values[i], exact, 0);
                double magnitude = StrictMath.pow(values[i], features().degree() / 2);
                for (int k = 0; k < width; k++) {
                    double power = features().degree() == 1 ? 0 : 6e-7 * Math.abs(exact[k]);
                    double bound = 1e-6 * magnitude + power + 4 * Float.MIN_VALUE;
                    assertEquals(exact[k], got[i * width + k], bound, "feature " + k + " of " + values[i]);
                }
            }
        }
    }

    @Nested
    class ChebyshevOfFiveTerms extends ChebyshevContract {
        ChebyshevOfFiveTerms() {
            super(5, 1.5, 1);
        }
    }

    @Nested
    class ChebyshevOfTenTermsForSmallValues extends ChebyshevContract {
        ChebyshevOfTenTermsForSmallValues() {
            super(10, 1e7, 1);
        }
    }

    @Nested
    class ChebyshevOfOneTerm extends ChebyshevContract {
        ChebyshevOfOneTerm() {
            super(1, 1, 1);
        }
    }

    @Nested
    class ChebyshevOfDegreeOneHalf extends ChebyshevContract {
        ChebyshevOfDegreeOneHalf() {
            super(4, 1.5, 0.5);
        }
    }

    /** Of a degree beyond those that have a fast power; the largest values would be infinite, so it is tested by itself. */
    @Test
    void degreeFiveIsNearFloat64() {
        float[] x = {1e-3f, 0.7f, 1, 40};
        for (ValueFeatures features :
                new ValueFeatures[] {new ChebyshevSeries(3, 1.5, 5), new DirectSeries(3, 1.5, 5)}) {
            float[] got = new float[12];
            features.apply(x, 0, 4, got, 0);
            double[] exact = new double[3];
            for (int i = 0; i < 4; i++) {
                features.apply(x[i], exact, 0);
                for (int k = 0; k < 3; k++) {
                    assertEquals(exact[k], got[3 * i + k], 1e-6 * StrictMath.pow(x[i], 2.5));
                }
            }
        }
    }

    @Nested
    class ChebyshevOfDegreeTwo extends ChebyshevContract {
        ChebyshevOfDegreeTwo() {
            super(4, 1.5, 2);
        }
    }

    private abstract static class DirectContract extends Contract {
        DirectContract(int terms, double scale, double degree) {
            super(scale, new DirectSeries(terms, scale, degree));
        }

        /**
         * The first feature: three roundings of u, three of the quotient, magnitude and product: eight. The ratio q:
         * seven roundings of y = u², of which 1 − 2/(1 + y) has at most half as many, two of a quotient up to 2 when y is
         * small, one of the difference; between them, as y grows, never more than 5.5; and a product.
         */
        @Override
        public double bound(int k, float x) {
            return (8 + 6.5 * k) * ROUNDING;
        }
    }

    @Nested
    class DirectOfFiveTerms extends DirectContract {
        DirectOfFiveTerms() {
            super(5, 3.6, 1);
        }
    }

    @Nested
    class DirectOfTwentyTermsForLargeValues extends DirectContract {
        DirectOfTwentyTermsForLargeValues() {
            super(20, 1e-20, 1);
        }
    }

    @Nested
    class DirectOfDegreeOneHalf extends DirectContract {
        DirectOfDegreeOneHalf() {
            super(4, 3.6, 0.5);
        }
    }

    @Nested
    class DirectOfDegreeTwo extends DirectContract {
        DirectOfDegreeTwo() {
            super(4, 3.6, 2);
        }
    }

    /** The bounds that the Javadoc states. */
    @Test
    void float64MatchesReferenceValuesAtEveryMagnitude() {
        for (Map<String, String> row : GoldenTable.read("chi2_series.csv")) {
            double x = Double.parseDouble(row.get("x"));
            double scale = Double.parseDouble(row.get("scale"));
            int k = Integer.parseInt(row.get("term"));
            double[] out = new double[k + 1];
            new ChebyshevSeries(k + 1, scale, 1).apply(x, out, 0);
            assertEquals(Double.parseDouble(row.get("chebyshev")), out[k], 1e-14 * Math.sqrt(x), () -> "of " + row);
            new DirectSeries(k + 1, scale, 1).apply(x, out, 0);
            assertEquals(
                    Double.parseDouble(row.get("direct")), out[k], 4e-16 * (k + 2) * Math.sqrt(x), () -> "of " + row);
        }
    }

    /** Truncation leaves exactly 2xy/(x + y)·(qₓ·q_y)ᵐ, which 60 terms make less than rounding between ⅓ and 3. */
    @Test
    void directFeaturesSumToTheKernel() {
        DirectSeries series = new DirectSeries(60, 1, 1);
        double[] x = new double[60];
        double[] y = new double[60];
        for (double a : new double[] {0.4, 1, 2.5}) {
            for (double b : new double[] {0.35, 1.7, 3}) {
                series.apply(a, x, 0);
                series.apply(b, y, 0);
                double sum = 0;
                for (int k = 0; k < 60; k++) {
                    sum += x[k] * y[k];
                }
                assertEquals(2 * a * b / (a + b), sum, 1e-14);
            }
        }
    }

    @Test
    void degreeMultipliesByAPowerOfTheValue() {
        double[] one = new double[4];
        double[] three = new double[4];
        new ChebyshevSeries(4, 1.5, 1).apply(0.3, one, 0);
        new ChebyshevSeries(4, 1.5, 3).apply(0.3, three, 0);
        for (int k = 0; k < 4; k++) {
            assertEquals(0.3 * one[k], three[k], 1e-16);
        }
    }

    @Test
    void rejectsNoTermsAndScalesOutOfRange() {
        assertThrows(IllegalArgumentException.class, () -> new ChebyshevSeries(0, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new DirectSeries(0, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new ChebyshevSeries(3, Double.NaN, 1));
        assertThrows(IllegalArgumentException.class, () -> new DirectSeries(3, 1e100, 1));
        assertThrows(IllegalArgumentException.class, () -> new DirectSeries(3, 1, -1));
    }
}
