package org.bochner.tune;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Objects;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernels;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.fourier.FourierMap;
import org.bochner.map.layout.RowGradients;
import org.bochner.numeric.matrix.Blas;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.GradientProducts;
import org.bochner.stats.RowWeights;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Average gradient outer products against differences of the functions, and in limits that are known exactly. */
class AverageGradientTest {
    private static final int COLUMNS = SmallProblem.COLUMNS;

    /** Random weights of two linear functions. */
    private static double[] weights(FeatureMap map) {
        RandomStream stream = new Seed(11).stream();
        double[] weights = new double[2 * map.outputDimension()];
        Arrays.setAll(weights, i -> stream.nextUniform() - 0.5);
        return weights;
    }

    private static double score(FeatureMap map, double[] weights, double[] x, int output) {
        double[] features = new double[map.outputDimension()];
        map.apply(x, features);
        double sum = 0;
        for (int j = 0; j < features.length; j++) {
            sum += weights[2 * j + output] * features[j];
        }
        return sum;
    }

    private static double[] products(
            FeatureMap map, double[] weights, int outputs, MemorySource rows, boolean diagonal) {
        GradientProducts products = new GradientProducts(map.inputDimension(), diagonal);
        RowGradients gradients = Objects.requireNonNull(RowGradients.of(map, weights, outputs));
        products.add(SmallProblem.block(rows), gradients, outputs, new RowWeights(rows.labels(), ClassWeights.none()));
        return products.average();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fourier | gaussian(sigma=[0:1=0.5, 1:4=0.8])",
                "fourier(phase) | gaussian(sigma=0.7)",
                "orthogonal | gaussian(sigma=0.7)",
                "structured | gaussian(sigma=[0:2=0.9, 2:4=0.6])",
                "fourier | laplacian(sigma=2)",
                "quasi(phase) | cauchy(sigma=0.9)",
                "fourier | skewed-chi2(c=0.1, power=[0:2=0.5, 2:4=0.8])",
                "fourier(phase) | skewed-intersection(c=0.2, power=0.3)",
                "fourier | gaussian(sigma=0.7)[0:2] + 0.5*laplacian(sigma=2)[2:4]",
                "fourier | gaussian(sigma=0.8)[0:3] * periodic(period=2, width=0.7)[3:4]"
            })
    void equalsDifferencesOfTheFunctions(String spelling, String kernel) {
        FeatureMap map = SmallProblem.map(spelling, kernel);
        double[] weights = weights(map);
        MemorySource rows = SmallProblem.numbers();
        RowBlock block = SmallProblem.block(rows);
        double[] expected = new double[COLUMNS * COLUMNS];
        double total = 0;
        double step = 1e-5;
        double[] x = new double[COLUMNS];
        for (int i = 0; i < block.rows(); i++) {
            total += block.rowWeight(i);
            for (int o = 0; o < 2; o++) {
                double[] gradient = new double[COLUMNS];
                for (int l = 0; l < COLUMNS; l++) {
                    block.copyRow(i, x);
                    double at = x[l];
                    for (int s : new int[] {-2, -1, 1, 2}) {
                        x[l] = at + s * step;
                        gradient[l] += (Math.abs(s) == 1 ? 8 * s : -s / 2) * score(map, weights, x, o) / (12 * step);
                    }
                }
                for (int at = 0; at < expected.length; at++) {
                    expected[at] += block.rowWeight(i) * gradient[at / COLUMNS] * gradient[at % COLUMNS];
                }
            }
        }
        double sum = total;
        double[] averages = Arrays.stream(expected).map(entry -> entry / sum).toArray();
        double[] found = products(map, weights, 2, rows, false);
        // Differences of fourth order err by (ω·step)⁴/30 < 1e-9 for the largest frequencies, and by rounding
        // 1e-16/step. An entry is a product of two.
        double largest = Arrays.stream(averages).max().orElseThrow();
        assertArrayEquals(averages, found, 2e-9 * largest);
        double[] diagonal = products(map, weights, 2, rows, true);
        for (int l = 0; l < COLUMNS; l++) {
            assertEquals(found[l * (COLUMNS + 1)], diagonal[l], 1e-12 * largest);
        }
    }

    /** Returns a map of one frequency per given vector, and the given length-scale. */
    private static FourierMap map(double sigma, double[]... frequencies) {
        FourierMap drawn = (FourierMap) FeatureMaps.parse("fourier")
                .build(Kernels.parse("gaussian(sigma=" + sigma + ")"), COLUMNS, 2 * frequencies.length, new Seed(1));
        return drawn.withUnitFrequencies(
                Arrays.stream(frequencies).flatMapToDouble(Arrays::stream).toArray());
    }

    @Test
    void aLinearFunctionHasTheOuterProductOfItsWeights() {
        double[] w = {2, -1, 0.5, 0};
        double sigma = 1e4;
        // σ·sin(w·x/σ) differs from w·x by (w·x)³/6σ², and its gradient from w by a share of (w·x)²/2σ² < 1e-7.
        double[] found = products(map(sigma, w), new double[] {0, sigma}, 1, SmallProblem.numbers(), false);
        for (int at = 0; at < found.length; at++) {
            assertEquals(w[at / COLUMNS] * w[at % COLUMNS], found[at], 4e-7, "entry " + at);
        }
    }

    @Test
    void aFunctionOfOneDirectionHasRankOne() {
        double[] once = {1, 2, -1, 0.5};
        double[] thrice = Arrays.stream(once).map(v -> 3 * v).toArray();
        double[] found =
                products(map(0.9, once, thrice), new double[] {1, -2, 0.5, 3}, 1, SmallProblem.numbers(), false);
        double[] values = Blas.get().eigen(COLUMNS, found);
        assertTrue(values[COLUMNS - 1] > 0);
        for (int l = 0; l < COLUMNS - 1; l++) {
            assertEquals(0, values[l], 1e-14 * COLUMNS * values[COLUMNS - 1]);
        }
        // Row 3 is the eigenvector of the largest value: the direction itself, up to its sign and length.
        double length = Math.sqrt(Arrays.stream(once).map(v -> v * v).sum());
        double sign = Math.signum(found[3 * COLUMNS]);
        for (int l = 0; l < COLUMNS; l++) {
            assertEquals(once[l] / length, sign * found[3 * COLUMNS + l], 1e-12);
        }
    }

    @Test
    void sumsOfPartsAreTheSumOfTheWhole() {
        FeatureMap map = SmallProblem.map("fourier", "gaussian(sigma=0.7)");
        double[] weights = weights(map);
        MemorySource rows = SmallProblem.numbers();
        RowBlock block = SmallProblem.block(rows);
        RowWeights rowWeights = new RowWeights(rows.labels(), ClassWeights.none());
        GradientProducts total = new GradientProducts(COLUMNS, false);
        GradientProducts part = new GradientProducts(COLUMNS, false);
        for (int times = 0; times < 2; times++) {
            part.add(block, Objects.requireNonNull(RowGradients.of(map, weights, 2)), 2, rowWeights);
            part.moveInto(total);
        }
        assertArrayEquals(products(map, weights, 2, rows, false), total.average(), 1e-14);
        assertArrayEquals(new double[COLUMNS * COLUMNS], part.average());
    }

    @Test
    void mapsWithoutDerivativesHaveNoGradients() {
        FeatureMap map = SmallProblem.map("fourier", "exp-chi2(gamma=1)");
        assertNull(RowGradients.of(map, new double[map.outputDimension()], 1));
    }
}
