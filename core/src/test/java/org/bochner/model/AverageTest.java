package org.bochner.model;

import static org.bochner.model.CascadeFixtures.THREE;
import static org.bochner.model.CascadeFixtures.TWO;
import static org.bochner.model.CascadeFixtures.assertSays;
import static org.bochner.model.CascadeFixtures.points;
import static org.bochner.model.CascadeFixtures.scores;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.data.MemorySource;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AverageTest {
    /** Float64 sums of a few numbers below 10. */
    private static final double ROUNDING = 1e-12;

    private static final KernelMachine MACHINE =
            KernelMachine.of("gaussian(sigma=0.2)").withFeatures(40);

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static KernelModel three;

    @BeforeAll
    static void train() {
        three = MACHINE.withAverage(3).fit(points(THREE, 1)).model();
    }

    private static double[] meanOfMembers(KernelModel average, MemorySource rows) {
        double[] sum = new double[scores(average, rows, 1).length];
        for (ModelMember member : average.members()) {
            double[] own = scores(member.model(), rows, 1);
            for (int i = 0; i < sum.length; i++) {
                sum[i] += own[i] / average.members().size();
            }
        }
        return sum;
    }

    private static KernelModel stack(List<KernelModel> models, MemorySource rows, Notes notes) {
        return KernelModel.average(models, rows, new Workers(2), Progress.NONE, notes);
    }

    @Nested
    class OfSeeds {
        @Test
        void scoresAreTheMeansOfTheMembers() {
            MemorySource rows = points(THREE, 2);
            assertEquals(3, three.members().size());
            assertArrayEquals(meanOfMembers(three, rows), scores(three, rows, 1), ROUNDING);
            double[] row = {0.3, 0.6};
            double expected = 0;
            for (ModelMember member : three.members()) {
                expected += member.model().score(row)[1] / 3;
            }
            assertEquals(expected, three.score(row)[1], ROUNDING);
        }

        @Test
        void theFirstMemberIsTheMachineAlone() {
            KernelModel alone = MACHINE.fit(points(THREE, 1)).model();
            KernelModel first = three.members().get(0).model();
            assertArrayEquals(scores(alone, points(THREE, 2), 1), scores(first, points(THREE, 2), 1), 0);
            assertEquals(alone.training().seed(), first.training().seed());
            assertNotEquals(
                    alone.training().seed(),
                    three.members().get(1).model().training().seed());
        }

        @Test
        void chosenScalesAreShared() {
            KernelModel mean = KernelMachine.of("gaussian")
                    .withFeatures(30)
                    .withAverage(2)
                    .fit(points(TWO, 1))
                    .model();
            KernelModel first = mean.members().get(0).model();
            KernelModel second = mean.members().get(1).model();
            assertEquals(first.map().kernel(), second.map().kernel());
            assertEquals(first.scaler().state(), second.scaler().state());
            assertNotEquals(first.map().state(), second.map().state());
        }

        @Test
        void oneMachineIsNoAverage() {
            KernelModel one = MACHINE.withAverage(1).fit(points(TWO, 1)).model();
            assertTrue(one.members().isEmpty());
            assertEquals(ModelFixtures.state(MACHINE.fit(points(TWO, 1)).model()), ModelFixtures.state(one));
        }

        @Test
        void mapsThatDoNotDependOnTheSeedAreRefused() {
            BochnerException e = assertThrows(
                    BochnerException.class,
                    () -> KernelMachine.of("linear").withAverage(2).fit(points(TWO, 1)));
            assertSays("do not depend on the seed", e);
        }

        @Test
        void threadsDoNotChangeTheModel() {
            KernelModel again = MACHINE.withAverage(3)
                    .fit(points(THREE, 1), new Workers(3), Progress.NONE)
                    .model();
            assertEquals(ModelFixtures.state(three), ModelFixtures.state(again));
            assertArrayEquals(scores(three, points(THREE, 2), 1), scores(three, points(THREE, 2), 3), 0);
        }

        @Test
        void isSavedAndLoaded(@TempDir Path folder) {
            Path file = folder.resolve("average.bochner");
            three.save(file);
            KernelModel loaded = KernelModel.load(file);
            assertEquals(ModelFixtures.state(three), ModelFixtures.state(loaded));
            assertArrayEquals(scores(three, points(THREE, 2), 1), scores(loaded, points(THREE, 2), 1), 0);
            assertEquals(three.fileBytes(), file.toFile().length());
        }

        @Test
        void hasTheProbabilitiesOfItsLoss() {
            KernelModel logistic = MACHINE.withLearner("logistic")
                    .withAverage(2)
                    .fit(points(TWO, 1))
                    .model();
            assertTrue(logistic.hasProbabilities());
            assertFalse(three.hasProbabilities());
            double score = logistic.score(new double[] {0.5, 0.9})[0];
            assertEquals(
                    1 / (1 + Math.exp(-score)),
                    logistic.probabilities(new double[] {0.5, 0.9}).getOrDefault("yes", Double.NaN),
                    ROUNDING);
        }

        @Test
        void isCalibratedAsAWhole(@TempDir Path folder) {
            KernelModel calibrated = MACHINE.withAverage(2)
                    .withCalibration("platt(folds=2)")
                    .fit(points(THREE, 1))
                    .model();
            assertTrue(calibrated.hasProbabilities());
            assertEquals("platt(folds=2)", String.valueOf(calibrated.training().calibration()));
            assertFalse(calibrated.members().get(0).model().hasProbabilities());
            Path file = folder.resolve("calibrated.bochner");
            calibrated.save(file);
            double[] row = {0.2, 0.8};
            assertEquals(calibrated.probabilities(row), KernelModel.load(file).probabilities(row));
            BochnerException e = assertThrows(
                    BochnerException.class,
                    () -> MACHINE.withAverage(2).withCalibration("quantile").fit(points(THREE, 1)));
            assertSays("of a single model", e);
        }

        @Test
        void otherWorkNeedsASingleMachine() {
            BochnerException start = assertThrows(BochnerException.class, () -> MACHINE.withStart(three));
            assertSays("an average of 3 models", start);
            BochnerException compiled = assertThrows(
                    BochnerException.class,
                    () -> AdditiveCurves.compile(three, "linear", 10, null, new Workers(1), Progress.NONE));
            assertSays("an average of 3 models", compiled);
            BochnerException path = assertThrows(
                    BochnerException.class,
                    () -> MACHINE.withAverage(2)
                            .path(points(TWO, 1), points(TWO, 2), 3, new Workers(1), Progress.NONE));
            assertSays("an average of several machines can only be trained", path);
            BochnerException cascade = assertThrows(
                    BochnerException.class,
                    () -> MACHINE.withAverage(2)
                            .withStages(List.of(KernelMachine.of("linear")), 0)
                            .fit(points(TWO, 1)));
            assertSays("an average of several machines can only be trained", cascade);
        }
    }

    @Nested
    class OfManyMachines {
        @Test
        void theirNumberIsBounded() {
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> MACHINE.withAverage(1001));
            assertEquals("KernelMachine: average must be between 1 and 1000, got 1001", e.getMessage());
            assertThrows(IllegalArgumentException.class, () -> MACHINE.withAverage(0));
        }

        /** 200 frequencies of 5,000 columns take 4 MB: 1,000 machines take more than the 2 GB of the JVM of the tests. */
        @Test
        void theyMustFitIntoMemory() {
            int columns = 5000;
            float[] values = new float[6 * columns];
            for (int i = 0; i < values.length; i++) {
                values[i] = i % 7;
            }
            MemorySource rows = MemorySource.of(columns, values).withTargets(1, 2, 3, 5, 4, 3);
            KernelMachine machine =
                    KernelMachine.of("gaussian(sigma=100)").withFeatures(400).withAverage(1000);
            assertSays("1,000 machines would take", assertThrows(BochnerException.class, () -> machine.fit(rows)));
        }
    }

    @Nested
    class OfTrainedModels {
        private final KernelModel ridge = MACHINE.fit(points(THREE, 1)).model();
        private final KernelModel svm = MACHINE.withSeed(new Seed(2))
                .withLearner("svm")
                .fit(points(THREE, 1))
                .model();
        private final KernelModel linear =
                KernelMachine.of("linear").fit(points(THREE, 1)).model();

        @Test
        void theMeanOfModels() {
            KernelModel mean = KernelModel.mean(List.of(ridge, svm, linear));
            MemorySource rows = points(THREE, 2);
            assertArrayEquals(meanOfMembers(mean, rows), scores(mean, rows, 1), ROUNDING);
        }

        @Test
        void scoresAreTheWeightedSum() {
            Notes notes = new Notes();
            KernelModel stacked = stack(List.of(ridge, svm, linear), points(THREE, 3), notes);
            MemorySource rows = points(THREE, 2);
            double[] all = scores(stacked, rows, 1);
            double[] sum = new double[all.length];
            for (ModelMember member : stacked.members()) {
                assertTrue(member.weight() > 0);
                double[] own = scores(member.model(), rows, 1);
                for (int i = 0; i < sum.length; i++) {
                    sum[i] += member.weight() * own[i];
                }
            }
            // The intercept of each class is the same for all rows.
            for (int i = 0; i < sum.length; i++) {
                assertEquals(all[i % 3] - sum[i % 3], all[i] - sum[i], ROUNDING);
            }
            assertEquals(3, stacked.members().size() + notes.list().size());
        }

        @Test
        void isAboutAsGoodAsTheBestMember() {
            KernelModel stacked = stack(List.of(ridge, svm, linear), points(THREE, 3), new Notes());
            MemorySource rows = points(THREE, 2);
            double best = Math.min(
                    Evaluation.of(ridge, rows).error(), Evaluation.of(svm, rows).error());
            // A standard error of 600 rows with a tenth of errors is 1.2 points.
            assertTrue(Evaluation.of(stacked, rows).error() < best + 0.025);
        }

        @Test
        void modelsWithoutUseAreLeftOut() {
            MemorySource opposite = points(TWO, 1);
            KernelModel good = MACHINE.fit(opposite).model();
            double[] yes = {0, 1};
            KernelModel bad = MACHINE.withSeed(new Seed(9)).fit(inverted(1)).model();
            Notes notes = new Notes();
            KernelModel stacked = stack(List.of(bad, good), points(TWO, 3), notes);
            assertEquals(1, stacked.members().size());
            assertSays("member 1", new BochnerException(notes.list().get(0).text()));
            assertEquals(good.predictClass(yes), stacked.predictClass(yes));
            BochnerException e =
                    assertThrows(BochnerException.class, () -> stack(List.of(bad, bad), points(TWO, 3), new Notes()));
            assertSays("better than a constant", e);
        }

        @Test
        void copiesAreNoted() {
            KernelModel copy = MACHINE.fit(points(THREE, 1)).model();
            KernelModel tree = MACHINE.withCells("2").fit(points(THREE, 1)).model();
            KernelModel sameTree = MACHINE.withCells("2").fit(points(THREE, 1)).model();
            Notes notes = new Notes();
            stack(List.of(ridge, svm, copy, tree, sameTree), points(THREE, 3), notes);
            assertEquals(
                    List.of("member 3 is equal to member 1", "member 5 is equal to member 4"),
                    notes.list().stream()
                            .map(note -> note.text().replaceAll(", so it adds.*", ""))
                            .filter(text -> text.contains("equal"))
                            .toList());
        }

        @Test
        void modelsThatDisagreeAreRefused() {
            KernelModel two = MACHINE.fit(points(TWO, 1)).model();
            assertSays(
                    "other labels", assertThrows(BochnerException.class, () -> KernelModel.mean(List.of(ridge, two))));
            MemorySource numbers =
                    MemorySource.of(2, new float[] {1, 2, 3, 4, 5, 6}).withTargets(1, 2, 3);
            KernelModel number = KernelMachine.of("linear").fit(numbers).model();
            assertSays(
                    "predicts numbers",
                    assertThrows(BochnerException.class, () -> KernelModel.mean(List.of(two, number))));
            MemorySource wide =
                    MemorySource.of(3, new float[] {1, 2, 3, 4, 6, 5, 9, 7, 8}).withClasses(THREE, new int[] {0, 1, 2});
            KernelModel other = KernelMachine.of("linear").fit(wide).model();
            assertSays(
                    "has 3 columns",
                    assertThrows(BochnerException.class, () -> KernelModel.mean(List.of(ridge, other))));
            assertSays(
                    "is an average of 3 models",
                    assertThrows(BochnerException.class, () -> KernelModel.mean(List.of(ridge, three))));
            assertSays(
                    "has other labels",
                    assertThrows(
                            BochnerException.class, () -> stack(List.of(ridge, svm), points(TWO, 2), new Notes())));
        }
    }

    /** Points of two classes with the classes exchanged. */
    private static MemorySource inverted(long seed) {
        MemorySource points = points(TWO, seed);
        int[] classes = new int[CascadeFixtures.ROWS];
        float[] values = new float[2 * CascadeFixtures.ROWS];
        int[] at = {0};
        double[] row = new double[2];
        KernelModel any = KernelMachine.of("linear").fit(points).model();
        any.score(points, new Workers(1), Progress.NONE, (block, scores) -> {
            for (int i = 0; i < block.rows(); i++) {
                block.copyRow(i, row);
                values[2 * at[0]] = (float) row[0];
                values[2 * at[0] + 1] = (float) row[1];
                classes[at[0]++] = 1 - (int) block.target(i, 0);
            }
        });
        return MemorySource.of(2, values).withClasses(TWO, classes);
    }
}
