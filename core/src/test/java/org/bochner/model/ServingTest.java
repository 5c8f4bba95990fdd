package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.SpellingException;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.Task;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMaps;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One row or one record in, one prediction out. */
class ServingTest {
    private static final List<String> NAMES = List.of("size", "share", "built", "seen", "kind", "price");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    Path folder;

    private final List<List<String>> lines = new ArrayList<>();
    private Path file = Path.of("");

    /** A table with a number, a percentage, a date, a timestamp and a category; its last column is the label. */
    private RowSource table(Task task) throws IOException {
        RandomStream stream = new Seed(5).stream();
        List<String> kinds = List.of("flat", "house", "hut");
        for (int i = 0; i < 80; i++) {
            int kind = stream.nextInt(3);
            double size = Math.rint(1000 * stream.nextUniform()) / 10;
            lines.add(List.of(
                    Double.toString(size),
                    stream.nextInt(100) + " %",
                    "2024-0" + (1 + stream.nextInt(9)) + "-1" + stream.nextInt(10),
                    Integer.toString(1_700_000_000 + stream.nextInt(1000)),
                    i == 3 ? "" : kinds.get(kind),
                    task == Task.REGRESS ? Double.toString(kind * 10 + size / 10) : (kind + size > 50 ? "yes" : "no")));
        }
        file = folder.resolve("train.csv");
        StringBuilder text = new StringBuilder(String.join(",", NAMES)).append('\n');
        lines.forEach(line -> text.append(String.join(",", line)).append('\n'));
        Files.writeString(file, text);
        return FileSource.open(options().withTask(task));
    }

    private DataOptions options() {
        return DataOptions.of(file.toString()).withMissingFilled(true);
    }

    private Map<String, Object> record(int row) {
        Map<String, Object> record = new LinkedHashMap<>();
        for (int c = 0; c < NAMES.size() - 1; c++) {
            record.put(NAMES.get(c), lines.get(row).get(c));
        }
        return record;
    }

    /** The score of each row of the file, in a block of its own, as single rows are scored. */
    private List<Double> scoresOfTheFile(KernelModel model) {
        List<Double> scores = new ArrayList<>();
        double[] score = new double[1];
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor =
                FileSource.open(options(), model.encoding().orElseThrow()).open()) {
            while (cursor.next(builder, 1)) {
                scores.add(model.score(model.mapped().take(builder.build()), score)[0]);
            }
        }
        return scores;
    }

    @Test
    void aRecordIsPredictedAsTheRowOfTheFile() throws IOException {
        KernelModel model = KernelMachine.of("gaussian")
                .withScaling("standard")
                .withFeatures(60)
                .fit(table(Task.REGRESS))
                .model();
        Path saved = folder.resolve("m.bochner");
        model.save(saved);
        KernelModel loaded = KernelModel.load(saved);
        List<Double> expected = scoresOfTheFile(model);
        assertEquals(lines.size(), expected.size());
        for (int i = 0; i < lines.size(); i++) {
            assertEquals(expected.get(i), loaded.predictNumber(record(i)));
            assertEquals(loaded.score(loaded.encode(record(i)))[0], loaded.predictNumber(record(i)));
        }
    }

    @Test
    void classesAndProbabilitiesOfARecordAgree() throws IOException {
        KernelModel model = KernelMachine.of("gaussian")
                .withScaling("standard")
                .withFeatures(60)
                .withLearner(Learner.logistic().withL2(0.1))
                .fit(table(Task.CLASSIFY))
                .model();
        List<Double> scores = scoresOfTheFile(model);
        for (int i = 0; i < lines.size(); i++) {
            Map<String, Double> probabilities = model.probabilities(record(i));
            assertEquals(List.of("no", "yes"), List.copyOf(probabilities.keySet()));
            assertEquals(
                    1,
                    probabilities.values().stream()
                            .mapToDouble(Double::doubleValue)
                            .sum(),
                    1e-12);
            String predicted = model.predictClass(record(i));
            assertEquals(Collections.max(probabilities.values()), probabilities.get(predicted));
            assertEquals(scores.get(i) > 0 ? "yes" : "no", predicted);
        }
        assertThrows(
                UnsupportedOperationException.class,
                () -> model.probabilities(record(0)).clear());
    }

    @Test
    void manyThreadsMayAskOneModel() throws IOException {
        KernelModel model = KernelMachine.of("gaussian")
                .withScaling("standard")
                .withFeatures(30)
                .fit(table(Task.REGRESS))
                .model();
        double[] expected = IntStream.range(0, lines.size())
                .mapToDouble(i -> model.predictNumber(record(i)))
                .toArray();
        KernelModel fresh = KernelMachine.of("gaussian")
                .withScaling("standard")
                .withFeatures(30)
                .fit(FileSource.open(options().withTask(Task.REGRESS)))
                .model();
        assertArrayEquals(
                expected,
                IntStream.range(0, lines.size())
                        .parallel()
                        .mapToDouble(i -> fresh.predictNumber(record(i)))
                        .toArray());
    }

    @Nested
    class Refusals {
        private final MemorySource rows = MemorySource.of(new double[][] {{0}, {1}, {2}, {3}});

        private String refusal(Runnable action) {
            return String.valueOf(
                    assertThrows(BochnerException.class, action::run).getMessage());
        }

        private KernelModel fit(MemorySource source) {
            return KernelMachine.of("gaussian(sigma=1)")
                    .withFeatures(10)
                    .withLearner(Learner.ridge(0.1))
                    .fit(source)
                    .model();
        }

        @Test
        void nameTheMethodThatFits() {
            KernelModel classes = fit(rows.withClasses("a", "b", "a", "b"));
            KernelModel numbers = fit(rows.withTargets(1, 2, 3, 4));
            KernelModel several = fit(rows.withTargets(List.of("x", "y"), 1, 2, 3, 4, 5, 6, 7, 8));
            double[] row = {1};
            assertTrue(refusal(() -> classes.predictNumber(row)).contains("use predictClass"));
            assertTrue(refusal(() -> numbers.predictClass(row)).contains("use predictNumber"));
            assertTrue(refusal(() -> several.predictNumber(row)).contains("predicts 2 numbers, x, y; score returns"));
            assertTrue(refusal(() -> numbers.probabilities(row)).contains("numbers, which have no probabilities"));
            assertTrue(refusal(() -> numbers.predictNumber(Map.of("a", 1)))
                    .contains("give the row as an array of 1 numbers"));
            assertEquals(numbers.score(row)[0], numbers.predictNumber(row));
        }
    }

    @Test
    void mapsAndScalingsMayBeSpelled() {
        MemorySource rows =
                MemorySource.of(new double[][] {{0, 5}, {1, 3}, {2, 8}, {3, 1}}).withTargets(1, 2, 3, 4);
        KernelMachine machine = KernelMachine.of("gaussian(sigma=1)").withFeatures(16);
        KernelModel spelled = machine.withMap("orthogonal(phase)")
                .withScaling("min-max")
                .withLearner("ridge(lambda=1)")
                .fit(rows)
                .model();
        KernelModel typed = machine.withMap(FeatureMaps.parse("orthogonal(phase)"))
                .withScaling(Scalings.parse("min-max"))
                .withLearner(Learner.ridge(1))
                .fit(rows)
                .model();
        assertEquals(ModelFixtures.state(typed), ModelFixtures.state(spelled));
        assertThrows(SpellingException.class, () -> machine.withMap("orthogonl"));
        assertThrows(SpellingException.class, () -> machine.withScaling("standrd"));
    }
}
