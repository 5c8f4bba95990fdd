package org.bochner.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bochner.base.BochnerException;
import org.bochner.base.Json;
import org.bochner.base.text.JsonObject;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.TrainingRecord;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.model.file.SavedRecord;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Multiple kernel learning that continues from a model. */
class ResumedKernelsTest {
    private static final int FEATURES = 20;

    /** Columns in units from 1e3 to 1e7, whose distances without scaling say little. */
    private static MemorySource rows(int count, long seed) {
        RandomStream stream = new Seed(seed).stream();
        float[] x = new float[5 * count];
        double[] y = new double[count];
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < 5; j++) {
                double value = 2 * stream.nextUniform() - 1;
                y[i] += (j + 1) * value * value;
                x[5 * i + j] = (float) (value * Math.pow(10, 3 + j));
            }
        }
        return MemorySource.of(5, x).withTargets(y);
    }

    private static MultipleKernels recipe(String norm, String map, boolean joint) {
        MultipleKernels recipe = MultipleKernels.of(MultipleKernels.channels("a=0:2,b=2:5"), "gaussian")
                .withNorm(norm)
                // The search for the l2 of a refit depends on where it starts.
                .withPlainSolution(norm.equals("1"))
                .withMap(map)
                .withJointScales(joint)
                .withFolds(2)
                .withSteps(3);
        return map.equals("none") ? recipe : recipe.withFeatures(FEATURES);
    }

    private static MultipleKernels joint() {
        return recipe("average", "auto", true);
    }

    private static LearnedSum learn(MultipleKernels recipe, RowSource rows) {
        return recipe.fit(rows, new Workers(1), Progress.NONE);
    }

    private static TrainingRecord.ChannelWeighting weighting(KernelModel model) {
        return Objects.requireNonNull(model.training().channels());
    }

    @ParameterizedTest
    @CsvSource({"average, auto, false", "1, auto, false", "average, none, false", "average, auto, true"})
    void usesTheScalerOfTheModel(String norm, String map, boolean joint) {
        MemorySource rows = rows(80, 1);
        MultipleKernels recipe = recipe(norm, map, joint);
        LearnedSum begun = learn(recipe, rows);
        LearnedSum resumed = learn(recipe.withStart(begun.model()), rows(60, 2));
        assertEquals(begun.model().scaler().state(), resumed.model().scaler().state());
        if (!joint) {
            // The same folds, scales and penalty. The weights of block-ℓ1 are solved in folds to slopes of 1e-3.
            LearnedSum.Step first =
                    learn(recipe.withStart(begun.model()), rows).path().get(0);
            double expected = begun.path().get(begun.chosen()).loss();
            assertEquals(expected, first.loss(), (norm.equals("1") ? 1e-3 : 1e-6) * expected);
        }
        refused(
                "the scaling of the model: standard",
                () -> recipe.withScaling("none").withStart(begun.model()));
        recipe.withScaling("standard").withStart(begun.model());
    }

    private static double sigma(Kernel kernel) {
        return Double.parseDouble(kernel.toString().replaceAll(".*=|\\).*", ""));
    }

    @Test
    void comparesJointScalesWithThoseBeforeLearning() {
        LearnedSum begun = learn(joint().withScalePenalty(0.02, 0.01), rows(80, 1));
        LearnedSum resumed = learn(joint().withStart(begun.model()), rows(60, 2));
        List<Kernel> initial = ExactKernelRun.terms(
                Objects.requireNonNull(weighting(resumed.model()).initialKernel())
                        .complete());
        List<Double> factors = resumed.path().get(resumed.chosen()).scaleFactors();
        for (int c = 0; c < 2; c++) {
            Kernel first = begun.channels().get(c).initialKernel();
            assertEquals(first, ((ChannelKernel) initial.get(c)).kernel());
            assertEquals(
                    begun.channels().get(c).kernel(), resumed.channels().get(c).initialKernel());
            // Length-scales have five digits.
            double expected = sigma(resumed.channels().get(c).kernel()) / sigma(first);
            assertEquals(expected, factors.get(c), 1e-4 * expected);
        }
        assertFalse(resumed.notes().toString().contains("measured"), resumed.notes()::toString);
    }

    @Test
    void measuresInitialScalesThatAnOldModelLacks() {
        MemorySource rows = rows(80, 1);
        LearnedSum begun = learn(joint().withScalePenalty(0.02, 0), rows);
        KernelModel old = without(begun.model(), "initialKernel");
        LearnedSum resumed = learn(joint().withStart(old), rows);
        assertTrue(resumed.notes().toString().contains("measured again: "), resumed.notes()::toString);
        assertEquals(
                weighting(begun.model()).initialKernel(),
                weighting(resumed.model()).initialKernel());
    }

    private static KernelModel without(KernelModel model, String key) {
        Map<String, Object> json = new LinkedHashMap<>(model.training().toJson());
        json.computeIfPresent("channels", (name, channels) -> {
            Map<Object, Object> fields = new LinkedHashMap<>((Map<?, ?>) channels);
            assertTrue(fields.remove(key) != null, key);
            return fields;
        });
        ModelParts parts = ModelAccess.parts(model);
        TrainingRecord record = SavedRecord.read(JsonObject.parse("training", Json.write(json)));
        return ModelAccess.model(parts.withMap(model.map(), parts.requireLinear(), record));
    }

    @Test
    void refusesAnotherNumberOfFeaturesAndAnotherTask() {
        MemorySource rows = rows(80, 1);
        MultipleKernels recipe = recipe("average", "auto", false);
        KernelModel model = learn(recipe, rows).model();
        refused(
                "the number of features per channel of the model: 20, not 40",
                () -> recipe.withFeatures(40).withStart(model));
        recipe.withFeatures(40).withStart(without(model, "features"));
        int[] classes = new int[80];
        classes[0] = 1;
        RowSource other = MemorySource.of(5, new float[400]).withClasses(List.of("x", "y"), classes);
        refused(
                "predicts numbers, and the labels of the rows are classes",
                () -> learn(recipe.withStart(model), other));
    }

    private static void refused(String text, Runnable call) {
        BochnerException e = assertThrows(BochnerException.class, call::run);
        assertTrue(String.valueOf(e.getMessage()).contains(text), e::getMessage);
    }
}
