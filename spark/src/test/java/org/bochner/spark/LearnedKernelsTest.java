package org.bochner.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.evaluation.MulticlassClassificationEvaluator;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.bochner.data.MemorySource;
import org.bochner.model.KernelMachine;
import org.bochner.tune.KernelLearning;
import org.bochner.tune.LearnedKernel;
import org.bochner.tune.LearnedSum;
import org.bochner.tune.MultipleKernels;
import org.junit.jupiter.api.Test;

class LearnedKernelsTest {
    @Test
    void haveTheScalesThatTheLibraryLearns() {
        Dataset<Row> rows = Frames.vectors(300);
        KernelRegressionModel model = new KernelRegressor()
                .setLabelCol("value")
                .setScaling("none")
                .setFeatures(40)
                .setPrecision("double")
                .setLearnScales("column")
                .setCriterion("loo")
                .fit(rows);
        List<Row> scored = model.transform(rows).collectAsList();
        MemorySource own =
                MemorySource.of(Frames.matrix(scored, "features")).withTargets(Frames.numbers(scored, "value"));
        LearnedKernel learned = KernelLearning.of(KernelMachine.of("gaussian")
                        .withOpenKernel()
                        .withScaling("none")
                        .withPrecision(org.bochner.numeric.Precision.FLOAT64)
                        .withFeatures(40))
                .withCriterion("loo")
                .learn(own);
        double[] expected = Arrays.stream(Frames.matrix(scored, "features"))
                .mapToDouble(learned.trained().model()::predictNumber)
                .toArray();
        assertTrue(Frames.difference(expected, Frames.numbers(scored, "prediction")) < 1e-4);
        // Columns 3 to 5 do not matter.
        assertTrue(model.kernelModel().map().kernel().toString().contains("sigma=["));
    }

    @Test
    void haveTheWeightsThatTheLibraryLearns() {
        Dataset<Row> rows = Frames.vectors(300);
        KernelClassificationModel model = new KernelClassifier()
                .setChannels("ring=0:2,noise=2:6")
                .setFeatures(60)
                .setPrecision("double")
                .fit(rows);
        Dataset<Row> predicted = model.transform(rows);
        List<Row> scored = predicted.collectAsList();
        LearnedSum learned = MultipleKernels.of(MultipleKernels.channels("ring=0:2,noise=2:6"), "gaussian")
                .withFeatures(60)
                .withPrecision(org.bochner.numeric.Precision.FLOAT64)
                .fit(MemorySource.of(Frames.matrix(scored, "features"))
                        .withClasses(scored.stream()
                                .map(row -> Integer.toString(
                                        (int) row.<Double>getAs("label").doubleValue()))
                                .toArray(String[]::new)));
        assertEquals(learned.kernel(), model.kernelModel().map().kernel());
        assertTrue(new MulticlassClassificationEvaluator()
                        .setMetricName("accuracy")
                        .evaluate(predicted)
                > 0.9);
    }

    @Test
    void mayHaveAKernelPerChannel() {
        Dataset<Row> rows = Frames.vectors(120);
        KernelClassificationModel model = new KernelClassifier()
                .setChannels("ring=0:2,noise=2:6")
                .setKernel("laplacian")
                .setChannelKernels("ring=gaussian")
                .setNorm("average")
                .setFeatures(40)
                .fit(rows);
        String kernel = model.kernelModel().map().kernel().toString();
        assertTrue(kernel.contains("gaussian") && kernel.contains("laplacian"), kernel);
    }

    @Test
    void refuseParamsWithoutEffect() {
        Dataset<Row> rows = Frames.vectors(20);
        KernelClassifier channels = new KernelClassifier().setChannels("a=0:2,b=2:6");
        assertSays(channels.setLearner("svm"), rows, "the param learner has no effect with channels");
        assertSays(new KernelClassifier().setNorm("2"), rows, "the param norm needs the param channels");
        assertSays(
                new KernelClassifier().setChannels("a=0:2,b=2:6").setLearnScales("one"),
                rows,
                "channels and learnScales exclude each other");
    }

    private static void assertSays(KernelClassifier stage, Dataset<Row> rows, String words) {
        String message = String.valueOf(
                assertThrows(RuntimeException.class, () -> stage.fit(rows)).getMessage());
        assertTrue(message.contains(words), message);
    }
}
