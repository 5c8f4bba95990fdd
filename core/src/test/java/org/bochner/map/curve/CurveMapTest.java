package org.bochner.map.curve;

import static org.bochner.GoldenTable.number;
import static org.bochner.GoldenTable.text;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.bochner.GoldenTable;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.columns.ColumnRanges;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.landmark.LandmarkForm;
import org.bochner.map.landmark.LandmarkMap;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compiled curves against the functions that they were compiled from. */
class CurveMapTest {
    private static final int COLUMNS = 4;
    private static final int SUPPORT = 60;

    /** The rounding of a table of float32, of values up to 4 in four columns, in units of the largest weights. */
    private static final double ROUNDING = 16 * Math.pow(2, -24);

    private final RandomStream random = new Seed(3).stream();

    /** Values with ties and zeros, between 0 and 2. */
    private float[] values(int count) {
        float[] values = new float[count];
        for (int k = 0; k < count; k++) {
            int kind = random.nextInt(4);
            values[k] = kind == 0 ? 0 : kind == 1 ? random.nextInt(8) / 4f : (float) (2 * random.nextUniform());
        }
        return values;
    }

    private double[] weights(int count) {
        double[] weights = new double[count];
        Arrays.setAll(weights, k -> random.nextUniform() - 0.5);
        return weights;
    }

    private static CurveMap compile(
            FeatureMap map, double[] weights, int outputs, CurveForm form, int knots, @Nullable ColumnRanges seen) {
        return new CurveCompiler(new AdditiveFunction(map, weights, outputs), form, knots, seen, List.of())
                .compile(new Workers(1));
    }

    /** w·φ(x), by the map itself. */
    private static double[] direct(FeatureMap map, double[] weights, int outputs, double[] x) {
        double[] features = new double[map.outputDimension()];
        map.apply(x, features);
        double[] sums = new double[outputs];
        for (int j = 0; j < features.length; j++) {
            for (int o = 0; o < outputs; o++) {
                sums[o] += features[j] * weights[j * outputs + o];
            }
        }
        return sums;
    }

    private static double[] at(CurveMap map, double... x) {
        double[] out = new double[map.outputDimension()];
        map.apply(x, out);
        return out;
    }

    private static double sumOfSizes(double[] weights) {
        return Arrays.stream(weights).map(Math::abs).sum();
    }

    private static FeatureMap map(String recipe, String kernel) {
        return FeatureMaps.parse(recipe)
                .build(Kernels.parse(kernel), RowSample.none(COLUMNS), OptionalInt.empty(), new Seed(1), new Notes());
    }

    private static ColumnRanges rangeOf(double low, double high) {
        ColumnRanges ranges = ColumnRanges.unknown(COLUMNS);
        float[] rows = new float[2 * COLUMNS];
        Arrays.fill(rows, 0, COLUMNS, (float) low);
        Arrays.fill(rows, COLUMNS, 2 * COLUMNS, (float) high);
        ranges.add(DenseRows.of(2, COLUMNS, rows));
        return ranges;
    }

    @Nested
    class OfTheReference {
        /** The reference in units of 1/1000, in which float32 holds it; min(x, y) scales with its values. */
        @ParameterizedTest
        @EnumSource(CurveForm.class)
        void decisionsAgree(CurveForm form) {
            List<Map<String, String>> rows = GoldenTable.read("intersection_machine.csv");
            List<Map<String, String>> support = rows.stream()
                    .filter(row -> text(row, "what").equals("support"))
                    .toList();
            float[] values = new float[2 * support.size()];
            double[] weights = new double[support.size()];
            for (int i = 0; i < weights.length; i++) {
                values[2 * i] = Math.round(1000 * number(support.get(i), "a"));
                values[2 * i + 1] = Math.round(1000 * number(support.get(i), "b"));
                weights[i] = number(support.get(i), "value");
            }
            LandmarkMap map =
                    new LandmarkMap(Kernels.intersection(), DenseRows.of(weights.length, 2, values), LandmarkForm.RAW);
            // 17 to 996 in 979 steps and 55 to 846 in 791 steps: knots at all whole numbers of the first column.
            CurveMap curves = compile(map, weights, 1, form, 980, null);
            double bias = 0;
            int decisions = 0;
            for (Map<String, String> row : rows) {
                switch (text(row, "what")) {
                    case "bias" -> bias = number(row, "value");
                    case "decision" -> {
                        double a = Math.rint(1000 * number(row, "a"));
                        double b = Math.rint(1000 * number(row, "b"));
                        double value = at(curves, a, b)[0] / 1000 + bias;
                        // The second column has cells of h = 791/979 thousandths, of which the error is h/4·Σ|c| at
                        // most
                        // between knots, and h/2·Σ|c| for the nearest knot.
                        double h = 791.0 / 979 / 1000;
                        double tolerance =
                                switch (form) {
                                    case EXACT -> 1e-14;
                                    case LINEAR -> h / 4 * sumOfSizes(weights) + ROUNDING;
                                    case CONSTANT -> h / 2 * sumOfSizes(weights) + ROUNDING;
                                };
                        assertEquals(number(row, "value"), value, tolerance);
                        decisions++;
                    }
                    default -> {}
                }
            }
            assertEquals(4, decisions);
        }
    }

