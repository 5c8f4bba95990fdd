package org.bochner.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.ml.evaluation.RegressionEvaluator;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.bochner.data.MemorySource;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.numeric.Precision;
import org.junit.jupiter.api.Test;

class KernelRegressorTest {
    private static KernelRegressor small() {
        return new KernelRegressor()
                .setKernel("gaussian(sigma=2)")
                .setFeatures(300)
                .setLearner("ridge(lambda=0.01)")
                .setLabelCol("value");
    }

    @Test
    void predictsNumbersForEvaluators() {
        Dataset<Row> rows = Frames.vectors(800);
        Dataset<Row>[] parts = rows.randomSplit(new double[] {0.8, 0.2}, 1);
        Dataset<Row> predicted = small().fit(parts[0]).transform(parts[1]);
        RegressionEvaluator evaluator =
                new RegressionEvaluator().setLabelCol("value").setMetricName("r2");
        assertTrue(evaluator.evaluate(predicted) > 0.8);
    }

    @Test
    void agreesWithTheLibraryInDouble() {
        Dataset<Row> rows = Frames.vectors(500);
        KernelRegressionModel model = small().setPrecision("double").fit(rows);
        List<Row> scored = model.transform(rows).collectAsList();
        double[][] matrix = Frames.matrix(scored, "features");
        KernelModel core = KernelMachine.of("gaussian(sigma=2)")
                .withFeatures(300)
                .withPrecision(Precision.FLOAT64)
                .withLearner("ridge(lambda=0.01)")
                .fit(MemorySource.of(matrix).withTargets(Frames.numbers(scored, "value")))
                .model();
        double[] expected =
                Arrays.stream(matrix).mapToDouble(core::predictNumber).toArray();
        assertTrue(Frames.difference(expected, Frames.numbers(scored, "prediction")) < 1e-8);
    }

    @Test
    void readsNumbersBooleansAndCategories() {
        Dataset<Row> table = Frames.table(500);
        String[] columns = {"a", "b", "c", "d", "e", "side"};
        KernelRegressionModel model = small().setFeaturesCols(columns).fit(table);
        assertEquals(7, model.numFeatures());
        List<Row> predicted = model.transform(table).collectAsList();
        // The model of the library reads records with the same columns.
        double[] records = predicted.stream()
                .mapToDouble(row -> {
                    Map<String, Object> record = new LinkedHashMap<>();
                    for (String column : columns) {
                        Object value = row.getAs(column);
                        record.put(column, value instanceof Boolean flag ? (Object) (flag ? 1 : 0) : value);
                    }
                    return model.kernelModel().predictNumber(record);
                })
                .toArray();
        assertTrue(Frames.difference(Frames.numbers(predicted, "prediction"), records) < 1e-6);
    }

    @Test
    void joinsVectorsWithOtherColumns() {
        Dataset<Row> rows = Frames.vectors(300)
                .withColumn("kind", functions.expr("if(label = 0, 'in', 'out')"))
                .withColumn("pair", functions.expr("array(value, 1.0)"));
        KernelRegressionModel model =
                small().setFeaturesCols("features", "kind", "pair").fit(rows);
        assertEquals(10, model.numFeatures());
        Dataset<Row> predicted = model.transform(rows);
        assertTrue(new RegressionEvaluator()
                        .setLabelCol("value")
                        .setMetricName("r2")
                        .evaluate(predicted)
                > 0.9);
    }

    @Test
    void weighsRows() {
        Dataset<Row> rows = Frames.vectors(200).withColumn("weight", functions.expr("if(label = 0, 1.0, 0.0)"));
        double[] weighted = Frames.numbers(
                small().setWeightCol("weight").fit(rows).transform(rows).collectAsList(), "prediction");
        double[] chosen = Frames.numbers(
                small().fit(rows.filter("label = 0")).transform(rows).collectAsList(), "prediction");
        assertTrue(Frames.difference(chosen, weighted) < 1e-3);
    }
}
