package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.base.BochnerException;
import org.bochner.base.Json;
import org.bochner.base.text.JsonObject;
import org.bochner.data.ColumnRange;
import org.bochner.data.DataIdentity;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.MemorySource;
import org.bochner.kernel.Kernels;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.Convergence;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMaps;
import org.bochner.model.file.SavedRecord;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrainingRecordTest {
    private static final DataIdentity DATA = new DataIdentity(
            List.of(new DataIdentity.File("a \"b\".csv", 1L << 40, 12, "00ff")),
            "patient",
            Map.of("holdout", "all but 1"));

    private static TrainingRecord full() {
        return new TrainingRecord(
                DATA,
                1L << 41,
                Kernels.recipe("gaussian[0:2] + chi2(degree=1)"),
                FeatureMaps.parse("fourier(phase) + sampled(order=2)"),
                Learner.parse("svm(C=auto, loss=squared-hinge)"),
                0.1 + 0.2,
                Learner.parse("ridge(lambda=2)"),
                true,
                Map.of("x", 0.5),
                new Seed(-7),
                "12",
                DataIdentity.UNKNOWN,
                CalibrationRecipe.parse("temperature(holdout=0.25)"),
                "agop(full), objective cv(folds=5), one scale per column",
                new TrainingRecord.ChannelWeighting(
                        List.of(new ColumnRange("a", 0, 2), new ColumnRange("b", 2, 5)),
                        "l1",
                        "ridge(lambda=auto)",
                        0.25,
                        5,
                        true,
                        true,
                        0.01,
                        0.1,
                        Kernels.recipe("gaussian(sigma=0.1)[0:2] + chi2[2:5]"),
                        100),
                new Convergence("Newton", 12, 3.5, "gradient", Double.NaN, 1e-6, Convergence.End.ITERATIONS),
                List.of(new TrainingRecord.PruningStep(3, 7, TrainingRecord.MapUnit.COLUMNS, DATA)),
                "1.2",
                LocalDate.of(2026, 2, 28));
    }

    private static TrainingRecord read(Map<String, Object> json) {
        return SavedRecord.read(JsonObject.parse("training", Json.write(json)));
    }

    @Test
    void comesBackFromJson() {
        TrainingRecord back = read(full().toJson());
        assertEquals(Json.write(full().toJson()), Json.write(back.toJson()));
        assertEquals(full().data(), back.data());
        assertEquals(full().pruning(), back.pruning());
        assertEquals(full().balancedClasses(), back.balancedClasses());
        assertEquals(full().classWeights(), back.classWeights());
        assertEquals(full().convergence(), back.convergence());
        assertEquals(full().channels(), back.channels());
        assertEquals(0.1 + 0.2, back.lambda());
    }

    /** A recipe that was given as an object is marked; any other text must be the spelling of a map. */
    @Test
    void tellsMapsWithoutASpellingFromWrongSpellings() {
        Map<String, Object> json = new LinkedHashMap<>(full().toJson());
        json.put("map", "fuorier");
        BochnerException wrong = assertThrows(BochnerException.class, () -> read(json));
        assertTrue(String.valueOf(wrong.getMessage()).contains("fuorier"), wrong.getMessage());
        json.put("ownMap", true);
        TrainingRecord own = read(json);
        assertEquals("fuorier", own.map().toString());
        assertEquals(own, read(own.toJson()));
    }

    @Test
    void leavesOutWhatDoesNotApply() {
        TrainingRecord back = read(Records.unknown().toJson());
        assertNull(back.refit());
        assertNull(back.components());
        assertNull(back.calibration());
        assertNull(back.channels());
        assertNull(back.convergence());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "data",
                "rows",
                "kernel",
                "map",
                "learner",
                "lambda",
                "classWeighting",
                "seed",
                "pruning",
                "version",
                "created"
            })
    void namesTheFieldThatIsMissingOrWrong(String field) {
        Map<String, Object> json = new LinkedHashMap<>(full().toJson());
        json.remove(field);
        BochnerException missing = assertThrows(BochnerException.class, () -> read(json));
        assertTrue(String.valueOf(missing.getMessage()).contains("training." + field), missing.getMessage());
        json.put(field, true);
        BochnerException wrong = assertThrows(BochnerException.class, () -> read(json));
        assertTrue(String.valueOf(wrong.getMessage()).contains("training." + field), wrong.getMessage());
    }

    @Test
    void holdsWhatWasAskedForAndWhatWasFound(@TempDir Path folder) throws Exception {
        StringBuilder csv = new StringBuilder("x,y,kind\n");
        for (int i = 0; i < 60; i++) {
            csv.append(i * 37 % 60).append(',').append(i * 11 % 60).append(i % 3 == 0 ? ",a\n" : ",b\n");
        }
        Path file = Files.writeString(folder.resolve("rows.csv"), csv);
        KernelModel model = KernelMachine.of("gaussian")
                .withFeatures(20)
                .withLearner("logistic(C=auto)")
                .withClassWeights(Map.of("a", 2.0))
                .withCalibration(CalibrationRecipe.parse("platt(folds=2)"))
                .withSeed(new Seed(5))
                .fit(FileSource.open(DataOptions.of(file.toString())))
                .model();
        Path saved = folder.resolve("model.bochner");
        model.save(saved);
        TrainingRecord training = KernelModel.load(saved).training();
        assertEquals("rows.csv", training.data().files().get(0).file());
        assertEquals(60, training.data().files().get(0).rows());
        assertEquals(60, training.rows());
        assertEquals("gaussian", training.kernel().toString());
        assertTrue(training.requireLearner().isAuto());
        assertTrue(training.lambda() > 0);
        assertFalse(training.balancedClasses());
        assertEquals(Map.of("a", 2.0), training.classWeights());
        assertEquals("platt(folds=2)", String.valueOf(training.calibration()));
        assertEquals(new Seed(5), training.seed());
    }

    /** Class weights given by name decide the weights of a pruned model as they did those of the whole one. */
    @Test
    void pruningWeightsTheClassesAsTrainingDid() {
        float[] values = new float[400];
        int[] classes = new int[200];
        for (int i = 0; i < 200; i++) {
            values[2 * i] = i * 37 % 100;
            values[2 * i + 1] = i * 11 % 100;
            classes[i] = (i * 7 + i / 3) % 2;
        }
        MemorySource rows = MemorySource.of(2, values).withClasses(List.of("a", "b"), classes);
        KernelMachine machine =
                KernelMachine.of("gaussian(sigma=30)").withFeatures(20).withLearner("ridge(lambda=1)");
        KernelModel weighted =
                machine.withClassWeights(Map.of("a", 50.0)).fit(rows).model();
        KernelModel pruned = Pruning.of(weighted)
                .fit(rows, 10, new Workers(1), Progress.NONE)
                .model(10);
        // All units are kept, and the problem is the same, so that the weights are.
        for (int j = 0; j < weighted.linear().features(); j++) {
            assertEquals(weighted.linear().weight(j, 0), pruned.linear().weight(j, 0), 1e-6);
        }
        // Without the weights, the model differs.
        assertTrue(Math.abs(machine.fit(rows).model().linear().intercept(0)
                        - pruned.linear().intercept(0))
                > 0.1);
    }
}
