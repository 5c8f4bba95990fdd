package org.bochner.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.spark.ml.param.ParamMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class StageParamsTest {
    private static void assertSays(Executable run, String... words) {
        String message =
                String.valueOf(assertThrows(IllegalArgumentException.class, run).getMessage());
        for (String word : words) {
            assertTrue(message.contains(word), () -> "'" + word + "' is not in: " + message);
        }
    }

    @Test
    void areCheckedWhenTheyAreSet() {
        KernelClassifier stage = new KernelClassifier("kc");
        assertSays(() -> stage.setLearner("svn(C=1)"), "kc: param learner = 'svn(C=1)'", "svm");
        assertSays(() -> stage.setKernel("gausian"), "param kernel = 'gausian'", "gaussian");
        assertSays(() -> stage.setMap("forier"), "param map", "fourier");
        assertSays(() -> stage.setScaling("standart"), "param scaling", "standard");
        assertSays(() -> stage.setPrecision("half"), "param precision = 'half'", "float, double");
        assertSays(() -> stage.setFeatures(0), "param features = '0'", "at least 1");
        assertSays(() -> stage.setClassWeights("spam"), "param classWeights = [spam]", "spam=2");
        assertSays(() -> stage.setComponents("many"), "param components");
        assertSays(() -> stage.setCalibration("plat"), "param calibration", "platt");
        assertSays(() -> stage.setUncertainty("conform"), "param uncertainty", "conformal");
        assertSays(() -> stage.setChannels("a"), "param channels");
        assertSays(() -> stage.setNorm("0.5"), "param norm");
        assertSays(() -> stage.setCriterion("loocv"), "param criterion");
        assertSays(() -> stage.setHandleInvalid("drop"), "param handleInvalid = 'drop'", "error, skip, keep");
        assertSays(() -> stage.setLabelCol(""), "param labelCol", "must be the name of a column");
    }

    @Test
    void areCopiedWithExtraValues() {
        KernelClassifier stage = new KernelClassifier().setFeatures(10);
        KernelClassifier copy = stage.copy(new ParamMap().put(stage.kernel(), "laplacian"));
        assertEquals("laplacian", copy.getKernel());
        assertEquals("gaussian", stage.getKernel());
        assertEquals(10, copy.getFeatures());
        assertEquals(stage.uid(), copy.uid());
    }

    @Test
    void haveTheNamesOfSparkForWhatSparkHas() {
        KernelClassifier stage = new KernelClassifier();
        assertArrayEquals(
                new String[] {
                    "balanced",
                    "calibration",
                    "channelKernels",
                    "channels",
                    "classWeights",
                    "components",
                    "criterion",
                    "features",
                    "featuresCol",
                    "featuresCols",
                    "handleInvalid",
                    "kernel",
                    "labelCol",
                    "learnScales",
                    "learner",
                    "loss",
                    "map",
                    "norm",
                    "precision",
                    "predictionCol",
                    "probabilityCol",
                    "rawPredictionCol",
                    "scaling",
                    "seed",
                    "uncertainty",
                    "weightCol"
                },
                java.util.Arrays.stream(stage.params())
                        .map(param -> param.name())
                        .toArray(String[]::new));
        assertTrue(stage.explainParams().contains("kernel"));
    }
}
