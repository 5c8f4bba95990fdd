package org.bochner.learn.calibrate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.State;
import org.bochner.learn.CalibrationRecipe.Method;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalibrationTest {
    private static final Workers TWO = new Workers(2);

    /** Scores of rows with their classes and weights. */
    private static final class Rows {
        final int classes;
        final int outputs;
        final int count;
        final double[] scores;
        final int[] labels;
        final double[] weights;

        Rows(int classes, int count) {
            this.classes = classes;
            this.count = count;
            outputs = classes == 2 ? 1 : classes;
            scores = new double[count * outputs];
            labels = new int[count];
            weights = new double[count];
            Arrays.fill(weights, 1);
        }

        /** Normal scores, that of a row's own class higher by the signal. */
        static Rows drawn(int classes, int count, double signal, long seed) {
            Rows rows = new Rows(classes, count);
            RandomStream stream = new Seed(seed).stream();
            for (int i = 0; i < count; i++) {
                rows.labels[i] = stream.nextInt(classes);
                for (int o = 0; o < rows.outputs; o++) {
                    boolean own = rows.labels[i] == (rows.outputs == 1 ? 1 : o);
                    double noise = stream.nextUniform() + stream.nextUniform() + stream.nextUniform() - 1.5;
                    rows.scores[i * rows.outputs + o] = (float) (noise + (own ? signal : 0));
                }
            }
            return rows;
        }

        ScoreAccumulator scored() {
            ScoreAccumulator scored = new ScoreAccumulator(classes);
            for (int i = 0; i < count; i++) {
                scored.add(scores, i, labels[i], weights[i]);
            }
            return scored;
        }
    }

    private static double[] probabilities(Calibration calibration, double... scores) {
        double[] probabilities = new double[calibration.classes()];
        calibration.probabilities(scores, 0, probabilities, 0);
        return probabilities;
    }

    private static void assertProbabilities(Calibration calibration, double... scores) {
        double[] probabilities = probabilities(calibration, scores);
        double sum = 0;
        for (double p : probabilities) {
            assertTrue(p >= 0 && p <= 1, () -> Arrays.toString(scores) + ": " + Arrays.toString(probabilities));
            sum += p;
        }
        // A division each and a sum of c numbers err by less than (c + 2)·2⁻⁵³.
        assertEquals(1, sum, (probabilities.length + 2) * 0x1p-53, () -> Arrays.toString(scores));
    }

    private static double sigmoid(double t) {
        return 1 / (1 + Math.exp(-t));
    }

    @Nested
    class OfLogisticScores {
        @Test
        void ofTwoClassesIsTheSigmoid() {
            for (Calibration calibration : List.of(Calibration.sigmoid(2), Calibration.softmax(2))) {
                assertArrayEquals(new double[] {0.5, 0.5}, probabilities(calibration, 0));
                assertArrayEquals(new double[] {sigmoid(-1.5), sigmoid(1.5)}, probabilities(calibration, 1.5), 1e-15);
            }
        }

        @Test
        void ofSeveralClassesIsNormalised() {
            double[] scores = {0.3, -1, 2};
            double sum = sigmoid(0.3) + sigmoid(-1) + sigmoid(2);
            assertArrayEquals(
                    new double[] {sigmoid(0.3) / sum, sigmoid(-1) / sum, sigmoid(2) / sum},
                    probabilities(Calibration.sigmoid(3), scores),
                    1e-15);
            double all = Math.exp(0.3) + Math.exp(-1) + Math.exp(2);
            assertArrayEquals(
                    new double[] {Math.exp(0.3) / all, Math.exp(-1) / all, Math.exp(2) / all},
                    probabilities(Calibration.softmax(3), scores),
                    1e-15);
        }

        @Test
        void scoresOfAnySizeHaveProbabilities() {
            for (double size : new double[] {1e-300, 1, 40, 800, 1e5, 1e200}) {
                for (int classes : new int[] {2, 3}) {
                    for (Calibration calibration :
                            List.of(Calibration.sigmoid(classes), Calibration.softmax(classes))) {
                        assertProbabilities(calibration, size, 0, -size);
                        assertProbabilities(calibration, -size, -size, -size);
                        assertProbabilities(calibration, -size, -2 * size, -size / 2);
                    }
                }
            }
            // Where all sigmoids vanish, their ratios are those of exponentials.
            double[] far = probabilities(Calibration.sigmoid(3), -1001, -1000, -1000);
            assertArrayEquals(probabilities(Calibration.softmax(3), -1001, -1000, -1000), far, 1e-12);
        }

        @Test
        void theHighestScoreHasTheLargestProbability() {
            RandomStream stream = new Seed(3).stream();
            for (Calibration calibration : List.of(Calibration.sigmoid(5), Calibration.softmax(5))) {
                assertTrue(calibration.keepsOrder());
                for (int trial = 0; trial < 20_000; trial++) {
                    double[] scores = new double[5];
                    double size = Math.pow(10, 6 * stream.nextUniform() - 3);
                    for (int o = 0; o < 5; o++) {
                        scores[o] = size * (stream.nextUniform() - 0.5);
                    }
                    // As near as numbers can be.
                    scores[3] = Math.nextUp(scores[1]);
                    int best = ClassOfHighest.of(scores);
                    double[] p = probabilities(calibration, scores);
                    assertEquals(Arrays.stream(p).max().orElseThrow(), p[best]);
                }
            }
        }
    }

    private static final class ClassOfHighest {
        static int of(double[] scores) {
            int best = 0;
            for (int o = 1; o < scores.length; o++) {
                best = scores[o] > scores[best] ? o : best;
            }
            return best;
        }
    }

    @Nested
    class Platt {
        /** The gradient of Σ w (softplus(t) − y·t), a mean over rows, in slope and offset. */
        private double[] gradient(Rows rows, int output, double positiveTarget, double negativeTarget, State state) {
            double slope = state.array("slopes", rows.outputs)[output];
            double offset = state.array("offsets", rows.outputs)[output];
            double[] gradient = new double[2];
            double total = Arrays.stream(rows.weights).sum();
            for (int i = 0; i < rows.count; i++) {
                double score = rows.scores[i * rows.outputs + output];
                boolean own = rows.labels[i] == (rows.outputs == 1 ? 1 : output);
                double difference = sigmoid(slope * score + offset) - (own ? positiveTarget : negativeTarget);
                gradient[0] += rows.weights[i] / total * difference * score;
                gradient[1] += rows.weights[i] / total * difference;
            }
            return gradient;
        }

        @Test
        void isWhereTheSumOverSmoothedTargetsIsLeast() {
            for (int classes : new int[] {2, 4}) {
                Rows rows = Rows.drawn(classes, 500, 0.6, classes);
                State state = Calibration.fit(Method.PLATT, rows.scored(), TWO).state();
                for (int o = 0; o < rows.outputs; o++) {
                    int own = rows.outputs == 1 ? 1 : o;
                    double n = Arrays.stream(rows.labels).filter(l -> l == own).count();
                    double rest = rows.count - n;
                    double[] gradient = gradient(rows, o, (n + 1) / (n + 2), 1 / (rest + 2), state);
                    assertArrayEquals(new double[2], gradient, 1e-9, "output " + o);
                }
            }
        }

        @Test
        void weightsCountAsCopies() {
            Rows weighted = Rows.drawn(2, 300, 0.5, 1);
            Rows copied = new Rows(2, 900);
            for (int i = 0; i < 900; i++) {
                copied.scores[i] = weighted.scores[i / 3];
                copied.labels[i] = weighted.labels[i / 3];
            }
            Arrays.fill(weighted.weights, 3);
            // Smoothed targets are of 300 rows and of 900: they differ by 1/150 at most, and so the probabilities.
            double p = probabilities(Calibration.fit(Method.PLATT, weighted.scored(), TWO), 0.25)[1];
            assertEquals(p, probabilities(Calibration.fit(Method.PLATT, copied.scored(), TWO), 0.25)[1], 0.02);
            // The unit of the weights does not matter at all.
            Arrays.fill(weighted.weights, 1e-200);
            assertEquals(p, probabilities(Calibration.fit(Method.PLATT, weighted.scored(), TWO), 0.25)[1], 1e-12);
        }

        @Test
        void recoversTheSigmoidThatLabelsWereDrawnFrom() {
            Rows rows = new Rows(2, 40_000);
            RandomStream stream = new Seed(9).stream();
            for (int i = 0; i < rows.count; i++) {
                rows.scores[i] = (float) (4 * stream.nextUniform() - 2);
                rows.labels[i] = stream.nextUniform() < sigmoid(2.5 * rows.scores[i] - 0.7) ? 1 : 0;
            }
            State state = Calibration.fit(Method.PLATT, rows.scored(), TWO).state();
            // Standard errors, from the inverse information of 40,000 rows, are 0.025 and 0.017: five of each.
            assertEquals(2.5, state.array("slopes", 1)[0], 0.13);
            assertEquals(-0.7, state.array("offsets", 1)[0], 0.09);
        }

        @Test
        void scoresThatFallWithTheClassTellNothing() {
            Rows rows = Rows.drawn(2, 200, -1, 5);
            Calibration calibration = Calibration.fit(Method.PLATT, rows.scored(), TWO);
            double share = Arrays.stream(rows.labels).sum() / 200.0;
            assertEquals(probabilities(calibration, -5)[1], probabilities(calibration, 5)[1]);
            // The smoothed targets differ from the labels by 1/80 at most.
            assertEquals(share, probabilities(calibration, 0)[1], 0.02);
        }
    }

    @Nested
    class Temperature {
        @Test
        void recoversTheTemperatureThatLabelsWereDrawnAt() {
            for (int classes : new int[] {2, 5}) {
                Rows rows = new Rows(classes, 20_000);
                RandomStream stream = new Seed(classes).stream();
                for (int i = 0; i < rows.count; i++) {
                    for (int o = 0; o < rows.outputs; o++) {
                        rows.scores[i * rows.outputs + o] = (float) (2 * stream.nextUniform() - 1);
                    }
                    double[] own = Arrays.copyOfRange(rows.scores, i * rows.outputs, (i + 1) * rows.outputs);
                    for (int o = 0; o < own.length; o++) {
                        own[o] /= 0.4;
                    }
                    double[] p = probabilities(Calibration.softmax(classes), own);
                    double u = stream.nextUniform();
                    int label = 0;
                    while (label < classes - 1 && u >= p[label]) {
                        u -= p[label++];
                    }
                    rows.labels[i] = label;
                }
                double temperature = Calibration.fit(Method.TEMPERATURE, rows.scored(), TWO)
                        .state()
                        .number("temperature");
                // The information of a row on 1/T is the variance of its scores under p, at least 0.15 here: a standard
                // error of 0.4²/√(20,000·0.15) = 0.003.
                assertEquals(0.4, temperature, 0.015, classes + " classes");
            }
        }

        @Test
        void doesNotDependOnThreads() {
            ScoreAccumulator rows = Rows.drawn(4, 5000, 0.5, 2).scored();
            State one =
                    Calibration.fit(Method.TEMPERATURE, rows, new Workers(1)).state();
            assertEquals(
                    one,
                    Calibration.fit(Method.TEMPERATURE, rows, new Workers(3)).state());
        }

        @Test
        void keepsTheOrderOfTheScores() {
            Rows rows = Rows.drawn(6, 400, 0.8, 4);
            Calibration calibration = Calibration.fit(Method.TEMPERATURE, rows.scored(), TWO);
            assertTrue(calibration.keepsOrder());
            for (int i = 0; i < rows.count; i++) {
                double[] scores = Arrays.copyOfRange(rows.scores, i * 6, i * 6 + 6);
                assertEquals(ClassOfHighest.of(scores), ClassOfHighest.of(probabilities(calibration, scores)));
            }
        }

        @Test
        void uselessScoresGiveNearlyEqualProbabilities() {
            Calibration calibration = Calibration.fit(
                    Method.TEMPERATURE, Rows.drawn(3, 500, -2, 4).scored(), TWO);
            assertArrayEquals(new double[] {1 / 3.0, 1 / 3.0, 1 / 3.0}, probabilities(calibration, 1, 0, -1), 1e-3);
        }
    }

    @Nested
    class Isotonic {
        @Test
        void isTheNearestFunctionThatNeverFalls() {
            Rows rows = Rows.drawn(2, 60, 0.4, 11);
            RandomStream stream = new Seed(1).stream();
            for (int i = 0; i < rows.count; i++) {
                // Ties among the scores, and weights.
                rows.scores[i] = Math.round(8 * rows.scores[i]) / 8.0;
                rows.weights[i] = 0.5 + stream.nextUniform();
            }
            Calibration calibration = Calibration.fit(Method.ISOTONIC, rows.scored(), TWO);
            double[] places = Arrays.stream(rows.scores).distinct().sorted().toArray();
            double[] sums = new double[places.length];
            double[] weights = new double[places.length];
            double typical = Arrays.stream(rows.weights).average().orElseThrow();
            double share = (kish(rows, 1) + 1) / (kish(rows, 1) + kish(rows, 0) + 2);
            for (int end : new int[] {0, places.length - 1}) {
                weights[end] += typical;
                sums[end] += typical * share;
            }
            for (int i = 0; i < rows.count; i++) {
                int at = Arrays.binarySearch(places, rows.scores[i]);
                weights[at] += rows.weights[i];
                sums[at] += rows.labels[i] * rows.weights[i];
            }
            for (int i = 0; i < places.length; i++) {
                // The solution in closed form: the largest, over a ≤ i, of the least mean of a..b over b ≥ i.
                double largest = 0;
                for (int a = 0; a <= i; a++) {
                    double least = 1;
                    for (int b = i; b < places.length; b++) {
                        least = Math.min(least, sum(sums, a, b) / sum(weights, a, b));
                    }
                    largest = Math.max(largest, least);
                }
                assertEquals(largest, probabilities(calibration, places[i])[1], 1e-12, "at " + places[i]);
            }
        }

        private double kish(Rows rows, int label) {
            double sum = 0;
            double squares = 0;
            for (int i = 0; i < rows.count; i++) {
                if (rows.labels[i] == label) {
                    sum += rows.weights[i];
                    squares += rows.weights[i] * rows.weights[i];
                }
            }
            return sum * sum / squares;
        }

        private double sum(double[] values, int from, int to) {
            return Arrays.stream(values, from, to + 1).sum();
        }

        @Test
        void risesBetweenItsKnotsAndIsConstantBeyond() {
            Calibration calibration =
                    Calibration.fit(Method.ISOTONIC, Rows.drawn(2, 500, 0.7, 12).scored(), TWO);
            double last = 0;
            for (double score = -4; score < 5; score += 0.001) {
                double p = probabilities(calibration, score)[1];
                assertTrue(p >= last && p > 0 && p < 1, "at " + score);
                last = p;
            }
            assertEquals(probabilities(calibration, -1e300)[1], probabilities(calibration, -4)[1]);
            assertEquals(probabilities(calibration, 1e300)[1], last);
        }

        @Test
        void negativeScoresAndZerosAreInOrder() {
            Rows rows = new Rows(2, 6);
            double[] scores = {-2, -1, -0.0, 0.0, 1, 2};
            System.arraycopy(scores, 0, rows.scores, 0, 6);
            rows.labels[4] = 1;
            rows.labels[5] = 1;
            Calibration calibration = Calibration.fit(Method.ISOTONIC, rows.scored(), TWO);
            assertEquals(probabilities(calibration, -0.0)[1], probabilities(calibration, 0.0)[1]);
            assertTrue(probabilities(calibration, -2)[1] < 0.2 && probabilities(calibration, 2)[1] > 0.7);
        }
    }

    @Nested
    class BadRows {
        @ParameterizedTest
        @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "QUANTILE")
        void aClassThatNoRowIsOf(Method method) {
            for (int classes : new int[] {2, 4}) {
                Rows rows = Rows.drawn(classes, 50, 0.5, 1);
                Arrays.setAll(rows.labels, i -> Math.min(rows.labels[i], classes - 2));
                Calibration calibration = Calibration.fit(method, rows.scored(), TWO);
                double[] scores = new double[rows.outputs];
                assertProbabilities(calibration, scores);
                if (method != Method.TEMPERATURE) {
                    // Two more than the rows share the probability of what was never seen.
                    assertTrue(probabilities(calibration, scores)[classes - 1] < 0.1);
                }
            }
        }

        @ParameterizedTest
        @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "QUANTILE")
        void oneRowOfAClassOrOneRowAtAll(Method method) {
            Rows rows = Rows.drawn(3, 40, 0.5, 1);
            Arrays.setAll(rows.labels, i -> i == 7 ? 2 : i % 2);
            assertProbabilities(Calibration.fit(method, rows.scored(), TWO), 0.1, 0.2, 0.3);
            Rows single = Rows.drawn(2, 1, 0.5, 1);
            assertProbabilities(Calibration.fit(method, single.scored(), TWO), 0.1);
        }

        @ParameterizedTest
        @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "QUANTILE")
        void scoresThatAreAllTheSame(Method method) {
            for (double value : new double[] {0, 5, -1e30}) {
                for (int classes : new int[] {2, 3}) {
                    Rows rows = Rows.drawn(classes, 30, 0, 1);
                    Arrays.fill(rows.scores, value);
                    Calibration calibration = Calibration.fit(method, rows.scored(), TWO);
                    assertProbabilities(calibration, value, value, value);
                    assertProbabilities(calibration, 1, -1, 0);
                }
            }
        }

        @ParameterizedTest
        @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "QUANTILE")
        void scoresThatSeparateTheClassesPerfectly(Method method) {
            for (double size : new double[] {1e-30, 1, 1e30}) {
                for (int classes : new int[] {2, 3}) {
                    Rows rows = Rows.drawn(classes, 300, 10, 6);
                    Arrays.setAll(rows.scores, i -> size * (rows.scores[i] - 5));
                    Calibration calibration = Calibration.fit(method, rows.scored(), TWO);
                    double[] right = new double[rows.outputs];
                    Arrays.fill(right, -5 * size);
                    right[rows.outputs - 1] = 5 * size;
                    assertProbabilities(calibration, right);
                    double p = probabilities(calibration, right)[classes - 1];
                    // Sure, but never certain: about one row in 100 a class would be a surprise.
                    assertTrue(p > 0.95 && p < 1, () -> method + " at " + size + ": " + p);
                }
            }
        }

        @ParameterizedTest
        @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "QUANTILE")
        void noRowsOfAnyWeight(Method method) {
            ScoreAccumulator none = new ScoreAccumulator(2);
            none.add(new double[] {1}, 0, 0, 0);
            assertEquals(0, none.rows());
            BochnerException e = assertThrows(BochnerException.class, () -> Calibration.fit(method, none, TWO));
            assertTrue(String.valueOf(e.getMessage()).contains("no rows"), e.getMessage());
        }

        @ParameterizedTest
        @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, 1e300})
        void scoresThatAreNoNumbers(double score) {
            ScoreAccumulator rows = new ScoreAccumulator(2);
            BochnerException e = assertThrows(BochnerException.class, () -> rows.add(new double[] {score}, 0, 1, 1));
            assertTrue(String.valueOf(e.getMessage()).contains("a score is"), e.getMessage());
        }

        @Test
        void labelsAndWeightsThatAreNone() {
            ScoreAccumulator rows = new ScoreAccumulator(3);
            double[] scores = new double[3];
            assertThrows(IllegalArgumentException.class, () -> rows.add(scores, 0, 3, 1));
            assertThrows(IllegalArgumentException.class, () -> rows.add(scores, 0, -1, 1));
            assertThrows(IllegalArgumentException.class, () -> rows.add(scores, 0, 0, -1));
            assertThrows(IllegalArgumentException.class, () -> rows.add(scores, 0, 0, Double.NaN));
            assertThrows(IllegalArgumentException.class, () -> new ScoreAccumulator(1));
        }
    }

    @Nested
    class Saved {
        private List<Calibration> all(int classes) {
            ScoreAccumulator rows = Rows.drawn(classes, 200, 0.5, 1).scored();
            return List.of(
                    Calibration.sigmoid(classes),
                    Calibration.softmax(classes),
                    Calibration.fit(Method.PLATT, rows, TWO),
                    Calibration.fit(Method.TEMPERATURE, rows, TWO),
                    Calibration.fit(Method.ISOTONIC, rows, TWO));
        }

        @Test
        void comesBackTheSame() {
            for (int classes : new int[] {2, 3, 300}) {
                double[] scores = new double[classes];
                Arrays.setAll(scores, o -> Math.sin(o));
                for (Calibration calibration : all(classes)) {
                    Calibration loaded = Calibration.load(calibration.state(), classes);
                    assertEquals(calibration.state(), loaded.state());
                    assertEquals(calibration.toString(), loaded.toString());
                    assertArrayEquals(probabilities(calibration, scores), probabilities(loaded, scores));
                }
            }
        }

        @Test
        void whatDoesNotFitIsRefused() {
            for (Calibration calibration : all(3)) {
                assertThrows(IllegalArgumentException.class, () -> Calibration.load(calibration.state(), 4));
            }
            assertThrows(
                    BochnerException.class,
                    () -> Calibration.load(State.of("magic").with("classes", 3), 3));
            State falling = State.of("isotonic")
                    .with("classes", 2)
                    .with("knots", 2)
                    .with("starts", new int[] {0, 2})
                    .with("places", new double[] {0, 1})
                    .with("values", new double[] {0.6, 0.5});
            assertThrows(IllegalArgumentException.class, () -> Calibration.load(falling, 2));
            State cold = State.of("temperature").with("classes", 2).with("temperature", 0.0);
            assertThrows(IllegalArgumentException.class, () -> Calibration.load(cold, 2));
        }

        @Test
        void tellsWhetherTheHighestScoreWins() {
            List<Calibration> calibrations = all(3);
            assertTrue(calibrations.get(0).keepsOrder() && calibrations.get(3).keepsOrder());
            assertFalse(calibrations.get(2).keepsOrder() || calibrations.get(4).keepsOrder());
        }
    }
}
