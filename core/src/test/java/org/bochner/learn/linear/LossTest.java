package org.bochner.learn.linear;

import static org.bochner.GoldenTable.number;
import static org.bochner.GoldenTable.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.bochner.GoldenTable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LossTest {
    private static final List<Loss.PerScore> ALL = List.of(
            new Loss.HalfSquare(),
            new Loss.Logistic(),
            new Loss.Hinge(),
            new Loss.SquaredHinge(),
            new Loss.EpsilonInsensitive(0.1),
            new Loss.SquaredInsensitive(0.1),
            new Loss.SmoothInsensitive(0.1, 5),
            new Loss.Huber(0.7));

    private static final double[] SCORES = {-800, -40, -1.3, -0.4, 0, 0.2, 0.9, 2.3, 40, 800};

    private static Loss.PerScore loss(Map<String, String> row) {
        return switch (text(row, "loss")) {
            case "square" -> new Loss.HalfSquare();
            case "logistic" -> new Loss.Logistic();
            case "hinge" -> new Loss.Hinge();
            case "squared-hinge" -> new Loss.SquaredHinge();
            case "svr" -> new Loss.SmoothInsensitive(number(row, "epsilon"), number(row, "gamma"));
            default -> throw new IllegalArgumentException(text(row, "loss"));
        };
    }

    private static void assertClose(double expected, double got, String what) {
        assertEquals(expected, got, 1e-13 * Math.abs(expected) + Double.MIN_NORMAL, what);
    }

    @Nested
    class GoldenValues {
        private final List<Map<String, String>> rows = GoldenTable.read("losses.csv");

        @Test
        void valuesEqual() {
            for (Map<String, String> row : rows) {
                Loss.PerScore loss = loss(row);
                double argument = number(row, "argument");
                // Differences of three logarithms: what cancels is no larger than the largest of them, 2·log(2)/γ.
                double cancelled = loss instanceof Loss.SmoothInsensitive smooth ? 4e-16 / smooth.gamma() : 0;
                assertEquals(
                        number(row, "value"),
                        loss.value(argument, target(loss)),
                        1e-13 * Math.abs(number(row, "value")) + cancelled + Double.MIN_NORMAL,
                        row.toString());
            }
        }

        @Test
        void derivativesEqual() {
            for (Map<String, String> row : rows) {
                Loss.PerScore loss = loss(row);
                double argument = number(row, "argument");
                double target = target(loss);
                double slope = loss.slope(argument, target);
                double cancelled = loss instanceof Loss.SmoothInsensitive ? 4e-16 : 0;
                assertEquals(
                        number(row, "slope"),
                        slope,
                        1e-13 * Math.abs(number(row, "slope")) + cancelled + Double.MIN_NORMAL,
                        row.toString());
                if (!text(row, "curvature").isEmpty()) {
                    assertClose(number(row, "curvature"), loss.curvature(argument, target), row.toString());
                }
            }
        }

        @Test
        void ofMarginsMirrorForTheOtherClass() {
            for (Map<String, String> row : rows) {
                Loss.PerScore loss = loss(row);
                if (!loss.forNumbers()) {
                    double argument = number(row, "argument");
                    assertClose(number(row, "value"), loss.value(-argument, -1), row.toString());
                    assertClose(-number(row, "slope"), loss.slope(-argument, -1), row.toString());
                    assertEquals(loss.curvature(argument, 1), loss.curvature(-argument, -1));
                }
            }
        }

        /** The argument is then the score itself: f − 0, or 1·f. */
        private static double target(Loss.PerScore loss) {
            return loss.forNumbers() ? 0 : 1;
        }
    }

    @Nested
    class EveryLoss {
        /** Differences over h have errors of h²·f‴/6 and of ε·f/h: 10⁻⁸ and 10⁻¹⁰ of numbers of size 1. */
        @Test
        void hasTheSlopeOfItsValuesAndTheCurvatureOfItsSlopes() {
            double h = 1e-5;
            for (Loss.PerScore loss : ALL) {
                for (double score : new double[] {-1.3, -0.45, -0.05, 0.2, 0.6, 0.95, 2.3}) {
                    double slope = (loss.value(score + h, 1) - loss.value(score - h, 1)) / (2 * h);
                    double curvature = (loss.slope(score + h, 1) - loss.slope(score - h, 1)) / (2 * h);
                    assertEquals(slope, loss.slope(score, 1), 1e-7, loss + " at " + score);
                    assertEquals(curvature, loss.curvature(score, 1), 1e-7, loss + " at " + score);
                }
            }
        }

        @Test
        void isFiniteForEveryFiniteScore() {
            for (Loss.PerScore loss : ALL) {
                for (double score : SCORES) {
                    for (double target : new double[] {-1, 1}) {
                        assertTrue(Double.isFinite(loss.value(score, target)), loss + " at " + score);
                        assertTrue(Double.isFinite(loss.slope(score, target)), loss + " at " + score);
                        assertTrue(Double.isFinite(loss.curvature(score, target)), loss + " at " + score);
                    }
                }
            }
        }

        @Test
        void isConvexAndCurvedNoMoreThanItSays() {
            for (Loss.PerScore loss : ALL) {
                double before = Double.NEGATIVE_INFINITY;
                for (double score : SCORES) {
                    assertTrue(loss.value(score, 1) >= 0);
                    assertTrue(loss.slope(score, 1) >= before, loss + " at " + score);
                    assertTrue(loss.curvature(score, 1) >= 0);
                    assertTrue(loss.curvature(score, 1) <= loss.mostCurvature(), loss + " at " + score);
                    before = loss.slope(score, 1);
                }
            }
        }

        @Test
        void isForClassesOrForNumbers() {
            for (Loss.PerScore loss : ALL) {
                assertTrue(loss.forClasses() || loss.forNumbers());
                assertEquals(!(loss instanceof Loss.Hinge || loss instanceof Loss.EpsilonInsensitive), loss.smooth());
            }
            assertFalse(new Loss.Logistic().forNumbers());
            assertFalse(new Loss.Huber(1).forClasses());
        }
    }

    @Nested
    class Kinks {
        @Test
        void haveTheSmallerSlope() {
            assertEquals(0, new Loss.Hinge().slope(1, 1));
            assertEquals(0, new Loss.EpsilonInsensitive(0.5).slope(1.5, 1));
            assertEquals(0, new Loss.EpsilonInsensitive(0.5).slope(0.5, 1));
            assertEquals(0, new Loss.SquaredHinge().curvature(1, 1));
        }

        @Test
        void ofEpsilonInsensitiveAreWhereTheyAreSaidToBe() {
            Loss.PerScore loss = new Loss.EpsilonInsensitive(0.5);
            assertEquals(0, loss.value(1.4, 1));
            assertEquals(0.25, loss.value(1.75, 1), 1e-16);
            assertEquals(1, loss.slope(1.75, 1));
            assertEquals(-1, loss.slope(0.25, 1));
        }

        @Test
        void ofHuberJoinSmoothly() {
            Loss.PerScore loss = new Loss.Huber(0.5);
            assertEquals(0.125, loss.value(1.5, 1), 1e-16);
            assertEquals(0.5 * (2 - 0.25), loss.value(-1, 1), 1e-16);
            assertEquals(0.5, loss.slope(1.5, 1));
            assertEquals(-0.5, loss.slope(-1, 1));
        }
    }

    @Test
    void smoothInsensitiveTendsToTheInsensitive() {
        Loss.PerScore kinked = new Loss.EpsilonInsensitive(0.3);
        double gamma = 1000;
        Loss.PerScore smooth = new Loss.SmoothInsensitive(0.3, gamma);
        for (double residual : new double[] {-2, -0.31, -0.3, 0, 0.2, 0.3, 0.4, 5}) {
            // Each softplus is within log(2)/γ of its limit.
            assertEquals(kinked.value(residual, 0), smooth.value(residual, 0), 2 * Math.log(2) / gamma);
        }
    }

    @Test
    void softmaxOfTwoClassesIsTheLogisticLossOfTheirDifference() {
        for (double score : SCORES) {
            double expected = RowLoss.softmax(new double[] {0, score}, 0, 2, 0);
            assertEquals(expected, Loss.Softmax.OF_TWO_CLASSES.value(score, -1), 1e-15 + 1e-14 * expected);
        }
    }

    @Test
    void parametersAreChecked() {
        assertThrows(IllegalArgumentException.class, () -> new Loss.EpsilonInsensitive(-0.1));
        assertThrows(IllegalArgumentException.class, () -> new Loss.EpsilonInsensitive(Double.NaN));
        assertThrows(IllegalArgumentException.class, () -> new Loss.SmoothInsensitive(0.1, 0));
        assertThrows(IllegalArgumentException.class, () -> new Loss.Huber(Double.NaN));
        assertThrows(IllegalArgumentException.class, () -> new Loss.Huber(0));
    }
}
