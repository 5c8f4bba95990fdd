package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.State;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.learn.calibrate.Calibration;
import org.bochner.learn.linear.LinearModel;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.model.evaluate.Confusion;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.model.file.SavedModel;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class EvaluationTest {
    private static List<String> names(int classes) {
        return IntStream.range(0, classes).mapToObj(c -> "c" + c).toList();
    }

    /** A model whose scores are the columns of a row. */
    private static KernelModel scoresAreColumns(int classes) {
        int outputs = classes == 2 ? 1 : classes;
        double[] identity = new double[outputs * outputs];
        for (int o = 0; o < outputs; o++) {
            identity[o * (outputs + 1)] = 1;
        }
        RowSource none = MemorySource.of(outputs, new float[outputs]);
        FeatureMap map = FeatureMaps.parse("auto")
                .build(Kernels.parse("linear"), RowSample.none(outputs), OptionalInt.empty(), new Seed(1), new Notes());
        return ModelAccess.model(new ModelParts(
                new Transformer(Scalings.parse("none").fit(none, new Workers(1)), map),
                new LinearModel(outputs, outputs, identity, new double[outputs]),
                new Labels.Classes(names(classes)),
                Precision.FLOAT64,
                null,
                Records.unknown(),
                null,
                null,
                false));
    }

    private static final class Drawn {
        final int outputs;
        final float[] scores;
        final int[] labels;

        Drawn(int classes, int rows, long seed) {
            outputs = classes == 2 ? 1 : classes;
            RandomStream stream = new Seed(seed).stream();
            scores = new float[rows * outputs];
            labels = new int[rows];
            for (int i = 0; i < rows; i++) {
                labels[i] = stream.nextInt(classes);
                for (int o = 0; o < outputs; o++) {
                    // Few values, so that some scores of a row are equal.
                    scores[i * outputs + o] = Math.round(8 * stream.nextUniform() - 4) / 2f
                            + (labels[i] == (outputs == 1 ? 1 : o) ? 1 : 0);
                }
            }
        }

        MemorySource source(int classes) {
            return MemorySource.of(outputs, scores).withClasses(names(classes), labels);
        }

        /** The classes of a row, the one with the highest score first, of equal ones the first listed. */
        List<Integer> order(int row) {
            if (outputs == 1) {
                return scores[row] > 0 ? List.of(1, 0) : List.of(0, 1);
            }
            return IntStream.range(0, outputs)
                    .boxed()
                    .sorted(Comparator.comparingDouble(o -> -scores[row * outputs + o]))
                    .toList();
        }
    }

    private static Evaluation evaluate(KernelModel model, RowSource source, int top) {
        return Evaluation.of(model, source, new Workers(2), Progress.NONE, top);
    }

    @Test
    void countsTheFirstAnswers() {
        for (int classes : new int[] {3, 8}) {
            Drawn drawn = new Drawn(classes, 3000, classes);
            for (int top = 1; top < classes; top++) {
                int k = top;
                long wrong = IntStream.range(0, 3000)
                        .filter(i -> drawn.order(i).indexOf(drawn.labels[i]) >= k)
                        .count();
                Evaluation plain = evaluate(scoresAreColumns(classes), drawn.source(classes), top);
                assertEquals(wrong / 3000.0, plain.topError(), 1e-12);
                assertEquals(top, plain.top());
                // Probabilities that keep the order change nothing.
                KernelModel softmax =
                        ModelFixtures.withCalibration(scoresAreColumns(classes), Calibration.softmax(classes));
                assertEquals(
                        plain.topError(),
                        evaluate(softmax, drawn.source(classes), top).topError());
            }
            Evaluation one = evaluate(scoresAreColumns(classes), drawn.source(classes), 1);
            assertEquals(one.error(), one.topError());
            assertFalse(one.toMap().containsKey("topK"));
        }
    }

    @Test
    void ranksByProbabilityWhereThatIsAnotherOrder() {
        // The offset of the last class makes it the most probable of all where its score is not the highest.
        State state = State.of("platt")
                .with("classes", 3)
                .with("slopes", new double[] {1, 1, 1})
                .with("offsets", new double[] {0, 0, 5});
        KernelModel model = ModelFixtures.withCalibration(scoresAreColumns(3), Calibration.load(state, 3));
        MemorySource source = MemorySource.of(3, 1, 0.5f, 0).withClasses(names(3), 1);
        assertEquals("c2", model.predictClass(new double[] {1, 0.5, 0}));
        assertEquals(1, evaluate(model, source, 2).topError());
        assertEquals(0, evaluate(scoresAreColumns(3), source, 2).topError());
    }

    /** The mean place of a row's class, from 1, by sorting. */
    private static double meanRank(Drawn drawn) {
        return IntStream.range(0, drawn.labels.length)
                .map(i -> 1 + drawn.order(i).indexOf(drawn.labels[i]))
                .average()
                .orElseThrow();
    }

    @Test
    void averagesTheRanksOfTheClass() {
        for (int classes : new int[] {2, 3, 8}) {
            Drawn drawn = new Drawn(classes, 1000, classes);
            Evaluation plain = evaluate(scoresAreColumns(classes), drawn.source(classes), 1);
            assertEquals(meanRank(drawn), plain.meanRank(), 1e-12);
            assertTrue(plain.uncalibrated().isEmpty());
            assertFalse(plain.toMap().containsKey("calibrationEffect"));
            KernelModel softmax =
                    ModelFixtures.withCalibration(scoresAreColumns(classes), Calibration.softmax(classes));
            assertTrue(
                    evaluate(softmax, drawn.source(classes), 1).uncalibrated().isEmpty());
        }
    }

    @Test
    void rowsOfUnseenClassesHaveNoRank() {
        MemorySource source = MemorySource.of(3, 1, 0.5f, 0, 1, 0.5f, 0).withClasses(List.of("c1", "other"), 0, 1);
        Evaluation evaluation = evaluate(scoresAreColumns(3), source, 1);
        assertEquals(2, evaluation.meanRank());
        assertEquals(0.5, evaluation.topError(2));
    }

    @Test
    void comparesRankingsWithAndWithoutShiftsOfTheScores() {
        int classes = 8;
        Drawn drawn = new Drawn(classes, 1000, 3);
        double[] shifts = {0, 1, -2, 0.5, 0, 3, -1, 0};
        ModelParts parts = ModelAccess.parts(scoresAreColumns(classes));
        KernelModel shifted = ModelAccess.model(
                parts.withMap(parts.map(), parts.requireLinear().withCalibrated(shifts), parts.training()));
        KernelModel loaded = ModelAccess.model(SavedModel.load("m", SavedModel.state(ModelAccess.parts(shifted))));
        Drawn moved = new Drawn(classes, 1000, 3);
        for (int at = 0; at < moved.scores.length; at++) {
            moved.scores[at] += (float) shifts[at % classes];
        }
        for (KernelModel model : List.of(shifted, loaded)) {
            Evaluation evaluation = evaluate(model, drawn.source(classes), 1);
            Evaluation before = evaluation.uncalibrated().orElseThrow();
            // Scores and shifts are multiples of 1/2, so that shifts are taken back without rounding.
            assertEquals(meanRank(moved), evaluation.meanRank(), 1e-12);
            assertEquals(meanRank(drawn), before.meanRank(), 1e-12);
            assertEquals(5, evaluation.rankingTop());
            Evaluation plain = evaluate(scoresAreColumns(classes), drawn.source(classes), 5);
            assertEquals(plain.topError(), before.topError(5));
            assertEquals(plain.error(), before.error());
            assertEquals(plain.auc(), before.auc());
            assertEquals(
                    Map.of("error", plain.error(), "topError", plain.topError(), "meanRank", plain.meanRank()),
                    assertInstanceOf(Map.class, evaluation.toMap().get("calibrationEffect"))
                            .get("uncalibrated"));
        }
    }

    @Test
    void comparesRankingsByProbabilityAndByScore() {
        State state = State.of("platt")
                .with("classes", 3)
                .with("slopes", new double[] {1, 1, 1})
                .with("offsets", new double[] {0, 0, 5});
        KernelModel model = ModelFixtures.withCalibration(scoresAreColumns(3), Calibration.load(state, 3));
        Evaluation evaluation = evaluate(model, MemorySource.of(3, 1, 0.5f, 0).withClasses(names(3), 1), 1);
        assertEquals(3, evaluation.meanRank());
        Evaluation before = evaluation.uncalibrated().orElseThrow();
        assertEquals(2, before.meanRank());
        assertEquals(2, before.rankingTop());
        assertEquals(0, before.topError(2));
        assertFalse(before.hasProbabilities());
    }

    @Test
    void firstAnswersMustBeFewerThanTheClasses() {
        MemorySource source = new Drawn(3, 10, 1).source(3);
        BochnerException e = assertThrows(BochnerException.class, () -> evaluate(scoresAreColumns(3), source, 3));
        assertTrue(String.valueOf(e.getMessage()).contains("3 classes"), e.getMessage());
        assertThrows(IllegalArgumentException.class, () -> evaluate(scoresAreColumns(3), source, 0));
    }

    @Nested
    class OfProbabilities {
        @Test
        void areWhatTheirFormulasSay() {
            for (int classes : new int[] {2, 4}) {
                Drawn drawn = new Drawn(classes, 2000, 5);
                Calibration calibration = Calibration.softmax(classes);
                double logLoss = 0;
                double brier = 0;
                double[] right = new double[15];
                double[] sure = new double[15];
                for (int i = 0; i < 2000; i++) {
                    double[] scores = new double[drawn.outputs];
                    for (int o = 0; o < scores.length; o++) {
                        scores[o] = drawn.scores[i * drawn.outputs + o];
                    }
                    double[] p = new double[classes];
                    calibration.probabilities(scores, 0, p, 0);
                    logLoss -= Math.log(p[drawn.labels[i]]) / 2000;
                    for (int c = classes == 2 ? 1 : 0; c < classes; c++) {
                        double y = c == drawn.labels[i] ? 1 : 0;
                        brier += (p[c] - y) * (p[c] - y) / 2000;
                    }
                    double most = Arrays.stream(p).max().orElseThrow();
                    int bin = (int) Math.min(14, Math.floor(15 * most));
                    sure[bin] += most / 2000;
                    right[bin] += drawn.order(i).get(0) == drawn.labels[i] ? 1 / 2000.0 : 0;
                }
                double gap = 0;
                for (int b = 0; b < 15; b++) {
                    gap += Math.abs(right[b] - sure[b]);
                }
                Evaluation evaluation = evaluate(
                        ModelFixtures.withCalibration(scoresAreColumns(classes), calibration),
                        drawn.source(classes),
                        1);
                Evaluation errors = evaluation;
                assertEquals(logLoss, errors.logLoss(), 1e-10);
                assertEquals(brier, errors.brier(), 1e-10);
                assertEquals(gap, errors.calibrationError(), 1e-10);
                Map<String, Object> map = evaluation.toMap();
                assertEquals(Double.valueOf(errors.logLoss()), map.get("logLoss"));
                assertEquals(Double.valueOf(errors.brier()), map.get("brier"));
                assertEquals(Double.valueOf(errors.calibrationError()), map.get("calibrationError"));
            }
        }

        @Test
        void staySoundWhereTheModelIsSureAndWrong() {
            KernelModel model = ModelFixtures.withCalibration(scoresAreColumns(2), Calibration.sigmoid(2));
            MemorySource source = MemorySource.of(1, 5000, -5000).withClasses(names(2), 0, 0);
            Evaluation errors = evaluate(model, source, 1);
            assertEquals(52 * Math.log(2) / 2, errors.logLoss(), 1e-12);
            assertEquals(0.5, errors.brier());
            assertEquals(0.5, errors.calibrationError());
        }

        @Test
        void areNotThereWithoutThemOrWithoutARowOfAKnownClass() {
            Drawn drawn = new Drawn(3, 20, 1);
            assertFalse(evaluate(scoresAreColumns(3), drawn.source(3), 1).hasProbabilities());
            KernelModel model = ModelFixtures.withCalibration(scoresAreColumns(3), Calibration.softmax(3));
            MemorySource strange = MemorySource.of(3, 1, 2, 3).withClasses(List.of("unheard"), 0);
            Evaluation evaluation = evaluate(model, strange, 2);
            assertEquals(1, evaluation.unseen());
            assertEquals(1, evaluation.error());
            assertEquals(1, evaluation.topError());
            assertFalse(evaluation.hasProbabilities());
        }
    }

    @Test
    void thousandsOfClassesAreCountedWithoutASquareTable() {
        int classes = 20_000;
        Confusion confusion = new Confusion(classes);
        long[][] small = new long[50][50];
        RandomStream stream = new Seed(1).stream();
        for (int i = 0; i < 10_000; i++) {
            int actual = stream.nextInt(50);
            int predicted = stream.nextInt(3) == 0 ? stream.nextInt(50) : actual;
            confusion.add(399 * actual, 399 * predicted);
            small[actual][predicted]++;
        }
        long correct = 0;
        for (int a = 0; a < 50; a++) {
            for (int p = 0; p < 50; p++) {
                assertEquals(small[a][p], confusion.count(399 * a, 399 * p));
            }
            int actual = a;
            assertEquals(Arrays.stream(small[a]).sum(), confusion.actual(399 * a));
            assertEquals(Arrays.stream(small).mapToLong(row -> row[actual]).sum(), confusion.predicted(399 * a));
            correct += confusion.correct(399 * a);
        }
        assertEquals(correct, confusion.correct());
        assertEquals(0, confusion.count(1, 1));
    }

    @Test
    void errorsAreExactShares() {
        // 1 - 0.56 is 0.43999999999999995.
        for (int wrong : new int[] {176, 224}) {
            int[] classes = IntStream.range(0, 400).map(i -> i < wrong ? 1 : 0).toArray();
            float[] scores = new float[400];
            Arrays.fill(scores, -1);
            MemorySource source = MemorySource.of(1, scores).withClasses(List.of("c0", "c1"), classes);
            Evaluation evaluation = evaluate(scoresAreColumns(2), source, 1);
            assertEquals(wrong / 400.0, evaluation.error());
            assertEquals(wrong / 400.0, evaluation.topError(1));
            assertEquals((400 - wrong) / 400.0, evaluation.toMap().get("accuracy"));
        }
    }

    @Test
    void classesAreMatchedByName() {
        MemorySource source =
                MemorySource.of(3, 0, 0, 1, 1, 0, 0, 0, 1, 0).withClasses(List.of("c2", "unheard", "c0"), 0, 2, 1);
        Evaluation evaluation = evaluate(scoresAreColumns(3), source, 1);
        assertEquals(1 / 3.0, evaluation.error(), 1e-15);
        assertEquals(1, evaluation.confusion(2, 2));
        assertEquals(1, evaluation.confusion(0, 0));
        assertEquals(1, evaluation.unseen());
    }
}