    @Nested
    class Exact {
        @ParameterizedTest
        @ValueSource(ints = {1, 3})
        void isTheDoubleLoopOverSupportVectorsAndColumns(int outputs) {
            float[] support = values(SUPPORT * COLUMNS);
            double[] weights = weights(SUPPORT * outputs);
            LandmarkMap map =
                    new LandmarkMap(Kernels.intersection(), DenseRows.of(SUPPORT, COLUMNS, support), LandmarkForm.RAW);
            CurveMap curves = compile(map, weights, outputs, CurveForm.EXACT, 2, null);
            for (int i = 0; i < 200; i++) {
                float[] x = values(COLUMNS);
                // Values at, below and above those of the support vectors.
                x[i % COLUMNS] = i % 3 == 0 ? support[i] : i % 3 == 1 ? 100 : x[i % COLUMNS];
                double[] sums = new double[outputs];
                for (int s = 0; s < SUPPORT; s++) {
                    for (int l = 0; l < COLUMNS; l++) {
                        for (int o = 0; o < outputs; o++) {
                            sums[o] += weights[s * outputs + o] * Math.min(x[l], support[s * COLUMNS + l]);
                        }
                    }
                }
                double[] row = {x[0], x[1], x[2], x[3]};
                assertArrayEquals(sums, at(curves, row), 1e-13 * sumOfSizes(weights));
            }
        }

        @Test
        void isConstantBehindTheLastSupportVectorAndALineThroughZeroBeforeTheFirst() {
            LandmarkMap map =
                    new LandmarkMap(Kernels.intersection(), DenseRows.of(2, 1, new float[] {2, 3}), LandmarkForm.RAW);
            for (CurveForm form : CurveForm.values()) {
                CurveMap curves = compile(map, new double[] {1, -0.25}, 1, form, 11, null);
                assertEquals(1 * 2 - 0.25 * 3, at(curves, 1e30)[0], 1e-15);
                assertEquals(0.75 * 1.5, at(curves, 1.5)[0], 1e-15);
                assertEquals(0, at(curves, 0)[0], 1e-15);
            }
        }

        @Test
        void isConstantFarBehindTheSupportVectorsOfEveryColumn() {
            LandmarkMap map = new LandmarkMap(
                    Kernels.intersection(), DenseRows.of(2, 2, new float[] {2, 3, 2.5f, 3.5f}), LandmarkForm.RAW);
            CurveMap curves = compile(map, new double[] {1, -0.25}, 1, CurveForm.EXACT, 2, null);
            assertEquals(2 + 3 - 0.25 * (2.5 + 3.5), at(curves, 1e30, 1e30)[0], 1e-14);
        }

