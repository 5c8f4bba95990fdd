package org.bochner.map.additive;

import static org.bochner.GoldenTable.number;
import static org.bochner.GoldenTable.numbers;
import static org.bochner.GoldenTable.text;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Locale;
import java.util.Map;
import org.bochner.GoldenTable;
import org.bochner.base.Notes;
import org.bochner.base.State;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.additive.Chi2;
import org.bochner.map.FeatureMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Maps of sampled spectra against reference features and errors, and against VLFeat. */
class SampledRecipeTest {
    private static HomogeneousKernel kernel(Map<String, String> row) {
        return (HomogeneousKernel) Kernels.parse(text(row, "kernel"));
    }

    private static int order(Map<String, String> row) {
        return Integer.parseInt(text(row, "order"));
    }

    private static SpectralMap build(SampledRecipe recipe, HomogeneousKernel kernel) {
        return recipe.additive(kernel, RowSample.none(1), new Notes());
    }

    private static SampledRecipe ofStep(int order, Window window, double step) {
        return new SampledRecipe(order, window, new SampledRecipe.Period.Length(2 * Math.PI / step));
    }

    private static double[] features(FeatureMap map, double x) {
        double[] features = new double[map.outputDimension()];
        map.apply(new double[] {x}, features);
        return features;
    }

    @Test
    void featuresAgreeWithTheReference() {
        for (Map<String, String> row : GoldenTable.read("vz_maps.csv")) {
            HomogeneousKernel kernel = kernel(row).withDegree(number(row, "degree"));
            SpectralMap map = build(ofStep(order(row), Window.UNIFORM, number(row, "L")), kernel);
            assertArrayEquals(numbers(row, "features"), features(map, number(row, "x")), 1e-13, row.toString());
        }
    }

    /** The table of largest errors over all 0 < y ≤ x ≤ 1: measured on the features of our own maps. */
    @Nested
    class LargestErrors {
        /** What the reference's errors are the maximum over. */
        private static final double STEP = 0.005;

        private static final int STEPS = 8000;

        /** From the features alone. */
        private double measure(SpectralMap map) {
            HomogeneousKernel kernel = (HomogeneousKernel) map.kernel();
            double[] atOne = features(map, 1);
            double largest = 0;
            for (int i = 0; i <= STEPS; i++) {
                double y = Math.exp(-i * STEP);
                double[] atY = features(map, y);
                double product = 0;
                for (int j = 0; j < atY.length; j++) {
                    product += atOne[j] * atY[j];
                }
                largest = Math.max(largest, Math.abs(product - kernel.scalar(1, y)));
            }
            return largest;
        }

        private void assertError(Map<String, String> row, String step, Window window, String error) {
            SpectralMap map = build(ofStep(order(row), window, number(row, step)), kernel(row));
            assertEquals(number(row, error), measure(map), 1e-3 * number(row, error), error + " of " + row);
        }

        @Test
        void agreeWithTheReferenceAtItsPeriods() {
            for (Map<String, String> row : GoldenTable.read("vz_errors.csv")) {
                assertError(row, "best_L_uniform", Window.UNIFORM, "best_uniform");
                assertError(row, "vl_L_uniform", Window.UNIFORM, "vl_uniform");
                assertError(row, "vl_L_rect", Window.RECTANGULAR, "vl_rect");
                assertError(row, "best_L_rect", Window.RECTANGULAR, "best_rect");
            }
        }

        @Test
        void areWhatTheSearchSays() {
            for (Map<String, String> row : GoldenTable.read("vz_errors.csv")) {
                SampledSpectrum best = SampledSpectrum.best(kernel(row), order(row), null);
                assertEquals(best.largestError(), measure(best.map(1)), 1e-9, row.toString());
            }
        }

        private void assertFound(Map<String, String> row, Window window, String step, String error) {
            SampledSpectrum found = SampledSpectrum.best(kernel(row), order(row), window);
            double known = number(row, error);
            String what = window + " of " + row + ": found " + found.largestError() + " at " + found.period();
            assertTrue(found.largestError() <= known * 1.001, what);
            // There may be several least values, of which the search may have found a lower one than the reference.
            if (found.largestError() > known * 0.99) {
                assertEquals(number(row, step), 2 * Math.PI / found.period(), 0.005 * number(row, step), what);
            }
        }

        @Test
        void ofTheSearchedPeriodsAreNoLargerThanTheBestKnown() {
            for (Map<String, String> row : GoldenTable.read("vz_errors.csv")) {
                assertFound(row, Window.UNIFORM, "best_L_uniform", "best_uniform");
                assertFound(row, Window.RECTANGULAR, "best_L_rect", "best_rect");
            }
        }

        /** At degree 0.1 the next period, where the map takes ratios of e^100 for equal values, weighs e^−5. */
        @Test
        void ofSmallDegreesCountDistantRatios() {
            SpectralMap map =
                    build(new SampledRecipe(30, Window.UNIFORM, new SampledRecipe.Period.Length(100)), new Chi2(0.1));
            double[] near = features(map, 1);
            double[] far = features(map, Math.exp(-100));
            double product = 0;
            for (int j = 0; j < near.length; j++) {
                product += near[j] * far[j];
            }
            double error = Math.abs(product - new Chi2(0.1).scalar(1, Math.exp(-100)));
            assertTrue(error > 0.5 * Math.exp(-5), "the ratio should show an error, got " + error);
            assertTrue(map.largestError() >= error * (1 - 1e-9), map.largestError() + " against " + error);
            double ofSpectrum = new SampledRecipe(30, Window.UNIFORM, new SampledRecipe.Period.Length(100))
                    .spectrum(new Chi2(0.1))
                    .largestError();
            assertEquals(map.largestError(), ofSpectrum, 1e-9);
        }

