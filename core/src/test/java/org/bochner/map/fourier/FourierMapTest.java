package org.bochner.map.fourier;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.data.DenseRows;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FourierMapTest {
    private static final Seed SEED = new Seed(3);

    private static FourierMap build(String recipe, String kernel, int columns, int features) {
        return (FourierMap) FeatureMaps.parse(recipe).build(Kernels.parse(kernel), columns, features, SEED);
    }

    @Nested
    class Definition {
        @ParameterizedTest
        @ValueSource(strings = {"fourier", "orthogonal", "quasi", "structured"})
        void isCosinesThenSinesOverTheRootOfTheirNumber(String recipe) {
            FourierMap map = build(recipe, "gaussian(sigma=[0:1=2, 1:3=0.5])", 3, 10);
            double[] x = {0.3, -1.5, 2.25};
            double[] omega = map.frequencies();
            double[] out = new double[10];
            map.apply(x, out);
            for (int j = 0; j < 5; j++) {
                double theta = omega[3 * j] * x[0] + omega[3 * j + 1] * x[1] + omega[3 * j + 2] * x[2];
                assertEquals(Math.cos(theta) / Math.sqrt(5), out[j], 1e-14);
                assertEquals(Math.sin(theta) / Math.sqrt(5), out[5 + j], 1e-14);
            }
        }

        @Test
        void isTheCosineWithAPhaseTimesTheRootOfTwoOverD() {
            FourierMap map = build("fourier(phase)", "gaussian(sigma=2)", 1, 4);
            double[] out = new double[4];
            map.apply(new double[] {0.7}, out);
            for (int j = 0; j < 4; j++) {
                double theta = map.frequencies()[j] * 0.7 + 2 * Math.PI * map.phases()[j];
                assertEquals(Math.sqrt(0.5) * Math.cos(theta), out[j], 1e-14);
            }
        }
    }

    @Nested
    class Frequencies {
        @Test
        void areUnitFrequenciesOverSigma() {
            FourierMap map = build("fourier", "gaussian(sigma=[0:1=2, 1:2=0.25])", 2, 6);
            double[] unit = map.unitFrequencies();
            for (int i = 0; i < unit.length; i++) {
                assertEquals(unit[i] / (i % 2 == 0 ? 2 : 0.25), map.frequencies()[i]);
            }
        }

        @Test
        void stayWhenSigmaMoves() {
            FourierMap map = build("fourier(phase)", "gaussian(sigma=1)", 2, 6);
            FourierMap moved = map.withSigma(Bandwidth.of(4));
            assertEquals(new Gaussian(4), moved.kernel());
            assertArrayEquals(map.unitFrequencies(), moved.unitFrequencies());
            assertArrayEquals(map.phases(), moved.phases());
            double[] features = new double[6];
            double[] movedFeatures = new double[6];
            map.apply(new double[] {0.5, -0.25}, features);
            moved.apply(new double[] {2, -1}, movedFeatures);
            assertArrayEquals(features, movedFeatures, 1e-15);
        }

        @Test
        void ofOrthogonalMapsAreOrthogonalWithinABlock() {
            int d = 7;
            double[] unit =
                    build("orthogonal", "matern(nu=1.5, sigma=1)", d, 4 * d).unitFrequencies();
            for (int i = 0; i < d; i++) {
                for (int j = 0; j < i; j++) {
                    double product = 0;
                    double scale = 0;
                    for (int l = 0; l < d; l++) {
                        product += unit[i * d + l] * unit[j * d + l];
                        scale += Math.abs(unit[i * d + l] * unit[j * d + l]);
                    }
                    assertEquals(0, product, 1e-13 * scale);
                }
            }
        }

        @Test
        void ofStructuredMapsHaveTheLengthOfThePaddedRow() {
            double[] unit = build("structured", "gaussian(sigma=3)", 64, 256).unitFrequencies();
            for (int j = 0; j < 128; j++) {
                double square = 0;
                for (int l = 0; l < 64; l++) {
                    square += unit[j * 64 + l] * unit[j * 64 + l];
                }
                assertEquals(64, square, 1e-10);
            }
        }
    }

    @Nested
    class ColumnsThatDoNotCount {
        @ParameterizedTest
        @CsvSource({
            "fourier, 'gaussian(sigma=[0:1=2, 1:2=Infinity, 2:3=0.5])', 'gaussian(sigma=[0:1=2, 1:3=0.5])'",
            "orthogonal(phase), 'matern(nu=1.5, sigma=[0:1=2, 1:2=Infinity, 2:3=0.5])', 'gaussian(sigma=[0:1=2, 1:3=1])'",
            "quasi, 'laplacian(sigma=[0:1=2, 1:2=Infinity, 2:3=0.5])', 'laplacian(sigma=[0:1=2, 1:3=0.5])'",
            "structured, 'gaussian(sigma=[0:1=2, 1:2=Infinity, 2:3=0.5])', 'gaussian(sigma=[0:1=2, 1:3=0.5])'",
            "fourier, 'skewed-chi2(c=0.1, power=[0:1=2, 1:2=0, 2:3=0.5])', 'skewed-chi2(c=0.1, power=[0:1=2, 1:3=0.5])'"
        })
        void makeNoDifference(String recipe, String kernel, String counting) {
            FeatureMap map = FeatureMaps.parse(recipe).build(Kernels.parse(kernel), 3, 16, SEED);
            double[] x = {0.5, 0.25, 0.75};
            double[] moved = {0.5, 8, 0.75};
            double[] other = {0.5, 0.25, 0.5};
            assertEquals(1, map.kernel().value(x, moved));
            assertEquals(map.kernel().value(x, other), map.kernel().value(moved, other));
            assertTrue(map.kernel().value(x, other) < 1);
            assertTrue(Kernels.parse(counting).value(x, moved) < 1);
            for (FeatureMap any : new FeatureMap[] {
                map, map.restrict(FeatureGroups.unitsOf(map).featuresOf(1))
            }) {
                double[] features = features(any, x);
                assertTrue(Arrays.stream(features).allMatch(Double::isFinite));
                assertArrayEquals(features, features(any, moved));
                assertFalse(Arrays.equals(features, features(any, other)));
                float[] block = new float[2 * features.length];
                float[] rows = {0.5f, 0.25f, 0.75f, 0.5f, 8, 0.75f};
                any.apply(DenseRows.of(2, 3, rows), block, 0, features.length);
                for (int j = 0; j < features.length; j++) {
                    assertEquals(features[j], block[j], 2e-6);
                    assertEquals(block[j], block[features.length + j]);
                }
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"fourier", "orthogonal", "quasi", "structured"})
        void countAgainWhenTheirScaleComesBack(String recipe) {
            FourierMap map = build(recipe, "gaussian(sigma=[0:1=2, 1:2=0.8, 2:3=0.5])", 3, 16);
            FourierMap without = map.withSigma(Bandwidth.ofColumns(2, Double.POSITIVE_INFINITY, 0.5));
            assertArrayEquals(map.unitFrequencies(), without.unitFrequencies());
            assertArrayEquals(
                    map.frequencies(),
                    without.withSigma(Bandwidth.ofColumns(2, 0.8, 0.5)).frequencies());
        }

        private double[] features(FeatureMap map, double[] x) {
            double[] features = new double[map.outputDimension()];
            map.apply(x, features);
            return features;
        }
    }

    @Nested
    class HeavyTails {
        /** Float32 rows of a thousand meet Cauchy frequencies of up to many thousands. */
        private final float[] values = new float[40 * 4];

        private final FourierMap map = build("fourier", "laplacian(sigma=1)", 4, 1024);

        HeavyTails() {
            for (int k = 0; k < values.length; k++) {
                values[k] = 1000 + 0.37f * k;
            }
        }

        private double largestAngle(double[] x) {
            double[] omega = map.frequencies();
            double largest = 0;
            for (int j = 0; j < 512; j++) {
                double theta = 0;
                for (int l = 0; l < 4; l++) {
                    theta += omega[4 * j + l] * x[l];
                }
                largest = Math.max(largest, Math.abs(theta));
            }
            return largest;
        }

        private void assertFloat32IsFloat64(FeatureMap map, boolean sparse) {
            int features = map.outputDimension();
            int[] starts = new int[41];
            int[] indices = new int[values.length];
            Arrays.setAll(starts, i -> 4 * i);
            Arrays.setAll(indices, k -> k % 4);
            float[] out = new float[40 * features];
            map.apply(
                    sparse ? SparseRows.of(40, 4, starts, indices, values) : DenseRows.of(40, 4, values),
                    out,
                    0,
                    features);
            double[] x = new double[4];
            double[] exact = new double[features];
            // Reducing to float32 turns costs 3e-8 · 2π, the cosine 1.1e-7, phases 3e-8 · 2π more; amplitudes are below
            // 1.
            double tolerance = 1e-6 * Math.sqrt(2.0 / features);
            for (int i = 0; i < 40; i++) {
                for (int l = 0; l < 4; l++) {
                    x[l] = values[4 * i + l];
                }
                map.apply(x, exact);
                for (int j = 0; j < features; j++) {
                    assertEquals(exact[j], out[i * features + j], tolerance);
                }
            }
        }

        @Test
        void keepTheirPhaseAtAMillionRadians() {
            assertTrue(largestAngle(new double[] {1000, 1000.37, 1000.74, 1001.11}) > 1e6);
            assertFloat32IsFloat64(map, false);
            assertFloat32IsFloat64(map, true);
            assertFloat32IsFloat64(
                    new FourierRecipe(FrequencyChoice.FOURIER, FourierForm.PHASE)
                            .build(Kernels.laplacian(1), 4, 512, SEED),
                    false);
        }

        /**
         * Every kernel with heavy tails, dense and sparse. The roughest have phases of more than 10¹⁵ turns, where a sum in
         * float64 depends on the order of the columns.
         */
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "matern(nu=0.5, sigma=1)",
                    "matern(nu=1, sigma=1)",
                    "stable(p=1.5, q=1, sigma=1)",
                    "stable(p=2, q=1.5, sigma=1)",
                    "stable(p=1, q=0.4, sigma=1)",
                    "stable(p=1.5, q=0.2, sigma=1)",
                    "matern(nu=0.1, sigma=1)",
                    "stable(p=1.5, q=1, sigma=1)[0:2] * gaussian(sigma=1000)[2:4]"
                })
        void keepTheirPhaseForEveryRoughKernel(String kernel) {
            assertFloat32IsFloat64(build("fourier", kernel, 4, 1024), false);
            assertFloat32IsFloat64(build("fourier(phase)", kernel, 4, 512), true);
        }

        /** Decimal arithmetic gives the fraction of 10¹⁷ and more turns. */
        @Test
        void areExactBeyondThePrecisionOfDouble() {
            double omega = 0x1.23456789abcdfp60;
            DenseProjection projection = new DenseProjection(new double[] {omega}, new double[] {1}, true);
            BigDecimal turns = new BigDecimal(omega * (1 / (2 * Math.PI)));
            for (double x : new double[] {1, 0.37f, 1000.37f, -3e-12f}) {
                BigDecimal product = turns.multiply(new BigDecimal(x));
                double expected = product.subtract(product.setScale(0, RoundingMode.HALF_EVEN))
                        .doubleValue();
                double[] out = new double[1];
                projection.turns(new double[] {x}, out);
                assertEquals(expected, out[0] - Math.rint(out[0]), 2e-16);
            }
        }

        /**
         * Why phases are reduced in float64: of the frequencies of this kernel, 2% have phases beyond 10⁷ turns at rows of
         * size 1, where float32 holds no fraction. Two roundings of a row would have unrelated features there.
         */
        @Test
        void wouldLoseTheirPhaseInFloat32() {
            FourierMap rough = build("fourier", "stable(p=1, q=0.2, sigma=1)", 4, 4096);
            double[] omega = rough.frequencies();
            int lost = 0;
            for (int j = 0; j < 2048; j++) {
                float sum = 0;
                double exact = 0;
                for (int l = 0; l < 4; l++) {
                    float x = 0.37f * (l + 1);
                    sum += (float) (omega[4 * j + l] / (2 * Math.PI)) * x;
                    exact += omega[4 * j + l] / (2 * Math.PI) * x;
                }
                lost += Math.abs(exact - sum) > 0.25 ? 1 : 0;
            }
            assertTrue(lost > 2048 / 50, lost + " lost phases");
        }

        @Test
        void keepTheirPhaseWhenStructured() {
            assertFloat32IsFloat64(build("structured", "matern(nu=0.5, sigma=1)", 4, 1024), false);
        }

        @Test
        void keepTheirPhaseBehindAWarp() {
            FeatureMap warped =
                    FourierRecipe.RANDOM.build(Kernels.parse("laplacian(sigma=0.0001)@log(c=0.1)"), 4, 1024, SEED);
            assertFloat32IsFloat64(warped, false);
        }
    }

    @Nested
    class ByColumn {
        private final FourierMap map = build("fourier", "gaussian(sigma=1)", 3, 8);

        @Test
        void rejectAnArrayWithoutRoom() {
            DenseRows rows = DenseRows.of(2, 3, new float[6]);
            assertThrows(IllegalArgumentException.class, () -> map.apply(rows, new float[15], 0, 8));
            assertThrows(IllegalArgumentException.class, () -> map.apply(rows, new float[17], 2, 8));
            assertThrows(IllegalArgumentException.class, () -> map.apply(rows, new float[99], 0, 7));
            assertThrows(IllegalArgumentException.class, () -> map.apply(rows, new float[99], -1, 8));
            assertThrows(IllegalArgumentException.class, () -> map.apply(rows, new double[15], 0, 8));
        }

        @Test
        void readDenseRowsWithAnOffsetAndAStride() {
            float[] values = {9, 9, 1, 2, 3, 9, 9, 4, 5, 6};
            float[] fromView = new float[16];
            float[] fromCopy = new float[16];
            map.apply(DenseRows.of(2, 5, values).columns(2, 5), fromView, 0, 8);
            map.apply(DenseRows.of(2, 3, new float[] {1, 2, 3, 4, 5, 6}), fromCopy, 0, 8);
            assertArrayEquals(fromCopy, fromView);
        }

        @Test
        void nameTheRowAndColumnThatAWarpRejects() {
            FeatureMap warped = FourierRecipe.RANDOM.build(Kernels.parse("gaussian(sigma=1)@log(c=0.1)"), 3, 8, SEED);
            DenseRows rows = DenseRows.of(2, 3, new float[] {1, 2, 3, 4, -0.5f, 6});
            String message =
                    String.valueOf(assertThrows(BochnerException.class, () -> warped.apply(rows, new float[16], 0, 8))
                            .getMessage());
            assertTrue(
                    message.startsWith("row 2, column 1 (from 0): log(c=0.1) needs values greater than -0.1"), message);
        }

        @Test
        void ofWideSparseRowsAgreeWithSingleRows() {
            // More columns than fit the scratch space at once, few non-zeros: the paths of text data.
            int columns = 50_000;
            FourierMap wide = build("fourier", "gaussian(sigma=1)", columns, 32);
            int[] indices = {7, 20_000, 49_999, 0, 1, 2, 3, 4, 30_000};
            float[] values = {0.5f, -1, 0.25f, 1, 1, 1, 1, 1, -0.75f};
            SparseRows rows = SparseRows.of(3, columns, new int[] {0, 3, 3, 9}, indices, values);
            float[] out = new float[96];
            double[] doubles = new double[96];
            wide.apply(rows, out, 0, 32);
            wide.apply(rows, doubles, 0, 32);
            double[] x = new double[columns];
            double[] exact = new double[32];
            for (int i = 0; i < 3; i++) {
                rows.copyRow(i, x);
                wide.apply(x, exact);
                for (int j = 0; j < 32; j++) {
                    assertEquals(exact[j], out[32 * i + j], 1e-6);
                    assertEquals(exact[j], doubles[32 * i + j], 1e-13);
                }
            }
        }
    }
}
