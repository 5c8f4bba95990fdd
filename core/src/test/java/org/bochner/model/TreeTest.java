package org.bochner.model;

import static org.bochner.model.CascadeFixtures.ROWS;
import static org.bochner.model.CascadeFixtures.THREE;
import static org.bochner.model.CascadeFixtures.TWO;
import static org.bochner.model.CascadeFixtures.assertSays;
import static org.bochner.model.CascadeFixtures.points;
import static org.bochner.model.CascadeFixtures.scores;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.SpellingException;
import org.bochner.data.DataOptions;
import org.bochner.data.DenseRows;
import org.bochner.data.FileSource;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeTest {
    /** Scores in float32 features: a row scored with other rows may differ by this much. */
    private static final double ROUNDING = 1e-4;

    private static final KernelMachine MACHINE =
            KernelMachine.of("gaussian(sigma=0.2)").withFeatures(40);

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static KernelModel three;

    @BeforeAll
    static void train() {
        three = MACHINE.withCells("columns(leaves=3, overlap=0.1)")
                .fit(points(THREE, 1))
                .model();
    }

    private static SplitTree tree(KernelModel model) {
        return model.tree().orElseThrow();
    }

    private static TrainingResult fit(RowSource rows, String cells) {
        return MACHINE.withCells(cells).fit(rows, new Workers(2), Progress.NONE);
    }

    private static void assertNotes(String words, TrainingResult result) {
        assertTrue(
                result.report().notes().stream().anyMatch(note -> note.text().contains(words)),
                result.report().notes().toString());
    }

    /** Returns the sum of the leaves' scores for a row, times its shares. */
    private static double[] sumOfLeaves(KernelModel model, double[] row) {
        double[] shares = new double[tree(model).leaves()];
        tree(model).shares(DenseRows.of(row, null), 0, shares);
        double[] sum = new double[model.linear().outputs()];
        for (int l = 0; l < shares.length; l++) {
            double[] own = model.members().get(l).model().score(row);
            for (int o = 0; o < sum.length; o++) {
                sum[o] += shares[l] * own[o];
            }
        }
        return sum;
    }

    @Nested
    class Scores {
        @Test
        void areThoseOfTheLeavesTimesTheShares() {
            RandomStream stream = new Seed(3).stream();
            int blended = 0;
            for (int i = 0; i < 100; i++) {
                double[] row = {stream.nextUniform(), stream.nextUniform()};
                assertArrayEquals(sumOfLeaves(three, row), three.score(row), ROUNDING);
                double[] shares = new double[3];
                tree(three).shares(DenseRows.of(row, null), 0, shares);
                blended += Arrays.stream(shares).filter(share -> share > 0).count() > 1 ? 1 : 0;
            }
            // Each split blends a fifth of its rows.
            assertTrue(blended > 10, "rows of several leaves: " + blended);
        }

        @Test
        void areContinuousAcrossBorders() {
            for (SplitTree.Split split : tree(three).splits()) {
                int column = split.direction().firstKey();
                for (double border : new double[] {split.low(), split.high()}) {
                    double[] row = {0.37, 0.37};
                    double[] other = row.clone();
                    row[column] = border - 1e-6;
                    other[column] = border + 1e-6;
                    // Scores have slopes of a few units per 0.2, and shares of one per width of the overlap, about 0.1.
                    assertArrayEquals(three.score(row), three.score(other), 1e-3);
                }
            }
        }

        @Test
        void doNotDependOnThreads() {
            KernelModel again = MACHINE.withCells("columns(leaves=3, overlap=0.1)")
                    .fit(points(THREE, 1), new Workers(3), Progress.NONE)
                    .model();
            assertEquals(ModelFixtures.state(three), ModelFixtures.state(again));
            assertArrayEquals(scores(three, points(THREE, 2), 1), scores(three, points(THREE, 2), 3), 0);
        }

        @Test
        void ofOneLeafAreThoseOfAPlainMachine() {
            KernelModel plain = MACHINE.fit(points(THREE, 1)).model();
            KernelModel one = fit(points(THREE, 1), "1").model();
            assertEquals(ModelFixtures.state(plain), ModelFixtures.state(one));
            assertArrayEquals(scores(plain, points(THREE, 2), 1), scores(one, points(THREE, 2), 1), 0);
        }

        @Test
        void ofBlocksAreThoseOfRows() {
            double[] all = scores(three, points(THREE, 4), 1);
            double[] row = new double[2];
            int[] at = {0};
            three.score(points(THREE, 4), new Workers(1), Progress.NONE, (block, values) -> {
                for (int i = 0; i < block.rows(); i++) {
                    block.copyRow(i, row);
                    assertArrayEquals(Arrays.copyOfRange(all, at[0], at[0] + 3), three.score(row), ROUNDING);
                    at[0] += 3;
                }
            });
        }
    }

    @Nested
    class Leaves {
        @Test
        void haveTheRowsWithAShareInThem() {
            long[] rows = new long[3];
            double[] shares = new double[3];
            three.score(points(THREE, 1), new Workers(1), Progress.NONE, (block, values) -> {
                for (int i = 0; i < block.rows(); i++) {
                    tree(three).shares(block, i, shares);
                    for (int l = 0; l < 3; l++) {
                        rows[l] += shares[l] > 0 ? 1 : 0;
                    }
                }
            });
            for (int l = 0; l < 3; l++) {
                assertEquals(rows[l], three.members().get(l).model().training().rows());
            }
            assertEquals(ROWS, three.training().rows());
            // Ten percent on each side of the median are in both leaves.
            assertEquals(1.2 * ROWS, rows[0] + rows[1] + rows[2] - 0.2 * (rows[0] + rows[1]) / 1.2, 0.15 * ROWS);
        }

        @Test
        void areMachinesOfTheirRows() {
            KernelModel leaf = three.members().get(0).model();
            MemorySource own = MemorySource.load(points(THREE, 1), i -> {
                double[] shares = new double[3];
                boolean[] has = new boolean[1];
                // Rows are tested by their place, which the source keeps.
                three.score(points(THREE, 1), new Workers(1), Progress.NONE, (block, values) -> {
                    if (i >= block.firstRow() && i < block.firstRow() + block.rows()) {
                        tree(three).shares(block, (int) (i - block.firstRow()), shares);
                        has[0] = shares[0] > 0;
                    }
                });
                return has[0];
            });
            KernelModel alone = MACHINE.fit(own).model();
            assertArrayEquals(scores(alone, points(THREE, 2), 1), scores(leaf, points(THREE, 2), 1), 0);
        }

        @Test
        void chooseTheirOwnScales() {
            KernelModel tree = KernelMachine.of("gaussian")
                    .withFeatures(30)
                    .withCells("columns(leaves=2)")
                    .fit(wavy())
                    .model();
            assertEquals(2, tree.members().size());
            assertFalse(tree.members()
                    .get(0)
                    .model()
                    .map()
                    .kernel()
                    .equals(tree.members().get(1).model().map().kernel()));
        }

        @Test
        void ofOneClassPredictIt() {
            for (String learner : List.of("ridge", "svm", "logistic", "softmax", "lda")) {
                TrainingResult result = MACHINE.withLearner(learner)
                        .withCells("columns(leaves=4, overlap=0.02)")
                        .fit(corner());
                KernelModel tree = result.model();
                assertNotes("predicts a constant", result);
                assertEquals("a", tree.predictClass(new double[] {0.9, 0.5}), learner);
                assertTrue(Evaluation.of(tree, corner()).error() < 0.1, learner);
                for (double score : scores(tree, points(THREE, 2), 1)) {
                    assertTrue(Double.isFinite(score));
                }
            }
        }
    }

    /** Points whose class is a for x above 0.4, else a or b, so that leaves on the right have one class. */
    private static MemorySource corner() {
        RandomStream stream = new Seed(8).stream();
        float[] values = new float[2 * ROWS];
        int[] classes = new int[ROWS];
        for (int i = 0; i < ROWS; i++) {
            values[2 * i] = (float) stream.nextUniform();
            values[2 * i + 1] = (float) stream.nextUniform();
            classes[i] = values[2 * i] > 0.4 ? 0 : values[2 * i + 1] > 0.5 ? 1 : values[2 * i + 1] > 0.25 ? 2 : 0;
        }
        return MemorySource.of(2, values).withClasses(THREE, classes);
    }

    /** A number that varies fast on the right and slowly on the left. */
    private static MemorySource wavy() {
        RandomStream stream = new Seed(9).stream();
        float[] values = new float[ROWS];
        double[] targets = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            values[i] = (float) stream.nextUniform();
            targets[i] = Math.sin((values[i] > 0.5 ? 60 : 4) * values[i]);
        }
        return MemorySource.of(1, values).withTargets(targets);
    }

    @Nested
    class Splits {
        @Test
        void alongTheColumnThatMatters() {
            RandomStream stream = new Seed(5).stream();
            float[] values = new float[3 * ROWS];
            double[] targets = new double[ROWS];
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) stream.nextGaussian();
            }
            for (int i = 0; i < ROWS; i++) {
                targets[i] = Math.sin(2 * values[3 * i + 1]);
            }
            MemorySource rows = MemorySource.of(3, values).withTargets(targets);
            SplitTree columns = tree(fit(rows, "columns(leaves=2)").model());
            assertEquals(Map.of(1, 1.0), columns.splits().get(0).direction());
            SplitTree agop = tree(fit(rows, "agop(leaves=2)").model());
            Map<Integer, Double> direction = agop.splits().get(0).direction();
            double other = Math.abs(direction.getOrDefault(0, 0.0)) + Math.abs(direction.getOrDefault(2, 0.0));
            // The fit has an error of about a tenth, which turns the direction by as much.
            assertTrue(other < 0.3 * Math.abs(direction.getOrDefault(1, 0.0)), direction.toString());
        }

        @Test
        void alongADiagonal() {
            RandomStream stream = new Seed(5).stream();
            float[] values = new float[2 * ROWS];
            double[] targets = new double[ROWS];
            for (int i = 0; i < ROWS; i++) {
                values[2 * i] = (float) stream.nextGaussian();
                values[2 * i + 1] = (float) (100 * stream.nextGaussian());
                targets[i] = Math.sin(values[2 * i] - values[2 * i + 1] / 100);
            }
            MemorySource rows = MemorySource.of(2, values).withTargets(targets);
            KernelModel model = KernelMachine.of("gaussian(sigma=1)")
                    .withScaling("standard")
                    .withFeatures(40)
                    .withCells("agop(leaves=2)")
                    .fit(rows)
                    .model();
            Map<Integer, Double> direction = tree(model).splits().get(0).direction();
            assertEquals(-1, direction.getOrDefault(0, 0.0) / (100 * direction.getOrDefault(1, 0.0)), 0.3);
        }

        @Test
        void onlyWhereThereAreRowsForTwoLeaves() {
            TrainingResult few = fit(MemorySource.load(points(TWO, 1), i -> i < 130), "8");
            assertEquals(2, few.model().members().size());
            assertNotes("2 of 8 leaves", few);
            TrainingResult three = fit(MemorySource.of(1, 1, 2, 3).withClasses(TWO, 0, 1, 1), "columns(leaves=2)");
            assertTrue(three.model().members().isEmpty());
            assertNotes("1 of 2 leaves", three);
        }

        @Test
        void notAlongConstantColumns() {
            float[] values = new float[3 * ROWS];
            int[] classes = new int[ROWS];
            RandomStream stream = new Seed(6).stream();
            for (int i = 0; i < ROWS; i++) {
                values[3 * i] = 5;
                values[3 * i + 1] = (float) stream.nextUniform();
                values[3 * i + 2] = i == 0 ? 1 : 0;
                classes[i] = Math.sin(9 * values[3 * i + 1]) > 0 ? 1 : 0;
            }
            for (String cells : List.of("columns", "agop")) {
                KernelModel tree = fit(MemorySource.of(3, values).withClasses(TWO, classes), cells + "(leaves=4)")
                        .model();
                for (SplitTree.Split split : tree(tree).splits()) {
                    assertFalse(split.direction().containsKey(0), split.toString());
                    assertTrue(split.low() < split.high(), split.toString());
                }
            }
        }

        @Test
        void equalRowsAreNotDivided() {
            int[] classes = new int[ROWS];
            Arrays.setAll(classes, i -> i % 2);
            float[] values = new float[ROWS];
            Arrays.fill(values, 3);
            MemorySource rows = MemorySource.of(1, values).withClasses(TWO, classes);
            // A plain machine says so too.
            assertSays("do not vary", assertThrows(BochnerException.class, () -> fit(rows, "4")));
        }

        @Test
        void binaryColumnsDivideSharply() {
            RandomStream stream = new Seed(6).stream();
            float[] values = new float[2 * ROWS];
            double[] targets = new double[ROWS];
            for (int i = 0; i < ROWS; i++) {
                values[2 * i] = stream.nextUniform() < 0.6 ? 0 : 1;
                values[2 * i + 1] = (float) stream.nextUniform();
                targets[i] = 5 * values[2 * i] + 0.1 * values[2 * i + 1];
            }
            SplitTree tree = tree(fit(MemorySource.of(2, values).withTargets(targets), "columns(leaves=2)")
                    .model());
            assertEquals(0, tree.splits().get(0).low());
            assertEquals(0, tree.splits().get(0).high());
        }
    }

    @Nested
    class Rows {
        @Test
        void ofWeightZeroDoNotCount() {
            double[] weights = new double[ROWS];
            Arrays.setAll(weights, i -> i % 3 == 0 ? 0 : 1 + i % 2);
            MemorySource all = points(TWO, 1).withRowWeights(weights);
            MemorySource some = MemorySource.load(all, i -> weights[(int) i] > 0);
            KernelModel tree = fit(all, "3").model();
            KernelModel ofSome = fit(some, "3").model();
            assertEquals(tree(ofSome).splits(), tree(tree).splits());
            assertArrayEquals(scores(ofSome, points(TWO, 2), 1), scores(tree, points(TWO, 2), 1), 0);
        }

        @Test
        void inGroups() {
            long[] groups = new long[ROWS];
            Arrays.setAll(groups, i -> i / 5);
            KernelModel tree = fit(points(TWO, 1).withGroups(groups), "3").model();
            assertEquals(3, tree.members().size());
        }

        @Test
        void inSetsAreRefused() {
            String[] sets = new String[ROWS];
            Arrays.setAll(sets, i -> "s" + i);
            assertSays(
                    "divides single rows",
                    assertThrows(
                            BochnerException.class, () -> fit(points(TWO, 1).withSets(sets), "2")));
        }

        @Test
        void thatAreSparseGiveTheSplitsOfDenseRows() {
            int[] starts = new int[ROWS + 1];
            int[] indices = new int[2 * ROWS];
            float[] dense = new float[4 * ROWS];
            float[] values = new float[2 * ROWS];
            int[] classes = new int[ROWS];
            RandomStream stream = new Seed(7).stream();
            for (int i = 0; i < ROWS; i++) {
                starts[i + 1] = 2 * (i + 1);
                indices[2 * i] = 0;
                indices[2 * i + 1] = 1 + i % 3;
                values[2 * i] = (float) stream.nextUniform();
                values[2 * i + 1] = (float) stream.nextUniform();
                dense[4 * i] = values[2 * i];
                dense[4 * i + indices[2 * i + 1]] = values[2 * i + 1];
                classes[i] = Math.sin(7 * values[2 * i]) + 0.1 * values[2 * i + 1] > 0 ? 1 : 0;
            }
            MemorySource sparse = MemorySource.ofCsr(4, starts, indices, values).withClasses(TWO, classes);
            KernelModel tree = fit(sparse, "columns(leaves=2)").model();
            assertEquals(0, tree(tree).splits().get(0).direction().firstKey());
            double[] row = new double[4];
            for (int i = 0; i < 20; i++) {
                int of = i;
                Arrays.setAll(row, column -> dense[4 * of + column]);
                double[] shares = new double[2];
                double[] ofSparse = new double[2];
                tree(tree).shares(DenseRows.of(row, null), 0, shares);
                tree.score(sparse, new Workers(1), Progress.NONE, (block, scores) -> {
                    if (block.firstRow() == 0) {
                        tree(tree).shares(block, of, ofSparse);
                    }
                });
                assertArrayEquals(ofSparse, shares, 0);
            }
        }

        @Test
        void ofFilesWithCategories(@TempDir Path folder) throws IOException {
            StringBuilder text = new StringBuilder("size,colour,kind\n");
            RandomStream stream = new Seed(4).stream();
            for (int i = 0; i < 300; i++) {
                double size = 1e9 + stream.nextUniform();
                boolean first = Math.sin(9 * size) > 0 ^ i % 3 == 0;
                text.append(size).append(i % 3 == 0 ? ",red," : ",blue,").append(first ? "a\n" : "b\n");
            }
            Path csv = Files.writeString(folder.resolve("rows.csv"), text);
            FileSource rows = FileSource.open(DataOptions.of(csv.toString()));
            KernelModel tree =
                    MACHINE.withScaling("standard").withCells("2").fit(rows).model();
            Path file = folder.resolve("tree.bochner");
            tree.save(file);
            KernelModel loaded = KernelModel.load(file);
            assertEquals(ModelFixtures.state(tree), ModelFixtures.state(loaded));
            FileSource again = loaded.open(DataOptions.of(csv.toString()));
            assertArrayEquals(scores(tree, rows, 1), scores(loaded, again, 2), 0);
            assertEquals(
                    tree.predictClass(Map.of("size", 1e9 + 0.25, "colour", "red")),
                    loaded.predictClass(Map.of("size", 1e9 + 0.25, "colour", "red")));
        }

        @Test
        void keepTheirClassWeightsInLeaves() {
            KernelModel balanced = MACHINE.withBalancedClasses(true)
                    .withCells("2")
                    .fit(corner())
                    .model();
            Map<String, Double> weights =
                    balanced.members().get(0).model().training().classWeights();
            assertEquals(THREE, List.copyOf(weights.keySet()));
            // Class a has more than two thirds of all rows, and not of those of each leaf.
            assertTrue(weights.getOrDefault("a", 1.0) < 0.5, weights.toString());
        }
    }

    @Nested
    class Models {
        @Test
        void haveCalibratedProbabilities(@TempDir Path folder) {
            KernelModel calibrated = MACHINE.withCells("2")
                    .withCalibration("temperature(folds=2)")
                    .fit(points(THREE, 1))
                    .model();
            Path file = folder.resolve("tree.bochner");
            calibrated.save(file);
            double[] row = {0.2, 0.8};
            assertEquals(calibrated.probabilities(row), KernelModel.load(file).probabilities(row));
            KernelModel logistic = MACHINE.withLearner("logistic")
                    .withCells("2")
                    .fit(points(TWO, 1))
                    .model();
            assertTrue(logistic.hasProbabilities());
        }

        @Test
        void canBeAveraged(@TempDir Path folder) {
            KernelModel average =
                    MACHINE.withCells("2").withAverage(2).fit(points(THREE, 1)).model();
            assertEquals(2, average.members().size());
            assertTrue(average.members().get(1).model().tree().isPresent());
            double[] row = {0.3, 0.4};
            double mean = (average.members().get(0).model().score(row)[0]
                            + average.members().get(1).model().score(row)[0])
                    / 2;
            assertEquals(mean, average.score(row)[0], 1e-12);
            Path file = folder.resolve("average.bochner");
            average.save(file);
            assertArrayEquals(row(average, row), row(KernelModel.load(file), row), 0);
            KernelModel stacked = KernelModel.average(
                    List.of(three, MACHINE.fit(points(THREE, 1)).model()),
                    points(THREE, 3),
                    new Workers(1),
                    Progress.NONE,
                    new Notes());
            assertTrue(stacked.members().size() >= 1);
        }

        private double[] row(KernelModel model, double[] row) {
            return model.score(row);
        }

        @Test
        void ofSeveralMachinesAreRefusedElsewhere() {
            assertSays("a tree of 3 machines", assertThrows(BochnerException.class, () -> MACHINE.withStart(three)));
            assertSays(
                    "a tree of machines can only be trained",
                    assertThrows(
                            BochnerException.class,
                            () -> MACHINE.withCells("2")
                                    .path(points(TWO, 1), points(TWO, 2), 3, new Workers(1), Progress.NONE)));
            assertSays(
                    "cannot start from a model",
                    assertThrows(
                            BochnerException.class,
                            () -> MACHINE.withStart(MACHINE.fit(points(TWO, 1)).model())
                                    .withCells("2")
                                    .fit(points(TWO, 1))));
        }
    }

    @Test
    void spellings() {
        assertThrows(SpellingException.class, () -> MACHINE.withCells("kd(leaves=2)"));
        assertThrows(SpellingException.class, () -> MACHINE.withCells("columns(depth=2)"));
        assertSays("leaves", assertThrows(SpellingException.class, () -> MACHINE.withCells("columns(leaves=0)")));
        assertSays("overlap", assertThrows(SpellingException.class, () -> MACHINE.withCells("agop(overlap=0.5)")));
        assertSays("overlap", assertThrows(SpellingException.class, () -> MACHINE.withCells("agop(overlap=NaN)")));
    }
}