        /** Skewed values, clusters of close values and many ties; the sums of blocks of rows come from records of buckets. */
        @ParameterizedTest
        @ValueSource(ints = {3, 700})
        void blocksOfRowsAreTheDoubleLoopWhateverTheDistributionOfTheValues(int columns) {
            int rows = columns == 3 ? 2000 : 40;
            float[] support = skewed(rows * columns);
            double[] weights = weights(rows);
            LandmarkMap map =
                    new LandmarkMap(Kernels.intersection(), DenseRows.of(rows, columns, support), LandmarkForm.RAW);
            CurveMap curves = compile(map, weights, 1, CurveForm.EXACT, 2, null);
            int tested = columns == 3 ? 300 : 10;
            float[] x = skewed(tested * columns);
            System.arraycopy(support, 0, x, 0, columns);
            x[columns] = 1e30f;
            x[columns + 1] = -0f;
            double[] out = new double[tested];
            curves.apply(DenseRows.of(tested, columns, x), out, 0, 1);
            for (int i = 0; i < tested; i++) {
                double sum = 0;
                double sizes = 0;
                double[] row = new double[columns];
                for (int l = 0; l < columns; l++) {
                    row[l] = x[i * columns + l];
                    for (int s = 0; s < rows; s++) {
                        double term = weights[s] * Math.min(row[l], support[s * columns + l]);
                        sum += term;
                        sizes += Math.abs(term);
                    }
                }
                // Sums of up to rows·columns terms in float64, whose rounding errors are random.
                assertEquals(sum, out[i], 1e-13 * sizes);
                assertEquals(out[i], curves.valueOrNan(row), "row " + i);
            }
        }