        @Test
        void doNotGrowWithTheOrder() {
            for (String name : new String[] {"chi2", "intersection", "jensen-shannon"}) {
                HomogeneousKernel kernel = (HomogeneousKernel) Kernels.parse(name);
                double last = Double.POSITIVE_INFINITY;
                for (int order = 1; order <= 12; order++) {
                    double error = SampledSpectrum.best(kernel, order, null).largestError();
                    assertTrue(
                            error <= last * (1 + 1e-4), name + " of order " + order + ": " + error + " after " + last);
                    last = error;
                }
            }
        }
    }

    /** VLFeat 0.9.21 by its defaults, {@code sampled(order=n, window=..., period=vlfeat)}. */
    @Nested
    class Vlfeat {
        private Window window(Map<String, String> row) {
            return Window.valueOf(text(row, "window").toUpperCase(Locale.ROOT));
        }

        private SpectralMap ours(Map<String, String> row) {
            return build(new SampledRecipe(order(row), window(row), new SampledRecipe.Period.Vlfeat()), kernel(row));
        }

        private double step(Map<String, String> row) {
            return 2 * Math.PI / number(row, "period");
        }

        @Test
        void hasOurPeriodsAndCoefficients() {
            for (Map<String, String> row : GoldenTable.read("vlfeat_maps.csv")) {
                State saved = ours(row).state();
                double[] kappa = numbers(row, "kappa");
                assertEquals(kappa.length, saved.count("count"));
                double[] frequencies = saved.array("frequencies", kappa.length);
                double[] weights = saved.array("weights", kappa.length);
                for (int j = 0; j < kappa.length; j++) {
                    assertEquals(j * step(row), frequencies[j], 1e-13, row.toString());
                    double ofOurs = weights[j] / ((j == 0 ? 1 : 2) * step(row));
                    // Its rectangular window is a sum over 2049 samples of the convolution with a sinc, off by 1.2e-6.
                    double tolerance = window(row) == Window.UNIFORM ? 1e-13 : 2e-6;
                    assertEquals(kappa[j], ofOurs, tolerance, row.toString());
                }
            }
        }

        @Test
        void isTheFormulaWithItsOwnCoefficients() {
            for (Map<String, String> row : GoldenTable.read("vlfeat_maps.csv")) {
                double[] kappa = numbers(row, "kappa");
                double[] frequencies = new double[kappa.length];
                double[] weights = new double[kappa.length];
                for (int j = 0; j < kappa.length; j++) {
                    frequencies[j] = j * step(row);
                    weights[j] = (j == 0 ? 1 : 2) * step(row) * kappa[j];
                }
                SpectralMap map = new SpectralMap(kernel(row), 1, frequencies, weights);
                assertArrayEquals(numbers(row, "closed"), features(map, number(row, "x")), 1e-12, row.toString());
            }
        }

        @Test
        void hasOurFeatures() {
            for (Map<String, String> row : GoldenTable.read("vlfeat_maps.csv")) {
                double x = number(row, "x");
                double[] kappa = numbers(row, "kappa");
                double[] closed = numbers(row, "closed");
                double[] table = numbers(row, "table");
                double[] ours = features(ours(row), x);
                for (int f = 0; f < ours.length; f++) {
                    int j = (f + 1) / 2;
                    double omega = j * step(row);
                    double factor = Math.sqrt((j == 0 ? 1 : 2) * step(row) * x);
                    // |√a − √b| ≤ |a − b|/√a, where coefficients differ by less than 2e-6.
                    double sampling = factor * 2e-6 / Math.sqrt(kappa[j]);
                    assertEquals(closed[f], ours[f], sampling + 1e-13, row.toString());
                    // A feature f(x) = A√x·cos(ω log x) has |f″| ≤ A·x^(−3/2)·(¼ + ω²). VLFeat interpolates in each
                    // octave between s + 1 even values, s = 8 + 8·order, at most h = x/s apart, which costs
                    // h²/8·max|f″|, at most A√x·(¼ + ω²)/(8s²).
                    int s = 8 + 8 * order(row);
                    double interpolation = factor * Math.sqrt(kappa[j]) * (0.25 + omega * omega) / (8.0 * s * s);
                    assertEquals(table[f], ours[f], sampling + interpolation + 1e-13, row.toString());
                }
            }
        }

        @Test
        void losesValuesThatOursKeeps() {
            SpectralMap map = build(
                    new SampledRecipe(2, Window.RECTANGULAR, new SampledRecipe.Period.Vlfeat()),
                    (HomogeneousKernel) Kernels.parse("chi2"));
            // Beyond its tables, x ≥ 256 and x < 2⁻¹⁹, VLFeat returns zeros. Here features scale: ψ(x)·ψ(x) =
            // x·ψ(1)·ψ(1).
            double unit = squaredLength(features(map, 1));
            for (double x : new double[] {1e-300, 1e-30, 0x1p-20, 255, 256, 1e6, 1e30, 1e300}) {
                assertEquals(x * unit, squaredLength(features(map, x)), 1e-13 * x);
            }
        }

        private double squaredLength(double[] features) {
            double sum = 0;
            for (double feature : features) {
                sum += feature * feature;
            }
            return sum;
        }
    }
}
