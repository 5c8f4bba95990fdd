package org.bochner.kernel;

import static org.bochner.GoldenTable.number;
import static org.bochner.GoldenTable.numbers;
import static org.bochner.GoldenTable.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.bochner.GoldenTable;
import org.bochner.base.BochnerException;
import org.bochner.kernel.additive.Chi2;
import org.bochner.kernel.additive.Hellinger;
import org.bochner.kernel.additive.Intersection;
import org.bochner.kernel.additive.JensenShannon;
import org.bochner.kernel.columns.ByColumn;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.kernel.composed.RadialProfile;
import org.bochner.kernel.composed.SkewedKernel;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels of histograms against reference values, in all their conventions. */
class HistogramKernelTest {
    private static HomogeneousKernel kernel(String name) {
        return (HomogeneousKernel) Kernels.parse(name);
    }

    @Nested
    class Homogeneous {
        @Test
        void signaturesAndDensitiesAgreeWithTheReference() {
            for (Map<String, String> row : GoldenTable.read("homogeneous_signatures.csv")) {
                HomogeneousKernel kernel = kernel(text(row, "kernel"));
                double argument = number(row, "argument");
                double expected = number(row, "value");
                boolean signature = text(row, "function").equals("signature");
                for (double signed : new double[] {argument, -argument}) {
                    double actual = signature ? kernel.signature(signed) : kernel.density(signed);
                    assertEquals(expected, actual, 1e-13 * expected, row.toString());
                }
            }
        }

        @Test
        void valuesOfAllDegreesAgreeWithTheReference() {
            for (Map<String, String> row : GoldenTable.read("homogeneous_values.csv")) {
                HomogeneousKernel kernel = kernel(text(row, "kernel"));
                double x = number(row, "x");
                double y = number(row, "y");
                assertRelative(number(row, "value"), kernel.scalar(x, y), row);
                assertRelative(
                        number(row, "degree_half"), kernel.withDegree(0.5).scalar(x, y), row);
                assertRelative(number(row, "degree_two"), kernel.withDegree(2).scalar(x, y), row);
                assertRelative(number(row, "squared_distance"), kernel.squaredDistance(x, y), row);
            }
        }

        private void assertRelative(double expected, double actual, Map<String, String> row) {
            assertEquals(expected, actual, 1e-13 * expected, row.toString());
        }

        @ParameterizedTest
        @ValueSource(strings = {"chi2", "intersection", "jensen-shannon", "hellinger"})
        void keepsApartValuesThatAreFarOutOfEachOthersSight(String name) {
            // The ratio of the values is 0 as a double. The kernel is at most the geometric mean of the values, 1.
            double value = kernel(name).scalar(1e-200, 1e200);
            assertTrue(value >= 0 && value <= 1 + 1e-15, name + " is " + value);
            assertEquals(1e200, kernel(name).squaredDistance(1e-200, 1e200), 3);
            assertTrue(kernel(name).signature(1e9) >= 0);
        }

        @ParameterizedTest
        @ValueSource(doubles = {0.01, 0.5, 1, 2, 5})
        void distancesOfNeighboursDoNotCancel(double degree) {
            // Near the diagonal, with δ = log(y/x), a kernel is x^g·(1 − K″δ²/2 + …) and the squared distance
            // x^g·δ²·(g²/4 + |K″(0)|), up to terms of relative size δ(1 + g) and the rounding of y/x, of 2⁻⁵³/δ.
            double delta = 1e-7;
            double y = 3 * Math.exp(delta);
            double gap = Math.log(y / 3);
            for (Map.Entry<String, Double> curvature : Map.of(
                            "chi2", 0.25, "jensen-shannon", 0.25 / Math.log(2) - 0.25, "hellinger", 0.0)
                    .entrySet()) {
                double expected = Math.pow(3, degree) * gap * gap * (degree * degree / 4 + curvature.getValue());
                double distance = kernel(curvature.getKey()).withDegree(degree).squaredDistance(3, y);
                assertEquals(expected, distance, 1e-6 * expected, curvature.getKey());
            }
            double first = Math.pow(3, degree) * gap;
            double distance = new Intersection(degree).squaredDistance(3, y);
            assertEquals(first, distance, 1e-6 * (1 + degree * degree) * first);
        }