        private float[] skewed(int count) {
            float[] values = new float[count];
            for (int k = 0; k < count; k++) {
                double u = random.nextUniform();
                values[k] = (float)
                        switch (random.nextInt(5)) {
                            case 0 -> 0;
                            case 1 -> 1 + 1e-5 * u;
                            case 2 -> Math.rint(20 * u);
                            default -> Math.exp(-12 * u) * 100;
                        };
            }
            return values;
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                piecewise(bins=7, range=1.5)         | intersection
                piecewise(bins=7, sparse, range=1.5) | intersection
                unary(bins=7, range=1.5)             | intersection
                exact                                | linear
                exact + piecewise(bins=5, range=2)   | 3*linear + 0.5*intersection
                """)
        void isTheFunctionOfMapsOfStraightPieces(String recipe, String kernel) {
            FeatureMap map = map(recipe, kernel);
            double[] weights = weights(map.outputDimension() * 2);
            int perColumn = map.outputDimension() / COLUMNS;
            if (!kernel.contains("+") && perColumn > 1) {
                for (int l = 0; l < COLUMNS; l++) {
                    // The feature of values above the range, whose curve is a root.
                    Arrays.fill(weights, 2 * ((l + 1) * perColumn - 1), 2 * (l + 1) * perColumn, 0);
                }
            }
            if (kernel.contains("+")) {
                for (int l = 0; l < COLUMNS; l++) {
                    Arrays.fill(weights, 2 * (COLUMNS + 6 * l + 5), 2 * (COLUMNS + 6 * l + 6), 0);
                }
            }
            CurveMap curves = compile(map, weights, 2, CurveForm.EXACT, 2, null);
            for (int i = 0; i < 100; i++) {
                double[] x = {0, 1.7 * random.nextUniform(), 1.4 * random.nextUniform(), 9 * random.nextUniform()};
                assertArrayEquals(direct(map, weights, 2, x), at(curves, x), 1e-13 * sumOfSizes(weights));
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"chi2", "hellinger", "intersection(degree=2)"})
        void refusesCurvesWithoutStraightPieces(String kernel) {
            LandmarkMap map =
                    new LandmarkMap(Kernels.parse(kernel), DenseRows.of(1, 1, new float[] {1}), LandmarkForm.RAW);
            BochnerException e = assertThrows(
                    BochnerException.class, () -> compile(map, new double[] {1}, 1, CurveForm.EXACT, 2, null));
            assertTrue(
                    String.valueOf(e.getMessage()).contains(kernel)
                            && String.valueOf(e.getMessage()).contains("form linear"),
                    e.getMessage());
        }
    }

    @Nested
    class Interpolated {
        /** |f − line| ≤ h/4·Σ|c| over the support vectors of the cell, and h/2·Σ|c| of all for the nearest knot. */
        @Test
        void isWithinAQuarterOfACellTimesTheCoefficientsInIt() {
            float[] support = values(SUPPORT);
            double[] weights = weights(SUPPORT);
            LandmarkMap map =
                    new LandmarkMap(Kernels.intersection(), DenseRows.of(SUPPORT, 1, support), LandmarkForm.RAW);
            CurveMap exact = compile(map, weights, 1, CurveForm.EXACT, 2, null);
            for (int knots : new int[] {2, 11, 100}) {
                CurveMap linear = compile(map, weights, 1, CurveForm.LINEAR, knots, null);
                CurveMap constant = compile(map, weights, 1, CurveForm.CONSTANT, knots, null);
                double[] places = linear.knots(0);
                assertEquals(knots, places.length);
                double h = places[1] - places[0];
                for (int i = 0; i < 300; i++) {
                    double x = 2.5 * random.nextUniform();
                    int cell = (int) Math.floor((x - places[0]) / h);
                    double inCell = 0;
                    for (int s = 0; s < SUPPORT; s++) {
                        boolean inside = Math.floor((support[s] - places[0]) / h) == cell;
                        inCell += inside ? Math.abs(weights[s]) : 0;
                    }
                    double value = at(exact, x)[0];
                    assertEquals(value, at(linear, x)[0], h / 4 * inCell + ROUNDING * sumOfSizes(weights));
                    assertEquals(value, at(constant, x)[0], (h / 2 + ROUNDING) * sumOfSizes(weights));
                }
            }
        }

        /**
         * Least squares move values by no more than the error of interpolation, h/4·Σ|c| in a cell of length h with the
         * support vectors in it, so the error is at most twice as large.
         */
        @Test
        void ofASampleIsWithinHalfACellTimesTheCoefficientsInItAndHasASmallerError() {
            int count = 1500;
            float[] support = new float[count];
            for (int s = 0; s < count; s++) {
                support[s] = (float) Math.exp(2 * random.nextGaussian());
            }
            double[] weights = weights(count);
            LandmarkMap map =
                    new LandmarkMap(Kernels.intersection(), DenseRows.of(count, 1, support), LandmarkForm.RAW);
            List<double[]> sample = new ArrayList<>();
            for (int s = 0; s < count; s++) {
                sample.add(new double[] {support[s]});
            }
            CurveMap exact = compile(map, weights, 1, CurveForm.EXACT, 2, null);
            CurveMap interpolated = compile(map, weights, 1, CurveForm.LINEAR, 60, null);
            CurveMap fitted = new CurveCompiler(
                            new AdditiveFunction(map, weights, 1), CurveForm.LINEAR, 60, null, sample)
                    .compile(new Workers(1));
            double[] knots = fitted.knots(0);
            double[] squares = new double[2];
            for (int i = 0; i < 400; i++) {
                double x = (float) Math.min(Math.exp(2 * random.nextGaussian()), knots[59]);
                int cell = 0;
                while (cell < 58 && knots[cell + 1] <= x) {
                    cell++;
                }
                double inCell = 0;
                for (int s = 0; s < count; s++) {
                    inCell += support[s] >= knots[cell] && support[s] <= knots[cell + 1] ? Math.abs(weights[s]) : 0;
                }
                double value = at(exact, x)[0];
                double h = knots[cell + 1] - knots[cell];
                // Values of up to Σ|c|·knots[59] are rounded to float32.
                double rounding = Math.pow(2, -23) * sumOfSizes(weights) * knots[59];
                assertEquals(value, at(fitted, x)[0], x < knots[0] ? rounding : h / 2 * inCell + rounding);
                squares[0] += Math.pow(value - at(interpolated, x)[0], 2);
                squares[1] += Math.pow(value - at(fitted, x)[0], 2);
            }
            // Equispaced knots have most values in their first cell.
            assertTrue(squares[1] < squares[0] / 10, squares[0] + " to " + squares[1]);
        }

        /** Both compute the same lines; places in float32 move x by some units of 2⁻²⁴ of the range. */
        @ParameterizedTest
        @CsvSource({"intersection, LINEAR", "hellinger, LINEAR", "intersection, CONSTANT"})
        void blocksOfRowsAreTheirRows(String kernel, CurveForm form) {
            int columns = 300;
            float[] support = values(20 * columns);
            double[] weights = weights(20);
            LandmarkMap map =
                    new LandmarkMap(Kernels.parse(kernel), DenseRows.of(20, columns, support), LandmarkForm.RAW);
            CurveMap curves = compile(map, weights, 1, form, 41, null);
            float[] x = values(5 * columns);
            x[3] = 9;
            double[] out = new double[5];
            curves.apply(DenseRows.of(5, columns, x), out, 0, 1);
            for (int i = 0; i < 5; i++) {
                double[] row = new double[columns];
                for (int l = 0; l < columns; l++) {
                    row[l] = x[i * columns + l];
                }
                if (form == CurveForm.LINEAR) {
                    assertEquals(at(curves, row)[0], out[i], columns * ROUNDING * sumOfSizes(weights));
                }
                assertEquals(out[i], curves.valueOrNan(row));
                row[i] = -1e-6;
                assertTrue(Double.isNaN(curves.valueOrNan(row)));
            }
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                chi2
                jensen-shannon
                hellinger
                intersection(degree=2)
                chi2(degree=0.5)
                2*chi2[0:2] + 0.5*intersection[2:4] + linear
                gaussian(sigma=0.5)[0:1] + chi2[1:4]
                """)
        void ofExactMachinesHasTheErrorOfItsKnots(String kernel) {
            float[] support = values(SUPPORT * COLUMNS);
            double[] weights = weights(SUPPORT * 2);
            LandmarkMap map =
                    new LandmarkMap(Kernels.parse(kernel), DenseRows.of(SUPPORT, COLUMNS, support), LandmarkForm.RAW);
            assertErrorFallsWithTheDistanceOfKnots(map, weights, null);
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                sampled(order=3)          | chi2
                sampled(order=2)          | 2*jensen-shannon[0:2] + intersection[2:4]
                exact                     | hellinger
                piecewise(bins=9,range=1) | intersection
                fourier                   | gaussian(sigma=1)[0:1] + laplacian(sigma=1)[3:4]
                """)
        void ofMapsHasTheErrorOfItsKnots(String recipe, String kernel) {
            FeatureMap map = FeatureMaps.parse(recipe)
                    .build(
                            Kernels.parse(kernel),
                            RowSample.none(COLUMNS),
                            recipe.equals("fourier") ? OptionalInt.of(40) : OptionalInt.empty(),
                            new Seed(1),
                            new Notes());
            assertErrorFallsWithTheDistanceOfKnots(map, weights(map.outputDimension() * 2), rangeOf(0, 2));
        }

        /**
         * The knots of the fine table are 1/16 as far apart, h. The error is of order h² for smooth curves, and of order h
         * at least where curves are steep at 0; the bound of 1/8 leaves a factor of 2 for the random rows.
         */
        private void assertErrorFallsWithTheDistanceOfKnots(
                FeatureMap map, double[] weights, @Nullable ColumnRanges seen) {
            double coarse = rmsError(map, weights, seen, 50);
            double fine = rmsError(map, weights, seen, 800);
            // Tables are float32, and hellinger has straight lines between the roots of its knots.
            assertTrue(fine < coarse / 8 || fine < ROUNDING * sumOfSizes(weights), coarse + " to " + fine);
            assertTrue(fine < 2e-4 * sumOfSizes(weights), fine + " of " + sumOfSizes(weights));
        }

        private double rmsError(FeatureMap map, double[] weights, @Nullable ColumnRanges seen, int knots) {
            CurveMap curves = compile(map, weights, 2, CurveForm.LINEAR, knots, seen);
            RandomStream rows = new Seed(11).stream();
            double squares = 0;
            for (int i = 0; i < 300; i++) {
                double[] x = new double[COLUMNS];
                Arrays.setAll(x, l -> 1.9 * rows.nextUniform());
                double[] exact = direct(map, weights, 2, x);
                double[] values = at(curves, x);
                squares += Math.pow(exact[0] - values[0], 2) + Math.pow(exact[1] - values[1], 2);
            }
            return Math.sqrt(squares / 600);
        }

        @Test
        void isContinuousJustBelowTheLastKnot() {
            for (int i = 0; i < 200; i++) {
                float last = (float) (1 + random.nextUniform());
                LandmarkMap map = new LandmarkMap(
                        Kernels.intersection(), DenseRows.of(2, 1, new float[] {0, last}), LandmarkForm.RAW);
                CurveMap curves = compile(map, new double[] {0, 1}, 1, CurveForm.LINEAR, 2, null);
                assertEquals(last, at(curves, Math.nextDown((double) last))[0], 1e-6);
            }
        }

        @Test
        void whitenedLandmarksAreTheirKernelValuesWithFoldedCoefficients() {
            float[] rows = values(10 * COLUMNS);
            LandmarkMap map =
                    new LandmarkMap(Kernels.intersection(), DenseRows.of(10, COLUMNS, rows), LandmarkForm.WHITENED);
            double[] weights = weights(20);
            CurveMap curves = compile(map, weights, 2, CurveForm.EXACT, 2, null);
            for (int i = 0; i < 50; i++) {
                float[] x = values(COLUMNS);
                double[] row = {x[0], x[1], x[2], x[3]};
                assertArrayEquals(direct(map, weights, 2, row), at(curves, row), 1e-8 * sumOfSizes(weights));
            }
        }

        @Test
        void restrictedMapsHaveCurvesOfTheirColumnsOnly() {
            FeatureMap map = map("sampled(order=1)", "chi2").restrict(3, 4, 5, 9, 10, 11);
            double[] weights = weights(6);
            CurveMap curves = compile(map, weights, 1, CurveForm.LINEAR, 2000, rangeOf(0, 2));
            assertArrayEquals(new int[] {1, 3}, curves.curveColumns());
            double[] x = {7, 1.1, 8, 0.6};
            assertEquals(direct(map, weights, 1, x)[0], at(curves, x)[0], 1e-4);
        }

        @Test
        void columnsOfOneValueAndModelsWithoutWeightsCompile() {
            LandmarkMap map = new LandmarkMap(Kernels.chi2(), DenseRows.of(2, 1, new float[] {3, 3}), LandmarkForm.RAW);
            assertEquals(6, at(compile(map, new double[] {1, 1}, 1, CurveForm.LINEAR, 5, null), 3)[0], 1e-12);
            FeatureMap sampled = map("sampled(order=1)", "chi2");
            CurveMap zero = compile(sampled, new double[12], 1, CurveForm.LINEAR, 5, null);
            assertEquals(0, at(zero, 1, 2, 3, 4)[0]);
        }

        @Test
        void withoutRangesAsksForRows() {
            FeatureMap map = map("sampled(order=1)", "chi2");
            BochnerException e =
                    assertThrows(BochnerException.class, () -> compile(map, weights(12), 1, CurveForm.LINEAR, 5, null));
            assertTrue(String.valueOf(e.getMessage()).contains("give rows of the training data"), e.getMessage());
        }
    }

    @Nested
    class Refuses {
        @ParameterizedTest
        @ValueSource(strings = {"gaussian(sigma=1)", "exp-chi2(gamma=1)", "polynomial(degree=2, gamma=1, c=1)"})
        void kernelsOfSeveralColumns(String spelling) {
            Kernel kernel = Kernels.parse(spelling);
            LandmarkMap map = new LandmarkMap(kernel, DenseRows.of(1, 2, new float[] {1, 2}), LandmarkForm.RAW);
            BochnerException e = assertThrows(
                    BochnerException.class, () -> compile(map, new double[] {1}, 1, CurveForm.LINEAR, 5, null));
            assertTrue(String.valueOf(e.getMessage()).contains("compares several columns together"), e.getMessage());
        }

        @Test
        void valuesOutsideTheDomain() {
            LandmarkMap map =
                    new LandmarkMap(Kernels.intersection(), DenseRows.of(1, 2, new float[] {1, 2}), LandmarkForm.RAW);
            CurveMap curves = compile(map, new double[] {1}, 1, CurveForm.LINEAR, 5, null);
            assertThrows(BochnerException.class, () -> at(curves, 1, -1));
        }
    }

    /** The value at 0 is added for the columns that a sparse row leaves out. */
    @Test
    void sparseRowsCountTheCurvesAtZero() {
        float[] support = {-0.2f, 1.5f, 0.7f};
        LandmarkMap map = new LandmarkMap(
                Kernels.parse("gaussian(sigma=1)[0:1] + gaussian(sigma=1)[1:2]"),
                DenseRows.of(3, 2, new float[] {support[0], support[1], support[2], 1, 2, 0}),
                LandmarkForm.RAW);
        double[] weights = {1, -2, 3};
        CurveMap curves = compile(map, weights, 1, CurveForm.LINEAR, 3000, null);
        RowBlock sparse = SparseRows.of(2, 2, new int[] {0, 0, 1}, new int[] {1}, new float[] {1.5f});
        double[] out = new double[2];
        curves.apply(sparse, out, 0, 1);
        assertEquals(direct(map, weights, 1, new double[] {0, 0})[0], out[0], 1e-5);
        assertEquals(direct(map, weights, 1, new double[] {0, 1.5})[0], out[1], 1e-5);
    }
}
