package org.bochner.tune;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bochner.base.BochnerException;
import org.bochner.base.Json;
import org.bochner.base.Note;
import org.bochner.base.SpellingException;
import org.bochner.base.text.JsonObject;
import org.bochner.data.ColumnRange;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Spectrum;
import org.bochner.learn.Iteration;
import org.bochner.map.FeatureMaps;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.TrainingRecord;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.model.file.SavedRecord;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.tune.channels.ChannelNorm;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MultipleKernelsTest {
    private static final Workers WORKERS = new Workers(2);

    private static MultipleKernels gaussians() {
        return MultipleKernels.of(ChannelRows.CHANNELS, "gaussian").withFeatures(40);
    }

    /** For losses that go over the rows, which takes longer. */
    private static MultipleKernels few() {
        return gaussians().withFeatures(20).withFolds(2).withSteps(6);
    }

    private static LearnedSum learn(MultipleKernels recipe, RowSource rows) {
        return recipe.fit(rows, WORKERS, Progress.NONE);
    }

    private static void assertOnlySignal(LearnedSum learned) {
        List<LearnedSum.Channel> channels = learned.channels();
        assertTrue(channels.get(0).kernelWeight() > 0 && channels.get(2).kernelWeight() > 0, channels::toString);
        assertEquals(0, channels.get(1).kernelWeight(), channels::toString);
        assertEquals(0, channels.get(3).kernelWeight(), channels::toString);
        assertEquals(1, channels.stream().mapToDouble(LearnedSum.Channel::share).sum(), 1e-12);
    }

    @Nested
    class BlockNorm {
        @Test
        void leavesNoiseOutOfKernelAndModel() {
            LearnedSum learned = learn(gaussians(), ChannelRows.numbers(400));
            assertOnlySignal(learned);
            String kernel = learned.kernel().toString();
            assertTrue(kernel.contains("[0:2] + ") && kernel.endsWith("[5:7]"), kernel);
            assertEquals(80, learned.model().map().outputDimension());
            assertEquals(160, learned.features());
            LearnedSum.Step chosen = learned.path().get(learned.chosen());
            assertEquals(2, chosen.active());
            assertEquals(
                    learned.channels().get(0).kernelWeight(),
                    chosen.kernelWeights().get(0));
        }

        @Tag("long")
        @ParameterizedTest
        @ValueSource(strings = {"logistic", "squared-hinge"})
        void leavesNoiseOutForClasses(String loss) {
            LearnedSum learned = learn(few().withLoss(ChannelLoss.parse(loss)), ChannelRows.classes(200));
            assertOnlySignal(learned);
            assertEquals(loss.equals("logistic"), learned.model().hasProbabilities());
        }

        @Tag("long")
        @ParameterizedTest
        @ValueSource(strings = {"hinge", "insensitive", "smooth-insensitive"})
        void leavesNoiseOutForClassesWithLossesOfOneSlope(String loss) {
            LearnedSum learned = learn(few().withLoss(ChannelLoss.parse(loss)), ChannelRows.classes(120));
            assertOnlySignal(learned);
        }

        @Test
        @Tag("long")
        void leavesNoiseOutForSmoothInsensitiveLoss() {
            ChannelLoss loss = ChannelLoss.parse("smooth-insensitive(epsilon=0.05, gamma=5)");
            LearnedSum learned = learn(few().withLoss(loss), ChannelRows.numbers(200));
            assertOnlySignal(learned);
            assertEquals("svr", learned.learner().name());
        }

        /** Features of the linear kernel are the columns, whatever the weights: both models are of the same features. */
        @ParameterizedTest
        @ValueSource(strings = {"1", "1.5", "average"})
        void kernelAndLearnerGiveTheSameModel(String norm) {
            RowSource rows = ChannelRows.numbers(300);
            LearnedSum learned = learn(
                    MultipleKernels.of(ChannelRows.CHANNELS, "linear")
                            .withMap(FeatureMaps.parse("exact"))
                            .withNorm(norm)
                            .withPrecision(Precision.FLOAT64),
                    rows);
            KernelModel trained = KernelMachine.of(learned.kernel().toString())
                    .withMap(FeatureMaps.parse("exact"))
                    .withPrecision(Precision.FLOAT64)
                    .withLearner(learned.learner())
                    .fit(rows, WORKERS, Progress.NONE)
                    .model();
            double[] row = {0.3, -0.7, 0.2, 0.9, -0.4, 0.5, 0.6, -0.8, 0.1};
            // Kernel weights are printed to six digits, and the scores of rows are of size 1.
            assertEquals(trained.score(row)[0], learned.model().score(row)[0], 1e-5);
        }

        @ParameterizedTest
        @CsvSource({"1, square", "2, square", "average, square", "1, logistic"})
        void modelIsThatOfItsKernelAndLearner(String norm, String loss) {
            RowSource rows = ChannelRows.classes(200);
            LearnedSum learned = learn(
                    few().withNorm(norm).withLoss(ChannelLoss.parse(loss)).withPrecision(Precision.FLOAT64), rows);
            KernelModel model = learned.model();
            assertEquals(learned.kernel(), model.map().kernel());
            // Trained again with the features of the model and the recorded penalty.
            KernelModel again = KernelMachine.of(model.map().kernel())
                    .withPrecision(Precision.FLOAT64)
                    .withLearner(model.training().fittedLearner())
                    .fit(rows, model.transformer(), WORKERS, Progress.NONE)
                    .model();
            double[] row = {0.3, -0.7, 0.2, 0.9, -0.4, 0.5, 0.6, -0.8, 0.1};
            // Scores go up to 8; the solvers of the logistic loss stop at about 0.2% of them.
            assertArrayEquals(model.score(row), again.score(row), loss.equals("square") ? 1e-5 : 0.05);
        }

        @Test
        void plainSolutionIsTheMinimumOfTheObjective() {
            RowSource rows = ChannelRows.numbers(200);
            LearnedSum learned = learn(gaussians().withPlainSolution(true), rows);
            LearnedSum.Step first = learned.path().get(0);
            assertEquals(0, first.active(), "the path starts without weights");
            LearnedSum.Step chosen = learned.path().get(learned.chosen());
            for (LearnedSum.Step step : learned.path()) {
                assertEquals(step.lambda() / Math.sqrt(2), step.l2(), 1e-12 * step.l2(), "no refit");
                assertTrue(step.loss() >= chosen.loss(), "the smallest loss is chosen");
            }
            for (int c = 0; c < 4; c++) {
                assertEquals(
                        chosen.kernelWeights().get(c), learned.channels().get(c).kernelWeight(), "no threshold");
            }
            LearnedSum given = learn(gaussians().withPlainSolution(true).withLambda(chosen.lambda()), rows);
            assertEquals(1, given.path().size());
            assertEquals(chosen.loss(), given.path().get(0).loss(), 1e-3 * chosen.loss());
            for (int c = 0; c < 4; c++) {
                // Newton's method ends at derivatives of 1e-7.
                assertEquals(
                        learned.channels().get(c).kernelWeight(),
                        given.channels().get(c).kernelWeight(),
                        1e-5 * (1 + given.channels().get(c).kernelWeight()));
            }
            BochnerException e = assertThrows(
                    BochnerException.class, () -> learn(gaussians().withLambda(1.01 * first.lambda()), rows));
            assertTrue(String.valueOf(e.getMessage()).contains("no channel gets a weight"), e::getMessage);
        }

        @Test
        void kernelParsesBack() {
            LearnedSum learned = learn(gaussians(), ChannelRows.numbers(200));
            assertEquals(learned.kernel(), Kernels.parse(learned.kernel().toString()));
        }

        @Test
        void weightsAreNormsOverTheRootOfTwo() {
            LearnedSum learned = learn(gaussians(), ChannelRows.numbers(200));
            for (LearnedSum.Channel channel : learned.channels()) {
                // At a KKT residual of 1e-7, |u| = √2 to 1e-7, and |w| = d·|u|.
                assertEquals(channel.kernelWeight(), channel.norm() / Math.sqrt(2), 1e-5 * channel.kernelWeight());
            }
        }

        @Test
        void penaltiesFallAndChannelsComeIn() {
            List<LearnedSum.Step> path =
                    learn(gaussians(), ChannelRows.numbers(200)).path();
            assertTrue(path.size() >= 8, "steps");
            assertTrue(path.get(0).active() >= 1);
            for (int k = 1; k < path.size(); k++) {
                assertEquals(
                        Math.pow(10, -0.25),
                        path.get(k).lambda() / path.get(k - 1).lambda(),
                        1e-12);
            }
            assertTrue(path.stream().allMatch(LearnedSum.Step::converged));
        }
    }

    @Nested
    class OtherNorms {
        @Test
        void averageWeighsAllAlike() {
            LearnedSum learned = learn(gaussians().withNorm("average"), ChannelRows.numbers(200));
            assertTrue(learned.channels().stream().allMatch(channel -> channel.kernelWeight() == 1));
            assertFalse(
                    learned.kernel().toString().contains("*"),
                    () -> learned.kernel().toString());
        }

        @ParameterizedTest
        @ValueSource(strings = {"square", "smooth-insensitive"})
        void powersKeepAllAndPreferSignal(String loss) {
            LearnedSum learned = learn(
                    gaussians()
                            .withNorm(2)
                            .withLoss(ChannelLoss.parse(loss))
                            .withFolds(2)
                            .withSteps(6),
                    ChannelRows.numbers(200));
            double[] weights = learned.channels().stream()
                    .mapToDouble(LearnedSum.Channel::kernelWeight)
                    .toArray();
            double norm = Arrays.stream(weights).map(w -> w * w).sum();
            assertEquals(1, norm, 1e-9);
            assertTrue(Math.min(weights[0], weights[2]) > Math.max(weights[1], weights[3]), Arrays.toString(weights));
            assertTrue(Arrays.stream(weights).allMatch(w -> w > 0));
        }
    }

    @Nested
    class Runs {
        @ParameterizedTest
        @CsvSource({"square, 20", "square, 60", "logistic, 20"})
        void doNotDependOnThreads(String loss, int features) {
            MultipleKernels recipe = few().withLoss(ChannelLoss.parse(loss))
                    .withFeatures(features)
                    .withSteps(3);
            RowSource rows = ChannelRows.classes(200);
            LearnedSum one = recipe.fit(rows, new Workers(1), Progress.NONE);
            LearnedSum three = recipe.fit(rows, new Workers(3), Progress.NONE);
            assertEquals(one.path(), three.path());
            assertArrayEquals(
                    ModelAccess.parts(one.model()).requireLinear().weights(),
                    ModelAccess.parts(three.model()).requireLinear().weights());
        }

        /** A class of weight 2 is a class whose rows all have the weight 2. Both folds and losses follow the weights. */
        @ParameterizedTest
        @CsvSource({"square, 20", "square, 60", "logistic, 20"})
        void weighRowsOfClasses(String loss, int features) {
            MultipleKernels recipe = MultipleKernels.of(ChannelRows.CHANNELS, "gaussian(sigma=0.8)")
                    .withFeatures(features)
                    .withLoss(loss)
                    .withFolds(2)
                    .withSteps(2);
            MemorySource rows = ChannelRows.classes(150);
            double[] weights = new double[150];
            try (RowCursor cursor = rows.open()) {
                RowBlockBuilder all = new RowBlockBuilder();
                cursor.next(all, weights.length);
                Arrays.setAll(weights, i -> all.build().target(i, 0) == 1 ? 2 : 1);
            }
            LearnedSum ofClass = learn(recipe.withClassWeights(Map.of("middle", 2.0)), rows);
            LearnedSum ofRows = learn(recipe, rows.withRowWeights(weights));
            assertEquals(ofRows.path(), ofClass.path());
            assertNotEquals(learn(recipe, rows).path(), ofClass.path());
            assertEquals(Map.of("middle", 2.0), ofClass.model().training().classWeights());
            assertTrue(learn(recipe.withBalancedClasses(true), rows)
                    .model()
                    .training()
                    .balancedClasses());
        }

        @Test
        void continueFromAModel() {
            RowSource rows = ChannelRows.numbers(300);
            LearnedSum whole = learn(gaussians(), rows);
            LearnedSum begun = learn(gaussians().withSteps(2), rows);
            LearnedSum.Step last = begun.path().get(begun.chosen());
            LearnedSum resumed = learn(gaussians().withStart(begun.model()), rows);
            assertEquals(last.lambda(), resumed.path().get(0).lambda());
            for (int c = 0; c < 4; c++) {
                // Penalties follow from the first one by the same factors, and scales are kept or measured again.
                LearnedSum.Channel expected = whole.channels().get(c);
                LearnedSum.Channel found = resumed.channels().get(c);
                assertEquals(expected.kernel(), found.kernel());
                assertEquals(expected.kernelWeight(), found.kernelWeight(), 1e-5 * (1 + expected.kernelWeight()));
            }
            assertThrows(BochnerException.class, () -> gaussians().withNorm(2).withStart(begun.model()));
            assertThrows(
                    BochnerException.class,
                    () -> gaussians().withSeed(new Seed(9)).withStart(begun.model()));
            assertThrows(
                    BochnerException.class,
                    () -> MultipleKernels.of(ChannelRows.CHANNELS, "cauchy").withStart(begun.model()));
            KernelModel other = KernelMachine.of("gaussian(sigma=1)").fit(rows).model();
            assertThrows(BochnerException.class, () -> gaussians().withStart(other));
        }

        /** Models of versions that did not save the kind of the solution continue with both kinds. */
        @Test
        void continueFromAModelThatDoesNotSayWhetherItIsPlain() {
            RowSource rows = ChannelRows.numbers(100);
            KernelModel plain =
                    learn(few().withPlainSolution(true).withSteps(2), rows).model();
            assertThrows(BochnerException.class, () -> few().withStart(plain));
            Map<String, Object> json = new LinkedHashMap<>(plain.training().toJson());
            json.computeIfPresent("channels", (key, channels) -> {
                Map<Object, Object> fields = new LinkedHashMap<>((Map<?, ?>) channels);
                assertEquals(true, fields.remove("plain"));
                return fields;
            });
            ModelParts parts = ModelAccess.parts(plain);
            KernelModel old = ModelAccess.model(parts.withMap(
                    plain.map(),
                    parts.requireLinear(),
                    SavedRecord.read(JsonObject.parse("training", Json.write(json)))));
            for (boolean solution : new boolean[] {true, false}) {
                LearnedSum resumed =
                        learn(few().withPlainSolution(solution).withSteps(2).withStart(old), rows);
                assertEquals(
                        Objects.requireNonNull(plain.training().channels()).lambda(),
                        resumed.path().get(0).lambda());
                TrainingRecord again = SavedRecord.read(JsonObject.parse(
                        "training", Json.write(resumed.model().training().toJson())));
                assertEquals(solution, Objects.requireNonNull(again.channels()).plain());
            }
        }

        @Test
        void endWithTheBestSoFarWhenAsked() {
            Progress impatient = new Progress() {
                private int steps;

                @Override
                public void report(String stage, long rows, double fraction) {}

                @Override
                public void iteration(String learner, Iteration iteration, double validationError) {
                    steps = iteration.number();
                }

                @Override
                public boolean stopRequested() {
                    return steps >= 2;
                }
            };
            LearnedSum learned = gaussians().fit(ChannelRows.numbers(200), WORKERS, impatient);
            assertEquals(2, learned.path().size());
            assertTrue(
                    learned.notes().stream().anyMatch(note -> note.kind() == Note.Kind.SOLVER),
                    learned.notes()::toString);
        }

        @Test
        void makeFeaturesWhereMapsCanMakeAnyNumber() {
            RowSource rows = ChannelRows.numbers(100);
            List<String> kernels = List.of("gaussian", "linear", "gaussian", "linear");
            LearnedSum learned =
                    learn(MultipleKernels.of(ChannelRows.CHANNELS, kernels).withFeatures(30), rows);
            assertEquals(
                    List.of(30, 3, 30, 2),
                    learned.channels().stream()
                            .map(LearnedSum.Channel::features)
                            .toList());
        }
    }

    /** The Gaussian kernel under a name that no family has. */
    record Unlisted(Bandwidth sigma) implements ShiftInvariantKernel {
        @Override
        public double atOffset(double[] delta) {
            return Kernels.gaussian(sigma).atOffset(delta);
        }

        @Override
        public Spectrum spectrum() {
            return Kernels.gaussian(sigma).spectrum();
        }

        @Override
        public Unlisted withSigma(Bandwidth other) {
            return new Unlisted(other);
        }
    }

    @Test
    void takesKernelsAsObjectsBesideKernelsWithoutAScale() {
        RowSource rows = ChannelRows.numbers(200);
        List<KernelRecipe> objects = List.of(
                KernelRecipe.of(new Unlisted(Bandwidth.of(0.5))),
                Kernels.recipe("gaussian"),
                KernelRecipe.of(Kernels.gaussian(0.7)),
                Kernels.recipe("linear"));
        List<String> spelled = List.of("gaussian(sigma=0.5)", "gaussian", "gaussian(sigma=0.7)", "linear");
        LearnedSum learned =
                learn(MultipleKernels.ofRecipes(ChannelRows.CHANNELS, objects).withFeatures(30), rows);
        LearnedSum other =
                learn(MultipleKernels.of(ChannelRows.CHANNELS, spelled).withFeatures(30), rows);
        assertEquals(
                other.channels().stream().map(LearnedSum.Channel::kernelWeight).toList(),
                learned.channels().stream()
                        .map(LearnedSum.Channel::kernelWeight)
                        .toList());
        assertEquals(new Unlisted(Bandwidth.of(0.5)), learned.channels().get(0).kernel());
        assertThrows(
                SpellingException.class,
                () -> MultipleKernels.of(
                        ChannelRows.CHANNELS, KernelRecipe.of(Kernels.scaled(2, Kernels.gaussian(1)))));
    }

    @Test
    void notesClassesWithoutATrainingRow() {
        float[] values = new float[80];
        int[] labels = new int[40];
        for (int i = 0; i < labels.length; i++) {
            values[2 * i] = i * 7 % 11;
            values[2 * i + 1] = i % 5;
            labels[i] = i % 2;
        }
        RowSource rows = MemorySource.of(2, values).withClasses(List.of("a", "b", "c"), labels);
        MultipleKernels recipe = MultipleKernels.of(MultipleKernels.channels("a=0:1,b=1:2"), "gaussian(sigma=1)")
                .withFeatures(10);
        assertTrue(learn(recipe, rows).notes().stream()
                .anyMatch(note -> note.toString().startsWith("classes without a training row: c;")));
    }

    @Nested
    class BadInput {
        private static void assertRefused(String text, Runnable reading) {
            BochnerException e = assertThrows(BochnerException.class, reading::run);
            assertTrue(String.valueOf(e.getMessage()).contains(text), e::getMessage);
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "a=0:3,b=2:5|a=0:3 and b=2:5 overlap",
                    "a=0:3,b=0:3|overlap",
                    "a=0:3,b=5:5|b=5:5 is empty",
                    "a=0:3,a=3:5|'a' is given twice",
                    "a=0:3,b|expected NAME=FROM:TO",
                    "a=0:3,=3:5|a name is a letter"
                })
        void channels(String text, String message) {
            SpellingException e = assertThrows(
                    SpellingException.class, () -> MultipleKernels.of(MultipleKernels.channels(text), "gaussian"));
            assertTrue(String.valueOf(e.getMessage()).contains(message), e::getMessage);
        }

        @Test
        void aSingleChannelUnlessItsScaleIsLearned() {
            MultipleKernels one = MultipleKernels.of(MultipleKernels.channels("a=0:3"), "gaussian");
            assertRefused("there is only one", () -> learn(one, ChannelRows.numbers(50)));
            assertRefused("withNorm", () -> learn(one.withJointScales(true), ChannelRows.numbers(50)));
            one.withJointScales(true).withNorm("average").requireComplete();
            assertRefused("there is none", () -> MultipleKernels.of(List.of(), "gaussian"));
        }

        @Test
        void columnsThatTheRowsLack() {
            List<ColumnRange> channels = MultipleKernels.channels("a=0:3,b=3:12");
            assertRefused(
                    "the channel b=3:12 goes beyond them",
                    () -> learn(MultipleKernels.of(channels, "gaussian"), ChannelRows.numbers(50)));
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "a=gaussian,c=cauchy|unknown channel 'c'",
                    "a=gaussian|the channel 'b' has none",
                    "gaussian,cauchy|both for all channels",
                    "gaussian[0:2]|must be one kernel",
                    "gaussian + cauchy|must be one kernel",
                    "2*gaussian|must be one kernel"
                })
        void kernels(String text, String message) {
            List<ColumnRange> channels = MultipleKernels.channels("a=0:3,b=3:5");
            SpellingException e = assertThrows(
                    SpellingException.class,
                    () -> MultipleKernels.of(channels, MultipleKernels.kernels(List.of(text), List.of("a", "b"))));
            assertTrue(String.valueOf(e.getMessage()).contains(message), e::getMessage);
        }

        @Test
        void kernelsOfSomeChannelsAndAllOthers() {
            assertEquals(
                    List.of("cauchy(sigma=1)", "gaussian", "gaussian"),
                    MultipleKernels.kernels(List.of("a=cauchy(sigma=1), gaussian"), List.of("a", "b", "c")));
        }

        @ParameterizedTest
        @ValueSource(strings = {"0.5", "NaN", "-1", "l1"})
        void norms(String text) {
            assertThrows(SpellingException.class, () -> ChannelNorm.parse(text));
        }

        @Test
        void lossesOfOtherLabels() {
            MultipleKernels classes = gaussians().withLoss(ChannelLoss.parse("logistic"));
            assertRefused("labels are numbers", () -> learn(classes, ChannelRows.numbers(50)));
            MultipleKernels hinge = gaussians().withLoss(ChannelLoss.parse("hinge"));
            assertRefused("use square, insensitive", () -> learn(hinge, ChannelRows.numbers(50)));
        }

        @ParameterizedTest
        @ValueSource(strings = {"square", "logistic"})
        void foldsOfOneClass(String loss) {
            float[] values = new float[40];
            int[] labels = new int[20];
            for (int i = 0; i < values.length; i++) {
                values[i] = i * 7 % 11;
            }
            labels[3] = 1;
            RowSource rows = MemorySource.of(2, values).withClasses(List.of("many", "one"), labels);
            MultipleKernels recipe = MultipleKernels.of(MultipleKernels.channels("a=0:1,b=1:2"), "gaussian")
                    .withFeatures(10)
                    .withLoss(ChannelLoss.parse(loss));
            assertRefused("all rows are of the class many", () -> learn(recipe, rows));
        }
    }
}