        @ParameterizedTest
        @ValueSource(doubles = {-1e-300, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
        void refusesWhatIsNoHistogramAndSaysWhatToDo(double value) {
            for (String name :
                    new String[] {"chi2", "intersection", "jensen-shannon", "hellinger", "exp-chi2(gamma=1)"}) {
                double[] row = {1, value};
                String message = String.valueOf(assertThrows(
                                BochnerException.class,
                                () -> Kernels.parse(name).value(new double[] {1, 1}, row))
                        .getMessage());
                assertTrue(message.startsWith("column 1 (from 0): "), message);
                assertTrue(message.contains("at least 0, got") && message.contains("shift or set it"), message);
            }
        }
    }

    @Nested
    class Distances {
        private final double[] x = {0.1, 0.2, 0.3, 0.4};
        private final double[] y = {0.4, 0.1, 0.25, 0.25};

        private static double square(double value) {
            return value * value;
        }

        private double exponential(String kernel, double gamma) {
            return new RadialKernel(RadialProfile.EXP, kernel(kernel), gamma).value(x, y);
        }

        @Test
        void agreeWithTheReference() {
            for (Map<String, String> row : GoldenTable.read("generalized_rbf.csv")) {
                String name = text(row, "kernel");
                double expected = number(row, "value");
                double actual =
                        switch (text(row, "quantity")) {
                            case "value" -> kernel(name).value(x, y);
                            case "squared_distance" -> kernel(name).squaredDistance(x, y);
                            case "chi2_full" -> new Chi2(1).squaredDistance(x, y);
                            case "chi2_half" -> new Chi2(1).squaredDistance(x, y) / 2;
                            case "l1" -> new Intersection(1).squaredDistance(x, y);
                            case "jsd_base2" -> new JensenShannon(1).squaredDistance(x, y) / 2;
                            case "hellinger_sq_unnormalised" -> new Hellinger(1).squaredDistance(x, y);
                            case "exponential" -> exponential(name, 0.5 / square(number(row, "sigma")));
                            case "exponential_of_half" -> exponential(name, 0.25 / square(number(row, "sigma")));
                            default -> throw new IllegalArgumentException(row.toString());
                        };
                assertEquals(expected, actual, 1e-12 * expected, row.toString());
            }
        }

        @ParameterizedTest
        @CsvSource({"exp,gamma,1", "laplace,beta,0.5"})
        void radialKernelsAreExponentialsOfAPowerOfTheDistance(String prefix, String parameter, double power) {
            for (String name : new String[] {"chi2", "intersection", "jensen-shannon", "hellinger"}) {
                double squared = kernel(name).squaredDistance(x, y);
                double value = Kernels.parse(prefix + "-" + name + "(" + parameter + "=1.5)")
                        .value(x, y);
                assertEquals(Math.exp(-1.5 * Math.pow(squared, power)), value, 1e-15);
            }
        }

        /** A support vector machine of the intersection kernel: f(x) = Σ cᵢ·k(sᵢ, x) + bias. */
        @Test
        void decisionsOfAnIntersectionMachineAgreeWithTheReference() {
            List<Map<String, String>> rows = GoldenTable.read("intersection_machine.csv");
            int decisions = 0;
            for (Map<String, String> query : rows) {
                if (!text(query, "what").equals("decision")) {
                    continue;
                }
                double sum = 0;
                for (Map<String, String> row : rows) {
                    switch (text(row, "what")) {
                        case "bias" -> sum += number(row, "value");
                        case "support" ->
                            sum += number(row, "value") * new Intersection(1).value(pair(row), pair(query));
                        default -> {}
                    }
                }
                assertEquals(number(query, "value"), sum, 1e-14);
                decisions++;
            }
            assertEquals(4, decisions);
        }

        private double[] pair(Map<String, String> row) {
            return new double[] {number(row, "a"), number(row, "b")};
        }

        @Test
        void unitHistogramsHaveOneMinusHalfTheDistance() {
            for (String name : new String[] {"chi2", "intersection", "jensen-shannon", "hellinger"}) {
                assertEquals(
                        1 - kernel(name).squaredDistance(x, y) / 2, kernel(name).value(x, y), 1e-15);
            }
        }
    }

    @Nested
    class Skewed {
        @Test
        void agreeWithTheReference() {
            for (Map<String, String> row : GoldenTable.read("skewed.csv")) {
                double[] x = numbers(row, "x");
                double[] y = numbers(row, "y");
                double[] power = numbers(row, "power");
                int[] ends = new int[power.length];
                for (int l = 0; l < ends.length; l++) {
                    ends[l] = l + 1;
                }
                ByColumn c = ByColumn.of(number(row, "c"));
                Bandwidth powers = Bandwidth.ofRanges(ends, power);
                double chi2 = number(row, "skewed_chi2");
                double intersection = number(row, "skewed_intersection");
                assertEquals(
                        chi2,
                        new SkewedKernel(SkewedKernel.Kind.CHI2, c, powers).value(x, y),
                        1e-13 * chi2,
                        row.toString());
                assertEquals(
                        intersection,
                        new SkewedKernel(SkewedKernel.Kind.INTERSECTION, c, powers).value(x, y),
                        1e-13 * intersection,
                        row.toString());
            }
        }

        @Test
        void haveAShiftForEveryBlock() {
            Kernel kernel = Kernels.parse("skewed-intersection(c=[0:1=0.5, 1:3=2], power=[0:2=1, 2:3=3])");
            // Ratios 1.5/0.5, 2/3 and (4/3)^−3.
            double expected = 1.0 / 3 * 2 / 3 * Math.pow(0.75, 3);
            assertEquals(expected, kernel.value(new double[] {0, 1, 1}, new double[] {1, 0, 2}), 1e-15);
        }

        @Test
        void nameTheRangeOfTheirBlockAndTheRemedy() {
            Kernel kernel = Kernels.parse("skewed-chi2(c=[0:1=0.5, 1:2=0.1], power=1)");
            String message = String.valueOf(assertThrows(
                            BochnerException.class,
                            () -> kernel.value(new double[] {-0.25, 0}, new double[] {0, -0.25}))
                    .getMessage());
            assertEquals(
                    "column 1 (from 0): skewed-chi2(c=0.1) needs values greater than -0.1, got -0.25; shift the data or choose"
                            + " c > 0.25",
                    message);
        }
    }
}
